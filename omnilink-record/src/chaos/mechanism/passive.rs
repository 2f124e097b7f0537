//! Processes that the program starts. They are not scheduled.
//!
//! They inherit the seccomp filter, which needs a tracer, so they stay traced; they are resumed whenever they stop. A copy of
//! the program (fork) gets its original code back before it runs. A process that shares the program's memory until it executes
//! another program (vfork) cannot get it back; the program's threads stay stopped until then, see `engine::lives`.

use std::collections::HashMap;
use std::io;

use libc::pid_t;

use super::install::Code;
use super::memory::Memory;
use super::tracee::{self, Resume, Stop};
use super::{inject, processor};

/// All processes that are followed passively.
#[derive(Debug, Default)]
pub struct Passive {
    /// Their threads.
    threads: Vec<pid_t>,
    /// Those who wake at a word at which threads of the program were woken, too: how many, of how many.
    woken: HashMap<pid_t, (i64, u64)>,
    /// One of them has computed for long: nobody waits for them to come to rest any more.
    is_busy: bool,
}

impl Passive {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    /// The threads of all of them.
    pub fn threads(&self) -> &[pid_t] {
        &self.threads
    }

    /// One of them has computed for long: nobody waits for them to come to rest any more.
    pub fn give_up_resting(&mut self) {
        self.is_busy = true;
    }

    /// The threads that are waited for until they come to rest.
    pub fn resting_threads(&self) -> &[pid_t] {
        if self.is_busy { &[] } else { &self.threads }
    }

    /// Remembers that somebody has woken so many threads of the program, of so many that it wants to wake.
    pub fn add_woken(&mut self, who: pid_t, woken: i64, count: u64) {
        self.woken.insert(who, (woken, count));
    }

    /// What was remembered, once.
    pub fn take_woken(&mut self, who: pid_t) -> Option<(i64, u64)> {
        self.woken.remove(&who)
    }

    /// Follows a process that shares the program's memory, and lets it go.
    pub fn follow_sharing(&mut self, pid: pid_t) -> io::Result<()> {
        self.threads.push(pid);
        tracee::resume(pid, Resume::Run, 0)
    }

    /// Follows a stopped copy of the program: gives it back its code and the real processor, and lets it go.
    pub fn follow_copy(&mut self, pid: pid_t, code: &Code) -> io::Result<()> {
        self.threads.push(pid);
        let memory = Memory::of(pid)?;
        code.restore(&memory)?;
        processor::reveal(pid, &memory)?;
        tracee::resume(pid, Resume::Run, 0)
    }

    /// Lets a process that has stopped go on, as far as `how` says.
    pub fn stopped(&mut self, who: pid_t, stop: Stop, code: &Code, how: Resume) -> io::Result<()> {
        let signal = match stop {
            Stop::Exited(_) | Stop::Killed(_) => {
                self.threads.retain(|&pid| pid != who);
                return Ok(());
            }
            Stop::Signal(libc::SIGTRAP) => skip_trap(who, code)?,
            Stop::Signal(signal) => signal,
            Stop::Event(libc::PTRACE_EVENT_EXEC) => {
                begin(who)?;
                0
            }
            Stop::SystemCallExit | Stop::Event(_) => 0,
        };
        if !self.threads.contains(&who) {
            self.threads.push(who);
        }
        match tracee::resume(who, how, signal) {
            // It has been killed, and will be reported as such.
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Ok(()),
            answer => answer,
        }
    }

    /// Kills all of them.
    pub fn kill(&self) {
        self.threads.iter().for_each(|&pid| tracee::kill(pid));
    }
}

/// Another program is about to begin in a process.
fn begin(pid: pid_t) -> io::Result<()> {
    match inject::finish_exec(pid)? {
        true => processor::reveal(pid, &Memory::of(pid)?),
        false => Ok(()),
    }
}

/// A process that shares the program's memory may run into its traps. Gives the signal if it was none of them.
fn skip_trap(who: pid_t, code: &Code) -> io::Result<i32> {
    let address = tracee::instruction_pointer(who)?;
    if code.in_trampolines(address) {
        return Ok(0);
    }
    if let Some(replaced) = code.coverage.replaced_at(address - 1) {
        Memory::of(who)?.write(address - 1, &[replaced])?;
        return tracee::set_instruction_pointer(who, address - 1).map(|()| 0);
    }
    match code.trap_at(address - 1) {
        Some(hit) => tracee::set_instruction_pointer(who, hit.trap.copy).map(|()| 0),
        None => Ok(libc::SIGTRAP),
    }
}
