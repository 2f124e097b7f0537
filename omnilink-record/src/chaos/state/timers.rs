//! Timers of the program, in virtual time.
//!
//! The kernel's timers use the real clock, so they are never set. When the virtual clock reaches a deadline, the scheduler sends
//! the signal, or makes a `timerfd` ready by letting the real one expire at once.
//!
//! A timer may expire early: the clock then jumps to its deadline. A handler that sets its timer again could keep the program
//! from doing anything else, so the number of points between two early expirations doubles each time.

use libc::{c_int, pid_t};

/// What the program calls a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// One of the three that every process has.
    Interval(c_int),
    /// One that `timer_create` has made.
    Made(c_int),
    /// A descriptor.
    Descriptor(u64),
}

/// What happens when a timer expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// Nothing.
    Nothing,
    /// A signal, with a value, to a thread or to the process.
    Signal(c_int, u64, Option<pid_t>),
    /// A descriptor becomes ready.
    Descriptor,
}

/// A timer.
#[derive(Debug)]
pub struct Timer {
    name: Name,
    notice: Notice,
    /// The clock that it is set by.
    clock: libc::clockid_t,
    /// When it expires.
    deadline: Option<u64>,
    /// After which time it expires again, or 0.
    interval: u64,
    /// How often it has expired unnoticed: since the descriptor was read, or before its last signal was received.
    unnoticed: u64,
}

impl Timer {
    /// A timer that is not set.
    pub fn new(name: Name, notice: Notice, clock: libc::clockid_t) -> Self {
        Self { name, notice, clock, deadline: None, interval: 0, unnoticed: 0 }
    }

    /// Its name.
    pub fn name(&self) -> Name {
        self.name
    }

    /// What happens when it expires.
    pub fn notice(&self) -> Notice {
        self.notice
    }

    /// The clock that it is set by.
    pub fn clock(&self) -> libc::clockid_t {
        self.clock
    }

    /// When it expires.
    pub fn deadline(&self) -> Option<u64> {
        self.deadline
    }

    /// After which time it expires again, or 0.
    pub fn interval(&self) -> u64 {
        self.interval
    }

    /// Sets it, or unsets it if there is no deadline.
    pub fn set(&mut self, deadline: Option<u64>, interval: u64) {
        (self.deadline, self.interval, self.unnoticed) = (deadline, interval, 0);
    }

    /// How often it has expired unnoticed.
    pub fn unnoticed(&self) -> u64 {
        self.unnoticed
    }

    /// The program notices how often it has expired.
    pub fn take_unnoticed(&mut self) -> u64 {
        std::mem::take(&mut self.unnoticed)
    }

    /// It has expired some times more, which nobody notices yet.
    pub fn add_unnoticed(&mut self, times: u64) {
        self.unnoticed = self.unnoticed.saturating_add(times);
    }

    /// Its signal is sent after it has expired some times: the signal stands for one of them. Gives how many others there
    /// are.
    pub fn begin_unnoticed(&mut self, times: u64) -> u64 {
        self.unnoticed = times - 1;
        self.unnoticed
    }

    /// Expires, and tells how often, if the clock shows `now`.
    fn expire(&mut self, now: u64) -> u64 {
        let Some(deadline) = self.deadline else { return 0 };
        let again = match self.interval {
            0 => None,
            interval => Some((now.saturating_sub(deadline) / interval).saturating_add(1)),
        };
        self.deadline = again.and_then(|times| deadline.checked_add(self.interval.checked_mul(times)?));
        again.unwrap_or(1)
    }
}

/// How many points pass at least before a timer expires early for the second time.
const EARLY_AFTER: u64 = 500;

/// All timers of the program.
#[derive(Debug)]
pub struct Timers {
    timers: Vec<Timer>,
    /// How many points have to have passed before a timer may expire early again.
    early_from: u64,
    early_after: u64,
    /// The thread that a timer is being made for, as the program knows it.
    named_thread: Option<pid_t>,
}

impl Default for Timers {
    fn default() -> Self {
        Self { timers: Vec::new(), early_from: 0, early_after: EARLY_AFTER, named_thread: None }
    }
}

