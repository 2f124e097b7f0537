//! What can be done in a configuration, and where it leads.

use std::ops::ControlFlow;
use std::sync::Arc;

use omnilink_tla::spec::{ActionId, Candidate, Entry, Footprint};
use omnilink_tla::{Failure, Spec, State, TlaError, Value};

use super::deepest::{Became, Begun};
use super::directs::Directs;
use super::told::{self, Arguments, Told, ToldId};
use super::{Bound, Placement};
use crate::check::Options;
use crate::conditions::Conditions;
use crate::history::{Act, Choice, ChoiceId, Event, EventRef, History};
use crate::prepare::Prepared;

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
    /// What its event is bound to after it: an event that may stand for several actions and has taken an inner step of one
    /// of them stands for that, with the arguments that the step told.
    #[inline]
    pub fn binds(self, history: &History, placement: &Placement, told: ToldId) -> Option<Bound> {
        let Kind::Inner(choice) = self.kind else { return None };
        let event = placement.next(history, self.lane as usize)?;
        (history.choices(event).len() > 1 || told != ToldId::NOTHING).then_some(Bound { choice, told })
    }

    /// Whether the event is behind us after it.
    #[inline]
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
    /// What of them can be tried without a look at the next-state relation.
    directs: Directs<'a>,
    /// Take the specification's VIEW for a state's identity.
    pub use_view: bool,
    /// Leave out steps that the specification's constraints leave out.
    pub honour_constraints: bool,
    /// What inner steps have told.
    told: Arc<Told>,
}

impl<'a> Problem<'a> {
    /// The events of a trace and what is asked of them.
    pub fn new(spec: &'a Spec, prepared: &'a Prepared, options: &Options) -> Self {
        let Prepared { history, conditions, .. } = prepared;
        let (directs, honour_constraints) = (Directs::new(spec, history), options.honour_constraints);
        let told = Arc::default();
        Self { spec, history, conditions, directs, use_view: false, honour_constraints, told }
    }

    /// The same, of other events of the same specification.
    pub fn with_history<'b>(&'b self, history: &'b History) -> Problem<'b> {
        Problem { history, directs: self.directs.of_part(history), told: Arc::clone(&self.told), ..*self }
    }
}

