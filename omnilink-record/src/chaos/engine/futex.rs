//! An emulation of the kernel's futex.
//!
//! If several threads wait at an address, the kernel wakes the one that came first. Which one that is depends on timing, so
//! here the seed decides.

use std::io;

use libc::c_int;

use super::Engine;
use super::calls::After;
use crate::chaos::mechanism::shared_memory;
use crate::chaos::mechanism::tracee::Registers;
use crate::chaos::state::threads::ThreadIndex;
use crate::chaos::state::threads::Wait;
use crate::chaos::state::time;

const ANY: u32 = u32::MAX;
/// Bits of a word that robust and priority-inheriting mutexes use.
const OWNER_DIED: u32 = 0x4000_0000;
const WAITERS: u32 = 0x8000_0000;
const OWNER: u32 = 0x3fff_ffff;

impl Engine<'_> {
    /// The system call `futex(address, operation, value, timeout or value2, address2, value3)`.
    pub(super) fn futex(&mut self, registers: &Registers) -> io::Result<After> {
        let Registers { rdi: address, rsi: operation, rdx: value, r10: fourth, r8: address2, r9: value3, .. } =
            *registers;
        let value = value as u32;
        let is_private = operation as c_int & libc::FUTEX_PRIVATE_FLAG != 0;
        let clock = match operation as c_int & libc::FUTEX_CLOCK_REALTIME {
            0 => libc::CLOCK_MONOTONIC,
            _ => libc::CLOCK_REALTIME,
        };
        let command = operation as c_int & libc::FUTEX_CMD_MASK;
        let has_mask = matches!(command, libc::FUTEX_WAIT_BITSET | libc::FUTEX_WAKE_BITSET);
        if !address.is_multiple_of(4) || has_mask && value3 as u32 == 0 {
            return Ok(After::Return(-i64::from(libc::EINVAL)));
        }
        match command {
            libc::FUTEX_WAIT => {
                let deadline = self.duration_at(fourth)?.map(|duration| self.now().saturating_add(duration));
                self.futex_wait(address, value, ANY, deadline, is_private)
            }
            libc::FUTEX_WAIT_BITSET => {
                let deadline = self.duration_at(fourth)?.map(|then| time::from_clock(clock, then));
                self.futex_wait(address, value, value3 as u32, deadline, is_private)
            }
            command @ (libc::FUTEX_WAKE | libc::FUTEX_WAKE_BITSET) => {
                let mask = if command == libc::FUTEX_WAKE { ANY } else { value3 as u32 };
                let mut woken = self.wake_waiters(address, value, mask)?;
                if !is_private {
                    woken += self.wake_elsewhere(address, value.saturating_sub(woken as u32))?;
                }
                let others = !is_private && (woken as u64) < u64::from(value) && self.children_share(address)?;
                Ok(if others { After::MakeAndAdd(woken) } else { After::ReturnAtPoint(woken) })
            }
            command @ (libc::FUTEX_REQUEUE | libc::FUTEX_CMP_REQUEUE) => {
                if command == libc::FUTEX_CMP_REQUEUE && self.process.memory().u32(address)? != value3 as u32 {
                    return Ok(After::Return(-i64::from(libc::EAGAIN)));
                }
                let woken = self.wake_waiters(address, value, ANY)?;
                let moved = self.requeue(address, address2, fourth as u32);
                let result = if command == libc::FUTEX_REQUEUE { woken } else { woken + moved };
                let others = !is_private && self.children_share(address)?;
                Ok(if others { After::MakeAndAdd(result) } else { After::ReturnAtPoint(result) })
            }
            libc::FUTEX_WAKE_OP => {
                let others = !is_private && (self.children_share(address)? || self.children_share(address2)?);
                let (wake_second, new) = self.operation(address2, value3 as u32)?;
                if !others {
                    self.process.memory().set_u32(address2, new)?;
                }
                let mut woken = self.wake_waiters(address, value, ANY)?;
                if wake_second {
                    woken += self.wake_waiters(address2, fourth as u32, ANY)?;
                }
                // The kernel changes the word then.
                Ok(if others { After::MakeAndAdd(woken) } else { After::ReturnAtPoint(woken) })
            }
            // Whose word the kernel must know, because other processes lock it there.
            libc::FUTEX_LOCK_PI | libc::FUTEX_LOCK_PI2 | libc::FUTEX_TRYLOCK_PI | libc::FUTEX_UNLOCK_PI
                if !is_private && shared_memory::place(self.living_thread(), address)?.is_some() =>
            {
                Ok(After::MakeAndFollow)
            }
            libc::FUTEX_LOCK_PI => self.lock_inheriting(address, fourth, libc::CLOCK_REALTIME),
            libc::FUTEX_LOCK_PI2 => self.lock_inheriting(address, fourth, clock),
            libc::FUTEX_TRYLOCK_PI => match self.process.memory().u32(address)? & OWNER {
                0 => self.give(address, self.threads.current_index()).map(|()| After::Return(0)),
                _ => Ok(After::Return(-i64::from(libc::EAGAIN))),
            },
            libc::FUTEX_UNLOCK_PI => self.unlock_inheriting(address),
            _ => Ok(After::Return(-i64::from(libc::ENOSYS))),
        }
    }

    fn futex_wait(
        &mut self,
        address: u64,
        expected: u32,
        mask: u32,
        deadline: Option<u64>,
        is_private: bool,
    ) -> io::Result<After> {
        if self.process.memory().u32(address)? != expected {
            return Ok(After::Return(-i64::from(libc::EAGAIN)));
        }
        Ok(After::Wait(Wait::Futex { address, mask, deadline, inherits: false, is_private }))
    }

    fn waiters(&self, address: u64, mask: u32) -> Vec<ThreadIndex> {
        self.threads.indexes(|thread| {
            matches!(thread.wait(), Some(Wait::Futex { address: at, mask: bits, .. })
                if *at == address && bits & mask != 0)
        })
    }

    /// Wakes at most `count` of those who wait at an address, and tells how many there were.
    pub(super) fn wake_waiters(&mut self, address: u64, count: u32, mask: u32) -> io::Result<i64> {
        let mut waiters = self.waiters(address, mask);
        let mut woken = 0;
        while !waiters.is_empty() && woken < i64::from(count) {
            let lucky = self.scheduler.draw_woken(&mut waiters);
            self.wake(lucky, 0)?;
            woken += 1;
        }
        Ok(woken)
    }

    /// Lets at most `count` of those who wait at one address wait at another.
    fn requeue(&mut self, from: u64, to: u64, count: u32) -> i64 {
        let waiters = self.waiters(from, ANY);
        let moved = waiters.len().min(count as usize);
        for &index in &waiters[..moved] {
            self.threads[index].requeue(to);
        }
        moved as i64
    }

    /// `FUTEX_WAKE_OP`: whether a word fulfils a condition, and what it becomes.
    fn operation(&self, address: u64, encoded: u32) -> io::Result<(bool, u32)> {
        let (operation, comparison) = (encoded >> 28 & 0xf, encoded >> 24 & 0xf);
        // Twelve bits with a sign.
        let signed = |bits: u32| ((bits << 20) as i32 >> 20) as u32;
        let (argument, compared) = (signed(encoded >> 12 & 0xfff), signed(encoded & 0xfff));
        let argument = if operation & 8 != 0 { 1 << (argument & 31) } else { argument };
        let old = self.process.memory().u32(address)?;
        let new = match operation & 7 {
            0 => argument,
            1 => old.wrapping_add(argument),
            2 => old | argument,
            3 => old & !argument,
            _ => old ^ argument,
        };
        let (old, compared) = (old as i32, compared as i32);
        let fulfils = match comparison {
            0 => old == compared,
            1 => old != compared,
            2 => old < compared,
            3 => old <= compared,
            4 => old > compared,
            _ => old >= compared,
        };
        Ok((fulfils, new))
    }

    /// A mutex whose word holds its owner: the kernel's part is needed when there is one already.
    fn lock_inheriting(&mut self, address: u64, timeout: u64, clock: libc::clockid_t) -> io::Result<After> {
        let word = self.process.memory().u32(address)?;
        let own = self.threads.current().tid() as u32;
        match word & OWNER {
            0 => self.give(address, self.threads.current_index()).map(|()| After::Return(0)),
            owner if owner == own => Ok(After::Return(-i64::from(libc::EDEADLK))),
            _ => {
                self.process.memory().set_u32(address, word | WAITERS)?;
                let deadline = self.duration_at(timeout)?.map(|then| time::from_clock(clock, then));
                Ok(After::Wait(Wait::Futex { address, mask: ANY, deadline, inherits: true, is_private: true }))
            }
        }
    }

    fn unlock_inheriting(&mut self, address: u64) -> io::Result<After> {
        self.process.memory().set_u32(address, 0)?;
        self.hand_over(address)?;
        Ok(After::ReturnAtPoint(0))
    }

    /// Gives a mutex without owner to one of the threads that wait for it.
    fn hand_over(&mut self, address: u64) -> io::Result<()> {
        let waiters = self.waiters(address, ANY);
        if waiters.is_empty() {
            return Ok(());
        }
        let owner = self.scheduler.draw_owner(&waiters);
        self.wake(owner, 0)?;
        self.give(address, owner)
    }

    /// Writes the owner into a mutex. That the owner before has died stays noted, until the new one has seen to it.
    fn give(&self, address: u64, owner: ThreadIndex) -> io::Result<()> {
        let waiters = if self.waiters(address, ANY).is_empty() { 0 } else { WAITERS };
        let died = self.process.memory().u32(address)? & OWNER_DIED;
        self.process.memory().set_u32(address, self.threads[owner].tid() as u32 | waiters | died)
    }

    /// When a thread ends that holds robust mutexes, the kernel marks them; one thread that waits for each goes on.
    pub(super) fn wake_after_owner_died(&mut self) -> io::Result<()> {
        let mut awaited: Vec<(u64, bool)> = self
            .threads
            .iter()
            .filter_map(|(_, thread)| match *thread.wait()? {
                Wait::Futex { address, inherits, .. } => Some((address, inherits)),
                _ => None,
            })
            .collect();
        awaited.sort_unstable();
        awaited.dedup();
        for (address, inherits) in awaited {
            if !self.process.memory().u32(address).is_ok_and(|word| word & OWNER_DIED != 0 && word & OWNER == 0) {
                continue;
            }
            if inherits {
                self.hand_over(address)?;
            } else {
                self.wake_waiters(address, 1, ANY)?;
            }
        }
        Ok(())
    }

    /// The nanoseconds of a `timespec`, if there is one.
    pub(super) fn duration_at(&self, address: u64) -> io::Result<Option<u64>> {
        if address == 0 {
            return Ok(None);
        }
        let (seconds, nanoseconds) = (self.process.memory().u64(address)?, self.process.memory().u64(address + 8)?);
        time::valid(seconds, nanoseconds).map(Some)
    }
}
