//! Virtual time.
//!
//! One clock, in nanoseconds, is all that the program sees: what `rdtsc` reads and what every clock of the kernel
//! shows. It advances when it is read and as points pass, and jumps when a thread's deadline is reached.

use std::io;

/// What the clock shows when the program begins. Programs subtract from it, so it is not zero.
pub const START: u64 = 1_000_000_000_000;
/// The calendar time when the clock shows zero: the same in every run.
pub const EPOCH: u64 = 1_750_000_000_000_000_000;
/// What passing a point takes.
pub const PER_POINT: u64 = 4;
/// What asking the kernel for the time takes. About what it takes in reality, so that who works for a second of virtual
/// time does not work for minutes.
pub const PER_READING: u64 = 2_000;

/// The nanoseconds of a `timespec`; an invalid one is an error, which the kernel
/// returns.
pub fn valid(seconds: u64, nanoseconds: u64) -> io::Result<u64> {
    match nanoseconds {
        0..1_000_000_000 => sum(seconds, nanoseconds),
        _ => Err(io::Error::from_raw_os_error(libc::EFAULT)),
    }
}

/// The same where the parts of seconds may be more than one; neither may be negative.
pub fn sum(seconds: u64, nanoseconds: u64) -> io::Result<u64> {
    match (i64::try_from(seconds), i64::try_from(nanoseconds)) {
        (Ok(_), Ok(_)) => Ok(seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)),
        _ => Err(io::Error::from_raw_os_error(libc::EFAULT)),
    }
}

/// What a clock of the kernel shows when the virtual clock shows `now`.
pub fn of_clock(clock: libc::clockid_t, now: u64) -> u64 {
    match clock {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI => EPOCH + now,
        libc::CLOCK_MONOTONIC | libc::CLOCK_MONOTONIC_RAW | libc::CLOCK_MONOTONIC_COARSE | libc::CLOCK_BOOTTIME => now,
        // Time that a process or thread has spent computing.
        _ => now - START,
    }
}

/// What the virtual clock shows when a clock of the kernel shows `then`.
pub fn from_clock(clock: libc::clockid_t, then: u64) -> u64 {
    match clock {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI => then.saturating_sub(EPOCH),
        libc::CLOCK_MONOTONIC | libc::CLOCK_MONOTONIC_RAW | libc::CLOCK_MONOTONIC_COARSE | libc::CLOCK_BOOTTIME => then,
        _ => then.saturating_add(START),
    }
}
