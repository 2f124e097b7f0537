//! The kernel's `siginfo_t`: what a signal says about itself.

use libc::{c_int, pid_t};

/// `siginfo_t`, as far as it is the same for all signals that are looked at here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Siginfo {
    pub signal: c_int,
    pub errno: c_int,
    pub code: c_int,
    pad: c_int,
    /// The sender, or the timer.
    pub sender: c_int,
    /// The sender's user, or how often the timer expired unnoticed.
    pub second: c_int,
    /// The value that the sender, or the creator of the timer, sends along.
    pub value: u64,
    rest: [u64; 12],
}

const _: () = assert!(size_of::<Siginfo>() == size_of::<libc::siginfo_t>());

impl Siginfo {
    /// Of a timer that has expired.
    pub fn of_timer(signal: c_int, timer: c_int, overrun: c_int, value: u64) -> Self {
        let code = libc::SI_TIMER;
        Self { signal, errno: 0, code, pad: 0, sender: timer, second: overrun, value, rest: [0; 12] }
    }

    /// The address whose access caused the signal, if the signal is of that kind. Such signals have the address where
    /// others have their sender.
    pub fn fault_address(&self) -> Option<u64> {
        let is_fault = self.code > 0 && self.code != libc::SI_KERNEL;
        is_fault.then(|| u64::from(self.second as u32) << 32 | u64::from(self.sender as u32))
    }

    /// Sends the signal to a process or one of its threads. Fails only if that has ended.
    pub fn send(&self, pid: pid_t, thread: Option<pid_t>) {
        // SAFETY: the struct has the kernel's layout and outlives the call, which reads it.
        unsafe {
            match thread {
                Some(tid) => libc::syscall(libc::SYS_rt_tgsigqueueinfo, pid, tid, self.signal, self),
                None => libc::syscall(libc::SYS_rt_sigqueueinfo, pid, self.signal, self),
            }
        };
    }
}
