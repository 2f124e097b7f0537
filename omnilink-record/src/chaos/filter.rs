//! Which system calls the scheduler is asked about.
//!
//! Being asked costs a few microseconds, so it is only about calls that may wait, that tell the time or the machine's
//! state, or that wake someone up. All others go straight to the kernel.

use libc::{c_long, sock_filter};

use super::{file_times, identity, ports};

/// Newer calls for waiting and waking, which libc does not name yet.
pub const SYS_FUTEX_WAITV: c_long = 449;
pub const SYS_FUTEX_WAKE: c_long = 454;
pub const SYS_FUTEX_WAIT: c_long = 455;
pub const SYS_FUTEX_REQUEUE: c_long = 456;

/// Calls that the scheduler handles, see [`super::calls`], besides those that name somebody, see [`identity`], tell
/// or change when a file was changed, see [`file_times`], and tell ports, see [`ports`].
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

const LOAD_WORD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const JUMP_IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const JUMP_IF_ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
/// Where the third argument of a call is, of which the lower half comes first.
const PROTECTION_AT: u32 = std::mem::offset_of!(libc::seccomp_data, args) as u32 + 2 * 8;
const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;

/// All calls that the scheduler is asked about.
fn traced() -> Vec<c_long> {
    let naming = identity::NAMING.iter().map(|&(call, _)| call);
    let files = file_times::TELLING.iter().chain(file_times::CHANGING).copied();
    TRACED.iter().copied().chain(naming).chain(files).chain(ports::TELLING.iter().copied()).collect()
}

/// The seccomp program that asks about [`traced`] calls.
pub fn program() -> Vec<sock_filter> {
    let number = std::mem::offset_of!(libc::seccomp_data, nr) as u32;
    let arch = std::mem::offset_of!(libc::seccomp_data, arch) as u32;
    let plain = |code, k| sock_filter { code, jt: 0, jf: 0, k };
    let traced = traced();
    let calls = traced.len();
    // Calls with another numbering (32-bit code) have the numbers of other calls.
    let mut program = vec![
        plain(LOAD_WORD, arch),
        sock_filter { code: JUMP_IF_EQUAL, jt: 0, jf: calls as u8 + 5, k: AUDIT_ARCH_X86_64 },
        plain(LOAD_WORD, number),
    ];
    for (index, call) in traced.iter().enumerate() {
        // Over the rest of the list, and over the answer for all others.
        program.push(sock_filter { code: JUMP_IF_EQUAL, jt: (calls - index) as u8 + 4, jf: 0, k: *call as u32 });
    }
    // Mapping is of interest if it is code that is mapped; so is making code of what was mapped as data.
    program.extend([
        sock_filter { code: JUMP_IF_EQUAL, jt: 1, jf: 0, k: libc::SYS_mmap as u32 },
        sock_filter { code: JUMP_IF_EQUAL, jt: 0, jf: 2, k: libc::SYS_mprotect as u32 },
        plain(LOAD_WORD, PROTECTION_AT),
        sock_filter { code: JUMP_IF_ANY_BIT, jt: 1, jf: 0, k: libc::PROT_EXEC as u32 },
        plain(RETURN, libc::SECCOMP_RET_ALLOW),
        plain(RETURN, libc::SECCOMP_RET_TRACE),
    ]);
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the kernel would answer.
    fn answer(arch: u32, call: u32, protection: i32) -> u32 {
        let program = program();
        let (mut at, mut word) = (0, 0);
        loop {
            let instruction = program[at];
            at += 1;
            match instruction.code {
                LOAD_WORD => {
                    word = match instruction.k {
                        0 => call,
                        4 => arch,
                        at => {
                            assert_eq!(at, 32);
                            protection as u32
                        }
                    }
                }
                RETURN => return instruction.k,
                JUMP_IF_ANY_BIT => {
                    at += usize::from(if word & instruction.k != 0 { instruction.jt } else { instruction.jf });
                }
                _ => at += usize::from(if word == instruction.k { instruction.jt } else { instruction.jf }),
            }
        }
    }

    #[test]
    fn the_listed_calls_are_traced_and_no_others() {
        for call in 0..500 {
            let listed = traced().contains(&c_long::from(call));
            let expected = if listed { libc::SECCOMP_RET_TRACE } else { libc::SECCOMP_RET_ALLOW };
            assert_eq!(answer(AUDIT_ARCH_X86_64, call as u32, 0), expected, "{call}");
            assert_eq!(answer(0x4000_0003, call as u32, 0), libc::SECCOMP_RET_ALLOW, "{call} of 32-bit code");
        }
        for call in [libc::SYS_mmap, libc::SYS_mprotect] {
            for (protection, expected) in [
                (libc::PROT_READ | libc::PROT_WRITE, libc::SECCOMP_RET_ALLOW),
                (libc::PROT_READ | libc::PROT_EXEC, libc::SECCOMP_RET_TRACE),
            ] {
                assert_eq!(answer(AUDIT_ARCH_X86_64, call as u32, protection), expected);
            }
        }
    }
}
