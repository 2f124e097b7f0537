//! The problem of a specification: its actions with recorded arguments, from its states.

use std::ops::ControlFlow;
use std::sync::Arc;

use omnilink_tla::internal::analysis::{Entry, Footprint, VariableId};
use omnilink_tla::spec::{ActionId, Candidate};
use omnilink_tla::{Failure, Spec, State, TlaError, Value};

use super::arguments::{self, ArgumentTable, Arguments, ArgumentsId};
use super::compiled::CompiledChoices;
use super::deepest::Begun;
use super::problem::{Problem, Reached, Step};
use super::{Bound, Kind, Placement};
use crate::conditions::Conditions;
use crate::history::{Act, Choice, History};
use crate::prepare::Prepared;
use crate::timeline::{ChoiceId, EventRef, Timeline};

/// A specification, and the events of a trace.
pub(crate) struct SpecProblem<'a> {
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

impl<'a> SpecProblem<'a> {
    /// The events of a trace and what is asked of them.
    pub fn new(spec: &'a Spec, prepared: &'a Prepared, honour_constraints: bool) -> Self {
        let Prepared { history, conditions, .. } = prepared;
        let (compiled, arguments) = (CompiledChoices::new(spec, history), Arc::default());
        Self { spec, history, conditions, compiled, use_view: false, honour_constraints, arguments }
    }

    /// The same, of other events of the same specification.
    pub fn with_history<'b>(&'b self, history: &'b History) -> SpecProblem<'b> {
        SpecProblem {
            history,
            compiled: self.compiled.of_part(history),
            arguments: Arc::clone(&self.arguments),
            ..*self
        }
    }
}

