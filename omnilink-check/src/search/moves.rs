//! What can be done in a configuration, and where it leads.

use std::ops::ControlFlow;

use omnilink_tla::spec::{ActionId, Candidate};
use omnilink_tla::{Failure, Spec, State, Value};

use super::Placement;
use super::deepest::Became;
use crate::conditions::Conditions;
use crate::history::{Act, Choice, Event, EventRef, History};

/// One thing to do with the next event of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Move {
    pub lane: u32,
    pub kind: Kind,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It happens, as its nth choice says.
    Happen(u16),
    /// One of its inner steps happens, as its nth choice says; the event is still to come.
    Inner(u16),
    /// It took no effect, or none beyond the inner steps that it has taken.
    Skip,
}

impl Move {
    /// Whether the event is behind us after it.
    pub fn places(self) -> bool {
        !matches!(self.kind, Kind::Inner(_))
    }
}

impl From<Kind> for Became {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Happen(nth) => Self::Happened(nth),
            Kind::Inner(nth) => Self::InnerStep(nth),
            Kind::Skip => Self::Nothing,
        }
    }
}

/// Everything that the search reads and never changes.
pub(crate) struct Problem<'a> {
    pub spec: &'a Spec,
    pub history: &'a History,
    pub conditions: &'a Conditions,
    /// Take the specification's VIEW for a state's identity.
    pub use_view: bool,
}

impl Problem<'_> {
    /// The moves of the events that may come next, those first that are needed first. Read-only events are not among them:
    /// they happen as soon as they can, see [`Problem::observe`].
    pub fn moves(&self, placement: &Placement, moves: &mut Vec<Move>) {
        let mut needed: Vec<(u64, u32)> = Vec::with_capacity(placement.positions().len());
        needed.extend(placement.viable(self.history).filter_map(|lane| {
            let event = self.next(placement, lane)?;
            (!event.read_only).then_some((event.needed, lane as u32))
        }));
        needed.sort_unstable();
        for kind in [Kind::Happen, Kind::Inner] {
            for &(_, lane) in &needed {
                let Some(event) = self.next(placement, lane as usize) else { continue };
                for (nth, choice) in self.history.choices(event).iter().enumerate() {
                    let kind = kind(nth as u16);
                    if matches!(kind, Kind::Happen(_)) || matches!(choice.act, Act::Steps { .. }) {
                        moves.push(Move { lane, kind });
                    }
                }
            }
        }
        let optional = |lane: u32| self.next(placement, lane as usize).is_some_and(|event| event.optional);
        moves.extend(needed.iter().filter(|(_, lane)| optional(*lane)).map(|&(_, lane)| Move { lane, kind: Kind::Skip }));
    }

    /// Visits where a move leads. What fails is reported after all else was visited.
    pub fn successors(
        &self,
        placement: &Placement,
        state: &State,
        it: Move,
        visit: &mut dyn FnMut(Reached<'_>) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let event = self.next(placement, it.lane as usize).expect("moves are of events that are left");
        let (nth, inner) = match it.kind {
            Kind::Happen(nth) => (nth, false),
            Kind::Inner(nth) => (nth, true),
            Kind::Skip => {
                let _ = visit(Reached::Same(state));
                return Ok(());
            }
        };
        let choice = &self.history.choices(event)[nth as usize];
        let (action, args) = self.action(choice, inner);
        let Some(condition) = choice.condition.filter(|_| !inner) else {
            return self.spec.visit_steps(state, action, args, &mut |candidate| visit(Reached::New(candidate)));
        };
        let mut refused = None;
        let steps = self.spec.visit_steps(state, action, args, &mut |candidate| {
            let next = candidate.state();
            match self.conditions.holds(self.spec, condition, state, &next) {
                Ok(true) => visit(Reached::Same(&next)),
                Ok(false) => ControlFlow::Continue(()),
                Err(failure) => {
                    refused.get_or_insert(failure);
                    ControlFlow::Continue(())
                }
            }
        });
        steps.and(refused.map_or(Ok(()), Err))
    }

    /// What tells a state from others: itself, or what the specification's VIEW says about it.
    pub fn identity(&self, reached: &Reached<'_>) -> Result<u128, Failure> {
        if !self.use_view {
            return Ok(reached.fingerprint());
        }
        let view = self.spec.view(&reached.state()).map_err(|error| Failure::unplaced(error.to_string()))?;
        Ok(view.map_or_else(|| reached.fingerprint(), |view| view.fingerprint().0))
    }

    /// The choice as which a read-only event can happen in a state, if it can.
    pub fn observe(&self, placement: &Placement, lane: usize, state: &State) -> Result<Option<Kind>, Failure> {
        let event = self.next(placement, lane).expect("only events that are left are observed");
        let mut failed = None;
        for nth in 0..self.history.choices(event).len() {
            let kind = Kind::Happen(nth as u16);
            let mut holds = false;
            let steps = self.successors(placement, state, Move { lane: lane as u32, kind }, &mut |_| {
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

    /// The action and arguments that a choice asks the specification for.
    pub fn action(&self, choice: &Choice, inner: bool) -> (ActionId, &[Option<Value>]) {
        let action = match choice.act {
            Act::Whole(action) => action,
            Act::Steps { step, .. } if inner => step,
            Act::Steps { done, .. } => done,
        };
        (action, self.history.args(choice))
    }

    /// The next event of a lane.
    pub fn next(&self, placement: &Placement, lane: usize) -> Option<&Event> {
        placement.next(self.history, lane)
    }

    /// Its place.
    pub fn place(&self, placement: &Placement, lane: u32) -> EventRef {
        EventRef { lane, at: placement.at(lane as usize) }
    }
}

/// A state that a move leads to.
pub(crate) enum Reached<'a> {
    /// One that exists.
    Same(&'a State),
    /// One that was not made yet.
    New(Candidate<'a>),
}

impl Reached<'_> {
    /// The state.
    pub fn state(&self) -> State {
        match self {
            Self::Same(state) => (*state).clone(),
            Self::New(candidate) => candidate.state(),
        }
    }

    /// Its fingerprint.
    pub fn fingerprint(&self) -> u128 {
        match self {
            Self::Same(state) => state.fingerprint().0,
            Self::New(candidate) => candidate.fingerprint().0,
        }
    }
}
