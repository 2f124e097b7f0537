//! Stopping for the debugger: waiting for it to connect, showing it the program, carrying out its requests.

use std::fs;
use std::io;
use std::time::Duration;

use gdbstub::common::Signal;
use libc::pid_t;

use super::super::open_calls::open_calls;
use super::super::{Engine, Halt};
use super::Debugger;
use super::session::{Reason, Request, Session};
use super::target::{Change, Program, Seen, name};
use super::watchpoints::Watched;
use crate::chaos::mechanism::code::{AFTER_TRAP, STACK_LOWERED_BY};
use crate::chaos::mechanism::stack::Modules;
use crate::chaos::mechanism::tracee;
use crate::chaos::state::threads::ThreadIndex;
use crate::chaos::state::threads::{State, Thread, Wait};
use crate::debugger::{Arrival, BEGIN, When};
use crate::ending::{Ending, Stopped};
use crate::error::RecordError;
use crate::stacks::ThreadStack;

/// How often it is looked whether a debugger has connected.
const LOOK: Duration = Duration::from_millis(20);

impl<'a> Engine<'a> {
    /// Lets a debugger in when its moment has come.
    pub fn invite(&mut self, debugger: Debugger<'a>) {
        self.budget.lift_backstop();
        self.debugger = Some(debugger);
    }

    /// The program has been loaded, and begins at `entry`: now it can be seen where actions begin.
    pub(in super::super) fn watch_begins(&mut self, entry: u64) -> Result<(), Halt> {
        let Some(debugger) = &mut self.debugger else { return Ok(()) };
        let begin = match debugger.invitation.when {
            When::Event { .. } => Modules::of(self.process.id()).find(BEGIN),
            // Without a symbol it begins where it is now.
            When::Start => Modules::of(self.process.id()).find_main(entry).or(Some(entry)),
            When::Crash | When::Deadlock | When::End => return Ok(()),
        };
        match begin {
            Some(address) => {
                debugger.watch_begins_at(address, &self.process.code().executed_places(address));
                Ok(())
            }
            None => Err(Halt::Refused(RecordError::Usage(format!(
                "{}: has no symbol {BEGIN}, so nobody can see where actions begin; it has to contain OmniLink's runtime \
                 and must not be stripped",
                self.plan.program.display()
            )))),
        }
    }

    /// The current thread is at a breakpoint, or where actions begin.
    pub(super) fn meet_breakpoint(&mut self, place: u64) -> Result<(), Halt> {
        let tid = self.threads.current().tid();
        let Some(debugger) = &mut self.debugger else { return Ok(()) };
        let address = debugger.breakpoints.at(place);
        debugger.statuses.entry(self.threads.current_index()).or_default().met = address;
        if address.is_none() || address != debugger.begin {
            return self.serve(Reason::SwBreak(name(self.threads.current_index())));
        }
        let when = debugger.invitation.when;
        if matches!(when, When::Event { start } if tracee::registers(tid)?.rsi != start) {
            return Ok(());
        }
        debugger.begin = None;
        address.into_iter().for_each(|address| debugger.breakpoints.remove(address));
        let stacks = self.thread_stacks_now();
        self.arrive(when, &stacks)?;
        self.show_signal(libc::SIGTRAP)
    }

    fn thread_stacks_now(&self) -> Vec<ThreadStack> {
        self.thread_stacks(&open_calls(self.setting.streams, self.threads.turns()), None)
    }

    /// Whether a debugger waits for such a moment.
    fn is_awaited(&self, when: When) -> bool {
        self.debugger.as_ref().is_some_and(|debugger| !debugger.arrived && debugger.invitation.when == when)
    }

    /// Lets a debugger in that waits for such a moment; everybody is where `stacks` says.
    pub(in super::super) fn arrive(&mut self, when: When, stacks: &[ThreadStack]) -> Result<(), Halt> {
        if !self.is_awaited(when) {
            return Ok(());
        }
        let shown = self.shown_thread();
        let Some(debugger) = &mut self.debugger else { return Ok(()) };
        debugger.arrived = true;
        let mut stacks = stacks.to_vec();
        stacks.sort_by_key(|stack| Some(stack.thread) != shown);
        let thread = name(shown.unwrap_or(self.threads.current_index())).get();
        let reached = debugger.invitation.host.reached(&Arrival { thread, stacks });
        reached.map_err(|source| Halt::Refused(RecordError::System { what: "letting the debugger in", source }))?;
        match debugger.invitation.socket {
            Some(_) => self.let_in(),
            None => {
                self.debugger = None;
                Ok(())
            }
        }
    }

