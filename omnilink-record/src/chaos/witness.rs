//! Looking on at a program that the kernel schedules, to tell where its threads were when it crashed or was stopped.
//!
//! Its threads are traced, but nothing stops them: who is seized goes on, and the kernel reports to us only when a
//! thread is about to receive a signal. So nothing is slower than it was, except receiving signals. Threads are found by
//! looking now and then; one that crashes before it was found leaves no stack.
//!
//! Some programs must not be traced: LeakSanitizer wants to trace the program itself. Those, and programs that become
//! another by `exec`, are left alone.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use libc::pid_t;

use super::code;
use super::crash::{ends_program, received};
use super::memory::Memory;
use super::stack::{Backtrace, Modules};
use super::ticker::Ticker;
use super::tracee::{self, Registers, Resume, Stop, Whom};
use super::whereabouts::await_stop;
use crate::ending::Ending;
use crate::environment::Environment;
use crate::stacks::ThreadStack;

/// Who looks on at a process that the calling thread has started.
#[derive(Debug)]
pub(crate) struct Witness {
    pid: pid_t,
    /// The threads that are traced, in the order in which they were found.
    threads: Vec<pid_t>,
    /// The process has become another program, which is left alone.
    is_over: bool,
    /// The signal that ends the program, or none if it is stopped, and where its threads were.
    seen: Option<(Option<i32>, Vec<ThreadStack>)>,
    _ticker: Ticker,
}

impl Witness {
    /// Begins to look on; waiting is interrupted so often. None if that is not possible, or not wanted by the program.
    pub(crate) fn begin(pid: pid_t, program: &Path, environment: &Environment, every: Duration) -> Option<Self> {
        let preloads = environment.iter().any(|(name, _)| name == "LD_PRELOAD");
        if preloads || code::looks_for_leaks(program)? {
            return None;
        }
        let ticker = Ticker::start(every).ok()?;
        tracee::seize_quietly(pid).ok()?;
        Some(Self { pid, threads: vec![pid], is_over: false, seen: None, _ticker: ticker })
    }

    /// There are these threads now.
    pub(crate) fn follow(&mut self, threads: &[pid_t]) {
        for &tid in threads {
            // Who has ended meanwhile needs no tracing.
            if !self.is_over && !self.threads.contains(&tid) && tracee::seize_quietly(tid).is_ok() {
                self.threads.push(tid);
            }
        }
    }

    /// Waits until something happens, or until it is time to look after other things. Tells how the program has ended.
    pub(crate) fn wait(&mut self) -> io::Result<Option<Ending>> {
        let (who, stop) = match tracee::wait(Whom::Anyone) {
            Ok(stopped) => stopped,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(None),
            Err(error) => return Err(error),
        };
        match stop {
            Stop::Exited(code) if who == self.pid => return Ok(Some(Ending::Exited(code))),
            Stop::Killed(signal) if who == self.pid => return Ok(Some(Ending::Killed(signal))),
            // Tracing it again later would fail.
            Stop::Exited(_) | Stop::Killed(_) => {}
            // Fails only for who is killed in this moment.
            Stop::Signal(signal) => drop(self.signalled(who, signal)),
            Stop::Event(libc::PTRACE_EVENT_EXEC) => {
                self.is_over = true;
                let _ = tracee::let_alone(who);
            }
            Stop::Event(_) => drop(tracee::stay_stopped(who)),
            Stop::SystemCallExit => drop(tracee::resume(who, Resume::Run, 0)),
        }
        Ok(None)
    }

    fn signalled(&mut self, tid: pid_t, signal: i32) -> io::Result<()> {
        if self.seen.is_none() && ends_program(self.pid, tid, signal)? {
            let stacks = self.look(Some((tid, received(tid, signal)?)));
            self.seen = Some((Some(signal), stacks));
        }
        tracee::resume(tid, Resume::Run, signal)
    }

    /// The program is about to be killed because it took too long: notes where everybody is.
    pub(crate) fn stopping(&mut self) {
        if self.seen.is_none() && !self.is_over {
            self.seen = Some((None, self.look(None)));
        }
    }

    /// Where everybody was when the program ended, if it ended so.
    pub(crate) fn stacks_of(self, ending: &Ending) -> Vec<ThreadStack> {
        let (signal, stacks) = self.seen.unwrap_or_default();
        let is_it = match (ending, signal) {
            (Ending::Killed(by), Some(signal)) => *by == signal,
            (Ending::Stopped(_), None) => true,
            _ => false,
        };
        if is_it { stacks } else { Vec::new() }
    }

    /// Stops everybody, who will not go on, and tells where they are; `received` tells who has received what.
    fn look(&self, received: Option<(pid_t, String)>) -> Vec<ThreadStack> {
        let Ok(memory) = Memory::of(self.pid) else { return Vec::new() };
        let living: Vec<pid_t> = self.threads.iter().copied().filter(|&tid| is_alive(self.pid, tid)).collect();
        for &tid in living.iter().filter(|&&tid| received.as_ref().is_none_or(|(receiver, _)| *receiver != tid)) {
            // Who does not stop is told without a stack.
            let _ = tracee::interrupt(tid).and_then(|()| await_stop(tid));
        }
        let modules = Modules::of(self.pid);
        let mut stacks = Vec::new();
        for tid in living {
            let registers = tracee::registers(tid);
            let Backtrace { frames, cut } = match &registers {
                Ok(registers) => modules.backtrace(registers, &memory),
                Err(_) => Backtrace { cut: Some("it is in the kernel".to_owned()), ..Backtrace::default() },
            };
            let received = received.as_ref().filter(|(receiver, _)| *receiver == tid).map(|(_, what)| what.clone());
            stacks.push(ThreadStack {
                thread: self.threads.iter().position(|&other| other == tid).unwrap_or_default(),
                crashed: received.is_some(),
                does: received.unwrap_or_else(|| does(registers.ok().as_ref())),
                calls: Vec::new(),
                frames,
                cut,
            });
        }
        // Who crashed comes first.
        stacks.sort_by_key(|stack| !stack.crashed);
        stacks
    }
}

/// What a thread does, by its registers.
fn does(registers: Option<&Registers>) -> String {
    let in_call = registers.is_none_or(|registers| registers.orig_rax as i64 >= 0);
    if in_call { "waits in the kernel".to_owned() } else { "runs".to_owned() }
}

fn is_alive(pid: pid_t, tid: pid_t) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/task/{tid}/stat")).unwrap_or_default();
    !matches!(stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next()), None | Some('Z' | 'X'))
}
