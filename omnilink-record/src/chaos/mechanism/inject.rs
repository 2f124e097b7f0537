//! System calls that a stopped process is made to execute.

use std::io;

use libc::{c_long, pid_t};

use super::memory::Memory;
use super::tracee::{self, Registers, Resume, Stop, Whom};

const SYSCALL: [u8; 2] = [0x0f, 0x05];

/// Lets a process that is loading another program come to its first instruction: until then it is in the system call that
/// loads. False if it was killed.
pub fn finish_exec(pid: pid_t) -> io::Result<bool> {
    tracee::resume(pid, Resume::Step, 0)?;
    loop {
        match tracee::wait(Whom::Thread(pid)) {
            Ok((_, Stop::Exited(_) | Stop::Killed(_))) => return Ok(false),
            Ok(_) => return Ok(true),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A stopped process that makes system calls for us; it goes back to where it was when this is
/// [finished](Self::finish).
#[derive(Debug)]
pub struct Injection<'a> {
    pid: pid_t,
    memory: &'a Memory,
    registers: Registers,
    code: [u8; 2],
}

impl<'a> Injection<'a> {
    /// Takes over a process that is stopped in its own code.
    pub fn begin(pid: pid_t, memory: &'a Memory) -> io::Result<Self> {
        let registers = tracee::registers(pid)?;
        let mut code = [0; 2];
        memory.read(registers.rip, &mut code)?;
        memory.write(registers.rip, &SYSCALL)?;
        Ok(Self { pid, memory, registers, code })
    }

    /// Makes a call.
    pub fn call(&self, number: c_long, arguments: [u64; 6]) -> io::Result<u64> {
        let mut registers = self.registers;
        registers.rax = number as u64;
        // Not in a system call: nothing to be restarted.
        registers.orig_rax = u64::MAX;
        [registers.rdi, registers.rsi, registers.rdx, registers.r10, registers.r8, registers.r9] = arguments;
        tracee::set_registers(self.pid, &registers)?;
        tracee::resume(self.pid, Resume::Step, 0)?;
        loop {
            match tracee::wait(Whom::Thread(self.pid)) {
                Ok((_, Stop::Exited(_) | Stop::Killed(_))) => return Err(io::Error::from_raw_os_error(libc::ESRCH)),
                // We are asked about calls that map code, also about our own.
                Ok((_, Stop::Event(libc::PTRACE_EVENT_SECCOMP))) => tracee::resume(self.pid, Resume::Step, 0)?,
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let result = tracee::registers(self.pid)?.rax as i64;
        if (-4095..0).contains(&result) {
            return Err(io::Error::from_raw_os_error(-result as i32));
        }
        Ok(result as u64)
    }

    /// Puts everything back.
    pub fn finish(self) -> io::Result<()> {
        self.memory.write(self.registers.rip, &self.code)?;
        tracee::set_registers(self.pid, &self.registers)
    }
}
