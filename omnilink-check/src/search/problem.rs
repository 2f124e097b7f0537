//! The question that a search answers: which moves a configuration has, and where they lead.
//!
//! All that the layers above know about specifications, they know from here.

use std::ops::ControlFlow;
use std::sync::Arc;

use omnilink_tla::internal::analysis::{Entry, Footprint};
use omnilink_tla::spec::{ActionId, Candidate};
use omnilink_tla::{Failure, Spec, State, TlaError, Value};

use super::arguments::{self, ArgumentTable, Arguments, ArgumentsId};
use super::compiled::CompiledChoices;
use super::deepest::Begun;
use super::{Bound, Kind, Move, Placed, Placement};
use crate::conditions::Conditions;
use crate::history::{Act, Choice, ChoiceId, Event, EventRef, History};
use crate::prepare::Prepared;

/// Everything that the search reads and never changes.
pub(crate) struct Problem<'a> {
    pub spec: &'a Spec,
    pub history: &'a History,
    pub conditions: &'a Conditions,
    /// The choices that can be tried without a look at the next-state relation.
    compiled: CompiledChoices<'a>,
    /// Take the specification's VIEW for a state's identity.
    pub use_view: bool,
    /// Leave out steps that the specification's constraints leave out.
    pub honour_constraints: bool,
    /// What inner steps determine about arguments that were not recorded.
    arguments: Arc<ArgumentTable>,
}

impl<'a> Problem<'a> {
    /// The events of a trace and what is asked of them.
    pub fn new(spec: &'a Spec, prepared: &'a Prepared, honour_constraints: bool) -> Self {
        let Prepared { history, conditions, .. } = prepared;
        let (compiled, arguments) = (CompiledChoices::new(spec, history), Arc::default());
        Self { spec, history, conditions, compiled, use_view: false, honour_constraints, arguments }
    }

