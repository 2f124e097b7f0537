//! Clock readings that enclose a call.
//!
//! A timebox is only worth something if every effect of the call lies inside it: nothing of the call may be visible to
//! others before `start` or after `end`. Processors reorder, so each reading comes with fences. On x86-64:
//!
//! - **Start: `rdtsc; lfence`.** `rdtsc` is not serialising: instructions *before* it may still be executing, which only
//!   makes the box wider, and instructions *after* it may already be executing, which would put effects of the call
//!   before the box. `lfence` does not let any later instruction begin until `rdtsc` has completed.
//! - **End: `mfence; lfence; rdtsc`.** A store that has retired may still wait in the store buffer, invisible to other
//!   cores. `mfence` waits until all earlier loads are done and all earlier stores are globally visible. It does not order
//!   `rdtsc` (which is no memory access), so `lfence` keeps `rdtsc` from starting before the `mfence` has completed.
//! - **End, relaxed: `lfence; rdtsc`.** Earlier instructions, hence loads, are complete, but stores may become visible
//!   after `end`. For people who hunt store-buffer effects with the least disturbance: such boxes are too narrow by up to
//!   a *slack*, which is written to the run file, and which readers add to every end.
//!
//! On aarch64 `mrs cntvct_el0; isb` begins and `dsb ish; isb; mrs cntvct_el0` ends a box (`isb; mrs` if relaxed), for the
//! same reasons. Elsewhere, and where the kernel does not trust the cycle counter, both are `CLOCK_MONOTONIC`, which the kernel
//! keeps from going backwards across cores. Reading it may be a `rdtsc` or `mrs` in our own address space (the vDSO), so the
//! same fences stand around it: `lfence` or `isb` behind the reading that begins a box, and the fences that end one before the
//! other.
//!
//! The assembly blocks are compiler barriers as well: they are not `nomem`, so no memory access moves across them.

use std::fs;
use std::time::Duration;

use crate::skew;

/// Where times come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockKind {
    /// The invariant time-stamp counter of x86-64.
    Tsc,
    /// The virtual counter of aarch64.
    Cntvct,
    /// `CLOCK_MONOTONIC`, in nanoseconds.
    Monotonic,
}

impl ClockKind {
    /// The best clock of this machine: its cycle counter if the kernel itself keeps time by it, else
    /// `CLOCK_MONOTONIC`.
    pub fn detect() -> Self {
        if cfg!(target_arch = "aarch64") {
            Self::Cntvct
        } else if cfg!(target_arch = "x86_64") && kernel_trusts_tsc() {
            Self::Tsc
        } else {
            Self::Monotonic
        }
    }

    /// As trace files name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tsc => "tsc",
            Self::Cntvct => "cntvct",
            Self::Monotonic => "monotonic",
        }
    }

    /// The clock of this name, if this machine has it.
    pub fn from_name(name: &str) -> Option<Self> {
        let kind = [Self::Tsc, Self::Cntvct, Self::Monotonic].into_iter().find(|kind| kind.name() == name)?;
        kind.exists().then_some(kind)
    }

    /// True for the counter of this processor, which one instruction reads.
    #[inline]
    pub(crate) fn is_counter(self) -> bool {
        self != Self::Monotonic && self.exists()
    }

    #[inline]
    fn exists(self) -> bool {
        match self {
            Self::Tsc => cfg!(target_arch = "x86_64"),
            Self::Cntvct => cfg!(target_arch = "aarch64"),
            Self::Monotonic => true,
        }
    }
}

/// The kernel has compared the counters of all cores at boot and watches them since; its choice of clock source is the best
/// judgement to be had.
fn kernel_trusts_tsc() -> bool {
    fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource")
        .is_ok_and(|source| source.trim() == "tsc")
}

/// How the end of a box is fenced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fences {
    /// The box encloses every effect.
    Full,
    /// Stores of the call may become visible shortly after the box.
    Relaxed,
}

impl Fences {
    /// As run files name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Relaxed => "relaxed",
        }
    }
}

/// A clock with the fences that go with it.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    /// What is read.
    pub kind: ClockKind,
    /// How the end of a box is fenced.
    pub fences: Fences,
}

