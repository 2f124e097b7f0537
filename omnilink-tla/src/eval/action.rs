//! Actions: finding next states.
//!
//! As TLC does it: conjuncts from left to right; `x' = e` assigns if `x'` has no value yet and tests otherwise; a
//! disjunction and an existential quantifier try each branch, with all that follows in the conjunction around them. What
//! follows is a list of [`Task`]s on the stack; the next state so far is one of [`Assigned`]s.
//!
//! A run may be one of a single [`Disjunct`] of a next-state relation. Quantified names around its call are then not tried
//! one by one but left [`Unknown`] until the action's arguments, or an equation in it, determine them: see [`super::solve`].

use std::ops::ControlFlow;

use super::binders::Flow;
use super::context::{Context, Moment, Next};
use super::env::{Binding, Env, Unknowns};
use super::solve::{Deferred, owns_unknowns, unresolved};
use super::{Evaluator, Failure, stack};
use crate::ir::{Action, ActionKind, Arg, Expr};
use crate::source::Span;
use crate::value::{Fingerprint, Value};

/// One next state that was found.
pub struct Found<'a> {
    /// The state and all that was assigned.
    pub context: Context<'a>,
    /// The parameters of the action that a [`Disjunct`] calls.
    pub parameters: Option<&'a Env<'a>>,
    /// The fingerprint of the state that was found, if all of it was assigned and its fingerprint is known.
    pub fingerprint: Option<Fingerprint>,
}

/// What a run does with the states it finds; it can end the run.
pub type Sink<'s> = &'s mut dyn for<'x> FnMut(Found<'x>) -> Result<ControlFlow<()>, Failure>;

/// A disjunct of a next-state relation, or what is left of it: where its call of an action stands, and the call's arguments.
#[derive(Clone, Copy)]
pub struct Disjunct<'a> {
    /// The position of the call: at each node that has several children the one to take, which is an alternative of a
    /// disjunction, `IF` or `CASE`, or a conjunct. Empty at the call itself.
    pub position: &'a [u32],
    /// The recorded arguments; `None` for one that was not recorded.
    pub args: &'a [Option<Value>],
}

/// How a run goes.
#[derive(Clone, Copy, Default)]
pub struct Manner<'a> {
    /// Find a state once for every true branch of a condition without primes, as TLC counts states, not once.
    pub branch_conditions: bool,
    /// Name every argument that was not recorded, by trying all that its quantifier allows even if nothing depends on it.
    pub name_arguments: bool,
    /// Report what is known about the action's arguments: where several depend on one value, try all that its quantifier allows.
    pub report_arguments: bool,
    /// A branch that fails does not end the run; the first failure is kept here.
    pub tolerate: Option<&'a std::cell::RefCell<Option<Failure>>>,
    /// Every branch is run, even one that can only test; those that the run is in are here, outermost first.
    pub branches: Option<&'a std::cell::RefCell<Vec<Span>>>,
}

/// What is left to do in a conjunction.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub work: Work<'a>,
    pub env: &'a Env<'a>,
    /// How many definitions deep it stands.
    pub depth: u32,
    pub then: Option<&'a Task<'a>>,
}

/// Something that has to be true.
#[derive(Clone, Copy)]
pub(super) enum Work<'a> {
    /// Conjuncts.
    Actions(&'a [Action]),
    /// A conjunct on the disjunct to an action.
    Disjunct(&'a Action, Disjunct<'a>),
    /// A body for each of these frames.
    ForAll(&'a [Vec<Binding<'a>>], &'a Action),
    /// What is left of an `UNCHANGED` tuple, with the action it stands in.
    Unchanged(&'a Action, &'a [Expr]),
    /// Arguments equal what was recorded.
    Arguments(&'a [(&'a Expr, &'a Value)]),
}

impl Work<'_> {
    #[cold]
    fn too_deep(&self) -> Failure {
        let span = match self {
            Work::Actions(actions) => actions.first().map(|action| action.span),
            Work::Disjunct(action, _) | Work::ForAll(_, action) | Work::Unchanged(action, _) => Some(action.span),
            Work::Arguments(pairs) => pairs.first().map(|(expr, _)| expr.span),
        };
        span.into_iter().fold(Failure::too_deep(), Failure::located)
    }
}

/// How far a run has got.
#[derive(Clone, Copy)]
pub(super) struct Progress<'a> {
    pub cx: Context<'a>,
    pub parameters: Option<&'a Env<'a>>,
    pub unknowns: Option<&'a Unknowns<'a>>,
    pub deferred: Option<&'a Deferred<'a>>,
    /// How many definitions deep we are.
    pub depth: u32,
    /// How many variables were assigned.
    pub assigned: usize,
}