impl Timers {
    /// The one that is called so.
    pub fn find(&mut self, name: Name) -> Option<&mut Timer> {
        self.timers.iter_mut().find(|timer| timer.name == name)
    }

    /// The one that is called so, which is this one if there was none.
    pub fn find_or_add(&mut self, timer: Timer) -> &mut Timer {
        let index = self.timers.iter().position(|known| known.name == timer.name).unwrap_or_else(|| {
            self.timers.push(timer);
            self.timers.len() - 1
        });
        &mut self.timers[index]
    }

    /// Forgets one.
    pub fn remove(&mut self, name: Name) {
        self.timers.retain(|timer| timer.name != name);
    }

    /// All that are descriptors.
    pub fn descriptors(&self) -> Vec<u64> {
        let descriptors = self.timers.iter().filter_map(|timer| match timer.name {
            Name::Descriptor(descriptor) => Some(descriptor),
            _ => None,
        });
        descriptors.collect()
    }

    /// When the next one expires.
    pub fn earliest(&self) -> Option<u64> {
        self.timers.iter().filter_map(|timer| timer.deadline).min()
    }

    /// Whether one may expire early when so many points have passed.
    pub fn may_expire_early(&self, points: u64) -> bool {
        points >= self.early_from && self.earliest().is_some()
    }

    /// One expires early.
    pub fn expire_early(&mut self, points: u64) {
        self.early_from = points.saturating_add(self.early_after);
        self.early_after = self.early_after.saturating_mul(2);
    }

    /// The next one whose deadline has come; it expires, so many times.
    pub fn expire(&mut self, now: u64) -> Option<(&mut Timer, u64)> {
        let due = |(index, timer): (usize, &Timer)| timer.deadline.filter(|&at| at <= now).map(|at| (at, index));
        let (_, index) = self.timers.iter().enumerate().filter_map(due).min()?;
        let timer = &mut self.timers[index];
        let times = timer.expire(now);
        Some((timer, times))
    }

    /// A timer is being made for a thread, whose id the call does not have meanwhile.
    pub fn remember_thread(&mut self, id: pid_t) {
        self.named_thread = Some(id);
    }

    /// The thread that the timer was made for.
    pub fn take_thread(&mut self) -> Option<pid_t> {
        self.named_thread.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timer(deadline: u64, interval: u64) -> Timer {
        Timer { deadline: Some(deadline), interval, ..Timer::new(Name::Made(1), Notice::Nothing, 0) }
    }

    #[test]
    fn timers_expire_as_often_as_their_interval_has_passed() {
        let mut once = timer(100, 0);
        assert_eq!((once.expire(150), once.deadline), (1, None));
        assert_eq!(once.expire(150), 0);
        let mut often = timer(100, 20);
        assert_eq!((often.expire(100), often.deadline), (1, Some(120)));
        assert_eq!((often.expire(165), often.deadline), (3, Some(180)));
        let mut far = timer(100, u64::MAX);
        assert_eq!((far.expire(100), far.deadline), (1, None));
    }

    #[test]
    fn the_earliest_comes_first_and_seldom_early() {
        let mut timers = Timers::default();
        timers.find_or_add(timer(300, 0));
        timers.find_or_add(Timer { name: Name::Made(2), ..timer(200, 0) });
        assert_eq!(timers.earliest(), Some(200));
        assert!(timers.may_expire_early(0));
        timers.expire_early(0);
        assert!(!timers.may_expire_early(EARLY_AFTER - 1) && timers.may_expire_early(EARLY_AFTER));
        timers.expire_early(EARLY_AFTER);
        assert!(!timers.may_expire_early(3 * EARLY_AFTER - 1) && timers.may_expire_early(3 * EARLY_AFTER));
        assert_eq!(timers.expire(400).map(|(timer, _)| timer.name), Some(Name::Made(2)));
        assert_eq!(timers.expire(400).map(|(timer, _)| timer.name), Some(Name::Made(1)));
        assert!(timers.expire(400).is_none());
        assert!(!timers.may_expire_early(u64::MAX));
    }
}
