//! How processes that the program has started affect its threads.
//!
//! These processes are not scheduled (see `mechanism::passive`). They know the program by its virtual process id, and they may
//! wake its threads, whose waiting is emulated: by a futex in shared memory, by a signal, or by ending.

use std::io;

use libc::{c_int, c_long, pid_t};

use super::{Engine, Halt};
use crate::chaos::mechanism::proc_files::Stat;
use crate::chaos::mechanism::shared_memory::{self, Place};
use crate::chaos::mechanism::tracee::{self, Registers, Resume, Stop};
use crate::chaos::state::identity;
use crate::chaos::state::threads::ThreadIndex;
use crate::chaos::state::threads::Wait;

impl Engine<'_> {
    /// A process that the program has started has stopped, or ended.
    pub(super) fn child_stopped(&mut self, who: pid_t, stop: Stop) -> Result<(), Halt> {
        let how = match self.answer_child(who, stop) {
            Ok(how) => how,
            // It has been killed, and will be reported as such.
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Resume::Run,
            Err(error) => return Err(error.into()),
        };
        self.passive.stopped(who, stop, self.process.code(), how)?;
        match stop {
            Stop::Exited(_) | Stop::Killed(_) => {
                self.wake_after_owner_died()?;
                Ok(self.call_signalled()?)
            }
            // It may have sent a signal.
            Stop::SystemCallExit => Ok(self.call_signalled()?),
            _ => Ok(()),
        }
    }

    /// Answers a process that has stopped, and tells how far it is to be let go.
    fn answer_child(&mut self, who: pid_t, stop: Stop) -> io::Result<Resume> {
        match stop {
            Stop::Event(libc::PTRACE_EVENT_SECCOMP) => self.child_calls(who),
            Stop::SystemCallExit => {
                if let Some((woken, count)) = self.passive.take_woken(who) {
                    let mut registers = tracee::registers(who)?;
                    registers.rdx = count;
                    tracee::set_registers(who, &registers)?;
                    tracee::add_to_result(who, woken)?;
                }
                Ok(Resume::Run)
            }
            _ => Ok(Resume::Run),
        }
    }

    /// A process is about to make a system call that concerns the program.
    fn child_calls(&mut self, who: pid_t) -> io::Result<Resume> {
        let mut registers = tracee::registers(who)?;
        let call = registers.orig_rax as c_long;
        match call {
            libc::SYS_futex => return self.child_wakes(who, &registers),
            libc::SYS_getppid if Stat::of_process(who).is_some_and(|stat| stat.parent == self.process.id()) => {
                tracee::return_from_call(who, identity::of_thread(0))?;
            }
            _ if identity::resolve(&mut registers, &self.threads) => tracee::set_registers(who, &registers)?,
            _ => {}
        }
        Ok(if SENDING.contains(&call) { Resume::ToSystemCallExit } else { Resume::Run })
    }

    /// A process wakes those who wait at a word. Threads of the program are woken here, others by the kernel.
    fn child_wakes(&mut self, who: pid_t, registers: &Registers) -> io::Result<Resume> {
        let Registers { rdi: address, rsi: operation, rdx: count, r10: count2, r8: address2, .. } = *registers;
        let operation = operation as c_int;
        if operation & libc::FUTEX_PRIVATE_FLAG != 0 {
            return Ok(Resume::Run);
        }
        let command = operation & libc::FUTEX_CMD_MASK;
        let wakes = matches!(
            command,
            libc::FUTEX_WAKE
                | libc::FUTEX_WAKE_BITSET
                | libc::FUTEX_WAKE_OP
                | libc::FUTEX_REQUEUE
                | libc::FUTEX_CMP_REQUEUE
        );
        if !wakes {
            return Ok(Resume::Run);
        }
        let woken = self.wake_at_place(who, address, count as u32)?;
        if command == libc::FUTEX_WAKE_OP {
            // Whether they are to be woken is known after the call. Waking too many is always allowed.
            self.wake_at_place(who, address2, count2 as u32)?;
        }
        if woken == 0 {
            return Ok(Resume::Run);
        }
        let mut reduced = *registers;
        reduced.rdx = count.saturating_sub(woken as u64);
        tracee::set_registers(who, &reduced)?;
        self.passive.add_woken(who, woken, count);
        Ok(Resume::ToSystemCallExit)
    }

    /// Wakes threads of the program that wait at a word which another process has at this address.
    fn wake_at_place(&mut self, who: pid_t, address: u64, count: u32) -> io::Result<i64> {
        let Some(place) = shared_memory::place(who, address)? else { return Ok(0) };
        let mut addresses: Vec<u64> = self.shared_waits().into_iter().map(|(_, address)| address).collect();
        addresses.sort_unstable();
        addresses.dedup();
        let mut woken = 0;
        for address in addresses {
            if shared_memory::place(self.living_thread(), address)?.as_ref() == Some(&place) {
                woken += self.wake_waiters(address, count.saturating_sub(woken as u32), u32::MAX)?;
            }
        }
        Ok(woken)
    }

    /// Wakes threads that wait at a word which the program has at this address, too, by another mapping of the same memory.
    pub(super) fn wake_elsewhere(&mut self, address: u64, count: u32) -> io::Result<i64> {
        let elsewhere = self.shared_waits().iter().any(|&(_, at)| at != address);
        if elsewhere && count > 0 { self.wake_at_place(self.living_thread(), address, count) } else { Ok(0) }
    }

    /// Whether other processes may wait at a word of the program.
    pub(super) fn children_share(&self, address: u64) -> io::Result<bool> {
        Ok(!self.passive.is_empty() && shared_memory::place(self.living_thread(), address)?.is_some())
    }

    /// Threads that wait at words which they do not say to have for themselves.
    fn shared_waits(&self) -> Vec<(ThreadIndex, u64)> {
        let waits = self.threads.iter().filter_map(|(index, thread)| match *thread.wait()? {
            Wait::Futex { address, is_private: false, .. } => Some((index, address)),
            _ => None,
        });
        waits.collect()
    }

    /// Threads that wait at words of shared memory.
    pub(super) fn waits_in_shared_memory(&self) -> Vec<(ThreadIndex, Place)> {
        let place = |address| shared_memory::place(self.living_thread(), address).ok().flatten();
        self.shared_waits().into_iter().filter_map(|(index, address)| Some((index, place(address)?))).collect()
    }
}

/// Calls by which a process sends a signal; what it did is known when they return.
const SENDING: [c_long; 6] = [
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
];
