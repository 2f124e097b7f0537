//! Programs that do not stop: limits, interruptions, and threads that run or wait where there are no points.

use libc::pid_t;

use super::{Engine, Halt};
use crate::chaos::mechanism::proc_files::Stat;
use crate::chaos::mechanism::tracee;
use crate::chaos::policy::watchdog::Finding;

impl Engine<'_> {
    /// Checks the limits that a program which does not stop would not notice.
    pub(super) fn tick(&mut self, running: Option<pid_t>) -> Result<(), Halt> {
        self.budget.check_backstop(&self.tasks(), true)?;
        if let Some(debugger) = &mut self.debugger {
            debugger.listen(running, &mut self.interruptions);
        }
        match running {
            Some(tid) if self.threads.current().tid() == tid => self.watch(tid),
            _ => Ok(()),
        }
    }

    /// Whether the run has done all that it may.
    pub(super) fn check_limits(&mut self) -> Result<(), Halt> {
        let points = self.scheduler.all_points();
        let (pid, passive) = (self.process.id(), &self.passive);
        Ok(self.budget.check(points, || tasks(pid, passive.threads()))?)
    }

    /// How much the run has done, counted in decisions.
    pub(super) fn work(&self) -> u64 {
        self.budget.work(self.scheduler.all_points())
    }

    fn tasks(&self) -> Vec<pid_t> {
        tasks(self.process.id(), self.passive.threads())
    }

    /// Looks after a thread that has not stopped for a while.
    fn watch(&mut self, tid: pid_t) -> Result<(), Halt> {
        let Some(stat) = Stat::of_thread(self.process.id(), tid) else { return Ok(()) };
        let others_may_run = self.somebody_else_may_run();
        match self.watchdog.look(&stat, others_may_run) {
            Finding::Fine => return Ok(()),
            Finding::Computes => {
                self.budget.spend_interruption();
                if others_may_run {
                    self.notes.add("a thread ran long in code without points and was interrupted by the clock");
                }
            }
            Finding::Waits => self
                .notes
                .add("a thread waited in the kernel, in a call that should not wait, until the others went on"),
        }
        Ok(tracee::interrupt(tid)?)
    }
}

/// The program's process, and those that it has started.
fn tasks(pid: pid_t, passive: &[pid_t]) -> Vec<pid_t> {
    std::iter::once(pid).chain(passive.iter().copied()).collect()
}
