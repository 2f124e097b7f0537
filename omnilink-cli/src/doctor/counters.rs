//! Hardware performance counters, which rr needs to count a program's progress.

use std::hint::black_box;
use std::io::{self, Read};
use std::os::fd::FromRawFd;

use super::{Finding, probe};

const CHECK: &str = "performance counters";
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

/// The part of `struct perf_event_attr` that every kernel knows (`PERF_ATTR_SIZE_VER0`).
#[repr(C)]
#[derive(Default)]
struct EventAttributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    breakpoint_address: u64,
}

const PERF_TYPE_HARDWARE: u32 = 0;
const PERF_COUNT_HW_INSTRUCTIONS: u64 = 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;

/// Opens a counter of instructions and sees whether it counts.
pub fn hardware() -> Finding {
    let paranoid = probe::setting(PARANOID).unwrap_or_else(|| "unreadable".to_owned());
    match count_instructions() {
        Ok(0) => Finding::limited(
            CHECK,
            format!("a counter opens but does not count (perf_event_paranoid = {paranoid})"),
            "enable the virtual PMU of this virtual machine; without it rr does not work",
        ),
        Ok(_) => Finding::ok(CHECK, format!("instructions are counted (perf_event_paranoid = {paranoid})")),
        Err(error) => {
            let seen = format!("perf_event_open: {error} (perf_event_paranoid = {paranoid})");
            Finding::missing(CHECK, seen, remedy(&error))
        }
    }
}

fn remedy(error: &io::Error) -> &'static str {
    match error.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => {
            "sysctl kernel.perf_event_paranoid=1; in a container also allow perf_event_open \
             (--cap-add=PERFMON or --security-opt seccomp=unconfined)"
        }
        Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP) => {
            "this machine offers no hardware counters: enable the virtual PMU of the virtual machine, or use another \
             machine for rr"
        }
        Some(libc::ENOSYS) => "the kernel was built without CONFIG_PERF_EVENTS; rr needs it",
        _ => "rr needs hardware counters; see `man 2 perf_event_open` for this error",
    }
}

fn count_instructions() -> io::Result<u64> {
    let attributes = EventAttributes {
        kind: PERF_TYPE_HARDWARE,
        size: size_of::<EventAttributes>() as u32,
        config: PERF_COUNT_HW_INSTRUCTIONS,
        flags: EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR,
        ..EventAttributes::default()
    };
    let (this_thread, any_cpu, no_group, no_flags) = (0, -1, -1, 0_u64);
    // SAFETY: the kernel reads `size` bytes from the attributes, which outlive the call, and writes nothing.
    let descriptor =
        unsafe { libc::syscall(libc::SYS_perf_event_open, &attributes, this_thread, any_cpu, no_group, no_flags) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call succeeded, so this is an open descriptor that nothing else owns.
    let mut counter = unsafe { std::fs::File::from_raw_fd(descriptor as i32) };
    (0..1000).for_each(|i| {
        black_box(i);
    });
    let mut count = [0; 8];
    counter.read_exact(&mut count)?;
    Ok(u64::from_ne_bytes(count))
}
