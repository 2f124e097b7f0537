//! How far the clocks of two cores disagree.
//!
//! All cores read their clock and publish the largest reading seen so far. A core that then reads *less* than what was
//! already published has seen time go backwards: had one call ended at the published reading on the other core and another
//! begun now on this one, their boxes would claim the wrong order. The largest such warp is the uncertainty of the clock.
//! (Half a ping-pong round trip, the usual estimate, is an upper bound that cannot tell a perfect clock from a slow bus.)
//! The kernel's boot-time check of the TSC works the same way.

use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::clock::Clock;

/// The largest backward warp between two cores seen within `time`.
pub(crate) fn largest_warp(clock: Clock, time: Duration) -> u64 {
    let cores = allowed_cores();
    let latest = AtomicU64::new(0);
    let warp = AtomicU64::new(0);
    let barrier = Barrier::new(cores.len());
    std::thread::scope(|scope| {
        for core in cores {
            let (latest, warp, barrier) = (&latest, &warp, &barrier);
            let watcher = move || {
                pin(core);
                barrier.wait();
                let begin = Instant::now();
                while begin.elapsed() < time {
                    for _ in 0..64 {
                        // Acquire: the reading that follows happens after the one that was published.
                        let published = latest.load(Ordering::Acquire);
                        let now = clock.end();
                        if now < published {
                            warp.fetch_max(published - now, Ordering::Relaxed);
                        }
                        latest.fetch_max(now, Ordering::Release);
                    }
                }
            };
            scope.spawn(watcher);
        }
    });
    warp.into_inner()
}

/// The cores that this process may run on.
fn allowed_cores() -> Vec<usize> {
    // SAFETY: an all-zero cpu_set_t is the empty set; the call writes at most its size.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) != 0 {
            return vec![0];
        }
        set
    };
    // SAFETY: indexes are within the set's capacity.
    (0..libc::CPU_SETSIZE as usize).filter(|&core| unsafe { libc::CPU_ISSET(core, &set) }).collect()
}

/// Keeps the calling thread on one core. Failure only makes the measurement less thorough.
fn pin(core: usize) {
    // SAFETY: `set` is initialised, `core` came out of a set of the same capacity, and only the calling thread is affected.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(core, &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{ClockKind, Fences};

    #[test]
    fn the_kernels_clock_does_not_warp() {
        let clock = Clock { kind: ClockKind::Monotonic, fences: Fences::Full };
        assert_eq!(largest_warp(clock, Duration::from_millis(5)), 0);
    }
}
