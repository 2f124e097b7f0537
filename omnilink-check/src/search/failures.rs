//! Evaluation errors that a search came across.

use omnilink_tla::Failure;

use crate::history::EventRef;

/// What could not be evaluated.
#[derive(Debug, Default)]
pub(crate) struct Failures {
    /// The first failure, and the event that was being tried.
    pub first: Option<(EventRef, Failure)>,
    /// How many there were.
    pub count: u64,
}

impl Failures {
    pub fn note(&mut self, event: EventRef, failure: Failure) {
        self.count += 1;
        self.first.get_or_insert((event, failure));
    }

    /// Adds those of another search.
    pub fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.first = self.first.take().or(other.first);
    }
}
