//! Running a specification: initial states, all successors, one action.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::{Spec, State};
use crate::diagnostic::{Diagnostic, TlaError};
use crate::eval::{Context, Disjunct, Failure, Flat, Found, Keeping, Manner, Moment};
use crate::ir::{Action, Variable, VariableId};
use crate::value::{Fingerprint, Value};

/// Which action of [`Spec::actions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActionId(pub usize);

/// One step of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The action.
    pub action: ActionId,
    /// Its arguments; `None` for one that was not recorded and on which nothing depends.
    pub args: Vec<Option<Value>>,
    /// The state it leads to.
    pub next: State,
}

/// A state that was found and not made yet.
pub struct Candidate<'a> {
    context: Context<'a>,
    /// How many variables there are; all are assigned.
    variables: u32,
    fingerprint: Option<Fingerprint>,
}

impl Candidate<'_> {
    /// Its values.
    #[inline]
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        (0..self.variables).map(|at| self.context.next(VariableId(at)).expect("all variables are assigned"))
    }

    /// Its fingerprint.
    #[inline]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint.unwrap_or_else(|| Fingerprint::of_sequence(self.values().map(Value::fingerprint)))
    }

    /// The state.
    #[inline]
    pub fn state(&self) -> State {
        State::new(self.values().cloned())
    }
}

impl Spec {
    /// Visits the initial states, each as often as `Init` allows it, as TLC counts them.
    ///
    /// # Errors
    /// If `Init` is missing, cannot be evaluated or leaves a variable without a value.
    pub fn init_states(&self, visit: &mut dyn FnMut(State) -> ControlFlow<()>) -> Result<(), Box<TlaError>> {
        self.init_candidates(&mut |candidate| visit(candidate.state()))
    }

    /// Visits the successors of a state, each as often as `Next` allows it, as TLC counts them.
    ///
    /// # Errors
    /// If `Next` is missing, cannot be evaluated or leaves a variable without a value.
    pub fn next_states(
        &self,
        state: &State,
        visit: &mut dyn FnMut(State) -> ControlFlow<()>,
    ) -> Result<(), Box<TlaError>> {
        self.next_candidates(state, &mut |candidate| visit(candidate.state()))
    }

