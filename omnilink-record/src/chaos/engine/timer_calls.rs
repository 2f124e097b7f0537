//! The system calls about timers.

use std::io;

use libc::{c_int, c_long, clockid_t, pid_t};

use super::Engine;
use super::calls::After;
use crate::chaos::mechanism::descriptors::{self, Kind};
use crate::chaos::mechanism::tracee::Registers;
use crate::chaos::state::timers::{Name, Notice, Timer};
use crate::chaos::state::{identity, time};

const SECOND: u64 = 1_000_000_000;
const MICROSECOND: u64 = 1000;
/// Where the value is in the structs that set a timer, after the interval.
const VALUE_AT: u64 = 16;
/// Where a `sigevent` has the signal, what it is about, and the thread.
const SIGNAL_AT: u64 = 8;
const NOTIFY_AT: u64 = 12;
const THREAD_AT: u64 = 16;

impl Engine<'_> {
    /// A call about timers; none if it is another.
    pub(super) fn timer_call(&mut self, registers: &Registers) -> io::Result<Option<After>> {
        let Registers { rdi, rsi, rdx, r10, .. } = *registers;
        let invalid = Ok(Some(After::Return(-i64::from(libc::EINVAL))));
        let after = match registers.orig_rax as c_long {
            libc::SYS_alarm => {
                let timer = self.interval_timer(libc::ITIMER_REAL);
                let left = self.left(timer);
                let deadline = (rdi as u32 != 0).then(|| self.now() + u64::from(rdi as u32) * SECOND);
                self.set_timer(timer, deadline, 0);
                // Rounded, but not to none.
                After::Return(if left == 0 { 0 } else { ((left + SECOND / 2) / SECOND).max(1) as i64 })
            }
            libc::SYS_setitimer | libc::SYS_getitimer => {
                let which = rdi as c_int;
                if !(libc::ITIMER_REAL..=libc::ITIMER_PROF).contains(&which) {
                    return invalid;
                }
                let timer = self.interval_timer(which);
                if registers.orig_rax as c_long == libc::SYS_getitimer {
                    self.write_timer(timer, rsi, MICROSECOND)?;
                    return Ok(Some(After::Return(0)));
                }
                let Some((interval, value)) = self.read_times(rsi, MICROSECOND)? else { return invalid };
                self.write_timer(timer, rdx, MICROSECOND)?;
                let deadline = (value != 0).then(|| self.now().saturating_add(value));
                self.set_timer(timer, deadline, interval);
                After::Return(0)
            }
            libc::SYS_timer_create => {
                self.name_thread(rsi, true)?;
                After::MakeAndLook
            }
            libc::SYS_timer_settime => return self.set_by_call(Name::Made(rdi as c_int), [rsi, rdx, r10]),
            libc::SYS_timer_gettime => return self.get_by_call(Name::Made(rdi as c_int), rsi),
            libc::SYS_timer_getoverrun => match self.timers.find(Name::Made(rdi as c_int)) {
                Some(timer) => After::Return(timer.unnoticed().min(c_int::MAX as u64) as i64),
                None => After::Make,
            },
            libc::SYS_timer_delete => {
                self.timers.remove(Name::Made(rdi as c_int));
                After::Make
            }
            libc::SYS_timerfd_settime => {
                if Kind::of(self.living_thread(), rdi) != Kind::Timer {
                    return Ok(Some(After::Make));
                }
                let name = Name::Descriptor(self.known_descriptor(rdi).unwrap_or(rdi));
                let clock = descriptors::fdinfo(self.living_thread(), rdi, "clockid:");
                let clock = clock.first().and_then(|clock| clock.parse().ok()).unwrap_or(libc::CLOCK_MONOTONIC);
                self.timers.find_or_add(Timer::new(name, Notice::Descriptor, clock));
                // What has expired before does not count any more.
                self.read_timer(rdi);
                return self.set_by_call(name, [rsi, rdx, r10]);
            }
            libc::SYS_timerfd_gettime => {
                let name = Name::Descriptor(self.known_descriptor(rdi).unwrap_or(rdi));
                return self.get_by_call(name, rsi);
            }
            _ => return Ok(None),
        };
        Ok(Some(after))
    }

    /// `timer_create` has returned.
    pub(super) fn timer_created(&mut self, registers: &Registers, result: i64) -> io::Result<()> {
        let Registers { rdi: clock, rsi: event, rdx: at, .. } = *registers;
        if result == 0 {
            let id = self.process.memory().u32(at)? as c_int;
            let notice = match event {
                0 => Notice::Signal(libc::SIGALRM, id as u64, None),
                _ => {
                    let signal = self.process.memory().u32(event + SIGNAL_AT)? as c_int;
                    let value = self.process.memory().u64(event)?;
                    match self.process.memory().u32(event + NOTIFY_AT)? as c_int {
                        libc::SIGEV_NONE => Notice::Nothing,
                        libc::SIGEV_THREAD_ID => {
                            Notice::Signal(signal, value, Some(self.process.memory().u32(event + THREAD_AT)? as pid_t))
                        }
                        _ => Notice::Signal(signal, value, None),
                    }
                }
            };
            self.timers.remove(Name::Made(id));
            self.timers.find_or_add(Timer::new(Name::Made(id), notice, clock as clockid_t));
        }
        self.name_thread(event, false)
    }

    /// The thread that a timer's signals are for is named to the kernel by its real id, and as the program knows it
    /// afterwards.
    fn name_thread(&mut self, event: u64, to_kernel: bool) -> io::Result<()> {
        if event == 0 || self.process.memory().u32(event + NOTIFY_AT)? as c_int != libc::SIGEV_THREAD_ID {
            return Ok(());
        }
        let id = self.process.memory().u32(event + THREAD_AT)? as pid_t;
        if to_kernel {
            if let Some(real) = identity::real(id, &self.threads) {
                self.timers.remember_thread(id);
                self.process.memory().set_u32(event + THREAD_AT, real as u32)?;
            }
        } else if let Some(id) = self.timers.take_thread() {
            self.process.memory().set_u32(event + THREAD_AT, id as u32)?;
        }
        Ok(())
    }

    fn interval_timer(&mut self, which: c_int) -> Name {
        let signal = match which {
            libc::ITIMER_REAL => libc::SIGALRM,
            libc::ITIMER_VIRTUAL => libc::SIGVTALRM,
            _ => libc::SIGPROF,
        };
        let timer = Timer::new(Name::Interval(which), Notice::Signal(signal, 0, None), libc::CLOCK_MONOTONIC);
        self.timers.find_or_add(timer).name()
    }

    /// `timer_settime` and `timerfd_settime`, with their arguments after the timer.
    fn set_by_call(&mut self, name: Name, [flags, new, old]: [u64; 3]) -> io::Result<Option<After>> {
        let Some(timer) = self.timers.find(name) else { return Ok(Some(After::Make)) };
        let clock = timer.clock();
        let Some((interval, value)) = self.read_times(new, 1)? else {
            return Ok(Some(After::Return(-i64::from(libc::EINVAL))));
        };
        self.write_timer(name, old, 1)?;
        let is_absolute = flags as c_int & libc::TIMER_ABSTIME != 0;
        let deadline = match (value, is_absolute) {
            (0, _) => None,
            (_, true) => Some(time::from_clock(clock, value)),
            (_, false) => Some(self.now().saturating_add(value)),
        };
        self.set_timer(name, deadline, interval);
        Ok(Some(After::ReturnAtPoint(0)))
    }

    fn get_by_call(&mut self, name: Name, at: u64) -> io::Result<Option<After>> {
        if self.timers.find(name).is_none() {
            return Ok(Some(After::Make));
        }
        self.write_timer(name, at, 1)?;
        Ok(Some(After::Return(0)))
    }

    fn set_timer(&mut self, name: Name, deadline: Option<u64>, interval: u64) {
        if let Some(timer) = self.timers.find(name) {
            timer.set(deadline, interval);
        }
    }

    /// How long it is until a timer expires; 0 if it is not set.
    fn left(&mut self, name: Name) -> u64 {
        let now = self.now();
        let deadline = self.timers.find(name).and_then(|timer| timer.deadline());
        // 0 means that a timer is not set.
        deadline.map_or(0, |deadline| deadline.saturating_sub(now).max(1))
    }

    /// Writes a timer's interval and what is left, with parts of seconds in this many nanoseconds.
    fn write_timer(&mut self, name: Name, at: u64, part: u64) -> io::Result<()> {
        if at == 0 {
            return Ok(());
        }
        let left = self.left(name).next_multiple_of(part);
        let interval = self.timers.find(name).map_or(0, |timer| timer.interval());
        for (at, time) in [(at, interval), (at + VALUE_AT, left)] {
            self.process.memory().set_u64(at, time / SECOND)?;
            self.process.memory().set_u64(at + 8, time % SECOND / part)?;
        }
        Ok(())
    }

    /// Reads an interval and a value; none if they are not times.
    fn read_times(&self, at: u64, part: u64) -> io::Result<Option<(u64, u64)>> {
        let read = |at| -> io::Result<Option<u64>> {
            let (seconds, parts) = (self.process.memory().u64(at)?, self.process.memory().u64(at + 8)?);
            let is_time = i64::try_from(seconds).is_ok() && parts < SECOND / part;
            Ok(is_time.then(|| seconds.saturating_mul(SECOND).saturating_add(parts * part)))
        };
        if at == 0 {
            return Ok(Some((0, 0)));
        }
        Ok(read(at)?.zip(read(at + VALUE_AT)?))
    }
}
