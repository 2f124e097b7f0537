//! The last moves on the path to the top frame, for reports.

use super::super::deepest::{PATH, Stride};
use super::super::problem::Problem;
use super::{ArgumentsId, EventRef, Move, Placed, SearchStack};

/// Moves on the path.
type Path<P> = Vec<Stride<<P as Problem>::State, <P as Problem>::Arguments>>;

impl<P: Problem> SearchStack<'_, P> {
    /// The last moves on the path to the top frame, with the states after them, as far as those were kept; and the state before
    /// the first of them.
    pub fn path_to_top(&self) -> (Option<P::State>, Path<P>) {
        let Self { problem, frames, trail, placement, .. } = self;
        let mut positions = placement.positions().to_vec();
        let mut path: Path<P> = Vec::new();
        let mut before_path = None;
        for (at, frame) in frames.iter().enumerate().rev() {
            let Some(state) = &frame.state else { break };
            // What precedes the first frame of a search changes nothing: read-only events that could come at once.
            before_path = at
                .checked_sub(1)
                .map_or(Some(frame), |before| frames.get(before))
                .and_then(|frame| frame.state.clone());
            let before = at.checked_sub(1).map_or(0, |before| frames[before].trail);
            for (nth, placed) in trail[..frame.trail].iter().enumerate().skip(before).rev() {
                let Move { lane, kind } = placed.it;
                positions[lane as usize] -= u32::from(placed.it.places());
                let event = EventRef { lane, at: positions[lane as usize] };
                let args =
                    problem.timeline().binds.then(|| problem.known_args(event, kind, self.args_at(nth))).flatten();
                path.push(Stride { event, became: kind.into(), state: state.clone(), args });
            }
            if path.len() >= PATH {
                break;
            }
        }
        if let Some(stride) = path.get(PATH) {
            before_path = Some(stride.state.clone());
        }
        path.truncate(PATH);
        path.reverse();
        (before_path, path)
    }

    /// What was known about the arguments of the event of a move on the trail when it was made: from the move itself or from the
    /// event's inner steps before it.
    fn args_at(&self, nth: usize) -> ArgumentsId {
        let Placed { it, args, .. } = self.trail[nth];
        if !it.places() {
            return args;
        }
        let before = self.prefix.iter().chain(&self.trail[..nth]).rev().find(|placed| placed.it.lane == it.lane);
        let begun =
            || self.begun.get(it.lane as usize).copied().flatten().map_or(ArgumentsId::AS_RECORDED, |bound| bound.args);
        before.map_or_else(begun, |before| before.args)
    }
}
