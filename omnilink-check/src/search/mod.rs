//! The search for an order.
//!
//! A *configuration* is a position in every lane (`placement`) and a state of the specification. From it, the next event of each
//! lane that is *viable* can be moved behind the position in some ways (`moves`): it happens, it takes an inner step, it had
//! no effect. An order is a way from the beginning to where all events are behind the positions that have to be.
//!
//! | file | its idea |
//! | --- | --- |
//! | `placement` | positions, viability, the key of a configuration |
//! | `moves` | what can be done in a configuration and where it leads |
//! | `told` | what inner steps have told about arguments that were not recorded |
//! | `directs` | actions that can be tried without a look at the next-state relation |
//! | `depth` | depth first, with a memory of configurations: the search itself |
//! | `leap` | going back far at once where it is stuck |
//! | `foresight` | events that can never happen, and events that need not wait |
//! | `path` | the way to where it is |
//! | `team` | several threads on one search |
//! | `frontier` | breadth first: exactly what is possible after so many changes |
//! | `deepest` | the configurations that got furthest |
//! | `seen`, `recent` | memories |
//! | `control`, `watch` | limits, progress, interruption |
//!
//! **The read-only rule.** An event that can be seen, from its arguments alone, never to change a variable happens as soon as
//! it can, without a choice. That it changes nothing *in this state* would not be enough: a write that is moved to an earlier
//! place may be overwritten before the read that needs it.

mod control;
mod deepest;
mod depth;
mod directs;
mod foresight;
mod frontier;
mod leap;
mod moves;
mod path;
mod placement;
mod recent;
mod seen;
mod team;
mod told;
mod watch;

pub use control::{Control, Limits, Progress, Stopped};
pub use deepest::{Became, Begun, DeadEnd, Deepest, Stride};
pub(crate) use depth::{DepthFirst, Ended};
pub(crate) use frontier::{Configuration, Frontier};
pub(crate) use moves::{Kind, Move, Problem, Reached};
pub(crate) use placement::{Bound, Placement};
pub(crate) use seen::Already;
pub(crate) use team::go_on;
pub(crate) use told::{Told, ToldId};

use omnilink_tla::Failure;

use crate::history::EventRef;

/// A move that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placed {
    pub it: Move,
    /// Which of the states that the move leads to.
    pub branch: u32,
    /// What an inner step told about its event's arguments.
    pub told: ToldId,
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

    /// Adds those of another search.
    pub fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.first = self.first.take().or(other.first);
    }
}
