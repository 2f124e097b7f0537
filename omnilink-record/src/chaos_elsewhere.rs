//! The chaos scheduler where there is none: it rewrites the machine code of x86-64 and drives the system calls of
//! Linux.

#[path = "chaos/policy/strategy/mod.rs"]
pub mod strategy;

use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use libc::pid_t;

use crate::debugger::Invitation;
use crate::directory::Streams;
use crate::ending::Ending;
use crate::environment::Environment;
use crate::error::RecordError;
use crate::observed::Observed;
use crate::plan::Plan;
use crate::stacks::ThreadStack;
use strategy::Strategy;

/// Code that has been looked at before.
#[derive(Debug, Default)]
pub struct CodeCache;

/// Which shared libraries have points.
#[derive(Debug, Clone, Default)]
pub struct Libraries;

impl Libraries {
    /// What a plan says about them.
    pub fn of(_plan: &Plan) -> Self {
        Self
    }
}

/// What a run of the scheduler needs besides the plan.
#[derive(Debug)]
pub struct Setting<'a> {
    /// What the program reads from and writes to.
    pub streams: &'a Streams,
    /// Code that has been looked at before.
    pub cache: &'a CodeCache,
    /// Which libraries have points.
    pub libraries: &'a Libraries,
    /// Set when the run shall end.
    pub interrupt: &'a AtomicBool,
}

/// Nobody looks on: see the other one.
#[derive(Debug)]
pub(crate) enum Witness {}

impl Witness {
    /// Nobody does.
    pub(crate) fn prepare(_command: &mut Command, _program: &Path, _environment: &Environment) -> bool {
        false
    }

    pub(crate) fn begin(_pid: pid_t, _every: Duration) -> Option<Self> {
        None
    }

    pub(crate) fn wait(&mut self) -> io::Result<Option<Ending>> {
        match *self {}
    }

    pub(crate) fn stopping(&mut self) {
        match *self {}
    }

    pub(crate) fn take_new(&mut self) -> Vec<pid_t> {
        match *self {}
    }

    pub(crate) fn stacks_of(self, _ending: &Ending) -> Vec<ThreadStack> {
        match self {}
    }
}

/// Says that it cannot be done.
pub fn run(plan: &Plan, _setting: &Setting<'_>, _strategy: &mut dyn Strategy) -> Result<Observed, RecordError> {
    Err(RecordError::Unsupported {
        program: plan.program.clone(),
        reason: "the chaos scheduler runs on x86-64 Linux only".to_owned(),
        remedy: "use --free, or --rr-chaos where rr works (see `omnilink doctor`)".to_owned(),
    })
}

/// Says that it cannot be done.
pub fn debug(
    plan: &Plan,
    setting: &Setting<'_>,
    strategy: &mut dyn Strategy,
    _invitation: Invitation<'_>,
) -> Result<Observed, RecordError> {
    run(plan, setting, strategy)
}
