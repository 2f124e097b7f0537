//! Tracing a program that the kernel schedules, for the stacks of its threads when it crashes or is stopped.
//!
//! Its threads are traced from their first instruction, so the stack of a crash is there however early the crash is. A
//! thread stops only when it begins, when it starts another thread, and before it receives a signal; otherwise it runs
//! at full speed.
//!
//! Some programs are not traced: LeakSanitizer traces the program itself, and a traced program does not get the privileges of
//! its file (setuid, capabilities). A program that executes another one is traced until then.

use std::collections::HashMap;
use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::ptr;
use std::time::Duration;

use libc::pid_t;

use super::mechanism::code;
use super::mechanism::memory::Memory;
use super::mechanism::proc_files::Stat;
use super::mechanism::signals::{ends_program, received};
use super::mechanism::stack::{Backtrace, Modules};
use super::mechanism::ticker::Ticker;
use super::mechanism::tracee::{self, Registers, Resume, Stop, Whom};
use crate::ending::Ending;
use crate::environment::Environment;
use crate::stacks::{ThreadIndex, ThreadStack};

/// Traces a process that the calling thread has started, without scheduling it.
#[derive(Debug)]
pub(crate) struct Witness {
    pid: pid_t,
    /// The threads that are traced and have not ended, numbered in the order in which they were found.
    threads: HashMap<pid_t, ThreadIndex>,
    /// How many threads were found.
    found: usize,
    /// The threads that were found since somebody asked.
    new: Vec<pid_t>,
    /// The process has become another program, which is left alone.
    is_over: bool,
    /// The signal that ends the program, or none if it is stopped, and where its threads were.
    seen: Option<(Option<i32>, Vec<ThreadStack>)>,
    /// How the program ended, if that was before it began.
    ended: Option<Ending>,
    _ticker: Ticker,
}

impl Witness {
    /// Prepares a command to be traced from its first instruction. False if that is not possible or would change what
    /// the program does.
    pub(crate) fn prepare(command: &mut Command, program: &Path, environment: &Environment) -> bool {
        let preloads = environment.iter().any(|(name, _)| name == "LD_PRELOAD");
        if preloads || gains_privileges(program) || code::looks_for_leaks(program) != Some(false) {
            return false;
        }
        // The program also runs where tracing is forbidden.
        let trace_me = || {
            let _ = tracee::trace_me();
            Ok(())
        };
        // SAFETY: the closure makes one system call.
        unsafe { command.pre_exec(trace_me) };
        true
    }