    /// The same, of other events of the same specification.
    pub fn with_history<'b>(&'b self, history: &'b History) -> Problem<'b> {
        Problem { history, compiled: self.compiled.of_part(history), arguments: Arc::clone(&self.arguments), ..*self }
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
            let known = placement.bound(it.lane as usize).and_then(|bound| self.arguments.get(bound.args));
            if inner || known.is_some() {
                return self.refining_successors(choice, inner, known.as_deref(), state, &mut visit);
            }
        }
        if let Some((compiled, entry)) = self.compiled.get(id, inner)
            && !self.honour_constraints
        {
            let visit = |candidate: Candidate<'_>| visit(Reached::New(candidate));
            return compiled.visit(state, entry, self.history.args(choice), visit);
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

    /// The same of a choice whose steps determine arguments that were not recorded. Only those that agree with what is known
    /// already are steps of this call.
    #[inline(never)]
    fn refining_successors(
        &self,
        choice: &Choice,
        inner: bool,
        before: Option<&Arguments>,
        state: &State,
        visit: &mut dyn FnMut(Reached<'_>) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let (action, recorded) = self.action(choice, inner);
        let args = before.map_or_else(|| recorded.to_vec(), arguments::values);
        let condition = choice.condition.filter(|_| !inner);
        let mut failed = None;
        let steps = self.spec.visit_steps_with_arguments(state, action, &args, &mut |step, candidate| {
            let known = arguments::refine(before, step).and_then(|known| match known {
                Some(_) if condition.is_none() && !self.honour_constraints => Ok(known),
                Some(_) if !self.is_allowed(condition, state, &candidate.state())? => Ok(None),
                known => Ok(known),
            });
            match known {
                Ok(None) => ControlFlow::Continue(()),
                Ok(Some(known)) if inner => visit(Reached::Refined(candidate, self.arguments.keep(known))),
                Ok(Some(_)) => visit(Reached::New(candidate)),
                Err(failure) => {
                    failed.get_or_insert(failure);
                    ControlFlow::Continue(())
                }
            }
        });
        steps.and(failed.map_or(Ok(()), Err))
    }

    /// The arguments of an event after a move, if its inner steps determine more than was recorded.
    pub fn known_args(&self, event: EventRef, kind: Kind, args: ArgumentsId) -> Option<Vec<Option<Value>>> {
        let (Kind::Happen(nth) | Kind::Inner(nth)) = kind else { return None };
        let (_, choice) = self.history.choice(self.history.event(event), nth);
        self.arguments.get(args).filter(|_| choice.is_open).map(|known| arguments::values(&known))
    }

    /// By lane: what its next event's inner steps determine beyond what was recorded.
    pub fn begun(&self, placement: &Placement) -> Vec<Option<Begun>> {
        let begun = |(lane, bound): (usize, &Option<Bound>)| {
            let Bound { choice, args } = (*bound)?;
            let recorded =
                || Some(self.history.args(self.history.choice(self.next(placement, lane)?, choice).1).to_vec());
            let known = self.arguments.get(args);
            let is_narrowed = known.as_deref().is_some_and(arguments::is_narrowed);
            let args = known.map(|known| arguments::values(&known)).or_else(recorded)?;
            Some(Begun { choice, args, is_narrowed })
        };
        placement.all_bound().iter().enumerate().map(begun).collect()
    }

    /// What inner steps determine about arguments, for replaying moves.
    pub fn arguments(&self) -> Arc<ArgumentTable> {
        Arc::clone(&self.arguments)
    }

    /// The same question, for replaying moves that were made with this table.
    pub fn with_arguments(self, arguments: Arc<ArgumentTable>) -> Self {
        Self { arguments, ..self }
    }

    /// Makes a move again: the state that it leads to.
    pub fn replay(&self, placed: &Placed, placement: &mut Placement, state: &State) -> Result<State, Failure> {
        let mut found = None;
        if placed.branch == Placed::SAME_STATE {
            found = Some(state.clone());
        } else {
            let mut branch = 0;
            let steps = self.successors(placement, state, placed.it, |reached: Reached<'_>| {
                if branch == placed.branch {
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
        placement.make(self.history, placed.it, placed.args);
        found.ok_or_else(|| Failure::unplaced("a step that was found cannot be found again"))
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

    /// What distinguishes a state from others: its fingerprint, or that of its `VIEW`.
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

    /// What a choice reads and changes, if that is known.
    pub fn footprint(&self, choice: ChoiceId) -> Option<Footprint> {
        let (compiled, entry) = self.compiled.get(choice, false)?;
        compiled.footprint(entry, self.history.args(self.history.choice_of(choice)))
    }

    /// The condition because of which a choice cannot happen in a state, if it is one of its footprint's.
    #[inline]
    pub fn refusal(&self, choice: ChoiceId, state: &State) -> Option<Entry> {
        let (compiled, entry) = self.compiled.get(choice, false)?;
        compiled.refusal(state, entry, self.history.args(self.history.choice_of(choice)))
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
    /// One that was not made yet, and what is known about the event's arguments after the step.
    Refined(Candidate<'a>, ArgumentsId),
}

impl Reached<'_> {
    /// The state.
    pub fn state(&self) -> State {
        match self {
            Self::Same(state) => (*state).clone(),
            Self::New(candidate) | Self::Refined(candidate, _) => candidate.state(),
        }
    }

    /// Its fingerprint.
    pub fn fingerprint(&self) -> u128 {
        match self {
            Self::Same(state) => state.fingerprint().0,
            Self::New(candidate) | Self::Refined(candidate, _) => candidate.fingerprint().0,
        }
    }

    /// What is known about the event's arguments after the step.
    #[inline]
    pub fn arguments(&self) -> ArgumentsId {
        match self {
            Self::Refined(_, args) => *args,
            Self::Same(_) | Self::New(_) => ArgumentsId::AS_RECORDED,
        }
    }
}
