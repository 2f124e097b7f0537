//! What a search is asked: which events there are, which steps they allow, where those lead.
//!
//! The layers above know nothing else of the specification or model that a history is checked against. A problem provides the
//! `timeline` of its events and the `steps` of each; the moves of the search follow from these. A rule of the search that
//! needs more (`footprint`, `refusal`) is off for a problem that does not provide it.

use std::ops::ControlFlow;

use omnilink_tla::internal::analysis::{Entry, Footprint, VariableId};

use super::deepest::Begun;
use super::{ArgumentsId, Kind, Move, Placed, Placement};
use crate::timeline::{ChoiceId, Event, EventRef, Timeline};

/// What a search reads and never changes.
pub(crate) trait Problem: Sync {
    /// A state of the specification or model.
    type State: Clone + Send;
    /// A state that a step leads to.
    type Reached<'r>: Reached<'r, State = Self::State>;
    /// Why a step could not be evaluated.
    type Failure: Send;
    /// What is known about the arguments of an event, for reports.
    type Arguments: Clone + Send;

    /// The events.
    fn timeline(&self) -> &Timeline;

    /// Whether a choice is a pair of actions, the first of which may take inner steps.
    fn has_inner_steps(&self, choice: ChoiceId) -> bool;

    /// Visits where a step of a lane's next event leads: that the event happens as its nth choice says, or one of its inner
    /// steps. What fails is reported after all else was visited.
    fn steps(
        &self,
        placement: &Placement,
        state: &Self::State,
        step: Step,
        visit: impl FnMut(Self::Reached<'_>) -> ControlFlow<()>,
    ) -> Result<(), Self::Failure>;

    /// A hash of a state.
    fn fingerprint(&self, reached: &Self::Reached<'_>) -> u128;

    /// What distinguishes a state from others.
    #[inline]
    fn identity(&self, reached: &Self::Reached<'_>) -> Result<u128, Self::Failure> {
        Ok(self.fingerprint(reached))
    }

    /// Whether steps can be left out because of what `footprint` and `refusal` say.
    fn has_footprints(&self) -> bool {
        false
    }

    /// What a choice reads and changes, if that is known.
    fn footprint(&self, _choice: ChoiceId) -> Option<Footprint> {
        None
    }

    /// The condition because of which a choice cannot happen in a state, if it is one of its footprint's.
    fn refusal(&self, _choice: ChoiceId, _state: &Self::State) -> Option<Entry> {
        None
    }

    /// Whether a variable is a sequence that is not empty.
    fn has_front(&self, _state: &Self::State, _variable: VariableId) -> bool {
        false
    }

    /// The arguments of an event after a move, if its inner steps determine more than was recorded.
    fn known_args(&self, _event: EventRef, _kind: Kind, _args: ArgumentsId) -> Option<Self::Arguments> {
        None
    }

    /// By lane: what its next event's inner steps determine beyond what was recorded.
    fn begun(&self, placement: &Placement) -> Vec<Option<Begun<Self::Arguments>>> {
        vec![None; placement.positions().len()]
    }

    /// The moves of the events that may come next, those first that are needed first. That a read-only event happens is not
    /// among them: it does as soon as it can, see [`Problem::observe`].
    fn moves(&self, placement: &Placement, moves: &mut Vec<Move>) {
        if placement.plain_moves(moves) {
            return;
        }
        let lanes = placement.viable_by_need();
        let event = |lane: u32| self.next(placement, lane as usize).expect("viable events are left");
        let changing = || lanes.iter().map(|&lane| (lane, event(lane))).filter(|(_, event)| !event.read_only);
        let mut has_pairs = false;
        for (lane, event) in changing() {
            for nth in self.choices_left(placement, lane, event) {
                has_pairs |= self.has_inner_steps(event.choice(nth));
                moves.push(Move { lane, kind: Kind::Happen(nth) });
            }
        }
        if has_pairs {
            for (lane, event) in changing() {
                let choices = self.choices_left(placement, lane, event);
                let pairs = choices.filter(|&nth| self.has_inner_steps(event.choice(nth)));
                moves.extend(pairs.map(|nth| Move { lane, kind: Kind::Inner(nth) }));
            }
        }
        let optional = lanes.iter().filter(|&&lane| event(lane).optional);
        moves.extend(optional.map(|&lane| Move { lane, kind: Kind::Skip }));
    }

    /// What a lane's next event can still stand for.
    fn choices_left(&self, placement: &Placement, lane: u32, event: &Event) -> impl Iterator<Item = u16> {
        let bound = placement.bound(lane as usize);
        (0..event.choice_count).filter(move |nth| bound.is_none_or(|bound| bound.choice == *nth))
    }

    /// Visits where a move leads. What fails is reported after all else was visited.
    #[inline]
    fn successors(
        &self,
        placement: &Placement,
        state: &Self::State,
        Move { lane, kind }: Move,
        mut visit: impl FnMut(Self::Reached<'_>) -> ControlFlow<()>,
    ) -> Result<(), Self::Failure> {
        let (nth, inner) = match kind {
            Kind::Happen(nth) => (nth, false),
            Kind::Inner(nth) => (nth, true),
            Kind::Skip => {
                let _ = visit(Reached::same(state));
                return Ok(());
            }
        };
        let event = self.next(placement, lane as usize).expect("moves are of events that are left");
        self.steps(placement, state, Step { lane, choice: event.choice(nth), inner }, visit)
    }

    /// The choice as which a read-only event can happen in a state, if it can.
    fn observe(&self, placement: &Placement, lane: usize, state: &Self::State) -> Result<Option<Kind>, Self::Failure> {
        let event = self.next(placement, lane).expect("only events that are left are observed");
        let mut failed = None;
        for nth in 0..event.choice_count {
            let kind = Kind::Happen(nth);
            let mut holds = false;
            let steps = self.successors(placement, state, Move { lane: lane as u32, kind }, |_| {
                holds = true;
                ControlFlow::Break(())
            });
            if holds {
                return Ok(Some(kind));
            }
            failed = failed.or(steps.err());
        }
        failed.map_or(Ok(None), Err)
    }

    /// Makes a move again: the state that it leads to, if it leads there again.
    fn replay(
        &self,
        placed: &Placed,
        placement: &mut Placement,
        state: &Self::State,
    ) -> Result<Option<Self::State>, Self::Failure> {
        let mut found = None;
        if placed.branch == Placed::SAME_STATE {
            found = Some(state.clone());
        } else {
            let mut branch = 0;
            let steps = self.successors(placement, state, placed.it, |reached| {
                if branch == placed.branch {
                    found = Some(reached.into_state());
                    return ControlFlow::Break(());
                }
                branch += 1;
                ControlFlow::Continue(())
            });
            if found.is_none() {
                steps?;
            }
        }
        placement.make(self.timeline(), placed.it, placed.args);
        Ok(found)
    }

    /// The next event of a lane.
    #[inline]
    fn next(&self, placement: &Placement, lane: usize) -> Option<&Event> {
        placement.next(self.timeline(), lane)
    }

    /// Its place.
    #[inline]
    fn place(&self, placement: &Placement, lane: u32) -> EventRef {
        EventRef { lane, at: placement.at(lane as usize) }
    }
}

/// A step of a lane's next event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub lane: u32,
    /// What the event stands for.
    pub choice: ChoiceId,
    /// It is an inner step.
    pub inner: bool,
}

/// A state that a move leads to, which need not have been made yet.
pub(crate) trait Reached<'r> {
    type State;

    /// The state of a move that changes nothing.
    fn same(state: &'r Self::State) -> Self;

    /// The state.
    fn into_state(self) -> Self::State;

    /// What is known about the event's arguments after the step.
    #[inline]
    fn arguments(&self) -> ArgumentsId {
        ArgumentsId::AS_RECORDED
    }
}
