//! Threads that were interrupted for a debugger.
//!
//! The kernel stops an interrupted thread as soon as it can, but the thread may stop for another reason first: its slice has
//! ended, it makes a system call. What becomes of the interruption then depends on when it came:
//!
//! - The thread was running: a stop at a system call or for an event takes the interruption back (`ptrace_stop` in the kernel:
//!   "any trap clears pending STOP trap"). A stop before a signal does not, because the kernel stops for interruptions
//!   before it looks for signals.
//! - The thread had stopped, and nobody had waited for it yet: the interruption stays, and the thread stops for it after it
//!   is let go.
//!
//! Nobody can tell the two apart afterwards. But a stopped thread that is interrupted, once or twice, stops exactly once for
//! that after it is let go. So [`Engine::take_interruption`] interrupts it again, and makes it stop for that at once wherever
//! this can be done. An interruption must never be taken for something that the program does, so it is remembered
//! (`mechanism::interruptions`) until the thread has stopped for it.

use libc::pid_t;

use super::{Engine, Halt};
use crate::chaos::mechanism::tracee::{self, Resume, Stop};

const INTERRUPTION: Stop = Stop::Event(libc::PTRACE_EVENT_STOP);

impl Engine<'_> {
    /// A thread that was interrupted has stopped for another reason: makes it stop for the interruption, too, without
    /// executing anything. Afterwards it is where it was.
    ///
    /// Before a signal, and after a system call, the kernel stops for interruptions before it returns to the program. A
    /// thread at the beginning of a system call is made to skip the call, which it begins again afterwards. After other
    /// stops the interruption stays owed: the thread goes on only by [`Engine::go_on`] then, which waits for it.
    pub(super) fn take_interruption(&mut self, tid: pid_t, stop: Stop) -> Result<(), Halt> {
        if !self.interruptions.are_owed(tid) {
            return Ok(());
        }
        match stop {
            Stop::Signal(libc::SIGTRAP) | Stop::SystemCallExit => {
                tracee::interrupt(tid)?;
                tracee::resume(tid, Resume::Run, 0)?;
                self.expect(tid, INTERRUPTION)?;
            }
            Stop::Event(libc::PTRACE_EVENT_SECCOMP) => {
                let registers = tracee::registers(tid)?;
                tracee::interrupt(tid)?;
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