impl<'a> Progress<'a> {
    pub(super) fn begin(cx: Context<'a>) -> Self {
        Self { cx, parameters: None, unknowns: None, deferred: None, depth: 0, assigned: 0 }
    }

    /// One variable further, where a moment has it.
    pub(super) fn after(&self, moment: &'a Moment<'a>) -> Self {
        let cx = Context { primed: self.cx.primed, ..Context::of(moment) };
        Self { cx, assigned: self.assigned + 1, ..*self }
    }
}

/// A run of an action.
pub(super) struct Runner<'r> {
    pub evaluator: &'r Evaluator<'r>,
    pub manner: Manner<'r>,
    pub sink: Sink<'r>,
}

impl Evaluator<'_> {
    /// Finds the next states of an action that stands in no scope.
    pub fn run(&self, action: &Action, cx: Context<'_>, manner: Manner<'_>, sink: Sink<'_>) -> Result<(), Failure> {
        self.run_in(action, &Env::EMPTY, cx, manner, sink)
    }

    /// Finds the next states of an action in an environment.
    pub(super) fn run_in(
        &self,
        action: &Action,
        env: &Env<'_>,
        cx: Context<'_>,
        manner: Manner<'_>,
        sink: Sink<'_>,
    ) -> Result<(), Failure> {
        let mut runner = Runner { evaluator: self, manner, sink };
        runner.run(action, env, &Progress::begin(cx), None).map(|_| ())
    }

    /// Finds the next states that one disjunct of a next-state relation makes with arguments.
    pub fn run_route(
        &self,
        next: &Action,
        disjunct: Disjunct<'_>,
        cx: Context<'_>,
        manner: Manner<'_>,
        sink: Sink<'_>,
    ) -> Result<(), Failure> {
        let mut runner = Runner { evaluator: self, manner, sink };
        runner.follow(next, disjunct, &Env::EMPTY, &Progress::begin(cx), None).map(|_| ())
    }

    /// `ENABLED A`
    pub(super) fn enabled<'a>(
        &'a self,
        action: &'a Action,
        env: &'a Env<'a>,
        cx: Context<'a>,
    ) -> Result<bool, Failure> {
        let mut enabled = false;
        let from = match (cx.primed, cx.next) {
            (false, _) => Moment::state(cx.state),
            (true, Next::State(state)) => Moment::state(state),
            _ => return Err(Failure::new("ENABLED inside a prime needs a whole next state", action.span)),
        };
        self.run_in(action, env, Context::of(&from), Manner::default(), &mut |_| {
            enabled = true;
            Ok(ControlFlow::Break(()))
        })?;
        Ok(enabled)
    }
}

