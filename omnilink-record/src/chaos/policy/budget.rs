//! How much a run may do, counted in decisions: what takes about as long as a decision counts as one.
//!
//! The same program is stopped after the same amount of work in every run. Time on the wall is only a backstop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use libc::pid_t;

use super::watchdog::PATIENCE;
use crate::backstop::Backstop;
use crate::ending::Stopped;
use crate::plan::Limits;

/// How many points take as long as a decision.
const POINTS_PER_DECISION: u64 = 500;
/// The backstop is looked at once in so many checks.
const CHECKS_PER_LOOK: u64 = 1024;

/// The limits of a run, and what it has done so far.
#[derive(Debug)]
pub struct Budget<'a> {
    limits: Limits,
    backstop: Backstop,
    /// Set when the user wants the run to end.
    interrupt: &'a AtomicBool,
    /// What has been done besides passing points, counted in decisions.
    effort: u64,
    checks: u64,
}

impl<'a> Budget<'a> {
    /// Of a run that begins now.
    pub fn new(limits: Limits, interrupt: &'a AtomicBool) -> Self {
        Self { limits, backstop: Backstop::new(limits.wall_clock, true), interrupt, effort: 0, checks: 0 }
    }

    /// The run may take as long as it takes.
    pub fn lift_backstop(&mut self) {
        self.limits.wall_clock = Duration::MAX;
        self.backstop = Backstop::new(Duration::MAX, true);
    }

    /// Something was done that takes as long as so many decisions.
    pub fn spend(&mut self, decisions: u64) {
        self.effort = self.effort.saturating_add(decisions);
    }

    /// A thread was interrupted because it computes for long. A program that computes forever is stopped by what this
    /// costs, well before the backstop, and so at the same place in every run.
    pub fn spend_interruption(&mut self) {
        let interruptions = (self.limits.wall_clock.as_secs() / 2 / PATIENCE.as_secs()).max(1);
        self.spend((self.limits.decisions / interruptions).max(1));
    }

    /// How much a run that has passed so many points has done.
    pub fn work(&self, points: u64) -> u64 {
        self.effort.saturating_add(points / POINTS_PER_DECISION)
    }

    /// Fails when a run that has passed so many points is to be stopped; `tasks` gives its processes.
    pub fn check(&mut self, points: u64, tasks: impl FnOnce() -> Vec<pid_t>) -> Result<(), Stopped> {
        if self.work(points) > self.limits.decisions {
            return Err(Stopped::DecisionLimit);
        }
        self.checks = self.checks.wrapping_add(1);
        if self.checks.is_multiple_of(CHECKS_PER_LOOK) { self.check_backstop(&tasks(), false) } else { Ok(()) }
    }

    /// Fails when the user wants the run to end, or when it has taken all the time that it may. Whether we have been
    /// waiting for it makes a difference.
    pub fn check_backstop(&mut self, tasks: &[pid_t], has_waited: bool) -> Result<(), Stopped> {
        if self.is_interrupted() {
            return Err(Stopped::Interrupted);
        }
        let is_over = match has_waited {
            true => self.backstop.is_reached(tasks),
            false => self.backstop.has_worked(tasks),
        };
        if is_over { Err(Stopped::WallClock) } else { Ok(()) }
    }

    /// Whether the user wants the run to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}
