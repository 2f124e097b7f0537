//! Code that the program loads, or makes.

use std::io;

use libc::pid_t;

use super::{Engine, Halt};
use crate::chaos::Setting;
use crate::chaos::mechanism::loading::Rewriting;
use crate::chaos::mechanism::tracee;

impl<'a> Engine<'a> {
    /// The program is about to begin.
    pub(super) fn install(&mut self, entry: u64) -> Result<(), Halt> {
        self.process.rewrite(self.rewriting(), self.living_thread(), entry).map_err(Halt::Refused)?;
        self.process.set_traps(self.scheduler.is_counting())?;
        self.watch_begins(entry)
    }

    fn rewriting(&self) -> Rewriting<'a> {
        let Setting { cache, libraries, .. } = *self.setting;
        let counts = !libraries.left_out.is_empty() && self.debugger.is_none();
        Rewriting { cache, libraries, program: &self.plan.program, counts }
    }

    /// The current thread is about to make memory executable.
    pub(super) fn code_made(&mut self, address: u64) -> io::Result<()> {
        self.process.code_made(self.living_thread(), address)
    }

    /// The current thread has mapped code: perhaps a library that the program opens.
    pub(super) fn code_mapped(&mut self, tid: pid_t) -> Result<(), Halt> {
        let address = tracee::registers(tid)?.rax;
        let mapped = self.process.rewrite_mapped(self.rewriting(), self.living_thread(), tid, address);
        mapped.map_err(Halt::Refused)?;
        Ok(self.process.set_traps(self.scheduler.is_counting())?)
    }
}