    /// Waits for the debugger to connect.
    fn let_in(&mut self) -> Result<(), Halt> {
        let failed = |source| Halt::Refused(RecordError::System { what: "letting the debugger in", source });
        let Some(debugger) = &mut self.debugger else { return Ok(()) };
        let Some(socket) = &debugger.invitation.socket else { return Ok(()) };
        let stream = loop {
            if let Some(stream) = socket.accept().map_err(failed)? {
                break stream;
            }
            if self.budget.is_interrupted() {
                return Err(Halt::Stop(Stopped::Interrupted));
            }
            if debugger.invitation.host.is_gone() {
                let text = "the debugger ended before it had connected; look at what it said";
                return Err(Halt::Refused(RecordError::Usage(text.to_owned())));
            }
            std::thread::sleep(LOOK);
        };
        let program = Program::of(self.process.id(), self.plan.program.clone()).map_err(failed)?;
        debugger.session = Some(Session::begin(stream, program).map_err(failed)?);
        Ok(())
    }

    /// The current thread is about to receive a signal, or has something else to tell that looks like one.
    pub(in super::super) fn show_signal(&mut self, signal: i32) -> Result<(), Halt> {
        self.show_signal_of(self.threads.current_index(), signal)
    }

    /// A thread has something to tell that looks like a signal.
    pub(super) fn show_signal_of(&mut self, thread: ThreadIndex, signal: i32) -> Result<(), Halt> {
        self.serve(Reason::SignalWithThread { tid: name(thread), signal: in_protocol(signal) })
    }

    /// The current thread has touched what is watched.
    pub(super) fn show_touched(&mut self, watched: Watched) -> Result<(), Halt> {
        self.serve(Reason::Watch { tid: name(self.threads.current_index()), kind: watched.kind, addr: watched.address })
    }

    /// The thread that a debugger looks at first: the current one, unless it has ended.
    fn shown_thread(&self) -> Option<ThreadIndex> {
        let is_shown = |thread: &Thread| !thread.is_in_kernel() && !thread.has_ended();
        let current = Some(self.threads.current_index()).filter(|&index| is_shown(&self.threads[index]));
        current.or_else(|| self.threads.indexes(is_shown).first().copied())
    }

    /// Shows the program to the debugger, if it is there, until it wants it to go on.
    fn serve(&mut self, reason: Reason) -> Result<(), Halt> {
        if self.debugger.as_ref().is_none_or(|debugger| debugger.session.is_none()) {
            return Ok(());
        }
        let threads = self.show_threads()?;
        let Some(debugger) = &mut self.debugger else { return Ok(()) };
        let Some(session) = &mut debugger.session else { return Ok(()) };
        session.program.threads = threads;
        session.program.code = self.process.code().clone();
        let request = session.stopped(reason);
        for change in session.program.changes.drain(..) {
            match change {
                Change::Add(address) => {
                    debugger.breakpoints.add(address, &self.process.code().executed_places(address))
                }
                Change::Remove(address) => debugger.breakpoints.remove(address),
            }
        }
        self.watchpoints.watch(&session.program.watched);
        debugger.step = session.program.step.take();
        debugger.interrupted = false;
        match request {
            Request::Continue => Ok(()),
            Request::Detach => {
                self.watchpoints.watch(&[]);
                self.debugger = None;
                Ok(())
            }
            Request::Kill => Err(Halt::Stop(Stopped::Interrupted)),
        }
    }

    /// All threads that are stopped, the current one first.
    fn show_threads(&self) -> io::Result<Vec<Seen>> {
        let mut threads = Vec::new();
        for (index, thread) in self.threads.iter() {
            let does = match thread.state() {
                State::Runnable if index == self.threads.current_index() => "runs",
                State::Runnable => "can run",
                State::Waiting(Wait::Futex { .. }) => "waits",
                State::Waiting(Wait::Sleep { .. }) => "sleeps",
                State::Waiting(Wait::Descriptors { .. }) => "waits for input",
                State::Waiting(Wait::Signals { .. }) => "waits for a signal",
                State::InKernel | State::Ended => continue,
            };
            self.leave_to_copy(thread.tid())?;
            let comm = fs::read_to_string(format!("/proc/{}/task/{}/comm", self.process.id(), thread.tid()))
                .unwrap_or_default();
            threads.push(Seen { index, tid: thread.tid(), description: format!("{}: {does}", comm.trim_end()) });
        }
        threads.sort_by_key(|thread| thread.index != self.threads.current_index());
        Ok(threads)
    }

