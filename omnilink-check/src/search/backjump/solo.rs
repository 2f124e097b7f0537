//! Solo runs: whether one lane could go on beyond an event while all others wait.

use std::ops::ControlFlow;

use super::super::problem::{Problem, Reached};
use super::super::{Kind, Move, Placement};

/// A solo run: one lane goes on while all others wait, whatever their timeboxes say.
pub(super) struct Solo<'a, P> {
    pub problem: &'a P,
    pub lane: usize,
    /// The event that it has to get beyond.
    pub due: u32,
    /// How many steps may still be tried.
    pub steps: u32,
}

impl<P: Problem> Solo<'_, P> {
    pub fn goes_on(&mut self, placement: &mut Placement, state: &P::State) -> bool {
        if placement.at(self.lane) > self.due {
            return true;
        }
        let (problem, lane) = (self.problem, self.lane as u32);
        let Some(event) = problem.next(placement, self.lane) else { return false };
        let happens = problem.choices_left(placement, lane, event).map(Kind::Happen);
        let kinds: Vec<Kind> = happens.chain(event.optional.then_some(Kind::Skip)).collect();
        kinds.into_iter().any(|kind| self.goes_on_after(placement, state, Move { lane, kind }))
    }

    /// Whether it does after a move, which may be of another lane.
    pub fn goes_on_after(&mut self, placement: &mut Placement, state: &P::State, it: Move) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        let (problem, lane) = (self.problem, it.lane as usize);
        let mut next = Vec::new();
        // What cannot be evaluated is noted when the search makes the move.
        let _ = problem.successors(placement, state, it, |reached| {
            let args = reached.arguments();
            next.push((reached.into_state(), args));
            ControlFlow::Continue(())
        });
        let bound = placement.bound(lane);
        next.iter().any(|(state, args)| {
            placement.make(problem.timeline(), it, *args);
            let goes_on = self.goes_on(placement, state);
            if it.places() {
                placement.retreat(problem.timeline(), lane);
            }
            placement.bind(lane, bound);
            goes_on
        })
    }
}
