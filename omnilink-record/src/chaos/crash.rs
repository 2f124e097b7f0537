//! Signals that end the program: where everybody is when one comes is noted before it is received, since nothing can be
//! looked at afterwards.

use std::fs;
use std::io;

use libc::pid_t;

use super::engine::{Engine, Halt};
use super::open_calls::open_calls;
use super::tracee;
use crate::debugger::When;
use crate::ending::{Ending, signal_name};
use crate::stacks::ThreadStack;

/// A signal that ends the program, and where everybody was when it came.
#[derive(Debug)]
pub struct Crash {
    signal: i32,
    stacks: Vec<ThreadStack>,
}

impl Crash {
    /// Where everybody was, if the program ended so.
    pub fn stacks_of(crash: Option<Self>, ending: &Ending) -> Vec<ThreadStack> {
        crash.filter(|crash| *ending == Ending::Killed(crash.signal)).map(|crash| crash.stacks).unwrap_or_default()
    }
}

impl Engine<'_> {
    /// The current thread is about to receive a signal: notes where everybody is if that ends the program.
    pub(super) fn crashing(&mut self, signal: i32) -> Result<(), Halt> {
        let tid = self.threads[self.current].tid;
        if !ends_program(self.pid, tid, signal)? {
            return Ok(());
        }
        let received = received(tid, signal)?;
        let calls = open_calls(self.setting.streams, &self.turns);
        let stacks = self.whereabouts(&calls, Some((self.current, received)));
        self.arrive(When::Crash, &stacks)?;
        self.crash = Some(Crash { signal, stacks });
        Ok(())
    }
}

/// What to say of a thread that is about to receive a signal.
pub fn received(tid: pid_t, signal: i32) -> io::Result<String> {
    let name = signal_name(signal);
    Ok(match tracee::fault_address(tid)?.filter(|_| matches!(signal, libc::SIGSEGV | libc::SIGBUS)) {
        Some(address) => format!("received {name} for address {address:#x}"),
        None => format!("received {name}"),
    })
}

/// Whether a signal that a thread is about to receive ends the program: what the program does about it is up to the
/// kernel, which has already undone that for faults of threads that block or ignore them.
pub fn ends_program(pid: pid_t, tid: pid_t, signal: i32) -> io::Result<bool> {
    const HARMLESS: [i32; 8] = [
        libc::SIGCHLD,
        libc::SIGCONT,
        libc::SIGSTOP,
        libc::SIGTSTP,
        libc::SIGTTIN,
        libc::SIGTTOU,
        libc::SIGURG,
        libc::SIGWINCH,
    ];
    if HARMLESS.contains(&signal) {
        return Ok(false);
    }
    let status = fs::read_to_string(format!("/proc/{pid}/task/{tid}/status"))?;
    let holds = |mask: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(mask));
        let bits = line.and_then(|line| u64::from_str_radix(line.trim(), 16).ok()).unwrap_or_default();
        u32::try_from(signal - 1).is_ok_and(|bit| bits.checked_shr(bit).unwrap_or_default() & 1 == 1)
    };
    Ok(!holds("SigCgt:") && !holds("SigIgn:"))
}
