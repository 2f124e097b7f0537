//! Times of files that are changed during a run.
//!
//! The kernel stores real times, which no seed decides, so the program sees virtual ones: the time of its last write that the
//! scheduler saw, else the time at which the program began (for changes through mapped memory or by other processes). A file
//! that has not changed since the run began keeps its times, and so do times that the program has set itself (`utimensat`),
//! which come from the virtual clock and lie in the past. The time of the last access depends on earlier runs, so it is
//! reported as the time of the last write.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::{SystemTime, UNIX_EPOCH};

use libc::{c_long, pid_t};

use super::time;
use crate::chaos::mechanism::memory::Memory;
use crate::chaos::mechanism::tracee::Registers;

/// Calls that tell the times of a file.
pub const TELLING: &[c_long] =
    &[libc::SYS_stat, libc::SYS_lstat, libc::SYS_fstat, libc::SYS_newfstatat, libc::SYS_statx];

/// Calls that change the file of the descriptor that is their first argument, as far as they are asked about for no other
/// reason.
pub const CHANGING: &[c_long] =
    &[libc::SYS_pwrite64, libc::SYS_pwritev, libc::SYS_pwritev2, libc::SYS_ftruncate, libc::SYS_fallocate];

/// Whether a call changes the file of the descriptor that is its first argument.
pub fn changes(call: c_long) -> bool {
    CHANGING.contains(&call) || matches!(call, libc::SYS_write | libc::SYS_writev)
}

/// Where a file is: its device and its number there.
type Place = (u64, u64);

/// What is known of changed files.
#[derive(Debug)]
pub struct FileTimes {
    /// When the run began, in real nanoseconds.
    began: u64,
    /// When files were last changed, in virtual nanoseconds.
    changed: HashMap<Place, u64>,
}

impl FileTimes {
    /// Of a run that begins now.
    pub fn begin() -> Self {
        // The kernel's coarse clock, by which it dates files, is late by up to a hundredth of a second.
        const LATE: u64 = 10_000_000;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos() as u64;
        Self { began: now.saturating_sub(LATE), changed: HashMap::new() }
    }

    /// A call is made that may change the file of a descriptor.
    pub fn change(&mut self, pid: pid_t, descriptor: u64, now: u64) {
        if let Some(place) = regular_file(pid, descriptor) {
            self.changed.insert(place, now);
        }
    }

    /// A file has been opened by a call with these flags, which may have made or emptied it.
    pub fn opened(&mut self, pid: pid_t, descriptor: u64, flags: i32, now: u64) {
        let Some(place) = regular_file(pid, descriptor) else { return };
        if flags & libc::O_TRUNC != 0 {
            self.changed.insert(place, now);
        } else {
            self.changed.entry(place).or_insert(now);
        }
    }

    /// A call of [`TELLING`] has written what it tells: puts virtual times there instead of real ones.
    pub fn tell(&self, memory: &Memory, registers: &Registers) -> io::Result<()> {
        let call = registers.orig_rax as c_long;
        let (at, place, times): (u64, Place, &Times) = match call {
            libc::SYS_statx => {
                let at = registers.r8;
                let device = libc::makedev(memory.u32(at + STATX_DEVICE)?, memory.u32(at + STATX_DEVICE + 4)?);
                (at, (device, memory.u64(at + STATX_INODE)?), &STATX_TIMES)
            }
            _ => {
                let at = if call == libc::SYS_newfstatat { registers.rdx } else { registers.rsi };
                (at, (memory.u64(at)?, memory.u64(at + STAT_INODE)?), &STAT_TIMES)
            }
        };
        if self.is_recent(memory, at + times.changed)? {
            let shown = time::EPOCH + self.changed.get(&place).copied().unwrap_or(time::START);
            for time in [Some(times.read), Some(times.written), Some(times.changed), times.made].into_iter().flatten() {
                if self.is_recent(memory, at + time)? {
                    memory.set_u64(at + time, shown / 1_000_000_000)?;
                    memory.set_u32(at + time + 8, (shown % 1_000_000_000) as u32)?;
                }
            }
            return Ok(());
        }
        let mut written = [0; 12];
        memory.read(at + times.written, &mut written)?;
        memory.write(at + times.read, &written)
    }

    /// Whether a time is after the run began. Parts of seconds are a word of 64 bits in the one structure, and of 32 in
    /// the other, whose rest is 0.
    fn is_recent(&self, memory: &Memory, at: u64) -> io::Result<bool> {
        let (seconds, parts) = (memory.u64(at)?, memory.u32(at + 8)?);
        let real = seconds.saturating_mul(1_000_000_000).saturating_add(u64::from(parts));
        // Times before 1970 are negative.
        Ok(i64::try_from(seconds).is_ok() && real >= self.began)
    }
}

/// Where a structure has times, each a number of seconds followed by parts of a second.
struct Times {
    read: u64,
    written: u64,
    changed: u64,
    made: Option<u64>,
}

/// Where `struct stat` has what it tells.
const STAT_INODE: u64 = std::mem::offset_of!(libc::stat, st_ino) as u64;
const STAT_TIMES: Times = Times {
    read: std::mem::offset_of!(libc::stat, st_atime) as u64,
    written: std::mem::offset_of!(libc::stat, st_mtime) as u64,
    changed: std::mem::offset_of!(libc::stat, st_ctime) as u64,
    made: None,
};
/// The same of `struct statx`.
const STATX_INODE: u64 = std::mem::offset_of!(libc::statx, stx_ino) as u64;
const STATX_DEVICE: u64 = std::mem::offset_of!(libc::statx, stx_dev_major) as u64;
const STATX_TIMES: Times = Times {
    read: std::mem::offset_of!(libc::statx, stx_atime) as u64,
    written: std::mem::offset_of!(libc::statx, stx_mtime) as u64,
    changed: std::mem::offset_of!(libc::statx, stx_ctime) as u64,
    made: Some(std::mem::offset_of!(libc::statx, stx_btime) as u64),
};

fn regular_file(pid: pid_t, descriptor: u64) -> Option<Place> {
    let metadata = fs::metadata(format!("/proc/{pid}/fd/{}", descriptor as i32)).ok()?;
    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}
