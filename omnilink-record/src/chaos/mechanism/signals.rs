//! What the kernel's files say about the signals of a thread.

use std::fs;
use std::io;

use libc::pid_t;

use super::tracee;
use crate::ending::signal_name;

/// The bit of a signal in masks, as the kernel writes them; none if there is no such signal.
pub fn bit(signal: i32) -> u64 {
    u32::try_from(signal - 1).ok().and_then(|shift| 1_u64.checked_shl(shift)).unwrap_or_default()
}

/// Signals that have been sent to a thread or its process and not been received.
pub struct Pending {
    /// All of them.
    pub signals: u64,
    /// Those that the thread blocks.
    pub blocked: u64,
}

/// The signals that a thread has not received.
pub fn pending(pid: pid_t, tid: pid_t) -> io::Result<Pending> {
    let status = Masks::of(pid, tid)?;
    Ok(Pending { signals: status.mask("SigPnd") | status.mask("ShdPnd"), blocked: status.mask("SigBlk") })
}

/// Whether a signal that a thread is about to receive ends the program. Whether the program handles or ignores it is
/// known to the kernel, which has already undone that for faults of threads that block or ignore them.
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
    let status = Masks::of(pid, tid)?;
    Ok((status.mask("SigCgt") | status.mask("SigIgn")) & bit(signal) == 0)
}

/// Describes the signal that a thread is about to receive.
pub fn received(tid: pid_t, signal: i32) -> io::Result<String> {
    let name = signal_name(signal);
    let address = tracee::siginfo(tid)?.fault_address();
    Ok(match address.filter(|_| matches!(signal, libc::SIGSEGV | libc::SIGBUS)) {
        Some(address) => format!("received {name} for address {address:#x}"),
        None => format!("received {name}"),
    })
}

/// The lines of `/proc/PID/task/TID/status`.
struct Masks(String);

impl Masks {
    fn of(pid: pid_t, tid: pid_t) -> io::Result<Self> {
        fs::read_to_string(format!("/proc/{pid}/task/{tid}/status")).map(Self)
    }

    /// The signals of a line.
    fn mask(&self, name: &str) -> u64 {
        let line = self.0.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| u64::from_str_radix(line.trim_start_matches(':').trim(), 16).ok()).unwrap_or_default()
    }
}