impl SpecProblem<'_> {
    /// The same of a choice that the next-state relation decides on, or that something else is asked of.
    #[inline(never)]
    fn other_successors(
        &self,
        choice: &Choice,
        inner: bool,
        state: &State,
        visit: &mut dyn FnMut(SpecState<'_>) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let (action, args) = self.action(choice, inner);
        let condition = choice.condition.filter(|_| !inner);
        if condition.is_none() && !self.honour_constraints {
            return self.spec.visit_steps(state, action, args, &mut |candidate| visit(SpecState::New(candidate)));
        }
        let mut failed = None;
        let steps = self.spec.visit_steps(state, action, args, &mut |candidate| {
            let next = candidate.state();
            match self.is_allowed(condition, state, &next) {
                Ok(true) => return visit(SpecState::Same(&next)),
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
        visit: &mut dyn FnMut(SpecState<'_>) -> ControlFlow<()>,
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
                Ok(Some(known)) if inner => visit(SpecState::Refined(candidate, self.arguments.keep(known))),
                Ok(Some(_)) => visit(SpecState::New(candidate)),
                Err(failure) => {
                    failed.get_or_insert(failure);
                    ControlFlow::Continue(())
                }
            }
        });
        steps.and(failed.map_or(Ok(()), Err))
    }

    /// What a choice, or an inner step of it, reads and changes, if that is known.
    pub fn footprint_of(&self, choice: ChoiceId, inner: bool) -> Option<Footprint> {
        let (compiled, entry) = self.compiled.get(choice, inner)?;
        compiled.footprint(entry, self.history.args(self.history.choice(choice)))
    }

    /// What inner steps determine about arguments, for replaying moves.
    pub fn arguments(&self) -> Arc<ArgumentTable> {
        Arc::clone(&self.arguments)
    }

    /// The same question, for replaying moves that were made with this table.
    pub fn with_arguments(self, arguments: Arc<ArgumentTable>) -> Self {
        Self { arguments, ..self }
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

    /// The action and arguments that a choice asks the specification for.
    pub fn action(&self, choice: &Choice, inner: bool) -> (ActionId, &[Option<Value>]) {
        (choice.act.action(inner), self.history.args(choice))
    }
}

impl Problem for SpecProblem<'_> {
    type State = State;
    type Reached<'r> = SpecState<'r>;
    type Failure = Failure;
    type Arguments = Vec<Option<Value>>;

    #[inline]
    fn timeline(&self) -> &Timeline {
        &self.history.timeline
    }

    fn has_inner_steps(&self, choice: ChoiceId) -> bool {
        matches!(self.history.choice(choice).act, Act::Steps { .. })
    }

    #[inline]
    fn steps(
        &self,
        placement: &Placement,
        state: &State,
        Step { lane, choice: id, inner }: Step,
        mut visit: impl FnMut(SpecState<'_>) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let choice = self.history.choice(id);
        if choice.is_open {
            let known = placement.bound(lane as usize).and_then(|bound| self.arguments.get(bound.args));
            if inner || known.is_some() {
                return self.refining_successors(choice, inner, known.as_deref(), state, &mut visit);
            }
        }
        if let Some((compiled, entry)) = self.compiled.get(id, inner)
            && !self.honour_constraints
        {
            let visit = |candidate: Candidate<'_>| visit(SpecState::New(candidate));
            return compiled.visit(state, entry, self.history.args(choice), visit);
        }
        self.other_successors(choice, inner, state, &mut visit)
    }

    #[inline]
    fn identity(&self, reached: &SpecState<'_>) -> Result<u128, Failure> {
        if !self.use_view {
            return Ok(self.fingerprint(reached));
        }
        let view = self.spec.view(&reached.state()).map_err(|error| Failure::unplaced(error.to_string()))?;
        Ok(view.map_or_else(|| self.fingerprint(reached), |view| view.fingerprint().0))
    }

    #[inline]
    fn fingerprint(&self, reached: &SpecState<'_>) -> u128 {
        match reached {
            SpecState::Same(state) => state.fingerprint().0,
            SpecState::New(candidate) | SpecState::Refined(candidate, _) => candidate.fingerprint().0,
        }
    }

    fn has_footprints(&self) -> bool {
        !self.use_view && !self.honour_constraints
    }

    fn footprint(&self, choice: ChoiceId) -> Option<Footprint> {
        self.footprint_of(choice, false)
    }

    #[inline]
    fn refusal(&self, choice: ChoiceId, state: &State) -> Option<Entry> {
        let (compiled, entry) = self.compiled.get(choice, false)?;
        compiled.refusal(state, entry, self.history.args(self.history.choice(choice)))
    }

    fn has_front(&self, state: &State, variable: VariableId) -> bool {
        state.has_front(variable)
    }

    fn known_args(&self, event: EventRef, kind: Kind, args: ArgumentsId) -> Option<Self::Arguments> {
        let (Kind::Happen(nth) | Kind::Inner(nth)) = kind else { return None };
        let choice = self.history.choice(self.timeline().event(event).choice(nth));
        self.arguments.get(args).filter(|_| choice.is_open).map(|known| arguments::values(&known))
    }

    fn begun(&self, placement: &Placement) -> Vec<Option<Begun<Self::Arguments>>> {
        let begun = |(lane, bound): (usize, &Option<Bound>)| {
            let Bound { choice, args } = (*bound)?;
            let recorded =
                || Some(self.history.args(self.history.choice(self.next(placement, lane)?.choice(choice))).to_vec());
            let known = self.arguments.get(args);
            let is_narrowed = known.as_deref().is_some_and(arguments::is_narrowed);
            let args = known.map(|known| arguments::values(&known)).or_else(recorded)?;
            Some(Begun { choice, args, is_narrowed })
        };
        placement.all_bound().iter().enumerate().map(begun).collect()
    }
}

/// A state that a step of a specification leads to.
pub(crate) enum SpecState<'a> {
    /// One that exists.
    Same(&'a State),
    /// One that was not made yet.
    New(Candidate<'a>),
    /// One that was not made yet, and what is known about the event's arguments after the step.
    Refined(Candidate<'a>, ArgumentsId),
}

impl SpecState<'_> {
    fn state(&self) -> State {
        match self {
            Self::Same(state) => (*state).clone(),
            Self::New(candidate) | Self::Refined(candidate, _) => candidate.state(),
        }
    }
}

impl<'r> Reached<'r> for SpecState<'r> {
    type State = State;

    fn same(state: &'r State) -> Self {
        Self::Same(state)
    }

    fn into_state(self) -> State {
        self.state()
    }

    #[inline]
    fn arguments(&self) -> ArgumentsId {
        match self {
            Self::Refined(_, args) => *args,
            Self::Same(_) | Self::New(_) => ArgumentsId::AS_RECORDED,
        }
    }
}
