//! Timers that expire, and descriptors of timers that are read.

use std::io;

use libc::c_int;

use super::Engine;
use crate::chaos::mechanism::siginfo::Siginfo;
use crate::chaos::mechanism::{descriptors, signals};
use crate::chaos::state::senders::KERNEL;
use crate::chaos::state::timers::{Name, Notice};

/// How many decisions take as long as a timer's expiring, with all that follows from it.
const EXPIRY_COST: u64 = 25;

impl Engine<'_> {
    /// Lets all timers expire whose deadline has come.
    pub(super) fn expire_timers(&mut self) -> io::Result<()> {
        let (now, pid, living) = (self.now(), self.process.id(), self.living_thread());
        let mut any = false;
        while let Some((timer, times)) = self.timers.expire(now) {
            any = true;
            // A program that only handles timers is stopped by decisions, and not by the clock.
            self.budget.spend(EXPIRY_COST);
            let name = timer.name();
            match (timer.notice(), name) {
                (Notice::Signal(signal, value, thread), _) => {
                    let sender = match name {
                        Name::Made(id) => id,
                        _ => KERNEL,
                    };
                    let to = thread.unwrap_or(pid);
                    let is_pending =
                        signals::pending(pid, to).is_ok_and(|there| there.signals & signals::bit(signal) != 0);
                    if is_pending {
                        timer.add_unnoticed(times);
                    } else {
                        let overrun = c_int::try_from(timer.begin_unnoticed(times)).unwrap_or(c_int::MAX);
                        Siginfo::of_timer(signal, sender, overrun, value).send(pid, thread);
                    }
                }
                (Notice::Descriptor, Name::Descriptor(descriptor)) => {
                    timer.add_unnoticed(times);
                    if !descriptors::make_timer_ready(living, descriptor) {
                        self.timers.remove(name);
                    }
                }
                (Notice::Nothing | Notice::Descriptor, _) => {}
            }
        }
        if any { self.call_signalled() } else { Ok(()) }
    }

    /// What a thread reads from a descriptor of a timer that has expired; none if it has not, or is none.
    pub(super) fn read_timer(&mut self, descriptor: u64) -> Option<u64> {
        let name = Name::Descriptor(self.known_descriptor(descriptor)?);
        let expired = self.timers.find(name)?.take_unnoticed();
        if expired == 0 {
            return None;
        }
        descriptors::unset_timer(self.living_thread(), descriptor);
        Some(expired)
    }

    /// The number by which a descriptor of a timer is known, of which there may be copies.
    pub(super) fn known_descriptor(&self, descriptor: u64) -> Option<u64> {
        let known = self.timers.descriptors();
        if known.is_empty() || known.contains(&descriptor) {
            return known.into_iter().find(|&other| other == descriptor);
        }
        let process = self.living_thread();
        known.into_iter().find(|&other| descriptors::are_same(process, other, descriptor))
    }
}
