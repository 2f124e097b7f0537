//! Signals that end the program. The stacks of all threads are read before the signal is delivered, because the process is
//! gone afterwards.

use super::open_calls::open_calls;
use super::{Engine, Halt};
use crate::chaos::mechanism::signals::{ends_program, received};
use crate::debugger::When;
use crate::ending::Ending;
use crate::stacks::ThreadStack;

/// A signal that ends the program, and where everybody was when it came.
#[derive(Debug)]
pub struct Crash {
    signal: i32,
    stacks: Vec<ThreadStack>,
}

impl Crash {
    /// Where everybody was, if the program ended so.
    pub fn stacks_of(crash: Option<Self>, ending: &Ending) -> Vec<ThreadStack> {
        crash.filter(|crash| *ending == Ending::Killed(crash.signal)).map(|crash| crash.stacks).unwrap_or_default()
    }
}

impl Engine<'_> {
    /// The current thread is about to receive a signal: notes where everybody is if that ends the program.
    pub(super) fn crashing(&mut self, signal: i32) -> Result<(), Halt> {
        let tid = self.threads.current().tid();
        if !ends_program(self.process.id(), tid, signal)? {
            return Ok(());
        }
        let received = received(tid, signal)?;
        let calls = open_calls(self.setting.streams, self.threads.turns());
        let stacks = self.thread_stacks(&calls, Some((self.threads.current_index(), received)));
        self.arrive(When::Crash, &stacks)?;
        self.crash = Some(Crash { signal, stacks });
        Ok(())
    }
}
