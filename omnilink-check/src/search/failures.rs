//! Evaluation errors that a search came across.

use crate::timeline::EventRef;

/// What could not be evaluated.
#[derive(Debug)]
pub(crate) struct Failures<F> {
    /// The first failure, and the event that was being tried.
    pub first: Option<(EventRef, F)>,
    /// How many there were.
    pub count: u64,
}

impl<F> Default for Failures<F> {
    fn default() -> Self {
        Self { first: None, count: 0 }
    }
}

impl<F> Failures<F> {
    pub fn note(&mut self, event: EventRef, failure: F) {
        self.count += 1;
        self.first.get_or_insert((event, failure));
    }

    /// Adds those of another search.
    pub fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.first = self.first.take().or(other.first);
    }
}
