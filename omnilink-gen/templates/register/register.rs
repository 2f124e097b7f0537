//! The system under test: a register that many threads read and write. Put your own here.
//!
//! Its value has two halves, as a value that is too large for one atomic variable would have. A sequence number tells
//! readers whether a write came between (a *seqlock*): it is odd while one is going on.

use std::hint;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
use std::sync::{Mutex, PoisonError};

pub struct Register {
    sequence: AtomicU64,
    high: AtomicU32,
    low: AtomicU32,
    writers: Mutex<()>,
    is_buggy: bool,
}

impl Register {
    /// A register that holds 0; readers of a buggy one do not look whether a write came between.
    pub fn new(is_buggy: bool) -> Self {
        Self {
            sequence: AtomicU64::new(0),
            high: AtomicU32::new(0),
            low: AtomicU32::new(0),
            writers: Mutex::new(()),
            is_buggy,
        }
    }

    /// Replaces the value.
    pub fn write(&self, value: i64) {
        let _one_at_a_time = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.sequence.load(Ordering::Relaxed);
        self.sequence.store(before + 1, Ordering::Relaxed);
        // Whoever sees one of the halves sees that the number is odd.
        fence(Ordering::Release);
        self.high.store((value >> 32) as u32, Ordering::Relaxed);
        self.low.store(value as u32, Ordering::Relaxed);
        // Release: whoever sees the even number sees both halves.
        self.sequence.store(before + 2, Ordering::Release);
    }

    /// What was written last.
    pub fn read(&self) -> i64 {
        loop {
            let before = self.sequence.load(Ordering::Acquire);
            let value = i64::from(self.high.load(Ordering::Relaxed)) << 32 | i64::from(self.low.load(Ordering::Relaxed));
            // The halves are read before the number is read again.
            fence(Ordering::Acquire);
            let is_whole = before % 2 == 0 && self.sequence.load(Ordering::Relaxed) == before;
            // The bug: the halves may be those of different writes.
            if is_whole || self.is_buggy {
                return value;
            }
            hint::spin_loop();
        }
    }
}
