//! The system under test: a counter that many threads share. Put your own here.

use std::sync::atomic::{AtomicI64, Ordering};

pub struct Counter {
    count: AtomicI64,
    is_buggy: bool,
}

impl Counter {
    /// A counter at 0; a buggy one counts in two steps.
    pub fn new(is_buggy: bool) -> Self {
        Self { count: AtomicI64::new(0), is_buggy }
    }

    /// Counts, and returns the new value.
    pub fn increment(&self) -> i64 {
        if self.is_buggy {
            return self.increment_in_two_steps();
        }
        // Relaxed: the count orders nothing but itself.
        self.count.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The bug: what other threads count between the two steps is lost.
    fn increment_in_two_steps(&self) -> i64 {
        let new = self.count.load(Ordering::Relaxed) + 1;
        self.count.store(new, Ordering::Relaxed);
        new
    }

    /// How far it has counted.
    pub fn read(&self) -> i64 {
        self.count.load(Ordering::Relaxed)
    }
}
