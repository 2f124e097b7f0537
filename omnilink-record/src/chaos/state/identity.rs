//! Virtual ids of processes and threads, which are the same in every run.
//!
//! The kernel's ids differ from run to run. A program that prints one takes longer for more digits, in virtual time, too, and
//! prints something else every time. So `getpid` and `gettid` return numbers that the kernel never uses, and where a system
//! call names a process or thread by such a number, it is replaced by the real id.
//!
//! Ids that the kernel itself writes into the program's memory stay real: libc keeps a thread's real id for its mutexes.

use libc::{c_long, pid_t};

use super::threads::{ThreadIndex, Threads};
use crate::chaos::mechanism::tracee::Registers;

/// The virtual id of the program's process and of its first thread; its other threads count from here. The kernel's own
/// ids end at four million (2²²).
const PROCESS: pid_t = 5_000_000;

/// Calls that name a process or thread, with a bit for each argument that does.
pub const NAMING: &[(c_long, u8)] = &[
    (libc::SYS_kill, 0b1),
    (libc::SYS_tkill, 0b1),
    (libc::SYS_tgkill, 0b11),
    (libc::SYS_rt_sigqueueinfo, 0b1),
    (libc::SYS_rt_tgsigqueueinfo, 0b11),
    (libc::SYS_sched_setscheduler, 0b1),
    (libc::SYS_sched_getscheduler, 0b1),
    (libc::SYS_sched_setparam, 0b1),
    (libc::SYS_sched_getparam, 0b1),
    (libc::SYS_sched_setattr, 0b1),
    (libc::SYS_sched_getattr, 0b1),
    (libc::SYS_sched_rr_get_interval, 0b1),
    (libc::SYS_getpriority, 0b10),
    (libc::SYS_setpriority, 0b10),
    (libc::SYS_getpgid, 0b1),
    (libc::SYS_setpgid, 0b11),
    (libc::SYS_getsid, 0b1),
    (libc::SYS_prlimit64, 0b1),
    (libc::SYS_get_robust_list, 0b1),
    (libc::SYS_process_vm_readv, 0b1),
    (libc::SYS_process_vm_writev, 0b1),
    (libc::SYS_pidfd_open, 0b1),
];

/// The virtual id of the program's parent.
pub const PARENT: i64 = PROCESS as i64 - 1;

/// Calls that tell the id of a process.
pub const TELLING: &[c_long] = &[libc::SYS_getpgrp, libc::SYS_getpgid, libc::SYS_getsid];

/// The virtual id of a thread; that of the first thread is also that of the process.
pub fn of_thread(thread: ThreadIndex) -> i64 {
    i64::from(PROCESS) + thread as i64
}

/// Puts real ids where a call names somebody by a made-up one; false if there is nothing to change.
pub fn resolve(registers: &mut Registers, threads: &Threads) -> bool {
    let call = registers.orig_rax as c_long;
    let Some((_, arguments)) = NAMING.iter().find(|(number, _)| *number == call) else { return false };
    let mut changed = false;
    for (index, argument) in [&mut registers.rdi, &mut registers.rsi].into_iter().enumerate() {
        if arguments >> index & 1 == 0 {
            continue;
        }
        // Groups are named by the negative id of their first process.
        let id = *argument as pid_t;
        if let Some(real) = real(id.saturating_abs(), threads) {
            *argument = (i64::from(real) * i64::from(id.signum())) as u64;
            changed = true;
        }
    }
    changed
}

/// The real id of the thread that has this virtual id.
pub fn real(id: pid_t, threads: &Threads) -> Option<pid_t> {
    let thread = usize::try_from(id.checked_sub(PROCESS)?).ok()?;
    threads.iter().nth(thread).map(|(_, thread)| thread.tid())
}

#[cfg(test)]
mod tests {
    use super::super::threads::Thread;
    use super::*;

    #[test]
    fn made_up_ids_lead_to_real_ones() {
        let mut threads = Threads::new(Thread::new(41, 0));
        threads.add(Thread::new(47, 0));
        let (first, second) = (of_thread(0) as u64, of_thread(1) as u64);
        let minus = |id: u64| (id as i64).wrapping_neg() as u64;
        let cases = [
            (libc::SYS_kill, [first, second], [41, second], true),
            (libc::SYS_kill, [minus(first), 9], [minus(41), 9], true),
            (libc::SYS_tgkill, [first, second], [41, 47], true),
            (libc::SYS_tgkill, [first, 47], [41, 47], true),
            (libc::SYS_kill, [0, 9], [0, 9], false),
            (libc::SYS_kill, [of_thread(2) as u64, 9], [of_thread(2) as u64, 9], false),
            (libc::SYS_kill, [i32::MIN as u64, 9], [i32::MIN as u64, 9], false),
            (libc::SYS_getpriority, [first, first], [first, 41], true),
            (libc::SYS_read, [first, second], [first, second], false),
        ];
        for (call, before, after, changed) in cases {
            // SAFETY: all-zero is a value of this struct of integers.
            let mut registers: Registers = unsafe { std::mem::zeroed() };
            registers.orig_rax = call as u64;
            [registers.rdi, registers.rsi] = before;
            assert_eq!(resolve(&mut registers, &threads), changed, "{call} {before:?}");
            assert_eq!([registers.rdi, registers.rsi], after, "{call} {before:?}");
        }
    }
}
