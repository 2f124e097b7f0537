//! The system under test: a lock for many threads. Put your own here.

use std::sync::atomic::{AtomicBool, Ordering};

pub struct Lock {
    is_held: AtomicBool,
    is_buggy: bool,
}

impl Lock {
    /// A lock that nobody holds; a buggy one is taken in two steps.
    pub fn new(is_buggy: bool) -> Self {
        Self { is_held: AtomicBool::new(false), is_buggy }
    }

    /// Takes the lock; false if it is held.
    pub fn try_lock(&self) -> bool {
        if self.is_buggy {
            return self.try_lock_in_two_steps();
        }
        // Acquire: what the last holder did is visible to the next one.
        self.is_held.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// The bug: two threads may both see that nobody holds the lock.
    fn try_lock_in_two_steps(&self) -> bool {
        if self.is_held.load(Ordering::Acquire) {
            return false;
        }
        self.is_held.store(true, Ordering::Relaxed);
        true
    }

    /// Gives the lock back. Only its holder may do that.
    pub fn unlock(&self) {
        // Release: what the holder did is visible to the next one.
        self.is_held.store(false, Ordering::Release);
    }
}
