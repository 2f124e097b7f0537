//! Files that tell what no seed decides.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};

use libc::pid_t;

/// Whether a descriptor of a process is the kernel's source of random numbers.
pub fn is_random(pid: pid_t, descriptor: u64) -> bool {
    const RANDOM: [(u32, u32); 2] = [(1, 8), (1, 9)];
    let Ok(metadata) = fs::metadata(format!("/proc/{pid}/fd/{descriptor}")) else { return false };
    let device = (libc::major(metadata.rdev()), libc::minor(metadata.rdev()));
    metadata.file_type().is_char_device() && RANDOM.contains(&device)
}

/// Files that never say the same twice.
const VOLATILE: [&str; 9] = [
    "/proc/sys/kernel/random/uuid",
    "/proc/sys/kernel/random/entropy_avail",
    "/proc/uptime",
    "/proc/loadavg",
    "/proc/stat",
    "/proc/meminfo",
    "/proc/vmstat",
    "/dev/hwrng",
    "/dev/rtc",
];

/// What to say if a program opens this file.
pub fn warning(path: &str) -> Option<String> {
    let file = VOLATILE.iter().find(|file| **file == path)?;
    Some(format!("it reads {file}, which the seed does not decide"))
}
