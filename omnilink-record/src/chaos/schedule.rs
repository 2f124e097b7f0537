//! Counting points, choosing who goes on, letting time pass.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::engine::{Engine, Halt};
use super::strategy::{Moment, Reason, ThreadIndex};
use super::threads::{State, Thread, Wait};
use super::tracee::{self, Whom};
use super::{readiness, time};
use crate::ending::Stopped;

/// How likely it is, at each decision, that a sleeper is woken before everyone else waits.
const EARLY_WAKING: f64 = 0.3;

impl Engine<'_> {
    /// Counts points if somebody else could run, and does not otherwise.
    pub(super) fn arm(&mut self) -> Result<(), Halt> {
        let somebody = self.threads.any(|thread| {
            let is_current = thread.tid == self.threads[self.current].tid;
            !is_current && matches!(thread.state, State::Runnable | State::Waiting(Wait::Sleep { .. }))
        });
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
            self.load(i32::MAX);
        }
        self.armed = somebody;
        self.code.forget_closed(self.pid)?;
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
            self.load(i32::MAX);
            return Ok(());
        }
        self.hash.add(&[location]);
        self.decide(Reason::SliceEnded)
    }

    /// The current thread says that it waits for another.
    pub(super) fn yielded(&mut self) -> Result<(), Halt> {
        if self.armed { self.decide(Reason::Yielded) } else { Ok(()) }
    }

    /// The current thread waits.
    pub(super) fn blocked(&mut self) -> Result<(), Halt> {
        self.decide(Reason::Blocked)
    }

    /// Chooses who goes on.
    fn decide(&mut self, reason: Reason) -> Result<(), Halt> {
        self.settle();
        self.release_due()?;
        if let Some((_, deadline)) = self.threads.earliest(|wait| matches!(wait, Wait::Sleep { .. }))
            && self.luck.chance(EARLY_WAKING)
        {
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

    fn check_limits(&self) -> Result<(), Halt> {
        if self.decisions > self.limits.decisions {
            return Err(Halt::Stop(Stopped::DecisionLimit));
        }
        if self.decisions.is_multiple_of(1024) && self.interrupt.load(Ordering::Relaxed) {
            return Err(Halt::Stop(Stopped::Interrupted));
        }
        if self.decisions.is_multiple_of(1024) && self.began.elapsed() > self.limits.wall_clock {
            return Err(Halt::Stop(Stopped::WallClock));
        }
        Ok(())
    }

    /// Wakes everybody whose deadline has come or whose input has.
    fn release_due(&mut self) -> Result<(), Halt> {
        let now = self.now();
        while let Some((index, deadline)) = self.threads.earliest(|_| true)
            && deadline <= now
        {
            self.expire(index)?;
        }
        let ready = self.threads.indexes(
            |thread| matches!(&thread.state, State::Waiting(Wait::Descriptors { readiness, .. }) if readiness.is_ready(0)),
        );
        for index in ready {
            self.threads[index].state = State::Runnable;
        }
        Ok(())
    }

    /// Ends a wait whose deadline has come.
    fn expire(&mut self, index: ThreadIndex) -> Result<(), Halt> {
        let result = match &self.threads[index].state {
            State::Waiting(Wait::Futex { .. }) => -i64::from(libc::ETIMEDOUT),
            State::Waiting(Wait::Descriptors { .. }) => {
                let registers = tracee::registers(self.threads[index].tid)?;
                readiness::report_none(&self.memory, &registers)?;
                0
            }
            _ => 0,
        };
        Ok(self.wake(index, result)?)
    }

    /// Nobody can run: waits for the kernel, or for time to pass.
    fn wait_for_somebody(&mut self) -> Result<(), Halt> {
        let in_kernel = |thread: &Thread| matches!(thread.state, State::InKernel);
        let watching = |thread: &Thread| matches!(thread.state, State::Waiting(Wait::Descriptors { .. }));
        let outside = self.threads.any(|thread| in_kernel(thread) || watching(thread));
        if outside {
            self.look_outside()?;
            if !self.threads.runnable().is_empty() {
                return Ok(());
            }
        }
        match self.threads.earliest(|_| true) {
            Some((_, deadline)) => {
                self.jump_clock(deadline);
                self.release_due()
            }
            None if outside => self.tick(None),
            None => Err(Halt::Deadlock),
        }
    }

    /// Gives the kernel and other processes a moment.
    fn look_outside(&mut self) -> Result<(), Halt> {
        const MOMENT_MS: i32 = 1;
        let first = self.threads.indexes(|thread| matches!(thread.state, State::Waiting(Wait::Descriptors { .. })));
        match first.first().map(|&index| &self.threads[index].state) {
            Some(State::Waiting(Wait::Descriptors { readiness, .. })) => {
                readiness.is_ready(MOMENT_MS);
            }
            _ => std::thread::sleep(Duration::from_millis(MOMENT_MS as u64)),
        }
        while let Some((who, stop)) = tracee::poll(Whom::Anyone)? {
            self.dispatch(who, stop)?;
        }
        self.release_due()
    }
}
