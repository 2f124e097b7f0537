//! Signals that the current thread is about to receive.

use std::io;

use libc::pid_t;

use super::{Engine, Halt};
use crate::chaos::mechanism::code::STACK_LOWERED_BY;
use crate::chaos::mechanism::tracee;
use crate::chaos::state::senders;

impl Engine<'_> {
    /// The current thread is about to receive a signal.
    pub(super) fn signalled(&mut self, signal: i32) -> Result<(), Halt> {
        let tid = self.threads.current().tid();
        if signal == libc::SIGSEGV && self.answer_processor(tid)? {
            return Ok(());
        }
        senders::name_sender(tid, self.process.id())?;
        self.crashing(signal)?;
        self.show_signal(signal)?;
        self.leave_trampoline(tid, self.handlers.handles(signal))?;
        self.threads.current_mut().receive(signal);
        Ok(())
    }

    /// A handler sees where the thread was, and may unwind from there: so it is never in a trampoline. Without a
    /// handler the thread goes on as if nothing had happened, so it must be where it can.
    fn leave_trampoline(&self, tid: pid_t, is_handled: bool) -> io::Result<()> {
        let mut registers = tracee::registers(tid)?;
        let Some((place, _)) = self.process.code().place(registers.rip) else { return Ok(()) };
        if place.after_trap {
            registers.eflags = self.process.memory().u64(registers.rsp)?;
            registers.rsp += STACK_LOWERED_BY;
        }
        registers.rip = if is_handled { place.original } else { place.resume };
        tracee::set_registers(tid, &registers)
    }

    /// After a handler, a thread may continue in the middle of a rewritten stretch.
    pub(super) fn resume_moved(&self, tid: pid_t) -> io::Result<()> {
        let address = tracee::instruction_pointer(tid)?;
        match self.process.code().moved_to(address) {
            Some(trampoline) => tracee::set_instruction_pointer(tid, trampoline),
            None => Ok(()),
        }
    }

    /// Remembers what the program does about a signal.
    pub(super) fn note_action(&mut self, signal: u64, action: u64) -> io::Result<()> {
        const FLAGS: u64 = 8;
        if action != 0 {
            let handler = self.process.memory().u64(action)? as libc::sighandler_t;
            let flags = self.process.memory().u64(action + FLAGS)?;
            self.handlers.set(signal, handler, flags);
        }
        Ok(())
    }
}
