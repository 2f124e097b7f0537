//! Decisions, virtual time, and waiting until a thread can run.

use std::time::{Duration, Instant};

use super::{Engine, Halt};
use crate::chaos::mechanism::tracee::{self, Whom};
use crate::chaos::policy::strategy::Reason;
use crate::chaos::state::readiness;
use crate::chaos::state::threads::{State, Thread, ThreadIndex, Wait};

/// How long nobody runs, in real time, because another process may still do something.
const LONGEST_REAL_WAIT: Duration = Duration::from_secs(1);

impl Engine<'_> {
    /// Counts points if somebody else could run, and does not otherwise.
    pub(super) fn arm(&mut self) -> Result<(), Halt> {
        let sleeps = |thread: &Thread| matches!(thread.wait(), Some(Wait::Sleep { .. }));
        let somebody =
            self.threads.any_other(|thread| thread.can_run() || sleeps(thread)) || self.timers.earliest().is_some();
        if !self.scheduler.count_points(self.process.control(), somebody) {
            return Ok(());
        }
        self.process.forget_closed(self.living_thread())?;
        Ok(self.process.set_traps(somebody)?)
    }

    /// What the virtual clock shows.
    pub(super) fn now(&self) -> u64 {
        self.process.control().clock()
    }

    pub(super) fn advance_clock(&mut self, by: u64) {
        self.process.control().advance_clock(by);
    }

    /// The current thread passes a point that no trampoline has counted.
    pub(super) fn point(&mut self, location: u64) -> Result<(), Halt> {
        if self.scheduler.pass_point(self.process.control()) { self.slice_ended(location) } else { Ok(()) }
    }

    pub(super) fn slice_ended(&mut self, location: u64) -> Result<(), Halt> {
        match self.scheduler.slice_ended(self.process.control(), location) {
            true => self.decide(Reason::SliceEnded),
            false => self.check_limits(),
        }
    }

    /// The current thread says that it waits for another.
    pub(super) fn yielded(&mut self) -> Result<(), Halt> {
        if self.scheduler.is_counting() { self.decide(Reason::Yielded) } else { self.check_limits() }
    }

    /// The current thread waits.
    pub(super) fn blocked(&mut self) -> Result<(), Halt> {
        self.decide(Reason::Blocked)
    }

    /// Chooses the thread that goes on.
    fn decide(&mut self, reason: Reason) -> Result<(), Halt> {
        self.scheduler.settle(self.process.control());
        self.budget.spend(1);
        self.release_due()?;
        if let Some((_, deadline)) = self.threads.earliest(|wait| matches!(wait, Wait::Sleep { .. }))
            && self.scheduler.wakes_early()
        {
            self.process.control().jump_clock(deadline);
            self.release_due()?;
        }
        let points = self.scheduler.points();
        if self.timers.may_expire_early(points)
            && self.scheduler.wakes_early()
            && let Some(deadline) = self.timers.earliest()
        {
            self.timers.expire_early(points);
            self.process.control().jump_clock(deadline);
            self.release_due()?;
        }
        while self.threads.runnable().is_empty() {
            self.wait_for_somebody()?;
        }
        let (current, runnable) = (self.threads.current_index(), self.threads.runnable());
        let next = self.scheduler.choose(self.process.control(), reason, current, &runnable);
        if next != current {
            self.threads.switch_to(next, self.now());
        }
        self.check_limits()
    }

    /// Wakes everybody whose deadline has come or whose input has.
    fn release_due(&mut self) -> Result<(), Halt> {
        let now = self.now();
        while let Some((index, deadline)) = self.threads.earliest(|_| true)
            && deadline <= now
        {
            self.expire(index)?;
        }
        if self.timers.earliest().is_some_and(|deadline| deadline <= now) {
            self.expire_timers()?;
        }
        let ready = self.threads.indexes(|thread| {
            let wait = if thread.is_called() { None } else { thread.wait() };
            matches!(wait, Some(Wait::Descriptors { readiness, .. }) if readiness.is_ready(0, 0))
        });
        for index in ready {
            self.threads[index].call();
        }
        Ok(())
    }

    /// Ends a wait whose deadline has come.
    fn expire(&mut self, index: ThreadIndex) -> Result<(), Halt> {
        let result = match self.threads[index].state() {
            State::Waiting(Wait::Futex { .. }) => -i64::from(libc::ETIMEDOUT),
            State::Waiting(Wait::Signals { .. }) => -i64::from(libc::EAGAIN),
            State::Waiting(Wait::Descriptors { .. }) => {
                let registers = tracee::registers(self.threads[index].tid())?;
                readiness::report_none(self.process.memory(), &registers)?;
                if readiness::only_asks(&registers) { 0 } else { -i64::from(libc::EAGAIN) }
            }
            _ => 0,
        };
        Ok(self.wake(index, result)?)
    }

    /// When time itself lets something happen next.
    pub(super) fn earliest_deadline(&self) -> Option<u64> {
        let waiting = self.threads.earliest(|_| true).map(|(_, deadline)| deadline);
        waiting.into_iter().chain(self.timers.earliest()).min()
    }

    /// Nobody can run: waits for the kernel, or for time to pass.
    fn wait_for_somebody(&mut self) -> Result<(), Halt> {
        self.budget.spend(1);
        let began = Instant::now();
        loop {
            self.rest()?;
            self.look_outside()?;
            if !self.threads.runnable().is_empty() {
                return Ok(());
            }
            let Some(deadline) = self.earliest_deadline() else {
                if self.wakers().is_empty() {
                    return Err(Halt::Deadlock);
                }
                self.tick(None)?;
                return self.show_interruption();
            };
            // For other processes time is real: so much of it passes for them, too, if it is not long.
            let ahead = Duration::from_nanos(deadline.saturating_sub(self.now())).min(LONGEST_REAL_WAIT);
            if self.passive.is_empty() || began.elapsed() >= ahead {
                self.process.control().jump_clock(deadline);
                self.check_limits()?;
                return self.release_due();
            }
            self.tick(None)?;
            self.show_interruption()?;
        }
    }

    /// Gives the kernel and other processes a moment, if somebody waits for them.
    fn look_outside(&mut self) -> Result<(), Halt> {
        const MOMENT_MS: u8 = 1;
        let waits = |wanted: fn(&State) -> bool| self.threads.any(|thread| wanted(thread.state()));
        let for_signals = waits(|state| matches!(state, State::Waiting(Wait::Signals { .. })));
        let in_kernel = waits(|state| matches!(state, State::InKernel));
        let watched = self.threads.iter().find_map(|(_, thread)| match thread.wait() {
            Some(Wait::Descriptors { readiness, .. }) => Some(readiness),
            _ => None,
        });
        match watched {
            Some(readiness) => {
                readiness.is_ready(0, MOMENT_MS);
            }
            _ if in_kernel || for_signals || !self.passive.is_empty() => {
                std::thread::sleep(Duration::from_millis(MOMENT_MS.into()));
            }
            _ => return Ok(()),
        }
        while let Some((who, stop)) = tracee::poll(Whom::Anyone)? {
            self.dispatch(who, stop)?;
        }
        self.call_signalled()?;
        self.release_due()
    }
}