impl Clock {
    /// A reading that no effect of the code after it precedes.
    #[inline]
    pub fn start(self) -> u64 {
        match self.kind {
            #[cfg(target_arch = "x86_64")]
            ClockKind::Tsc => x86_64::start(),
            #[cfg(target_arch = "aarch64")]
            ClockKind::Cntvct => aarch64::start(),
            _ => {
                let now = monotonic();
                fences::after_start();
                now
            }
        }
    }

    /// A reading that no effect of the code before it follows (but for relaxed fences).
    #[inline]
    pub fn end(self) -> u64 {
        match (self.kind, self.fences) {
            #[cfg(target_arch = "x86_64")]
            (ClockKind::Tsc, Fences::Full) => x86_64::end(),
            #[cfg(target_arch = "x86_64")]
            (ClockKind::Tsc, Fences::Relaxed) => x86_64::end_relaxed(),
            #[cfg(target_arch = "aarch64")]
            (ClockKind::Cntvct, Fences::Full) => aarch64::end(),
            #[cfg(target_arch = "aarch64")]
            (ClockKind::Cntvct, Fences::Relaxed) => aarch64::end_relaxed(),
            (_, Fences::Full) => {
                fences::before_end();
                monotonic()
            }
            (_, Fences::Relaxed) => {
                fences::before_relaxed_end();
                monotonic()
            }
        }
    }
}

/// The fences of [`x86_64`] and [`aarch64`] by themselves, for a clock that is read by a call.
mod fences {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    use std::arch::asm;

    /// Nothing after it begins before the clock was read.
    #[inline]
    pub fn after_start() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a fence; it changes neither registers nor memory.
        unsafe {
            asm!("lfence", options(nostack, preserves_flags))
        };
        #[cfg(target_arch = "aarch64")]
        // SAFETY: as above.
        unsafe {
            asm!("isb", options(nostack, preserves_flags))
        };
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
    }

    /// The clock is not read before everything has been done and is visible.
    #[inline]
    pub fn before_end() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: fences; they change neither registers nor memory.
        unsafe {
            asm!("mfence", "lfence", options(nostack, preserves_flags))
        };
        #[cfg(target_arch = "aarch64")]
        // SAFETY: as above.
        unsafe {
            asm!("dsb ish", "isb", options(nostack, preserves_flags))
        };
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
    }

    /// The clock is not read before everything has been done; stores may become visible later.
    #[inline]
    pub fn before_relaxed_end() {
        after_start();
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::asm;

    fn join(low: u32, high: u32) -> u64 {
        u64::from(high) << 32 | u64::from(low)
    }

    #[inline]
    pub fn start() -> u64 {
        let (low, high): (u32, u32);
        // SAFETY: reads a counter and fences; clobbers only the declared registers.
        unsafe { asm!("rdtsc", "lfence", out("eax") low, out("edx") high, options(nostack, preserves_flags)) };
        join(low, high)
    }

    #[inline]
    pub fn end() -> u64 {
        let (low, high): (u32, u32);
        // SAFETY: reads a counter and fences; clobbers only the declared registers.
        unsafe {
            asm!("mfence", "lfence", "rdtsc", out("eax") low, out("edx") high, options(nostack, preserves_flags))
        };
        join(low, high)
    }

    #[inline]
    pub fn end_relaxed() -> u64 {
        let (low, high): (u32, u32);
        // SAFETY: reads a counter and fences; clobbers only the declared registers.
        unsafe { asm!("lfence", "rdtsc", out("eax") low, out("edx") high, options(nostack, preserves_flags)) };
        join(low, high)
    }
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use std::arch::asm;

    #[inline]
    pub fn start() -> u64 {
        let now: u64;
        // SAFETY: reads a counter that is readable from user space on Linux, and fences.
        unsafe { asm!("mrs {}, cntvct_el0", "isb", out(reg) now, options(nostack, preserves_flags)) };
        now
    }

    #[inline]
    pub fn end() -> u64 {
        let now: u64;
        // SAFETY: as in `start`.
        unsafe { asm!("dsb ish", "isb", "mrs {}, cntvct_el0", out(reg) now, options(nostack, preserves_flags)) };
        now
    }

    #[inline]
    pub fn end_relaxed() -> u64 {
        let now: u64;
        // SAFETY: as in `start`.
        unsafe { asm!("isb", "mrs {}, cntvct_el0", out(reg) now, options(nostack, preserves_flags)) };
        now
    }
}

