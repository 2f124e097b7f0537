//! The stacks of all threads, for the report of a crash, a deadlock or a stopped run, and for debuggers.

use std::io;

use libc::pid_t;

use super::Engine;
use super::open_calls::OpenCall;
use crate::chaos::mechanism::code::STACK_LOWERED_BY;
use crate::chaos::mechanism::stack::{Backtrace, Modules};
use crate::chaos::mechanism::tracee::{self, Registers, Resume};
use crate::chaos::state::threads::{State, Thread, ThreadIndex, Wait};
use crate::stacks::ThreadStack;

/// No trampoline has more instructions.
const TRAMPOLINE: usize = 64;

impl Engine<'_> {
    /// Where every thread is that has not ended; `received` tells which has received what.
    pub(super) fn thread_stacks(
        &self,
        calls: &[OpenCall],
        received: Option<(ThreadIndex, String)>,
    ) -> Vec<ThreadStack> {
        let modules = Modules::of(self.living_thread());
        let mut stacks = Vec::new();
        for (index, thread) in self.threads.iter().filter(|(_, thread)| !thread.has_ended()) {
            let received = received.as_ref().filter(|(receiver, _)| *receiver == index).map(|(_, what)| what.clone());
            let crashed = received.is_some();
            let Backtrace { frames, cut } = match self.registers_of_program(thread.tid()) {
                Ok(registers) => modules.backtrace(&registers, self.process.memory()),
                Err(_) => Backtrace { cut: Some("it is in the kernel".to_owned()), ..Backtrace::default() },
            };
            stacks.push(ThreadStack {
                thread: index,
                does: received.unwrap_or_else(|| self.does(index, thread)),
                crashed,
                calls: calls.iter().filter(|call| call.thread == Some(index)).map(|call| call.text.clone()).collect(),
                frames,
                cut,
            });
        }
        // The thread that crashed comes first.
        stacks.sort_by_key(|stack| !stack.crashed);
        stacks
    }

    fn does(&self, index: ThreadIndex, thread: &Thread) -> String {
        match thread.state() {
            State::Waiting(Wait::Futex { address, .. }) => format!("waits at {address:#x}"),
            State::Waiting(Wait::Sleep { .. }) => "sleeps".to_owned(),
            State::Waiting(Wait::Signals { .. }) => "waits for a signal".to_owned(),
            State::Waiting(Wait::Descriptors { .. }) => "waits for input or output".to_owned(),
            State::InKernel => "waits in the kernel".to_owned(),
            State::Runnable if index == self.threads.current_index() => "runs".to_owned(),
            State::Runnable | State::Ended => "can run".to_owned(),
        }
    }

    /// The registers of a stopped thread as they would be if its code had not been rewritten.
    fn registers_of_program(&self, tid: pid_t) -> io::Result<Registers> {
        let mut registers = tracee::registers(tid)?;
        if let Some((place, _)) = self.process.code().place(registers.rip) {
            if place.after_trap {
                registers.rsp += STACK_LOWERED_BY;
            }
            registers.rip = place.original;
        }
        Ok(registers)
    }

    /// Stops everybody who still runs, where the stack can be read: the program will not go on.
    pub(super) fn stop_everybody(&self) {
        for (_, thread) in self.threads.iter().filter(|(_, thread)| !thread.has_ended()) {
            // A thread that does not stop is reported without a stack.
            let _ = self.stop(thread.tid());
        }
    }

    fn stop(&self, tid: pid_t) -> io::Result<()> {
        if tracee::registers(tid).is_err() {
            tracee::interrupt(tid)?;
            tracee::await_stop(tid)?;
        }
        // In the middle of a trampoline the stack is not the program's.
        for _ in 0..TRAMPOLINE {
            let address = tracee::instruction_pointer(tid)?;
            if !self.process.code().in_trampolines(address) || self.process.code().place(address).is_some() {
                break;
            }
            tracee::resume(tid, Resume::Step, 0)?;
            tracee::await_stop(tid)?;
        }
        Ok(())
    }
}
