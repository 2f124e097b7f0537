//! What a signal tells about itself.
//!
//! The kernel writes the real id of the sender into it. The program knows itself by a made-up one, and compares: libc
//! takes the signals by which it cancels threads, and by which all threads change their user, only from its own process.

use std::io;

use libc::{c_int, pid_t};

use super::identity;
use super::memory::Memory;
use super::tracee;

/// The kernel's `siginfo_t`, as far as it is the same for all signals that are looked at here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Details {
    pub signal: c_int,
    pub errno: c_int,
    pub code: c_int,
    pad: c_int,
    /// The sender, or the timer.
    pub sender: c_int,
    /// The sender's user, or how often the timer expired unnoticed.
    pub second: c_int,
    /// What the sender, or who made the timer, wants to tell.
    pub value: u64,
    rest: [u64; 12],
}

const _: () = assert!(size_of::<Details>() == size_of::<libc::siginfo_t>());

/// Where a signal's code is, and its sender, in the program's memory.
const CODE_AT: u64 = 8;
const SENDER_AT: u64 = 16;
/// The same of what is read from a descriptor of signals, and how long that is.
const READ_CODE_AT: u64 = 8;
const READ_SENDER_AT: u64 = 12;
const READ_LENGTH: u64 = 128;

impl Details {
    /// Of a timer that has expired.
    pub fn of_timer(signal: c_int, timer: c_int, overrun: c_int, value: u64) -> Self {
        let code = libc::SI_TIMER;
        Self { signal, errno: 0, code, pad: 0, sender: timer, second: overrun, value, rest: [0; 12] }
    }

    /// Whether it names a process as its sender.
    fn has_sender(&self) -> bool {
        names_sender(self.code)
    }

    /// As the program would see it without us; none if that is how it is.
    pub fn as_told(mut self, process: pid_t) -> Option<Self> {
        if self.has_sender() && self.sender == process {
            self.sender = identity::told(0) as c_int;
            return Some(self);
        }
        if self.code == libc::SI_TIMER && self.sender == KERNEL {
            (self.code, self.sender, self.second, self.value) = (libc::SI_KERNEL, 0, 0, 0);
            return Some(self);
        }
        None
    }
}

/// Stands for the sender of signals that the kernel sends without telling why (`alarm`): nobody may claim to be the
/// kernel.
pub const KERNEL: c_int = c_int::MIN;

/// Makes the signal that a thread is about to receive name its sender as the program knows it.
pub fn name_sender(tid: pid_t, process: pid_t) -> io::Result<()> {
    match tracee::signal_details(tid)?.as_told(process) {
        Some(told) => tracee::set_signal_details(tid, &told),
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
        memory.set_u32(sender, identity::told(0) as u32)?;
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
        let from = |code, sender| Details { code, sender, ..Details::of_timer(libc::SIGUSR1, 0, 0, 7) };
        let told = identity::told(0) as c_int;
        let cases = [
            (from(libc::SI_TKILL, 41), Some((libc::SI_TKILL, told))),
            (from(libc::SI_USER, 41), Some((libc::SI_USER, told))),
            (from(libc::SI_QUEUE, 41), Some((libc::SI_QUEUE, told))),
            (from(libc::SI_USER, 42), None),
            (from(libc::CLD_EXITED, 41), None),
            (from(libc::SI_TIMER, 41), None),
            (from(libc::SI_TIMER, KERNEL), Some((libc::SI_KERNEL, 0))),
        ];
        for (details, expected) in cases {
            let answer = details.as_told(41).map(|told| (told.code, told.sender));
            assert_eq!(answer, expected, "{details:?}");
        }
    }
}
