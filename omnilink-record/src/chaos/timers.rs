//! Timers of the program, which go by virtual time.
//!
//! The kernel's would go by the real clock. So none of them is ever set: when the virtual clock gets to a deadline, the
//! signal is sent from here, and a descriptor of a timer (`timerfd`) is made ready by setting the real one to expire at once.
//!
//! A timer may expire early, as a sleeper may be woken early, by letting the clock jump. Handlers that set their timer again
//! would then keep the program from ever doing anything else, so the more often that was done the more points pass before
//! it is done again.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr;

use libc::{c_int, pid_t};

use super::details::{Details, KERNEL};
use super::engine::Engine;
use super::{readiness, signals};

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
    pub name: Name,
    pub notice: Notice,
    /// The clock that it is set by.
    pub clock: libc::clockid_t,
    /// When it expires.
    pub deadline: Option<u64>,
    /// After which time it expires again, or 0.
    pub interval: u64,
    /// How often it has expired unnoticed: since the descriptor was read, or before its last signal was received.
    pub expired: u64,
}

impl Timer {
    /// A timer that is not set.
    pub fn new(name: Name, notice: Notice, clock: libc::clockid_t) -> Self {
        Self { name, notice, clock, deadline: None, interval: 0, expired: 0 }
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

/// How many decisions take as long as a timer's expiring, with all that follows from it.
const EXPIRY_COST: u64 = 25;

/// All timers of the program.
#[derive(Debug)]
pub struct Timers {
    timers: Vec<Timer>,
    /// How many points have to have passed before a timer may expire early again.
    early_from: u64,
    early_after: u64,
}

impl Default for Timers {
    fn default() -> Self {
        Self { timers: Vec::new(), early_from: 0, early_after: EARLY_AFTER }
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
    pub fn may_hurry(&self, points: u64) -> bool {
        points >= self.early_from && self.earliest().is_some()
    }

    /// One expires early.
    pub fn hurry(&mut self, points: u64) {
        self.early_from = points.saturating_add(self.early_after);
        self.early_after = self.early_after.saturating_mul(2);
    }

    /// The next one whose deadline has come; it expires, so many times.
    fn expire(&mut self, now: u64) -> Option<(usize, u64)> {
        let due = |(index, timer): (usize, &Timer)| timer.deadline.filter(|&at| at <= now).map(|at| (at, index));
        let (_, index) = self.timers.iter().enumerate().filter_map(due).min()?;
        let times = self.timers[index].expire(now);
        Some((index, times))
    }
}

impl Engine<'_> {
    /// Lets all timers expire whose deadline has come.
    pub(super) fn expire_timers(&mut self) -> io::Result<()> {
        let now = self.now();
        let mut any = false;
        while let Some((index, times)) = self.timers.expire(now) {
            any = true;
            // So that who only handles timers is stopped by decisions, and not by the clock.
            self.effort += EXPIRY_COST;
            let Timer { name, notice, .. } = self.timers.timers[index];
            match notice {
                Notice::Nothing => {}
                Notice::Signal(signal, value, thread) => {
                    let timer = match name {
                        Name::Made(id) => id,
                        _ => KERNEL,
                    };
                    let to = thread.unwrap_or(self.pid);
                    let is_pending =
                        signals::pending(self.pid, to).is_ok_and(|there| there.signals & signals::bit(signal) != 0);
                    let known = &mut self.timers.timers[index].expired;
                    if is_pending {
                        *known = known.saturating_add(times);
                    } else {
                        *known = times - 1;
                        let overrun = c_int::try_from(*known).unwrap_or(c_int::MAX);
                        send(self.pid, thread, &Details::of_timer(signal, timer, overrun, value));
                    }
                }
                Notice::Descriptor => {
                    let Name::Descriptor(descriptor) = name else { continue };
                    match own_timer(self.process(), descriptor) {
                        Some(own) => {
                            let known = &mut self.timers.timers[index].expired;
                            *known = known.saturating_add(times);
                            make_ready(&own);
                        }
                        None => self.timers.remove(name),
                    }
                }
            }
        }
        if any { self.call_signalled() } else { Ok(()) }
    }

    /// What a thread reads from a descriptor of a timer that has expired; none if it has not, or is none.
    pub(super) fn read_timer(&mut self, descriptor: u64) -> Option<u64> {
        let name = Name::Descriptor(self.known_descriptor(descriptor)?);
        let timer = self.timers.find(name)?;
        let expired = std::mem::take(&mut timer.expired);
        if expired == 0 {
            return None;
        }
        if let Some(own) = own_timer(self.process(), descriptor) {
            set(&own, 0);
        }
        Some(expired)
    }

    /// By which number a descriptor of a timer is known, of which there may be copies.
    pub(super) fn known_descriptor(&self, descriptor: u64) -> Option<u64> {
        const KCMP_FILE: c_int = 0;
        let known = self.timers.descriptors();
        if known.is_empty() || known.contains(&descriptor) {
            return known.into_iter().find(|&other| other == descriptor);
        }
        let process = self.process();
        // SAFETY: takes plain numbers.
        let is_same = |&other: &u64| unsafe {
            libc::syscall(libc::SYS_kcmp, process, process, KCMP_FILE, other, descriptor) == 0
        };
        known.into_iter().find(is_same)
    }
}

/// Whether a descriptor of a process is a timer.
pub fn is_timer(pid: pid_t, descriptor: u64) -> bool {
    let target = fs::read_link(format!("/proc/{pid}/fd/{descriptor}"));
    target.is_ok_and(|target| target.to_str() == Some("anon_inode:[timerfd]"))
}

/// A descriptor of ours for a timer of a process.
fn own_timer(pid: pid_t, descriptor: u64) -> Option<OwnedFd> {
    if is_timer(pid, descriptor) { readiness::borrow_from(pid, descriptor) } else { None }
}

/// Sets a real timer, or unsets it.
fn set(timer: &OwnedFd, nanoseconds: i64) {
    let zero = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let times = libc::itimerspec { it_interval: zero, it_value: libc::timespec { tv_sec: 0, tv_nsec: nanoseconds } };
    // SAFETY: the struct outlives the call, which writes nothing.
    unsafe { libc::timerfd_settime(timer.as_raw_fd(), 0, &times, ptr::null_mut()) };
}

/// Makes a real timer expire, and waits until it has.
fn make_ready(timer: &OwnedFd) {
    set(timer, 1);
    let mut list = [libc::pollfd { fd: timer.as_raw_fd(), events: libc::POLLIN, revents: 0 }];
    // SAFETY: the list is as long as it says and outlives the call. It fails only if a signal comes first.
    while unsafe { libc::poll(list.as_mut_ptr(), 1, -1) } != 1 {}
}

/// Sends a signal to a process or one of its threads. Fails only if that has ended.
fn send(pid: pid_t, thread: Option<pid_t>, details: &Details) {
    // SAFETY: the struct is as the kernel wants it and outlives the call, which reads it.
    unsafe {
        match thread {
            Some(tid) => libc::syscall(libc::SYS_rt_tgsigqueueinfo, pid, tid, details.signal, details),
            None => libc::syscall(libc::SYS_rt_sigqueueinfo, pid, details.signal, details),
        }
    };
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
        assert!(timers.may_hurry(0));
        timers.hurry(0);
        assert!(!timers.may_hurry(EARLY_AFTER - 1) && timers.may_hurry(EARLY_AFTER));
        timers.hurry(EARLY_AFTER);
        assert!(!timers.may_hurry(3 * EARLY_AFTER - 1) && timers.may_hurry(3 * EARLY_AFTER));
        assert_eq!(timers.expire(400).map(|(index, _)| index), Some(1));
        assert_eq!(timers.expire(400).map(|(index, _)| index), Some(0));
        assert_eq!(timers.expire(400), None);
        assert!(!timers.may_hurry(u64::MAX));
    }
}
