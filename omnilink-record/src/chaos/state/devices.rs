//! Files whose contents no seed decides.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

use libc::pid_t;

/// Whether a descriptor of a process is the kernel's source of random numbers.
pub fn is_random(pid: pid_t, descriptor: u64) -> bool {
    const RANDOM: [(u32, u32); 2] = [(1, 8), (1, 9)];
    let Ok(metadata) = fs::metadata(format!("/proc/{pid}/fd/{descriptor}")) else { return false };
    let device = (libc::major(metadata.rdev()), libc::minor(metadata.rdev()));
    metadata.file_type().is_char_device() && RANDOM.contains(&device)
}

/// Files that never say the same twice.
const VOLATILE: [&str; 18] = [
    "/proc/sys/kernel/random/uuid",
    "/proc/sys/kernel/random/entropy_avail",
    "/proc/uptime",
    "/proc/loadavg",
    "/proc/stat",
    "/proc/meminfo",
    "/proc/vmstat",
    "/proc/zoneinfo",
    "/proc/buddyinfo",
    "/proc/interrupts",
    "/proc/softirqs",
    "/proc/schedstat",
    "/proc/diskstats",
    "/proc/timer_list",
    "/proc/driver/rtc",
    "/dev/hwrng",
    "/dev/rtc",
    "/dev/rtc0",
];

/// The same of files that every process has, and every thread: they tell real ids, times, or what was counted.
const VOLATILE_OF_PROCESSES: [&str; 10] =
    ["stat", "status", "statm", "sched", "schedstat", "io", "smaps", "smaps_rollup", "syscall", "children"];

/// The name of a file by which anybody finds it, if a process opens it by one that begins at a directory of its own.
pub fn absolute(pid: pid_t, directory: i32, name: &str) -> PathBuf {
    let start = match directory {
        _ if name.starts_with('/') => None,
        libc::AT_FDCWD => fs::read_link(format!("/proc/{pid}/cwd")).ok(),
        descriptor => fs::read_link(format!("/proc/{pid}/fd/{descriptor}")).ok(),
    };
    let mut path = PathBuf::new();
    for part in start.unwrap_or_default().join(name).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    path
}

/// What to say if a program opens this file.
pub fn warning(path: &Path) -> Option<String> {
    let volatile = VOLATILE.iter().any(|file| Path::new(file) == path) || is_volatile_of_process(path);
    volatile.then(|| format!("it reads {}, which the seed does not decide", general(path).display()))
}

fn is_volatile_of_process(path: &Path) -> bool {
    let Ok(rest) = path.strip_prefix("/proc") else { return false };
    let is_process = |name: &str| matches!(name, "self" | "thread-self") || name.parse::<pid_t>().is_ok();
    let parts: Vec<&str> = rest.iter().filter_map(OsStr::to_str).collect();
    let file = match parts[..] {
        [process, file] | [process, "task", _, file] if is_process(process) => file,
        _ => return false,
    };
    VOLATILE_OF_PROCESSES.contains(&file)
}

/// A path without ids, which are others in every run.
fn general(path: &Path) -> PathBuf {
    let general = |part: &OsStr| match part.to_str().is_some_and(|part| part.parse::<pid_t>().is_ok()) {
        true => OsString::from("<id>"),
        false => part.to_owned(),
    };
    path.iter().map(general).collect()
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn files_that_no_seed_decides() {
        let told = |directory, name| warning(&absolute(std::process::id() as pid_t, directory, name));
        for name in ["/proc/uptime", "/proc/self/stat", "/proc/./self/../stat", "/proc/self/task/17/schedstat"] {
            assert!(told(libc::AT_FDCWD, name).is_some(), "{name}");
        }
        assert!(told(libc::AT_FDCWD, "/proc/4711/status").unwrap().contains("/proc/<id>/status"));
        for name in ["/proc/self/maps", "/proc/cpuinfo", "/etc/stat", "stat", "/proc/self/fd/3"] {
            assert_eq!(told(libc::AT_FDCWD, name), None, "{name}");
        }
        let directory = fs::File::open("/proc/sys/kernel/random").unwrap();
        assert!(told(directory.as_raw_fd(), "uuid").is_some());
    }
}
