//! The page through which the victim says how far it is: a shared mapping, which survives it.

use std::fs::OpenOptions;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Threads of the victim that record.
pub const WORKERS: usize = 3;

/// How far one worker is. Steps are counted from 1 here: 0 is none.
#[derive(Debug, Default)]
#[repr(align(64))]
pub struct Worker {
    entered: AtomicU64,
    begun: AtomicU64,
    /// Values set in the step that was entered last.
    set: AtomicU64,
    ended: AtomicU64,
}

// Release, everywhere: whoever reads a number after the victim's death sees what it did before. Nothing that the victim does later can
// be seen before, since what it does then are stores with release as well.
impl Worker {
    /// Step `n` is about to begin.
    pub fn enter(&self, n: u64) {
        self.set.store(0, Ordering::Release);
        self.entered.store(n + 1, Ordering::Release);
    }

    /// The call of step `n` has begun.
    pub fn begin(&self, n: u64) {
        self.begun.store(n + 1, Ordering::Release);
    }

    /// So many values are set.
    pub fn values(&self, count: u64) {
        self.set.store(count, Ordering::Release);
    }

    /// The end of the call of step `n` has returned.
    pub fn end(&self, n: u64) {
        self.ended.store(n + 1, Ordering::Release);
    }

    /// Steps that are over: 0 to this number, without it.
    pub fn ended(&self) -> u64 {
        self.ended.load(Ordering::Acquire)
    }

    /// True if step `n` was entered.
    pub fn has_entered(&self, n: u64) -> bool {
        self.entered.load(Ordering::Acquire) > n
    }

    /// True if the call of step `n` had begun for sure.
    pub fn has_begun(&self, n: u64) -> bool {
        self.begun.load(Ordering::Acquire) > n
    }

    /// Values that were set for sure in the step that was entered last.
    pub fn values_set(&self) -> u64 {
        self.set.load(Ordering::Acquire)
    }
}

/// The page.
#[derive(Debug)]
pub struct Page {
    workers: &'static [Worker; WORKERS],
}

impl Page {
    const NAME: &'static str = "progress";

    /// Makes the page in the directory that test and victim share.
    pub fn create(shared: &Path) -> Self {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(shared.join(Self::NAME)).unwrap();
        file.set_len(size_of::<[Worker; WORKERS]>() as u64).unwrap();
        Self::map(shared)
    }

    /// The page that the test has made.
    pub fn map(shared: &Path) -> Self {
        let file = OpenOptions::new().read(true).write(true).open(shared.join(Self::NAME)).unwrap();
        let (len, protection) = (size_of::<[Worker; WORKERS]>(), libc::PROT_READ | libc::PROT_WRITE);
        // SAFETY: a new mapping at an address of the kernel's choice, never unmapped; zeros are a worker that has done nothing.
        let workers = unsafe {
            let page = libc::mmap(std::ptr::null_mut(), len, protection, libc::MAP_SHARED, file.as_raw_fd(), 0);
            assert_ne!(page, libc::MAP_FAILED);
            &*page.cast()
        };
        Self { workers }
    }

    pub fn worker(&self, worker: usize) -> &'static Worker {
        &self.workers[worker]
    }

    /// Calls that all workers have ended.
    pub fn calls_ended(&self) -> u64 {
        self.workers.iter().map(Worker::ended).sum()
    }
}
