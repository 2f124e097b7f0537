//! The system calls at which the kernel stops the program for the scheduler.
//!
//! Each stop costs a few microseconds, so the list has only calls that may wait, that return the time or the state of the
//! machine, or that wake a thread.

use libc::c_long;

use crate::chaos::state::{file_times, identity, ports};

/// Newer calls for waiting and waking, which libc does not name yet.
pub const SYS_FUTEX_WAITV: c_long = 449;
pub const SYS_FUTEX_WAKE: c_long = 454;
pub const SYS_FUTEX_WAIT: c_long = 455;
pub const SYS_FUTEX_REQUEUE: c_long = 456;

/// Calls that the scheduler handles, see [`super::calls`], besides those that name somebody, see [`identity`], tell or
/// change when a file was changed, see [`file_times`], and tell ports, see [`ports`].
const TRACED: &[c_long] = &[
    libc::SYS_futex,
    SYS_FUTEX_WAITV,
    SYS_FUTEX_WAKE,
    SYS_FUTEX_WAIT,
    SYS_FUTEX_REQUEUE,
    libc::SYS_sched_yield,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_clock_gettime,
    libc::SYS_gettimeofday,
    libc::SYS_time,
    libc::SYS_times,
    libc::SYS_getrusage,
    libc::SYS_sysinfo,
    libc::SYS_getrandom,
    libc::SYS_getcpu,
    libc::SYS_rseq,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_setaffinity,
    libc::SYS_set_tid_address,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_getppid,
    libc::SYS_getpgrp,
    libc::SYS_open,
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_clone,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_mq_timedsend,
    libc::SYS_mq_timedreceive,
    libc::SYS_mq_notify,
    libc::SYS_io_uring_setup,
    libc::SYS_io_setup,
    libc::SYS_pidfd_send_signal,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_preadv2,
    libc::SYS_splice,
    libc::SYS_sendfile,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_poll,
    libc::SYS_ppoll,
    libc::SYS_select,
    libc::SYS_pselect6,
    libc::SYS_epoll_wait,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_recvmmsg,
    libc::SYS_sendmmsg,
    libc::SYS_flock,
    libc::SYS_fcntl,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_pause,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigreturn,
    libc::SYS_exit_group,
    libc::SYS_rt_sigaction,
    libc::SYS_alarm,
    libc::SYS_setitimer,
    libc::SYS_getitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
];

/// All calls that the scheduler is asked about.
pub fn all() -> Vec<c_long> {
    let naming = identity::NAMING.iter().map(|&(call, _)| call);
    let files = file_times::TELLING.iter().chain(file_times::CHANGING).copied();
    TRACED.iter().copied().chain(naming).chain(files).chain(ports::TELLING.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    /// Jumps of a seccomp program skip at most 255 instructions.
    #[test]
    fn the_filter_reaches_its_end() {
        assert!(super::all().len() < 250);
    }
}
