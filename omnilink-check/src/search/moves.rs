//! Moves: what the search can do with the next event of a lane.

use super::ArgumentsId;

/// One thing to do with the next event of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Move {
    pub lane: u32,
    pub kind: Kind,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The event happens, as its nth choice says.
    Happen(u16),
    /// One of its inner steps happens, as its nth choice says; the event is still to come.
    Inner(u16),
    /// The event took no effect, or none beyond the inner steps that it has taken.
    Skip,
}

impl Move {
    /// Whether the move places the event: all but inner steps do.
    #[inline]
    pub fn places(self) -> bool {
        !matches!(self.kind, Kind::Inner(_))
    }
}

/// A move that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placed {
    pub it: Move,
    /// Which of the states that the move leads to.
    pub branch: u32,
    /// What is known about the event's arguments after an inner step.
    pub args: ArgumentsId,
}

impl Placed {
    /// The branch of a move that does not change the state.
    pub const SAME_STATE: u32 = u32::MAX;
}
