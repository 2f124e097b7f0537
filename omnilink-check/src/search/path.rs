//! The way to where a depth-first search is: its states, of which not all are kept, and what was done.

use std::ops::ControlFlow;

use omnilink_tla::{Failure, State};

use super::deepest::{Deepest, Stride};
use super::depth::DepthFirst;
use super::moves::{Kind, Move, Problem, Reached};
use super::{Bound, Placed, Placement, ToldId};
use crate::history::{Choice, EventRef};

/// Configurations of the path whose states are kept.
const RECENT: usize = 4096;
/// Of the older ones every so many is kept.
pub(super) const LANDMARK: usize = 256;

impl DepthFirst<'_, '_> {
    /// Finds again what a lane's next event had been bound to.
    pub(super) fn restore_binding(&mut self, lane: u32) {
        let bound = self.binding(&self.placement, lane, self.log.len());
        self.placement.bind(lane as usize, bound);
    }

    /// What a lane's next event was bound to when the log was so long.
    pub(super) fn binding(&self, placement: &Placement, lane: u32, log: usize) -> Option<Bound> {
        let next = self.problem.next(placement, lane as usize)?;
        let choices = self.problem.history.choices(next);
        if let [Choice { is_open: false, .. }] = choices {
            return None;
        }
        let before = self.way.iter().chain(&self.log[..log]);
        let Some(last) = before.rev().find(|placed| placed.it.lane == lane) else {
            return self.begun.get(lane as usize).copied().flatten();
        };
        match last.it.kind {
            Kind::Inner(choice) => Some(Bound { choice, told: last.told }),
            Kind::Happen(_) | Kind::Skip => None,
        }
    }

    /// Drops the state of a configuration that is far behind.
    pub(super) fn forget_a_state(&mut self) {
        if let Some(old) = self.frames.len().checked_sub(RECENT + 1).filter(|old| old % LANDMARK != 0) {
            self.frames[old].state = None;
        }
    }

    /// Finds the state of a configuration of the path again, if it was dropped, and those from the last landmark on with it.
    #[inline]
    pub(super) fn restore_state_of(&mut self, at: usize) {
        if self.frames[at].state.is_none() {
            self.restore_states_to(at);
        }
    }

    #[cold]
    fn restore_states_to(&mut self, at: usize) {
        let known = (0..at).rev().find(|&at| self.frames[at].state.is_some()).expect("the first is a landmark");
        let mut placement = self.placement_at(self.frames[known].log);
        for at in known + 1..=at {
            let mut state = self.frames[at - 1].state.clone().expect("it was just found");
            for placed in &self.log[self.frames[at - 1].log..self.frames[at].log] {
                state = placed.again(self.problem, &mut placement, &state).expect("what happened can happen again");
            }
            self.frames[at].state = Some(state);
        }
    }

    /// The placement when the log was so long.
    pub(super) fn placement_at(&self, log: usize) -> Placement {
        let mut placement = self.placement.clone();
        for placed in self.log[log..].iter().rev().filter(|placed| placed.it.places()) {
            placement.retreat(self.problem.history, placed.it.lane as usize);
        }
        for lane in 0..self.problem.history.lanes.len() {
            let bound = self.binding(&placement, lane as u32, log);
            placement.bind(lane, bound);
        }
        placement
    }

    /// The last moves on the way to the top configuration, with the states after them, as far as those are known; and the state
    /// before the first of them.
    pub(super) fn path_to_top(&self) -> (Option<State>, Vec<Stride>) {
        let Self { problem, frames, log, placement, .. } = self;
        let mut positions = placement.positions().to_vec();
        let mut path: Vec<Stride> = Vec::new();
        let mut before_path = None;
        for (at, frame) in frames.iter().enumerate().rev() {
            let Some(state) = &frame.state else { break };
            // What precedes the first configuration of a search changes nothing: read-only events that could come at once.
            before_path = at
                .checked_sub(1)
                .map_or(Some(frame), |before| frames.get(before))
                .and_then(|frame| frame.state.clone());
            let before = at.checked_sub(1).map_or(0, |before| frames[before].log);
            for (nth, placed) in log[..frame.log].iter().enumerate().skip(before).rev() {
                let Move { lane, kind } = placed.it;
                positions[lane as usize] -= u32::from(placed.it.places());
                let event = EventRef { lane, at: positions[lane as usize] };
                let args = problem.history.binds().then(|| problem.told_args(event, kind, self.told_by(nth))).flatten();
                path.push(Stride { event, became: kind.into(), state: state.clone(), args });
            }
            if path.len() >= Deepest::PATH {
                break;
            }
        }
        if let Some(stride) = path.get(Deepest::PATH) {
            before_path = Some(stride.state.clone());
        }
        path.truncate(Deepest::PATH);
        path.reverse();
        (before_path, path)
    }

    /// What was told about the event of a move in the log when it was made, by itself or by the event's inner steps before.
    fn told_by(&self, nth: usize) -> ToldId {
        let Placed { it, told, .. } = self.log[nth];
        if !it.places() {
            return told;
        }
        let before = self.way.iter().chain(&self.log[..nth]).rev().find(|placed| placed.it.lane == it.lane);
        let begun = || self.begun.get(it.lane as usize).copied().flatten().map_or(ToldId::NOTHING, |bound| bound.told);
        before.map_or_else(begun, |before| before.told)
    }
}

impl Placed {
    /// Does it again: the state that it leads to.
    pub fn again(&self, problem: &Problem<'_>, placement: &mut Placement, state: &State) -> Result<State, Failure> {
        let mut found = None;
        if self.branch == Self::SAME_STATE {
            found = Some(state.clone());
        } else {
            let mut branch = 0;
            let steps = problem.successors(placement, state, self.it, |reached: Reached<'_>| {
                if branch == self.branch {
                    found = Some(reached.state());
                    return ControlFlow::Break(());
                }
                branch += 1;
                ControlFlow::Continue(())
            });
            if found.is_none() {
                steps?;
            }
        }
        placement.make(problem.history, self.it, self.told);
        found.ok_or_else(|| Failure::unplaced("a step that was found cannot be found again"))
    }
}
