//! A line on the terminal that shows that something happens.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(250);

/// The variable that forbids helper threads, by saying `0`: under a scheduler that runs one thread at a time a
/// further one would change what is scheduled.
const HELPER_THREADS: &str = "OMNILINK_HELPER_THREADS";

/// How many operations a thread has performed. On a cache line of its own (two, for processors that fetch lines in
/// pairs), so that counting does not tie the threads together.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Progress(AtomicU64);

impl Progress {
    /// Only the thread itself calls this.
    #[inline]
    pub fn store(&self, operations: u64) {
        // Relaxed: a number to look at, on which nothing depends.
        self.0.store(operations, Ordering::Relaxed);
    }
}

/// True if somebody looks and a thread may be started for it.
pub(super) fn is_wanted() -> bool {
    io::stderr().is_terminal() && std::env::var_os(HELPER_THREADS).is_none_or(|value| value != "0")
}

/// Shows the sum of `progress` until the other end of `done` is dropped.
pub(super) fn show(progress: &[Progress], done: Receiver<()>) {
    let begin = Instant::now();
    let mut stderr = io::stderr();
    while done.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        let operations: u64 = progress.iter().map(|thread| thread.0.load(Ordering::Relaxed)).sum();
        let seconds = begin.elapsed().as_secs_f64();
        let _ = write!(stderr, "\r\x1b[Kfuzz: {operations} operations in {seconds:.1} s");
        let _ = stderr.flush();
    }
    let _ = write!(stderr, "\r\x1b[K");
    let _ = stderr.flush();
}