    /// A thread that has passed its point has the rest of the trampoline done for it: its stack and flags are then those
    /// of the program.
    fn leave_to_copy(&self, tid: pid_t) -> io::Result<()> {
        let mut registers = tracee::registers(tid)?;
        if self.process.code().place(registers.rip).is_some_and(|(place, _)| place.after_trap) {
            registers.eflags = self.process.memory().u64(registers.rsp)?;
            registers.rsp += STACK_LOWERED_BY;
            registers.rip += AFTER_TRAP;
            tracee::set_registers(tid, &registers)?;
        }
        Ok(())
    }

    /// Nobody can run any more: a debugger may look at that before the program is killed.
    pub(in super::super) fn show_deadlock(&mut self, stacks: &[ThreadStack]) {
        // Whatever it wants then, the program ends.
        let _ = self.arrive(When::Deadlock, stacks);
        self.show_last(libc::SIGSTOP);
    }

    /// The program is to be stopped, and not because the user wants that: a debugger may look at that before, and
    /// everybody is told where the threads are.
    pub(in super::super) fn show_stopping(&mut self, why: Stopped) -> Vec<ThreadStack> {
        if why == Stopped::Interrupted {
            return Vec::new();
        }
        self.stop_everybody();
        let stacks = self.thread_stacks_now();
        let _ = self.arrive(When::End, &stacks);
        self.show_last(libc::SIGSTOP);
        stacks
    }

    /// Everybody waits for something from outside: a debugger that wants to look need not wait for that.
    pub(in super::super) fn show_interruption(&mut self) -> Result<(), Halt> {
        let is_wanted = self.debugger.as_ref().is_some_and(|debugger| debugger.interrupted);
        match self.shown_thread().filter(|_| is_wanted) {
            Some(thread) => self.show_signal_of(thread, libc::SIGINT),
            None => Ok(()),
        }
    }

    /// The current thread is about to end the program.
    pub(in super::super) fn show_exit(&mut self) -> Result<(), Halt> {
        if !self.is_awaited(When::End) {
            return Ok(());
        }
        let stacks = self.thread_stacks_now();
        self.arrive(When::End, &stacks)?;
        self.show_signal(libc::SIGTRAP)
    }

    /// Shows a program that will not go on.
    fn show_last(&mut self, signal: i32) {
        if let Some(thread) = self.shown_thread() {
            let _ = self.show_signal_of(thread, signal);
        }
    }

    /// The program has ended.
    pub(in super::super) fn show_end(&mut self, ending: &Ending) {
        let reason = match ending {
            Ending::Exited(code) => Reason::Exited(*code as u8),
            Ending::Killed(signal) => Reason::Terminated(in_protocol(*signal)),
            Ending::Deadlocked(_) | Ending::Stopped(_) => Reason::Terminated(Signal::SIGKILL),
        };
        if let Some(session) = self.debugger.as_mut().and_then(|debugger| debugger.session.as_mut()) {
            session.report(reason);
        }
    }
}

/// Signals have numbers of their own in gdb's protocol.
fn in_protocol(signal: i32) -> Signal {
    match signal {
        libc::SIGBUS => Signal::SIGBUS,
        libc::SIGUSR1 => Signal::SIGUSR1,
        libc::SIGUSR2 => Signal::SIGUSR2,
        libc::SIGCHLD => Signal::SIGCHLD,
        libc::SIGCONT => Signal::SIGCONT,
        libc::SIGSTOP => Signal::SIGSTOP,
        libc::SIGTSTP => Signal::SIGTSTP,
        libc::SIGURG => Signal::SIGURG,
        libc::SIGIO => Signal::SIGIO,
        libc::SIGSYS => Signal::SIGSYS,
        libc::SIGPWR => Signal::SIGPWR,
        libc::SIGPROF => Signal::SIGPROF,
        libc::SIGWINCH => Signal::SIGWINCH,
        libc::SIGVTALRM => Signal::SIGVTALRM,
        libc::SIGXCPU => Signal::SIGXCPU,
        libc::SIGXFSZ => Signal::SIGXFSZ,
        libc::SIGTTIN => Signal::SIGTTIN,
        libc::SIGTTOU => Signal::SIGTTOU,
        // The oldest have the same numbers everywhere.
        1..=6 | 8 | 9 | 11 | 13..=15 => Signal(signal as u8),
        _ => Signal::SIGTRAP,
    }
}
