//! A turn of a contestant.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use crate::contestants::Contestant;

/// Actions that are measured, on each thread.
const CALLS: u64 = 100_000;
/// Actions before that, on each thread: they open files, fill caches, meet branches for the first time.
const WARM_UP: u64 = CALLS / 10;
/// Threads that record at once, at most.
const MOST_THREADS: u64 = 2;
/// Actions in a turn, at most.
pub const MOST_ACTIONS: u64 = MOST_THREADS * (WARM_UP + CALLS);

/// What a turn says.
pub struct Turn {
    /// Nanoseconds per action on a thread, while all threads record: the mean over the threads.
    pub wall: f64,
    /// Nanoseconds of CPU time per action that the recording thread itself has spent, kernel included.
    pub cpu: f64,
    /// Actions recorded.
    pub actions: u64,
    /// Actions that are missing in the recording.
    pub lost: u64,
}

/// Has the contestant record on one thread or on two, all new, in a directory of its own that is removed afterwards:
/// every turn begins with the same, and the disk does not fill up.
pub fn take(contestant: &dyn Contestant, threads: u64) -> Turn {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let recording = contestant.start(directory.path());
    let barrier = Barrier::new(threads as usize);
    let times: Vec<(Duration, Duration)> = std::thread::scope(|scope| {
        let (recording, barrier) = (&*recording, &barrier);
        let measure = |thread| {
            move || {
                recording.record(thread, WARM_UP);
                barrier.wait();
                let (wall, cpu) = (Instant::now(), cpu_time());
                recording.record(thread, CALLS);
                (wall.elapsed(), cpu_time() - cpu)
            }
        };
        let threads: Vec<_> = (0..threads).map(|thread| scope.spawn(measure(thread))).collect();
        threads.into_iter().map(|thread| thread.join().expect("contestants do not panic")).collect()
    });
    let actions = threads * (WARM_UP + CALLS);
    let per_action = |total: Duration| total.as_nanos() as f64 / (threads * CALLS) as f64;
    Turn {
        wall: per_action(times.iter().map(|(wall, _)| wall).sum()),
        cpu: per_action(times.iter().map(|(_, cpu)| cpu).sum()),
        actions,
        lost: recording.finish(actions),
    }
}

/// CPU time of the calling thread so far.
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes the time to `time`, which is valid.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(result, 0, "threads have a CPU clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