/// `CLOCK_MONOTONIC` in nanoseconds.
#[inline]
pub(crate) fn monotonic() -> u64 {
    read_kernel_clock(libc::CLOCK_MONOTONIC)
}

/// Nanoseconds since 1970.
pub(crate) fn unix_time() -> u64 {
    read_kernel_clock(libc::CLOCK_REALTIME)
}

#[inline]
fn read_kernel_clock(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for the write; these clocks exist on every Linux.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// What a look at the clock found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockReport {
    /// The clock that was looked at.
    pub kind: ClockKind,
    /// How fast it ticks, if that is known.
    pub ticks_per_second: Option<u64>,
    /// The largest backward warp seen between two cores, in ticks.
    pub uncertainty: u64,
}

/// How long [`probe`] watches the clock.
const PROBE_TIME: Duration = Duration::from_millis(2);

/// Measures rate and cross-core warp of the best clock of this machine, in a few milliseconds, with one thread per core.
pub fn probe() -> ClockReport {
    measure(ClockKind::detect())
}

/// As [`probe`], for a given clock.
pub(crate) fn measure(kind: ClockKind) -> ClockReport {
    if kind == ClockKind::Monotonic {
        return nominal(kind);
    }
    let clock = Clock { kind, fences: Fences::Full };
    let before = Pair::read(clock);
    let uncertainty = skew::largest_warp(clock, PROBE_TIME);
    ClockReport { kind, ticks_per_second: Some(before.rate(Pair::read(clock))), uncertainty }
}

/// What is known of a clock without watching it: for the kernel's clock everything, for a counter nothing but its name.
pub(crate) fn nominal(kind: ClockKind) -> ClockReport {
    let ticks_per_second = (kind == ClockKind::Monotonic).then_some(1_000_000_000);
    ClockReport { kind, ticks_per_second, uncertainty: 0 }
}

/// The clock and the kernel's clock at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    pub ticks: u64,
    nanoseconds: u64,
}

impl Pair {
    pub fn read(clock: Clock) -> Self {
        Self { ticks: clock.start(), nanoseconds: monotonic() }
    }

    /// Ticks per second between this moment and a later one.
    pub fn rate(self, later: Self) -> u64 {
        let elapsed = later.nanoseconds.saturating_sub(self.nanoseconds).max(1);
        let ticks = later.ticks.saturating_sub(self.ticks);
        (u128::from(ticks) * 1_000_000_000 / u128::from(elapsed)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_never_go_backwards_on_one_thread() {
        for kind in [ClockKind::detect(), ClockKind::Monotonic] {
            for fences in [Fences::Full, Fences::Relaxed] {
                let clock = Clock { kind, fences };
                let mut last = 0;
                for _ in 0..10_000 {
                    let start = clock.start();
                    let end = clock.end();
                    assert!(last <= start && start <= end, "{kind:?} {fences:?}: {last} {start} {end}");
                    last = end;
                }
            }
        }
    }

    #[test]
    fn the_measured_rate_agrees_with_a_longer_measurement() {
        // A thread may lose its processor between the readings of two clocks: one attempt in which it does not is enough.
        let measured = (0..50).map(|_| {
            let report = probe();
            let clock = Clock { kind: report.kind, fences: Fences::Full };
            let before = Pair::read(clock);
            std::thread::sleep(Duration::from_millis(30));
            let rate = before.rate(Pair::read(clock)) as f64;
            (report.ticks_per_second.unwrap() as f64 - rate).abs() / rate
        });
        let errors: Vec<f64> =
            measured.scan(false, |agreed, error| (!std::mem::replace(agreed, error < 0.05)).then_some(error)).collect();
        assert!(errors.last().is_some_and(|error| *error < 0.05), "{errors:?}");
    }
}
