//! What could wake a thread when no thread can run.
//!
//! That is a deadlock only if nothing outside of the program can wake a thread. The scheduler knows everything that the
//! program's threads do to each other, and time, which is virtual. It does not know what may come from outside:
//!
//! - from the kernel, to a thread in a system call that is not emulated (a file lock, a child, a message queue);
//! - through a descriptor, whose other end any process may hold;
//! - by a signal, to a thread that waits for nothing else (`pause`, `sigwait`, `sigsuspend`);
//! - from a process that the program has started and that has not ended;
//! - through shared memory that has a name by which any process may map it;
//! - from requests that the kernel carries out by itself (`io_uring`, notifications by signal).
//!
//! If any of these is possible, it is unknown whether the run is deadlocked: it waits until its limit, and its note says for
//! what. Three things do not count: a signal to a thread that waits for a lock, because programs do not rely on that; processes
//! that have ended; and timers that are not set.

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