    pub(crate) fn init_candidates(
        &self,
        visit: &mut dyn FnMut(Candidate<'_>) -> ControlFlow<()>,
    ) -> Result<(), Box<TlaError>> {
        let Some(init) = &self.program.init else { return Err(self.missing("initial predicate", "Init")) };
        self.generate(init, Context::CONSTANT.prime(), visit)
    }

    pub(crate) fn next_candidates(
        &self,
        state: &State,
        visit: &mut dyn FnMut(Candidate<'_>) -> ControlFlow<()>,
    ) -> Result<(), Box<TlaError>> {
        let Some((_, next)) = &self.program.next else { return Err(self.missing("next-state relation", "Next")) };
        self.generate(next, Context::of(&Moment::state(state.values())), visit)
    }

    /// The next-state relation, laid out for [`Spec::flat_candidates`].
    pub(crate) fn flat_next(&self) -> Option<Flat<'_>> {
        let (_, next) = self.program.next.as_ref()?;
        Some(Flat::of(next, &self.program, &self.evaluator()))
    }

    /// [`Spec::next_candidates`] by a next-state relation that was laid out before, which is faster, and with what of each
    /// state is kept.
    pub(crate) fn flat_candidates(
        &self,
        next: Option<&mut Flat<'_>>,
        keeping: &Keeping,
        state: &State,
        visit: &mut dyn FnMut(Candidate<'_>) -> ControlFlow<()>,
    ) -> Result<(), Box<TlaError>> {
        let Some(next) = next else { return self.next_candidates(state, visit) };
        let moment = Moment::state(state.values());
        let found = &mut |found: Found<'_>| Ok(visit(self.candidate(&found)?));
        let kept = keeping.begin(state.values());
        let evaluator = self.evaluator().keeping(kept.as_ref());
        next.run(&evaluator, Context::of(&moment), found).map_err(|failure| {
            // Run as usual, the error tells the way to it.
            let as_usual = self.next_candidates(state, &mut |_| ControlFlow::Continue(()));
            as_usual.err().unwrap_or_else(|| self.error(failure))
        })
    }

    fn generate(
        &self,
        action: &Action,
        cx: Context<'_>,
        visit: &mut dyn FnMut(Candidate<'_>) -> ControlFlow<()>,
    ) -> Result<(), Box<TlaError>> {
        let manner = Manner { branch_conditions: true, ..Manner::default() };
        let found = &mut |found: Found<'_>| Ok(visit(self.candidate(&found)?));
        self.evaluator().run(action, cx, manner, found).map_err(|failure| self.error(failure.located(action.span)))
    }

    /// The successors of a state, each with the action and arguments that lead to it. Steps of parts of `Next` that have no
    /// name are not among them.
    ///
    /// # Errors
    /// If an action cannot be evaluated.
    pub fn successors(&self, state: &State) -> Result<Vec<Step>, Box<TlaError>> {
        let mut steps = Vec::new();
        for at in 0..self.actions.actions.len() {
            steps.extend(self.steps_of(state, ActionId(at))?);
        }
        Ok(steps)
    }

    /// The steps that an action can take from a state with these arguments, in the order of its parameters. An argument that
    /// is not known (`None`) is solved for: by an equation that determines it, else by trying what its quantifier allows.
    ///
    /// A step is one of `Next`: quantifiers' bounds hold, guards on the way are true, passed expressions equal the arguments.
    ///
    /// # Errors
    /// If the action cannot be evaluated on some branch and no other branch leads to a step.
    ///
    /// # Panics
    /// If there are fewer or more arguments than the action has parameters.
    pub fn step(&self, state: &State, action: ActionId, args: &[Option<Value>]) -> Result<Vec<Step>, Box<TlaError>> {
        self.steps(state, action, args, false)
    }

    fn steps(
        &self,
        state: &State,
        action: ActionId,
        args: &[Option<Value>],
        name_arguments: bool,
    ) -> Result<Vec<Step>, Box<TlaError>> {
        let spec_action = &self.actions.actions[action.0];
        assert_eq!(args.len(), spec_action.params.len(), "{} has other parameters", spec_action.name);
        if let Some(steps) = self.unconditional_steps(state, action, args) {
            return Ok(steps);
        }
        let Some((_, next)) = &self.program.next else { return Err(self.missing("next-state relation", "Next")) };
        let failed = RefCell::new(None);
        let manner = Manner { name_arguments, tolerate: Some(&failed), ..Manner::default() };
        let moment = Moment::state(state.values());
        let cx = Context::of(&moment);
        let evaluator = self.evaluator();
        let mut steps: Vec<Step> = Vec::new();
        for disjunct in &spec_action.disjuncts {
            let disjunct = Disjunct { position: &disjunct.position, args };
            let run = evaluator.run_route(next, disjunct, cx, manner, &mut |found| {
                let args = evaluator.arguments_of(&found, args)?;
                let next = self.candidate(&found).map_err(|failure| failure.located(spec_action.span))?.state();
                let step = Step { action, args, next };
                if !steps.contains(&step) {
                    steps.push(step);
                }
                Ok(ControlFlow::Continue(()))
            });
            if let Err(failure) = run {
                failed.borrow_mut().get_or_insert(failure);
            }
        }
        match failed.into_inner() {
            Some(failure) if steps.is_empty() => Err(self.error(failure)),
            _ => Ok(steps),
        }
    }

    /// The steps of an action that the next-state relation allows in every state, unless all its branches fail: then
    /// running the disjuncts of `Next` gives the error with its stack of definitions.
    fn unconditional_steps(&self, state: &State, action: ActionId, args: &[Option<Value>]) -> Option<Vec<Step>> {
        self.argument_sets[action.0]
            .get_or_init(|| self.argument_sets(action))
            .as_ref()
            .filter(|sets| sets.admits(args))?;
        // Most actions with known arguments have one outcome.
        let mut steps: Vec<Step> = Vec::with_capacity(1);
        let run = self.visit_call(state, action, args, &mut |candidate| {
            let step = Step { action, args: args.to_vec(), next: candidate.state() };
            if !steps.contains(&step) {
                steps.push(step);
            }
            ControlFlow::Continue(())
        });
        (run.is_ok() || !steps.is_empty()).then_some(steps)
    }

    /// Whether an action with these arguments can be seen never to change a variable, from whatever state. `false` if that is
    /// not plain: every assignment that it can reach must be `UNCHANGED` or `x' = x`.
    ///
    /// # Panics
    /// If there are fewer or more arguments than the action has parameters.
    pub fn is_read_only(&self, action: ActionId, args: &[Option<Value>]) -> bool {
        let spec_action = &self.actions.actions[action.0];
        assert_eq!(args.len(), spec_action.params.len(), "{} has other parameters", spec_action.name);
        spec_action.is_self_contained && self.evaluator().never_changes(spec_action.definition, args)
    }

    /// The action that leads from one state to another, with its arguments. `None` if none has a name, or if that cannot be
    /// told because an action fails.
    pub fn action_between(&self, from: &State, to: &State) -> Option<(ActionId, Vec<Option<Value>>)> {
        let steps =
            (0..self.actions.actions.len()).flat_map(|at| self.steps_of(from, ActionId(at)).unwrap_or_default());
        steps.into_iter().find(|step| step.next == *to).map(|step| (step.action, step.args))
    }

    /// All steps of an action, whatever its arguments.
    fn steps_of(&self, state: &State, action: ActionId) -> Result<Vec<Step>, Box<TlaError>> {
        let unknown = vec![None; self.actions.actions[action.0].params.len()];
        self.steps(state, action, &unknown, true)
    }

    /// The state that a run has found.
    #[inline]
    pub(super) fn candidate<'a>(&self, found: &Found<'a>) -> Result<Candidate<'a>, Failure> {
        let variables = &self.program.variables;
        if found.fingerprint.is_none() {
            for (at, variable) in variables.iter().enumerate() {
                if found.context.next(VariableId(at as u32)).is_none() {
                    return Err(without_value(variable, found.context.primed));
                }
            }
        }
        Ok(Candidate { context: found.context, variables: variables.len() as u32, fingerprint: found.fingerprint })
    }

    pub(super) fn missing(&self, what: &str, name: &str) -> Box<TlaError> {
        let module = self.program.module;
        let option = name.to_uppercase();
        self.report(Diagnostic::error(format!("{module} has no {what}")).hint(format!(
            "define {name}, or name another operator: `{option} …` or `SPECIFICATION …` in the .cfg file"
        )))
    }
}

#[cold]
fn without_value(variable: &Variable, primed: bool) -> Failure {
    let (name, prime) = (variable.name, if primed { "" } else { "'" });
    Failure::unplaced(format!("this leaves {name}{prime} without a value"))
        .hint(format!("add `{name}{prime} = …`{}", if prime.is_empty() { "" } else { " or UNCHANGED" }))
}
