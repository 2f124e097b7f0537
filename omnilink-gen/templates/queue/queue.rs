//! The system under test: a first-in, first-out queue for many threads. Put your own here.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub struct Queue {
    elems: Mutex<VecDeque<i64>>,
    is_buggy: bool,
}

impl Queue {
    /// An empty queue; a buggy one takes elements in two steps.
    pub fn new(is_buggy: bool) -> Self {
        Self { elems: Mutex::default(), is_buggy }
    }

    /// Appends an element.
    pub fn push(&self, elem: i64) {
        self.elems().push_back(elem);
    }

    /// Takes the oldest element.
    pub fn pop(&self) -> Option<i64> {
        if self.is_buggy { self.pop_in_two_steps() } else { self.elems().pop_front() }
    }

    /// The bug: between the two steps another thread may take the same element.
    fn pop_in_two_steps(&self) -> Option<i64> {
        let oldest = self.elems().front().copied()?;
        self.elems().pop_front();
        Some(oldest)
    }

    fn elems(&self) -> MutexGuard<'_, VecDeque<i64>> {
        self.elems.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