    /// Begins to look on at the process of a prepared command, which the calling thread has started; waiting is
    /// interrupted so often. None if tracing is forbidden.
    pub(crate) fn begin(pid: pid_t, every: Duration) -> Option<Self> {
        if !is_traced(pid) {
            return None;
        }
        // It has stopped for `exec`.
        let ended = loop {
            match tracee::wait(Whom::Thread(pid)) {
                Ok((_, Stop::Exited(code))) => break Some(Ending::Exited(code)),
                Ok((_, Stop::Killed(signal))) => break Some(Ending::Killed(signal)),
                Ok(_) => break None,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        };
        if ended.is_none() {
            // Only seized threads can be interrupted: it is let go and seized without a chance to run.
            tracee::let_alone(pid, libc::SIGSTOP).ok()?;
            let seized = tracee::seize_quietly(pid);
            tracee::let_continue(pid);
            seized.ok()?;
        }
        let ticker = Ticker::start(every).ok()?;
        let (threads, new) = (HashMap::from([(pid, 0)]), vec![pid]);
        Some(Self { pid, threads, found: 1, new, is_over: false, ended, seen: None, _ticker: ticker })
    }

    /// Waits until something happens, or until it is time to look after other things. Tells how the program has ended.
    pub(crate) fn wait(&mut self) -> io::Result<Option<Ending>> {
        if let Some(ending) = self.ended.take() {
            return Ok(Some(ending));
        }
        let (who, stop) = match tracee::wait(Whom::Anyone) {
            Ok(stopped) => stopped,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(None),
            Err(error) => return Err(error),
        };
        match stop {
            Stop::Exited(code) if who == self.pid => return Ok(Some(Ending::Exited(code))),
            Stop::Killed(signal) if who == self.pid => return Ok(Some(Ending::Killed(signal))),
            Stop::Exited(_) | Stop::Killed(_) => drop(self.threads.remove(&who)),
            // A process that was started like a thread. Fails only if it is killed in this moment.
            _ if !self.knows(who) => drop(tracee::let_alone(who, 0)),
            // Fails only if the thread is killed in this moment.
            Stop::Signal(signal) => drop(self.signalled(who, signal)),
            Stop::Event(libc::PTRACE_EVENT_EXEC) => {
                self.is_over = true;
                let _ = tracee::let_alone(who, 0);
            }
            Stop::Event(event) => {
                if event == libc::PTRACE_EVENT_CLONE {
                    self.began(who);
                }
                let _ = tracee::stay_stopped(who);
            }
            Stop::SystemCallExit => drop(tracee::resume(who, Resume::Run, 0)),
        }
        Ok(None)
    }

    /// A thread is about to return from starting another, which is added now: which of several new threads is reported
    /// first is up to the kernel, and threads are numbered in the order in which they began.
    fn began(&mut self, parent: pid_t) {
        if let Ok(new) = tracee::event_message(parent) {
            self.knows(new as pid_t);
        }
    }

    /// Whether this is a thread of the program. New ones are added.
    fn knows(&mut self, tid: pid_t) -> bool {
        if self.threads.contains_key(&tid) {
            return true;
        }
        let is_thread = Path::new(&format!("/proc/{}/task/{tid}", self.pid)).exists();
        if is_thread {
            self.threads.insert(tid, self.found);
            self.found += 1;
            self.new.push(tid);
        }
        is_thread
    }

    /// The threads that were found since this was last asked.
    pub(crate) fn take_new(&mut self) -> Vec<pid_t> {
        std::mem::take(&mut self.new)
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

    /// Stops all threads for good and reads their stacks; `received` is the thread that received a signal, and which.
    fn look(&self, received: Option<(pid_t, String)>) -> Vec<ThreadStack> {
        let Ok(memory) = Memory::of(self.pid) else { return Vec::new() };
        let mut living: Vec<(ThreadIndex, pid_t)> = self.threads.iter().map(|(&tid, &index)| (index, tid)).collect();
        living.retain(|&(_, tid)| Stat::of_thread(self.pid, tid).is_some_and(|stat| !stat.has_ended()));
        living.sort_unstable();
        for &(_, tid) in living.iter().filter(|(_, tid)| received.as_ref().is_none_or(|(who, _)| who != tid)) {
            // A thread that does not stop is reported without a stack.
            let _ = tracee::interrupt(tid).and_then(|()| tracee::await_stop(tid));
        }
        let modules = Modules::of(self.pid);
        let mut stacks = Vec::new();
        for (thread, tid) in living {
            let registers = tracee::registers(tid);
            let Backtrace { frames, cut } = match &registers {
                Ok(registers) => modules.backtrace(registers, &memory),
                Err(_) => Backtrace { cut: Some("it is in the kernel".to_owned()), ..Backtrace::default() },
            };
            let received = received.as_ref().filter(|(receiver, _)| *receiver == tid).map(|(_, what)| what.clone());
            stacks.push(ThreadStack {
                thread,
                crashed: received.is_some(),
                does: received.unwrap_or_else(|| does(registers.ok().as_ref())),
                calls: Vec::new(),
                frames,
                cut,
            });
        }
        // The thread that crashed comes first.
        stacks.sort_by_key(|stack| !stack.crashed);
        stacks
    }
}

/// What a thread does, by its registers.
fn does(registers: Option<&Registers>) -> String {
    let in_call = registers.is_none_or(|registers| registers.orig_rax as i64 >= 0);
    if in_call { "waits in the kernel".to_owned() } else { "runs".to_owned() }
}

/// Whether tracing was allowed to a process that was started to be traced.
fn is_traced(pid: pid_t) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().find_map(|line| line.strip_prefix("TracerPid:")).is_some_and(|tracer| tracer.trim() != "0")
}

/// Whether a program gets privileges of its file, which it would not get while it is traced.
fn gains_privileges(program: &Path) -> bool {
    let Ok(metadata) = program.metadata() else { return false };
    if metadata.mode() & (libc::S_ISUID | libc::S_ISGID) != 0 {
        return true;
    }
    let Ok(path) = CString::new(program.as_os_str().as_bytes()) else { return false };
    // SAFETY: both strings end with a zero and outlive the call, which writes nothing when asked for the size.
    unsafe { libc::getxattr(path.as_ptr(), c"security.capability".as_ptr(), ptr::null_mut(), 0) > 0 }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn programs_that_gain_privileges_are_not_traced() {
        let scratch = tempfile::tempdir().unwrap();
        let program = scratch.path().join("program");
        fs::copy("/bin/true", &program).unwrap();
        let prepare = || Witness::prepare(&mut Command::new(&program), &program, &Environment::default());
        assert!(prepare());
        fs::set_permissions(&program, Permissions::from_mode(0o4755)).unwrap();
        assert!(!prepare());
    }
}
