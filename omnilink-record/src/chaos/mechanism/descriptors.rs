//! Descriptors of a process, as seen and used from outside of it.

use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

use libc::{c_int, pid_t};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// A process by a descriptor of ours, through which its descriptors can be copied.
#[derive(Debug)]
pub struct Owner(OwnedFd);

impl Owner {
    /// Opens the process of a thread.
    pub fn open(pid: pid_t) -> io::Result<Self> {
        // SAFETY: takes plain numbers; the descriptor returned is ours.
        unsafe {
            // Newer kernels open threads other than the first one only with this flag.
            const PIDFD_THREAD: c_int = libc::O_EXCL;
            let opened = [0, PIDFD_THREAD].into_iter().map(|flags| libc::syscall(libc::SYS_pidfd_open, pid, flags));
            match opened.into_iter().find(|&descriptor| descriptor != -1) {
                None => Err(io::Error::last_os_error()),
                Some(descriptor) => Ok(Self(OwnedFd::from_raw_fd(descriptor as i32))),
            }
        }
    }

    /// A copy of one of its descriptors; none if it is not open.
    pub fn copy(&self, descriptor: u64) -> Option<OwnedFd> {
        // SAFETY: takes plain numbers; the descriptor returned is ours.
        unsafe {
            match libc::syscall(libc::SYS_pidfd_getfd, self.0.as_raw_fd(), descriptor as i32, 0) {
                -1 => None,
                descriptor => Some(OwnedFd::from_raw_fd(descriptor as i32)),
            }
        }
    }
}

/// A copy of a descriptor of a process.
pub fn copy(pid: pid_t, descriptor: u64) -> Option<OwnedFd> {
    Owner::open(pid).ok()?.copy(descriptor)
}

/// What a descriptor refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A `signalfd`.
    Signals,
    /// An `epoll`.
    Epoll,
    /// A `timerfd`.
    Timer,
    /// Anything else.
    Other,
}

impl Kind {
    /// Of a descriptor of a process.
    pub fn of(pid: pid_t, descriptor: u64) -> Self {
        let target = fs::read_link(format!("/proc/{pid}/fd/{descriptor}")).unwrap_or_default();
        match target.to_str() {
            Some("anon_inode:[signalfd]") => Self::Signals,
            Some("anon_inode:[eventpoll]") => Self::Epoll,
            Some("anon_inode:[timerfd]") => Self::Timer,
            _ => Self::Other,
        }
    }
}

/// The values after a name in what the kernel says of a descriptor (`fdinfo`).
pub fn fdinfo(pid: pid_t, descriptor: u64, name: &str) -> Vec<String> {
    let text = fs::read_to_string(format!("/proc/{pid}/fdinfo/{descriptor}")).unwrap_or_default();
    text.lines().filter_map(|line| line.strip_prefix(name)).map(|rest| rest.trim().to_owned()).collect()
}

/// Whether two descriptors of a process are copies of each other.
pub fn are_same(process: pid_t, one: u64, other: u64) -> bool {
    const KCMP_FILE: c_int = 0;
    // SAFETY: takes plain numbers.
    unsafe { libc::syscall(libc::SYS_kcmp, process, process, KCMP_FILE, one, other) == 0 }
}

/// Makes a `timerfd` of a process ready to be read; false if it is none.
pub fn make_timer_ready(pid: pid_t, descriptor: u64) -> bool {
    let Some(timer) = copy_timer(pid, descriptor) else { return false };
    set_timer(&timer, 1);
    let mut list = [PollFd::new(timer.as_fd(), PollFlags::POLLIN)];
    // Fails only if a signal comes first.
    while poll(&mut list, PollTimeout::NONE) != Ok(1) {}
    true
}

/// Unsets a `timerfd` of a process, which is then not ready.
pub fn unset_timer(pid: pid_t, descriptor: u64) {
    copy_timer(pid, descriptor).iter().for_each(|timer| set_timer(timer, 0));
}

fn copy_timer(pid: pid_t, descriptor: u64) -> Option<OwnedFd> {
    if Kind::of(pid, descriptor) == Kind::Timer { copy(pid, descriptor) } else { None }
}

fn set_timer(timer: &OwnedFd, nanoseconds: i64) {
    let zero = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let times = libc::itimerspec { it_interval: zero, it_value: libc::timespec { tv_sec: 0, tv_nsec: nanoseconds } };
    // SAFETY: the struct outlives the call, which writes nothing.
    unsafe { libc::timerfd_settime(timer.as_raw_fd(), 0, &times, ptr::null_mut()) };
}