impl Runner<'_> {
    /// Runs an action, then the rest.
    pub(super) fn run<'a>(
        &mut self,
        action: &'a Action,
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        match &action.kind {
            ActionKind::And(parts) => self.run_all(parts, env, progress, rest),
            ActionKind::Call(id, args) => self.run_definition(*id, args, action, env, progress, rest),
            ActionKind::Or(parts) if !self.is_complete(progress) => {
                self.try_each(parts.iter(), |runner, part| runner.run_branch(part, env, progress, rest))
            }
            ActionKind::Equal(target, value) => self.run_equal(action, target, value, env, progress, rest),
            ActionKind::Member(target, set) => self.run_member(action, target, set, env, progress, rest),
            ActionKind::Unchanged(expr) => self.run_unchanged(action, expr, env, progress, rest),
            _ => self.run_branching(action, env, progress, rest),
        }
    }

    /// Runs one of the branches of a disjunction, `IF` or `CASE`, then the rest.
    pub(super) fn run_branch<'a>(
        &mut self,
        branch: &'a Action,
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let Some(branches) = self.manner.branches else { return self.run(branch, env, progress, rest) };
        branches.borrow_mut().push(branch.span);
        let flow = self.run(branch, env, progress, rest);
        branches.borrow_mut().pop();
        flow
    }

    /// Runs conjuncts from left to right, then the rest.
    fn run_all<'a>(
        &mut self,
        parts: &'a [Action],
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let mut parts = parts;
        // Guards, which most conjunctions begin with, are tested here and now.
        while let [guard @ Action { kind: ActionKind::Guard(condition), .. }, others @ ..] = parts {
            match self.evaluator.truth(condition, env, progress.cx) {
                Ok(true) => parts = others,
                Ok(false) => return Ok(Flow::Go),
                Err(failure) => {
                    let then = Task { work: Work::Actions(others), env, depth: progress.depth, then: rest };
                    return self.solve(guard, condition, env, failure, progress, Some(&then));
                }
            }
        }
        match parts {
            [] => self.resume(progress, rest),
            [last] => self.run(last, env, progress, rest),
            [first, others @ ..] => {
                let then = Task { work: Work::Actions(others), env, depth: progress.depth, then: rest };
                self.run(first, env, progress, Some(&then))
            }
        }
    }

    /// Goes on with the rest; if nothing is left, a next state was found.
    pub(super) fn resume<'a>(
        &mut self,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let Some(task) = rest else {
            if let Some(deferred) = progress.deferred {
                return self.retry(deferred, progress);
            }
            if self.manner.name_arguments
                && let Some(unknown) = unresolved(progress.unknowns)
            {
                return self.try_all(unknown, |runner| runner.resume(progress, None));
            }
            if self.manner.report_arguments
                && let Some(unknown) = self.entangled(progress)
            {
                return self.try_all(unknown, |runner| runner.resume(progress, None));
            }
            let found = Found { context: progress.cx, parameters: progress.parameters, fingerprint: None };
            return Ok(if (self.sink)(found)?.is_break() { Flow::Stop } else { Flow::Go });
        };
        let changed;
        let progress = if task.depth == progress.depth {
            progress
        } else {
            changed = Progress { depth: task.depth, ..*progress };
            &changed
        };
        // What is left of a conjunction is run inside of what came before.
        if !stack::is_left() {
            return Err(task.work.too_deep());
        }
        let flow = match task.work {
            Work::Actions(actions) => self.run_all(actions, task.env, progress, task.then),
            Work::Disjunct(action, disjunct) => self.follow(action, disjunct, task.env, progress, task.then),
            Work::ForAll(frames, body) => self.for_all(frames, body, task.env, progress, task.then),
            Work::Unchanged(action, parts) => self.unchanged_parts(action, parts, task.env, progress, task.then),
            Work::Arguments(pairs) => self.arguments(pairs, task.env, progress, task.then),
        };
        flow.map_err(|failure| failure.at_depth(task.depth))
    }

    /// Goes on if a condition is true.
    pub(super) fn test<'a>(
        &mut self,
        action: &'a Action,
        env: &'a Env<'a>,
        truth: Result<bool, Failure>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        match truth {
            Ok(true) => self.resume(progress, rest),
            Ok(false) => Ok(Flow::Go),
            Err(failure) => self.defer(action, env, failure, progress, rest),
        }
    }

    /// Tries alternatives, each with all that follows.
    pub(super) fn try_each<T>(
        &mut self,
        alternatives: impl Iterator<Item = T>,
        mut attempt: impl FnMut(&mut Self, T) -> Result<Flow, Failure>,
    ) -> Result<Flow, Failure> {
        for alternative in alternatives {
            let flow = attempt(self, alternative);
            if self.tolerated(flow)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Go)
    }

    /// The outcome of one alternative: a failure is kept for later if others may still succeed.
    pub(super) fn tolerated(&self, flow: Result<Flow, Failure>) -> Result<Flow, Failure> {
        match (flow, self.manner.tolerate) {
            (Err(failure), Some(kept)) => {
                kept.borrow_mut().get_or_insert(failure);
                Ok(Flow::Go)
            }
            (flow, _) => flow,
        }
    }

    pub(super) fn run_definition<'a>(
        &mut self,
        id: crate::ir::DefinitionId,
        args: &'a [Arg],
        action: &'a Action,
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let definition = self.evaluator.program.definition(id);
        let (evaluator, cx, depth) = (self.evaluator, progress.cx, progress.depth + 1);
        evaluator.deeper(action.span)?;
        let flow = evaluator.with_frame(args, env, cx, |bindings| {
            let inner = Env { bindings, up: None };
            match &definition.action {
                Some(body) => self.run(body, &inner, &Progress { depth, ..*progress }, rest),
                None => match evaluator.truth(&definition.body, &inner, cx)? {
                    true => self.resume(progress, rest),
                    false => Ok(Flow::Go),
                },
            }
        });
        if let Err(failure) = &flow
            && failure.needs().is_some()
        {
            // Whatever needs a value inside of the body is put off there: this was an argument or a condition.
            return self.defer(action, env, failure.clone(), progress, rest);
        }
        flow.map_err(|failure| failure.inside_action(definition.name.as_str(), action.span, depth))
    }

    /// Whether every variable is assigned: what follows only tests, and finds no state twice. With unknowns, what follows may
    /// still determine them.
    #[inline]
    pub(super) fn is_complete(&self, progress: &Progress<'_>) -> bool {
        progress.assigned == self.evaluator.program.variables.len()
            && !owns_unknowns(progress)
            && self.manner.branches.is_none()
    }
}
