//! The sender that a signal names.
//!
//! The kernel writes the real id of the sender into a signal. The program knows itself by a virtual one, and compares: libc
//! accepts the signals by which it cancels threads, and by which all threads change their user, only from its own process.

use std::io;

use libc::{c_int, pid_t};

use super::identity;
use crate::chaos::mechanism::memory::Memory;
use crate::chaos::mechanism::siginfo::Siginfo;
use crate::chaos::mechanism::tracee;

/// Where a signal's code is, and its sender, in the program's memory.
const CODE_AT: u64 = 8;
const SENDER_AT: u64 = 16;
/// The same of what is read from a descriptor of signals, and how long that is.
const READ_CODE_AT: u64 = 8;
const READ_SENDER_AT: u64 = 12;
const READ_LENGTH: u64 = 128;

/// A signal as the program would see it without us; none if that is how it is.
fn translated(mut siginfo: Siginfo, process: pid_t) -> Option<Siginfo> {
    if names_sender(siginfo.code) && siginfo.sender == process {
        siginfo.sender = identity::of_thread(0) as c_int;
        return Some(siginfo);
    }
    if siginfo.code == libc::SI_TIMER && siginfo.sender == KERNEL {
        (siginfo.code, siginfo.sender, siginfo.second, siginfo.value) = (libc::SI_KERNEL, 0, 0, 0);
        return Some(siginfo);
    }
    None
}

/// Stands for the sender of signals that the kernel sends without telling why (`alarm`): nobody may claim to be the
/// kernel.
pub const KERNEL: c_int = c_int::MIN;

/// Makes the signal that a thread is about to receive name its sender as the program knows it.
pub fn name_sender(tid: pid_t, process: pid_t) -> io::Result<()> {
    match translated(tracee::siginfo(tid)?, process) {
        Some(translated) => tracee::set_siginfo(tid, &translated),
        None => Ok(()),
    }
}

/// The same of a signal that a call has written to this address of the program's memory.
pub fn name_sender_in(memory: &Memory, at: u64, process: pid_t) -> io::Result<()> {
    rename(memory, at + CODE_AT, at + SENDER_AT, process)
}

/// The same of signals that a thread has read from a descriptor of signals.
pub fn name_senders_read(memory: &Memory, at: u64, length: u64, process: pid_t) -> io::Result<()> {
    for number in 0..length / READ_LENGTH {
        let at = at + number * READ_LENGTH;
        rename(memory, at + READ_CODE_AT, at + READ_SENDER_AT, process)?;
    }
    Ok(())
}

fn rename(memory: &Memory, code: u64, sender: u64, process: pid_t) -> io::Result<()> {
    if names_sender(memory.u32(code)? as c_int) && memory.u32(sender)? as pid_t == process {
        memory.set_u32(sender, identity::of_thread(0) as u32)?;
    }
    Ok(())
}

fn names_sender(code: c_int) -> bool {
    matches!(code, libc::SI_USER | libc::SI_QUEUE | libc::SI_TKILL | libc::SI_MESGQ)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senders_are_told_as_the_program_knows_them() {
        let from = |code, sender| {
            let mut siginfo = Siginfo::of_timer(libc::SIGUSR1, sender, 0, 7);
            siginfo.code = code;
            siginfo
        };
        let own = identity::of_thread(0) as c_int;
        let cases = [
            (from(libc::SI_TKILL, 41), Some((libc::SI_TKILL, own))),
            (from(libc::SI_USER, 41), Some((libc::SI_USER, own))),
            (from(libc::SI_QUEUE, 41), Some((libc::SI_QUEUE, own))),
            (from(libc::SI_USER, 42), None),
            (from(libc::CLD_EXITED, 41), None),
            (from(libc::SI_TIMER, 41), None),
            (from(libc::SI_TIMER, KERNEL), Some((libc::SI_KERNEL, 0))),
        ];
        for (siginfo, expected) in cases {
            let answer = translated(siginfo, 41).map(|translated| (translated.code, translated.sender));
            assert_eq!(answer, expected, "{siginfo:?}");
        }
    }
}
