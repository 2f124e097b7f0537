//! Programs that do not stop: limits, interruptions, and threads that run or wait where we have no points.
//!
//! No limit depends on how fast the machine is: a thread is interrupted after so much time on a processor, and one that
//! waits in the kernel is one that sleeps there.

use std::fs;
use std::sync::atomic::Ordering;
use std::time::Duration;

use libc::pid_t;

use super::engine::{Engine, Halt};
use super::tracee;
use crate::ending::Stopped;

/// How often a thread that does not stop is looked at.
pub const TICK: Duration = Duration::from_millis(100);
/// How long a thread may compute in code without points while others wait.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many ticks a thread may wait in the kernel, in a call that we did not expect to wait, while others could run.
const KERNEL_PATIENCE: u32 = 3;

impl Engine<'_> {
    /// Checks the limits that a program which does not stop would not notice.
    pub(super) fn tick(&mut self, running: Option<pid_t>) -> Result<(), Halt> {
        self.check_backstop(true)?;
        if let Some(debugger) = &mut self.debugger {
            debugger.listen(running, &mut self.interruptions);
        }
        match running {
            Some(tid) if self.threads[self.current].tid == tid => self.watch(tid),
            _ => Ok(()),
        }
    }

    /// Whether the user wants to end, or the run has taken all that it may; whether we have been waiting for it.
    pub(super) fn check_backstop(&mut self, has_waited: bool) -> Result<(), Halt> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Halt::Stop(Stopped::Interrupted));
        }
        let processes: Vec<pid_t> = std::iter::once(self.pid).chain(self.passive.threads().iter().copied()).collect();
        let is_over = match has_waited {
            true => self.backstop.is_reached(&processes),
            false => self.backstop.has_worked(&processes),
        };
        if is_over { Err(Halt::Stop(Stopped::WallClock)) } else { Ok(()) }
    }

    /// What an interruption by the clock counts, in decisions: who computes forever is stopped by them, well before the
    /// backstop, and so at the same place in every run.
    fn cost_of_interruption(&self) -> u64 {
        let interruptions = (self.limits.wall_clock.as_secs() / 2 / PATIENCE.as_secs()).max(1);
        (self.limits.decisions / interruptions).max(1)
    }

    /// Looks after a thread that has not stopped for a while.
    fn watch(&mut self, tid: pid_t) -> Result<(), Halt> {
        let Some(activity) = Activity::of(self.pid, tid) else { return Ok(()) };
        let before = *self.computed.get_or_insert(activity.computed);
        self.idle_ticks = if activity.is_waiting { self.idle_ticks + 1 } else { 0 };
        // Time on the wall would tell as much about the machine's load as about the thread.
        if activity.computed.saturating_sub(before) > PATIENCE {
            self.computed = None;
            self.effort = self.effort.saturating_add(self.cost_of_interruption());
            if self.somebody_else_may_run() {
                self.note("a thread ran long in code without points and was interrupted by the clock");
            }
            tracee::interrupt(tid)?;
        } else if self.idle_ticks > KERNEL_PATIENCE && self.somebody_else_may_run() {
            self.idle_ticks = 0;
            self.found_waiting = true;
            self.note("a thread waited in the kernel, in a call that should not wait, until the others went on");
            tracee::interrupt(tid)?;
        }
        Ok(())
    }
}

/// What a thread has been doing.
struct Activity {
    /// How long it has been computing.
    computed: Duration,
    /// Whether it waits in the kernel.
    is_waiting: bool,
}

impl Activity {
    /// Nothing if it is not a thread of this process, or has ended.
    fn of(pid: pid_t, tid: pid_t) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/task/{tid}/stat")).ok()?;
        // After the name, in parentheses: the state, and as the 12th and 13th number the ticks in user and kernel mode.
        let fields: Vec<&str> = stat.rsplit_once(") ").map_or(Vec::new(), |(_, rest)| rest.split(' ').collect());
        let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok()).unwrap_or_default();
        // SAFETY: asks for a constant of the system.
        let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as u64;
        let computed = Duration::from_millis((ticks(11) + ticks(12)) * 1000 / per_second);
        // Not `D`: who waits for a disk does not wait for others.
        Some(Self { computed, is_waiting: fields.first() == Some(&"S") })
    }
}
