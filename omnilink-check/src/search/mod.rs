//! The search for an order.

mod control;
mod deepest;
mod depth;
mod moves;
mod placement;
mod seen;

pub use control::{Control, Limits, Progress, Stopped};
pub use deepest::{Became, DeadEnd, Deepest, Stride};
pub(crate) use depth::{DepthFirst, Ended};
pub(crate) use moves::{Move, Problem};
pub(crate) use placement::Placement;

use omnilink_tla::Failure;

use crate::history::EventRef;

/// A move that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placed {
    pub it: Move,
    /// Which of the states that the move leads to.
    pub branch: u32,
}

impl Placed {
    /// The branch of a move that does not change the state.
    pub const SAME_STATE: u32 = u32::MAX;
}

/// What could not be evaluated.
#[derive(Debug, Default)]
pub(crate) struct Failures {
    /// The first, and the event that it was evaluated for.
    pub first: Option<(EventRef, Failure)>,
    /// How many there were.
    pub count: u64,
}

impl Failures {
    pub fn note(&mut self, event: EventRef, failure: Failure) {
        self.count += 1;
        self.first.get_or_insert((event, failure));
    }
}