impl Problem<'_> {
    /// The moves of the events that may come next, those first that are needed first. That a read-only event happens is not
    /// among them: it does as soon as it can, see [`Problem::observe`].
    pub fn moves(&self, placement: &Placement, moves: &mut Vec<Move>) {
        if placement.plain_moves(moves) {
            return;
        }
        let lanes = placement.viable_by_need();
        let event = |lane: u32| self.next(placement, lane as usize).expect("viable events are left");
        let changing = || lanes.iter().map(|&lane| (lane, event(lane))).filter(|(_, event)| !event.read_only);
        let mut has_pairs = false;
        for (lane, event) in changing() {
            for (nth, choice) in self.choices_left(placement, lane, event) {
                has_pairs |= matches!(choice.act, Act::Steps { .. });
                moves.push(Move { lane, kind: Kind::Happen(nth) });
            }
        }
        if has_pairs {
            for (lane, event) in changing() {
                let choices = self.choices_left(placement, lane, event);
                let pairs = choices.filter(|(_, choice)| matches!(choice.act, Act::Steps { .. }));
                moves.extend(pairs.map(|(nth, _)| Move { lane, kind: Kind::Inner(nth) }));
            }
        }
        let optional = lanes.iter().filter(|&&lane| event(lane).optional);
        moves.extend(optional.map(|&lane| Move { lane, kind: Kind::Skip }));
    }

    /// What a lane's next event can still stand for.
    pub(super) fn choices_left<'e>(
        &'e self,
        placement: &Placement,
        lane: u32,
        event: &'e Event,
    ) -> impl Iterator<Item = (u16, &'e Choice)> {
        let bound = placement.bound(lane as usize);
        let choices = (0u16..).zip(self.history.choices(event));
        choices.filter(move |(nth, _)| bound.is_none_or(|bound| bound.choice == *nth))
    }

    /// Visits where a move leads. What fails is reported after all else was visited.
    pub fn successors(
        &self,
        placement: &Placement,
        state: &State,
        it: Move,
        mut visit: impl FnMut(Reached<'_>) -> ControlFlow<()>,
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
        let (id, choice) = self.history.choice(event, nth);
        if choice.is_open {
            let told = placement.bound(it.lane as usize).and_then(|bound| self.told.get(bound.told));
            if inner || told.is_some() {
                return self.told_successors(choice, inner, told.as_deref(), state, &mut visit);
            }
        }
        if let Some((direct, entry)) = self.directs.get(id, inner)
            && !self.honour_constraints
        {
            let visit = |candidate: Candidate<'_>| visit(Reached::New(candidate));
            return direct.visit(state, entry, self.history.args(choice), visit);
        }
        self.other_successors(choice, inner, state, &mut visit)
    }

    /// The same of a choice that the next-state relation decides on, or that something else is asked of.
    #[inline(never)]
    fn other_successors(
        &self,
        choice: &Choice,
        inner: bool,
        state: &State,
        visit: &mut dyn FnMut(Reached<'_>) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let (action, args) = self.action(choice, inner);
        let condition = choice.condition.filter(|_| !inner);
        if condition.is_none() && !self.honour_constraints {
            return self.spec.visit_steps(state, action, args, &mut |candidate| visit(Reached::New(candidate)));
        }
        let mut failed = None;
        let steps = self.spec.visit_steps(state, action, args, &mut |candidate| {
            let next = candidate.state();
            match self.is_allowed(condition, state, &next) {
                Ok(true) => return visit(Reached::Same(&next)),
                Ok(false) => {}
                Err(failure) => {
                    failed.get_or_insert(failure);
                }
            }
            ControlFlow::Continue(())
        });
        steps.and(failed.map_or(Ok(()), Err))
    }

    /// The same of a choice whose steps tell arguments that were not recorded. Only those that agree with what was told
    /// before are steps of this call.
    #[inline(never)]
    fn told_successors(
        &self,
        choice: &Choice,
        inner: bool,
        before: Option<&Arguments>,
        state: &State,
        visit: &mut dyn FnMut(Reached<'_>) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let (action, recorded) = self.action(choice, inner);
        let args = before.map_or_else(|| recorded.to_vec(), told::values);
        let condition = choice.condition.filter(|_| !inner);
        let mut failed = None;
        let steps = self.spec.visit_told_steps(state, action, &args, &mut |arguments, candidate| {
            let known = told::after(before, arguments).and_then(|known| match known {
                Some(_) if condition.is_none() && !self.honour_constraints => Ok(known),
                Some(_) if !self.is_allowed(condition, state, &candidate.state())? => Ok(None),
                known => Ok(known),
            });
            match known {
                Ok(None) => ControlFlow::Continue(()),
                Ok(Some(known)) if inner => visit(Reached::Told(candidate, self.told.keep(known))),
                Ok(Some(_)) => visit(Reached::New(candidate)),
                Err(failure) => {
                    failed.get_or_insert(failure);
                    ControlFlow::Continue(())
                }
            }
        });
        steps.and(failed.map_or(Ok(()), Err))
    }

    /// The arguments of an event that something happened to, if its inner steps have told some.
    pub fn told_args(&self, event: EventRef, kind: Kind, told: ToldId) -> Option<Vec<Option<Value>>> {
        let (Kind::Happen(nth) | Kind::Inner(nth)) = kind else { return None };
        let (_, choice) = self.history.choice(self.history.event(event), nth);
        self.told.get(told).filter(|_| choice.is_open).map(|told| told::values(&told))
    }

    /// By lane: as what its next event has taken inner steps, where they tell more than was recorded.
    pub fn begun(&self, placement: &Placement) -> Vec<Option<Begun>> {
        let begun = |(lane, bound): (usize, &Option<Bound>)| {
            let Bound { choice, told } = (*bound)?;
            let recorded =
                || Some(self.history.args(self.history.choice(self.next(placement, lane)?, choice).1).to_vec());
            let told = self.told.get(told);
            let is_narrowed = told.as_deref().is_some_and(told::is_narrowed);
            let args = told.map(|told| told::values(&told)).or_else(recorded)?;
            Some(Begun { choice, args, is_narrowed })
        };
        placement.all_bound().iter().enumerate().map(begun).collect()
    }

    /// All that inner steps have told, for who does again what was done.
    pub fn told(&self) -> Arc<Told> {
        Arc::clone(&self.told)
    }

    /// The same question, knowing what was told.
    pub fn with_told(self, told: Arc<Told>) -> Self {
        Self { told, ..self }
    }

    /// Whether a step satisfies the condition attached to its event, and the specification's constraints if they count.
    fn is_allowed(&self, condition: Option<u32>, from: &State, to: &State) -> Result<bool, Failure> {
        if let Some(condition) = condition
            && !self.conditions.holds(self.spec, condition, from, to)?
        {
            return Ok(false);
        }
        let failed = |error: Box<TlaError>| Failure::unplaced(error.to_string());
        Ok(!self.honour_constraints
            || self.spec.satisfies_constraints(to).map_err(failed)?
                && self.spec.satisfies_action_constraints(from, to).map_err(failed)?)
    }

    /// What tells a state from others: itself, or what the specification's VIEW says about it.
    #[inline]
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
            let steps = self.successors(placement, state, Move { lane: lane as u32, kind }, |_: Reached<'_>| {
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

    /// What a choice looks at and changes, if that can be told.
    pub fn footprint(&self, choice: ChoiceId) -> Option<Footprint> {
        let (direct, entry) = self.directs.get(choice, false)?;
        direct.footprint(entry, self.history.args(self.history.choice_of(choice)))
    }

    /// The condition because of which a choice cannot happen in a state, if it is one of its footprint's.
    #[inline]
    pub fn refusal(&self, choice: ChoiceId, state: &State) -> Option<Entry> {
        let (direct, entry) = self.directs.get(choice, false)?;
        direct.refusal(state, entry, self.history.args(self.history.choice_of(choice)))
    }

    /// The action and arguments that a choice asks the specification for.
    pub fn action(&self, choice: &Choice, inner: bool) -> (ActionId, &[Option<Value>]) {
        (choice.act.action(inner), self.history.args(choice))
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
    /// One that was not made yet, and what the step told about its event's arguments.
    Told(Candidate<'a>, ToldId),
}

impl Reached<'_> {
    /// The state.
    pub fn state(&self) -> State {
        match self {
            Self::Same(state) => (*state).clone(),
            Self::New(candidate) | Self::Told(candidate, _) => candidate.state(),
        }
    }

    /// Its fingerprint.
    pub fn fingerprint(&self) -> u128 {
        match self {
            Self::Same(state) => state.fingerprint().0,
            Self::New(candidate) | Self::Told(candidate, _) => candidate.fingerprint().0,
        }
    }

    /// What the step told.
    #[inline]
    pub fn told(&self) -> ToldId {
        match self {
            Self::Told(_, told) => *told,
            Self::Same(_) | Self::New(_) => ToldId::NOTHING,
        }
    }
}
