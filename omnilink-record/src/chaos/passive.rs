//! Processes that the program starts. They run as they would without us.
//!
//! They inherit the filter of system calls, which needs somebody to answer, so they stay traced; the answer is always:
//! go on. A copy of the program (fork) gets its original code back before it runs. A process that shares the program's
//! memory until it executes another program (vfork) cannot: it runs alone until then, see [`super::lives`].

use std::io;

use libc::pid_t;

use super::inject::Injection;
use super::install::Code;
use super::memory::Memory;
use super::tracee::{self, Resume, Stop, Whom};

/// All processes that are followed passively.
#[derive(Debug, Default)]
pub struct Passive(Vec<pid_t>);

impl Passive {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Follows a process that shares the program's memory, and lets it go.
    pub fn follow_sharing(&mut self, pid: pid_t) -> io::Result<()> {
        self.0.push(pid);
        tracee::resume(pid, Resume::Run, 0)
    }

    /// Follows a stopped copy of the program: gives it back its code and the real counter, and lets it go.
    pub fn follow_copy(&mut self, pid: pid_t, code: &Code) -> io::Result<()> {
        self.0.push(pid);
        let memory = Memory::of(pid)?;
        code.restore(&memory)?;
        reveal_counter(pid, &memory)?;
        tracee::resume(pid, Resume::Run, 0)
    }

    /// Lets a process go on that has stopped.
    pub fn stopped(&mut self, who: pid_t, stop: Stop, code: &Code) -> io::Result<()> {
        let signal = match stop {
            Stop::Exited(_) | Stop::Killed(_) => {
                self.0.retain(|&pid| pid != who);
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
        if !self.0.contains(&who) {
            self.0.push(who);
        }
        match tracee::resume(who, Resume::Run, signal) {
            // It has been killed, and will be reported as such.
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Ok(()),
            answer => answer,
        }
    }

    /// Kills all of them.
    pub fn kill(&self) {
        self.0.iter().for_each(|&pid| tracee::kill(pid));
    }
}

/// Another program is about to begin in a process.
fn begin(pid: pid_t) -> io::Result<()> {
    // It is still in the system call that loaded it, which ends with the first instruction.
    tracee::resume(pid, Resume::Step, 0)?;
    loop {
        match tracee::wait(Whom::Thread(pid)) {
            Ok((_, Stop::Exited(_) | Stop::Killed(_))) => return Ok(()),
            Ok(_) => return reveal_counter(pid, &Memory::of(pid)?),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Lets a stopped process read the processor's counter.
fn reveal_counter(pid: pid_t, memory: &Memory) -> io::Result<()> {
    let injection = Injection::begin(pid, memory)?;
    let enable = [libc::PR_SET_TSC as u64, libc::PR_TSC_ENABLE as u64, 0, 0, 0, 0];
    injection.call(libc::SYS_prctl, enable)?;
    injection.finish()
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
