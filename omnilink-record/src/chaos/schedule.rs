//! Counting points, choosing who goes on, letting time pass.

use std::time::{Duration, Instant};

use super::engine::{Engine, Halt};
use super::strategy::{Moment, Reason, ThreadIndex};
use super::threads::{State, Wait};
use super::tracee::{self, Whom};
use super::{readiness, time};
use crate::ending::Stopped;

/// How likely it is, at each decision, that a sleeper is woken before everyone else waits.
const EARLY_WAKING: f64 = 0.3;

/// How many points pass before limits are checked, while nobody else could run.
pub const ALONE: i32 = 10_000_000;
/// How many points take as long as a decision.
const POINTS_PER_DECISION: u64 = 500;
/// How long nobody runs, in real time, because another process may still do something.
const LONGEST_REAL_WAIT: Duration = Duration::from_secs(1);

impl Engine<'_> {
    /// Counts points if somebody else could run, and does not otherwise.
    pub(super) fn arm(&mut self) -> Result<(), Halt> {
        let somebody = self.threads.any(|thread| {
            let is_current = thread.tid == self.threads[self.current].tid;
            !is_current && (thread.can_run() || matches!(thread.state, State::Waiting(Wait::Sleep { .. })))
        }) || self.timers.earliest().is_some();
        if somebody == self.armed {
            return Ok(());
        }
        self.settle();
        if somebody {
            if self.remaining <= 0 {
                self.remaining = self.strategy.slice(self.points) as i32;
            }
            self.load(self.remaining);
        } else {
            self.remaining = self.control.countdown();
            self.load(ALONE);
        }
        self.armed = somebody;
        self.code.forget_closed(self.process())?;
        Ok(self.code.set_traps(&self.memory, somebody)?)
    }

    pub(super) fn load(&mut self, countdown: i32) {
        self.loaded = countdown;
        self.control.set_countdown(countdown);
    }

    /// Accounts for the points that have passed.
    pub(super) fn settle(&mut self) {
        let countdown = self.control.countdown();
        let passed = (i64::from(self.loaded) - i64::from(countdown)).max(0) as u64;
        self.loaded = countdown;
        if self.armed {
            self.points += passed;
        } else {
            self.points_alone += passed;
        }
        self.advance_clock(passed * time::PER_POINT);
    }

    /// What the virtual clock shows.
    pub(super) fn now(&self) -> u64 {
        self.control.clock()
    }

    pub(super) fn advance_clock(&mut self, by: u64) {
        self.control.set_clock(self.now().saturating_add(by));
    }

    fn jump_clock(&mut self, to: u64) {
        self.control.set_clock(self.now().max(to));
    }

    /// The current thread passes a point that no trampoline has counted.
    pub(super) fn point(&mut self, location: u64) -> Result<(), Halt> {
        if !self.armed {
            return Ok(());
        }
        let countdown = self.control.countdown() - 1;
        self.control.set_countdown(countdown);
        self.settle();
        if countdown > 0 { Ok(()) } else { self.slice_ended(location) }
    }

    pub(super) fn slice_ended(&mut self, location: u64) -> Result<(), Halt> {
        if !self.armed {
            self.load(ALONE);
            return self.check_limits();
        }
        self.hash.add(&[location]);
        self.decide(Reason::SliceEnded)
    }

    /// The current thread says that it waits for another.
    pub(super) fn yielded(&mut self) -> Result<(), Halt> {
        if self.armed { self.decide(Reason::Yielded) } else { self.check_limits() }
    }

    /// The current thread waits.
    pub(super) fn blocked(&mut self) -> Result<(), Halt> {
        self.decide(Reason::Blocked)
    }

    /// Chooses who goes on.
    fn decide(&mut self, reason: Reason) -> Result<(), Halt> {
        self.settle();
        self.effort += 1;
        self.release_due()?;
        if let Some((_, deadline)) = self.threads.earliest(|wait| matches!(wait, Wait::Sleep { .. }))
            && self.luck.chance(EARLY_WAKING)
        {
            self.jump_clock(deadline);
            self.release_due()?;
        }
        if self.timers.may_hurry(self.points)
            && self.luck.chance(EARLY_WAKING)
            && let Some(deadline) = self.timers.earliest()
        {
            self.timers.hurry(self.points);
            self.jump_clock(deadline);
            self.release_due()?;
        }
        while self.threads.runnable().is_empty() {
            self.wait_for_somebody()?;
        }
        let runnable = self.threads.runnable();
        let next = match runnable[..] {
            [only] => only,
            _ => {
                self.decisions += 1;
                self.strategy.choose(&Moment {
                    reason,
                    current: self.current,
                    runnable: &runnable,
                    points: self.points,
                })
            }
        };
        self.hash.add(&[next as u64, self.points, reason as u64]);
        if next != self.current {
            self.switches += 1;
            self.turns.begin(self.now(), next);
            self.current = next;
        }
        let slice = if runnable.len() > 1 || reason == Reason::SliceEnded {
            self.strategy.slice(self.points) as i32
        } else {
            return self.check_limits();
        };
        if self.armed {
            self.load(slice);
        } else {
            self.remaining = slice;
        }
        self.check_limits()
    }

    /// How much the run has done, counted in decisions: what takes about as long as one counts as one.
    pub(super) fn work(&self) -> u64 {
        self.effort.saturating_add((self.points + self.points_alone) / POINTS_PER_DECISION)
    }

    pub(super) fn check_limits(&mut self) -> Result<(), Halt> {
        if self.work() > self.limits.decisions {
            return Err(Halt::Stop(Stopped::DecisionLimit));
        }
        self.checks = self.checks.wrapping_add(1);
        if !self.checks.is_multiple_of(1024) {
            return Ok(());
        }
        self.check_backstop(false)
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
            let wait = if thread.called { None } else { Some(&thread.state) };
            matches!(wait, Some(State::Waiting(Wait::Descriptors { readiness, .. })) if readiness.is_ready(0, 0))
        });
        for index in ready {
            self.threads[index].called = true;
        }
        Ok(())
    }

    /// Ends a wait whose deadline has come.
    fn expire(&mut self, index: ThreadIndex) -> Result<(), Halt> {
        let result = match &self.threads[index].state {
            State::Waiting(Wait::Futex { .. }) => -i64::from(libc::ETIMEDOUT),
            State::Waiting(Wait::Signals { .. }) => -i64::from(libc::EAGAIN),
            State::Waiting(Wait::Descriptors { .. }) => {
                let registers = tracee::registers(self.threads[index].tid)?;
                readiness::report_none(&self.memory, &registers)?;
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
        self.effort += 1;
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
                self.jump_clock(deadline);
                self.check_limits()?;
                return self.release_due();
            }
            self.tick(None)?;
            self.show_interruption()?;
        }
    }

    /// Gives the kernel and other processes a moment, if somebody waits for them.
    fn look_outside(&mut self) -> Result<(), Halt> {
        const MOMENT_MS: i32 = 1;
        let waits = |wanted: fn(&State) -> bool| self.threads.any(|thread| wanted(&thread.state));
        let for_signals = waits(|state| matches!(state, State::Waiting(Wait::Signals { .. })));
        let in_kernel = waits(|state| matches!(state, State::InKernel));
        let watching = self.threads.indexes(|thread| matches!(thread.state, State::Waiting(Wait::Descriptors { .. })));
        match watching.first().map(|&index| &self.threads[index].state) {
            Some(State::Waiting(Wait::Descriptors { readiness, .. })) => {
                readiness.is_ready(0, MOMENT_MS);
            }
            _ if in_kernel || for_signals || !self.passive.is_empty() => {
                std::thread::sleep(Duration::from_millis(MOMENT_MS as u64));
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
