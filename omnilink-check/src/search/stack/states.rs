//! The states of the frames, of which not all are kept: a path is as long as the trace, and states may be large.
//!
//! Kept are those of the latest frames and of every so many before them. If the search comes back to another frame, its state is
//! found again by running the specification from the last one that was kept.

use super::super::problem::Problem;
use super::{Placed, Placement, SearchStack};

/// Frames at the top whose states are kept.
const RECENT: usize = 4096;
/// Of the older ones every so many is kept.
pub(super) const LANDMARK: usize = 256;

impl<P: Problem> SearchStack<'_, P> {
    /// The state of a frame.
    pub fn state(&mut self, at: usize) -> &P::State {
        self.restore_state(at);
        self.frames[at].state.as_ref().expect("it is there or was found again")
    }

    /// Drops the state of a frame that is far below the top.
    pub(super) fn drop_old_state(&mut self) {
        if let Some(old) = self.frames.len().checked_sub(RECENT + 1).filter(|old| old % LANDMARK != 0) {
            self.frames[old].state = None;
        }
    }

    /// Finds the state of a frame again, if it was dropped, and those from the last landmark on with it.
    #[inline]
    pub(super) fn restore_state(&mut self, at: usize) {
        if self.frames[at].state.is_none() {
            self.restore_states_to(at);
        }
    }

    #[cold]
    fn restore_states_to(&mut self, at: usize) {
        let known = (0..at).rev().find(|&at| self.frames[at].state.is_some()).expect("the first is a landmark");
        let mut placement = self.placement_at(self.frames[known].trail);
        for at in known + 1..=at {
            let mut state = self.frames[at - 1].state.clone().expect("it was just found");
            for placed in &self.trail[self.frames[at - 1].trail..self.frames[at].trail] {
                state = self.again(placed, &mut placement, &state);
            }
            self.frames[at].state = Some(state);
        }
    }

    fn again(&self, placed: &Placed, placement: &mut Placement, state: &P::State) -> P::State {
        let found = self.problem.replay(placed, placement, state).ok().flatten();
        found.expect("what happened can happen again")
    }
}
