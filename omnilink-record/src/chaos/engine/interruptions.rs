//! Threads that were interrupted for a debugger.
//!
//! The kernel stops an interrupted thread for that as soon as it can, but the thread may stop for another reason first: its
//! slice has ended, it makes a system call. The interruption then comes later, after whatever the scheduler does with the
//! thread next, and perhaps when the debugger has left. It must never be taken for something that the program does. So it
//! is remembered (`mechanism::interruptions`) until the thread has stopped for it, and [`Engine::take_interruption`] makes
//! it stop for it at once wherever that can be done.

use libc::pid_t;

use super::{Engine, Halt};
use crate::chaos::mechanism::tracee::{self, Resume, Stop};

const INTERRUPTION: Stop = Stop::Event(libc::PTRACE_EVENT_STOP);

impl Engine<'_> {
    /// A thread that was interrupted has stopped for another reason: makes it stop for the interruption, too, without
    /// executing anything. Afterwards it is where it was.
    ///
    /// At a trap the kernel looks for interruptions before it lets the thread go on. A thread at the beginning of a
    /// system call is made to skip the call, which it begins again afterwards. After other stops the interruption stays
    /// owed: the thread goes on only by [`Engine::go_on`] then, which waits for it.
    pub(super) fn take_interruption(&mut self, tid: pid_t, stop: Stop) -> Result<(), Halt> {
        if !self.interruptions.are_owed(tid) {
            return Ok(());
        }
        match stop {
            Stop::Signal(libc::SIGTRAP) => {
                tracee::resume(tid, Resume::Run, 0)?;
                self.expect(tid, INTERRUPTION)?;
            }
            Stop::Event(libc::PTRACE_EVENT_SECCOMP) => {
                let registers = tracee::registers(tid)?;
                tracee::set_registers(tid, &tracee::before_call(&registers))?;
                tracee::resume(tid, Resume::Run, 0)?;
                self.expect(tid, INTERRUPTION)?;
                tracee::resume(tid, Resume::Run, 0)?;
                self.expect(tid, stop)?;
                // What the instruction that makes the call changes was as it is.
                tracee::set_registers(tid, &registers)?;
            }
            _ => return Ok(()),
        }
        self.interruptions.forget(tid);
        Ok(())
    }

    /// Waits for a stop that must come now.
    fn expect(&mut self, tid: pid_t, expected: Stop) -> Result<(), Halt> {
        match self.wait_for(tid)? {
            stop if stop == expected => Ok(()),
            // It was killed meanwhile, with everybody else.
            _ => Err(Halt::Leaving),
        }
    }
}
