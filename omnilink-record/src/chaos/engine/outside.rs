//! Who could wake somebody when nobody can run.
//!
//! That no thread can run is a deadlock only if nothing is left that could change it. The scheduler knows everything that
//! the program's threads do to each other, and time, which is virtual. It does not know what comes from outside:
//!
//! - from the kernel, to a thread that waits in a call which is not emulated (a locked file, a child, a message queue);
//! - through a descriptor: who else holds the other end, and what for, is not known;
//! - signals, to a thread that waits for nothing else (`pause`, `sigwait`, `sigsuspend`): anybody may send one;
//! - from a process that the program has started and that has not ended: it may wake, write and signal;
//! - through a word of memory that has a name by which any process may find it;
//! - from requests that the kernel carries out on its own (`io_uring`, notices by signal).
//!
//! If there is any of that, whether it is a deadlock *cannot be told*: the run goes on waiting, up to its limit, and its
//! note says what it waited for. A thread that waits at a word of memory, for a lock, say, may in theory be woken by a signal
//! from anywhere, too; who waits for a lock does not count on that, so it does not count here. Nor does a process that has
//! ended, a timer that is not set, or a signal that nobody waits for.

use super::Engine;
use crate::chaos::mechanism::proc_files;
use crate::chaos::state::threads::{State, Wait};

impl Engine<'_> {
    /// Whoever could wake somebody, if nobody can run and nobody waits for time to pass.
    pub(super) fn wakers(&self) -> Vec<String> {
        let mut wakers = Vec::new();
        for (index, thread) in self.threads.iter() {
            match thread.state() {
                State::InKernel => wakers.push(format!("thread {index} waits in the kernel")),
                State::Waiting(Wait::Descriptors { .. }) => {
                    wakers.push(format!("thread {index} waits for input or output"));
                }
                State::Waiting(Wait::Signals { .. }) => wakers.push(format!("thread {index} waits for a signal")),
                _ => {}
            }
        }
        for (index, place) in self.waits_in_shared_memory() {
            if place.has_name {
                wakers.push(format!("thread {index} waits at memory that other processes may share"));
            }
        }
        for &tid in self.passive.threads() {
            wakers.push(format!("a process that it started ({}) has not ended", proc_files::name(tid)));
        }
        if let Some(asynchronous) = self.asynchronous {
            wakers.push(format!("it uses {asynchronous}"));
        }
        wakers.sort();
        wakers.dedup();
        wakers
    }

    /// What to say of a run that was stopped while nobody could run.
    pub(super) fn cannot_tell(&self) -> Option<String> {
        let nobody = self.threads.runnable().is_empty() && self.earliest_deadline().is_none();
        let wakers = if nobody { self.wakers() } else { Vec::new() };
        (!wakers.is_empty())
            .then(|| format!("no thread could run; whether this is a deadlock is unknown: {}", wakers.join(", ")))
    }
}
