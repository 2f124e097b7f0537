//! Signals for threads whose waiting is emulated.
//!
//! Such a thread is stopped at the beginning of a system call, where the kernel delivers no signals. When a signal may have
//! come for it, the thread is *called*: it counts as runnable, and in its turn it checks whether the signal is still pending,
//! since another thread may have received a signal that was sent to the process. If not, it goes on waiting. A thread that
//! waits for input is called in the same way, because another thread may have read the input.

use std::io;

use libc::c_long;

use super::calls::After;
use super::{Engine, Halt};
use crate::chaos::mechanism::signals::{self, Pending};
use crate::chaos::mechanism::tracee::{self, Registers};
use crate::chaos::state::threads::ThreadIndex;
use crate::chaos::state::threads::Wait;
use crate::chaos::state::{readiness, senders};

/// How a signal ends a wait.
enum Interruption {
    /// The call fails.
    Fails,
    /// The call is made again after the handler.
    Restarts,
    /// The call is made: it has its own set of signals, which the kernel has to put into force.
    Made,
}

impl Engine<'_> {
    /// The calls that wait for signals.
    pub(super) fn wait_for_signals(&mut self, registers: &Registers) -> io::Result<After> {
        let Registers { rdi, rdx, .. } = *registers;
        Ok(After::Wait(match registers.orig_rax as c_long {
            libc::SYS_rt_sigtimedwait => {
                let deadline = self.duration_at(rdx)?.map(|time| self.now().saturating_add(time));
                Wait::Signals { wanted: self.process.memory().u64(rdi)?, mask: None, deadline }
            }
            libc::SYS_rt_sigsuspend => {
                Wait::Signals { wanted: 0, mask: Some(self.process.memory().u64(rdi)?), deadline: None }
            }
            _ => Wait::Signals { wanted: 0, mask: None, deadline: None },
        }))
    }

    /// Calls all waiting threads that have a pending signal.
    pub(super) fn call_signalled(&mut self) -> io::Result<()> {
        for index in self.threads.indexes(|thread| thread.wait().is_some() && !thread.is_called()) {
            if self.is_signalled(index)? {
                self.threads[index].call();
            }
        }
        Ok(())
    }

    fn is_signalled(&self, index: ThreadIndex) -> io::Result<bool> {
        let Some(wait) = self.threads[index].wait() else { return Ok(false) };
        let Pending { signals, blocked } = signals::pending(self.process.id(), self.threads[index].tid())?;
        let watched = match wait {
            Wait::Signals { wanted, .. } => *wanted,
            Wait::Descriptors { readiness, .. } => readiness.signals(),
            Wait::Futex { .. } | Wait::Sleep { .. } => 0,
        };
        let interrupting = self.handlers.noticed(signals & !wait.mask().unwrap_or(blocked));
        Ok(signals & watched != 0 || interrupting != 0)
    }

    /// The current thread was called: it goes on if its waiting is over.
    pub(super) fn look_again(&mut self) -> Result<(), Halt> {
        let index = self.threads.current_index();
        let tid = self.threads[index].tid();
        self.threads[index].uncall();
        let Some(wait) = self.threads[index].wait() else { return Ok(()) };
        let Pending { signals, blocked } = signals::pending(self.process.id(), tid)?;
        let registers = tracee::registers(tid)?;
        match wait {
            Wait::Signals { wanted, .. } if signals & wanted != 0 => {
                self.threads[index].end_wait();
                return self.make_and_look(&registers);
            }
            Wait::Descriptors { readiness, .. } if readiness.is_ready(signals, 0) => {
                self.threads[index].end_wait();
                return self.system_call();
            }
            _ => {}
        }
        let interrupting = self.handlers.noticed(signals & !wait.mask().unwrap_or(blocked));
        if interrupting == 0 {
            return self.blocked();
        }
        Ok(self.interrupt(index, interrupting, &registers)?)
    }

    /// Ends the waiting of a thread, which then receives these signals.
    fn interrupt(&mut self, index: ThreadIndex, signals: u64, registers: &Registers) -> io::Result<()> {
        let Some(wait) = self.threads[index].wait() else { return Ok(()) };
        let interruption = match wait {
            _ if wait.mask().is_some() => Interruption::Made,
            Wait::Futex { deadline: None, .. } if self.handlers.restart(signals) => Interruption::Restarts,
            Wait::Descriptors { .. } if !readiness::only_asks(registers) && self.handlers.restart(signals) => {
                Interruption::Restarts
            }
            Wait::Sleep { deadline } => {
                let rest = deadline.saturating_sub(self.now());
                self.tell_rest(registers, rest)?;
                Interruption::Fails
            }
            _ => Interruption::Fails,
        };
        match interruption {
            Interruption::Fails => self.wake(index, -i64::from(libc::EINTR)),
            Interruption::Made => {
                self.threads[index].end_wait();
                Ok(())
            }
            Interruption::Restarts => {
                self.threads[index].end_wait();
                tracee::set_registers(self.threads[index].tid(), &tracee::before_call(registers))
            }
        }
    }

    /// Tells a sleeper that is interrupted how much is left.
    fn tell_rest(&self, registers: &Registers, nanoseconds: u64) -> io::Result<()> {
        let at = match registers.orig_rax as c_long {
            libc::SYS_nanosleep => registers.rsi,
            libc::SYS_clock_nanosleep if registers.rsi as i32 & libc::TIMER_ABSTIME == 0 => registers.r10,
            _ => 0,
        };
        match at {
            0 => Ok(()),
            _ => {
                self.process.memory().set_u64(at, nanoseconds / 1_000_000_000)?;
                self.process.memory().set_u64(at + 8, nanoseconds % 1_000_000_000)
            }
        }
    }

    /// A call has returned a signal: its sender is named as the program knows it.
    pub(super) fn name_returned_sender(&self, registers: &Registers, result: i64) -> io::Result<()> {
        if registers.rsi == 0 || result <= 0 {
            return Ok(());
        }
        senders::name_sender_in(self.process.memory(), registers.rsi, self.process.id())
    }
}
