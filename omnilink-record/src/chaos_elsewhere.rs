//! The chaos scheduler where there is none: it rewrites the machine code of x86-64 and drives the system calls of
//! Linux.

#[path = "chaos/strategy/mod.rs"]
pub mod strategy;

use std::sync::atomic::AtomicBool;

use crate::debugger::Invitation;
use crate::directory::Streams;
use crate::error::RecordError;
use crate::observed::Observed;
use crate::plan::Plan;
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
