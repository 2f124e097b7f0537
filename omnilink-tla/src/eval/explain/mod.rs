//! Why an action could not happen: the tree of its parts, with the outcome of each.
//!
//! ```text
//!  disjunct bounds of quantifiers, guards, arguments passed ───────────────────────┐
//!  action   conjuncts, disjuncts, choices, run as the evaluator runs them ◄────────┘
//!  formula  conditions, evaluated as values                               ◄── action
//!  operator what they are applied to, and their bodies                    ◄── action, formula
//!  deciding the values that a condition depends on                        ◄── formula
//! ```
//!
//! Every formula is first run; only if its outcome is not the required one, its parts are explained, each of them run
//! in turn. So an explanation never disagrees with what the evaluator does. Of a conjunction that cannot be satisfied,
//! the longest satisfiable prefix is found; the conjunct after it is at fault, and is explained in the states that
//! satisfy the prefix.

mod action;
mod deciding;
mod disjunct;
mod formula;
mod operator;
mod part;
mod quantified;

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::ops::ControlFlow;

pub use part::{Outcome, Part, Role, Valued};

use super::action::{Manner, Progress, Runner, Task, Work};
use super::binders::Flow;
use super::env::{Binding, Env, Unknown, Unknowns};
use super::solve::unknowns;
use super::{Context, Evaluator, Failure};
use crate::ir::{Action, Bounds, Expr};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::value::Value;

/// How many parts are looked into. An explanation is read by a person; this only keeps it from growing without end.
const MOST_PARTS: usize = 10_000;
/// How many parts deep.
const DEEPEST: u32 = 64;
/// How many choices are tried to find those that got furthest.
const TRIED: usize = 64;
/// How many of them are shown.
const SHOWN: usize = 3;

/// Explains parts of one program.
struct Explainer<'e> {
    evaluator: &'e Evaluator<'e>,
    /// The names of the values that are not known, by their ids.
    names: Vec<Symbol>,
    /// How many more parts may be looked into.
    left: Cell<usize>,
}

/// Where a formula stands.
#[derive(Clone, Copy)]
struct Scope<'a> {
    env: &'a Env<'a>,
    cx: Context<'a>,
    unknowns: Option<&'a Unknowns<'a>>,
    /// How many parts deep.
    depth: u32,
}

/// Something that has to hold, together with others.
#[derive(Clone, Copy)]
struct Goal<'a> {
    env: &'a Env<'a>,
    kind: GoalKind<'a>,
}

#[derive(Clone, Copy)]
enum GoalKind<'a> {
    /// It was looked at already, and depends on nothing that comes before it.
    Judged(&'a Part),
    /// A conjunct.
    Run(&'a Action),
    /// All of an action.
    RunWhole(&'a Action),
    /// A body for each of these frames.
    RunForAll(&'a [Vec<Binding<'a>>], &'a Action),
    /// An expression has a value: a guard on the way to an action, or what is passed to it.
    Equal(&'a (&'a Expr, &'a Value), &'a Role),
}

impl<'a> Goal<'a> {
    fn run(action: &'a Action, env: &'a Env<'a>) -> Self {
        Self { env, kind: GoalKind::Run(action) }
    }

    fn work(&self) -> Work<'a> {
        match self.kind {
            GoalKind::Judged(_) => Work::Actions(&[]),
            GoalKind::Run(action) | GoalKind::RunWhole(action) => Work::Actions(std::slice::from_ref(action)),
            GoalKind::RunForAll(frames, body) => Work::ForAll(frames, body),
            GoalKind::Equal(pair, _) => Work::Arguments(std::slice::from_ref(pair)),
        }
    }

    /// The goal as a part that is not looked into.
    fn part(&self, outcome: Outcome) -> Part {
        match self.kind {
            GoalKind::Judged(part) if outcome == Outcome::NotReached => Part { outcome, ..part.clone() },
            GoalKind::Judged(part) => part.clone(),
            GoalKind::Run(action) => Part::new(action.span, outcome).with(Role::Conjunct),
            GoalKind::RunWhole(action) | GoalKind::RunForAll(_, action) => Part::new(action.span, outcome),
            GoalKind::Equal((expr, _), role) => Part::new(expr.span, outcome).with(role.clone()),
        }
    }
}

impl<'a> Scope<'a> {
    fn within(self, env: &'a Env<'a>) -> Self {
        Self { env, ..self }
    }

    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    fn assignments(&self) -> usize {
        std::iter::successors(self.cx.assigned(), |assigned| assigned.before).count()
    }

    fn progress(&self) -> Progress<'a> {
        Progress {
            cx: self.cx,
            parameters: None,
            unknowns: self.unknowns,
            deferred: None,
            depth: 0,
            assigned: self.assignments(),
        }
    }
}

impl Explainer<'_> {
    /// Runs goals from left to right and visits the contexts in which all of them hold.
    fn run<'a>(
        &'a self,
        goals: &[Goal<'a>],
        scope: Scope<'a>,
        visit: &mut dyn for<'x> FnMut(Context<'x>) -> ControlFlow<()>,
    ) -> Outcome {
        let missed = goals.iter().find_map(|goal| match goal.kind {
            GoalKind::Judged(part) if part.outcome != Outcome::True => Some(&part.outcome),
            _ => None,
        });
        if let Some(outcome) = missed {
            return outcome.clone();
        }
        let failed = RefCell::new(None);
        let mut found = false;
        let manner = Manner { tolerate: Some(&failed), ..Manner::default() };
        let mut runner = Runner {
            evaluator: self.evaluator,
            manner,
            sink: &mut |state| {
                found = true;
                Ok(visit(state.context))
            },
        };
        let result = run_goals(&mut runner, goals, &scope.progress(), None);
        match result.err().or(failed.into_inner()) {
            _ if found => Outcome::True,
            Some(failure) => failure.into(),
            None => Outcome::False,
        }
    }

    /// What goals are, taken together.
    fn judge<'a>(&'a self, goals: &[Goal<'a>], scope: Scope<'a>) -> Outcome {
        self.run(goals, scope, &mut |_| ControlFlow::Break(()))
    }

    /// Whether to look into one more part.
    fn may_look(&self, span: Span, scope: Scope<'_>) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0 && scope.depth < DEEPEST && self.evaluator.deeper(span).is_ok()
    }

    /// Explains something again for values of the name that it needs and that nothing determines, or says why it failed.
    fn make_up_for<'a>(&'a self, failure: Failure, scope: Scope<'a>, part: &mut Part, explain: impl Fn() -> Part) {
        match self.needed(&failure, scope) {
            Some(unknown) => {
                if let Err(failure) = self.try_values(unknown, part, explain) {
                    part.outcome = failure.into();
                }
            }
            None => part.outcome = failure.into(),
        }
    }

    /// The value whose lack made something fail.
    fn needed<'a>(&self, failure: &Failure, scope: Scope<'a>) -> Option<&'a Unknown<'a>> {
        let id = failure.needs()?;
        unknowns(scope.unknowns).find(|unknown| unknown.id == id && unknown.get().is_none())
    }

    fn try_values(&self, unknown: &Unknown<'_>, part: &mut Part, explain: impl Fn() -> Part) -> Result<(), Failure> {
        let place = |error| super::expr::at(error, unknown.span);
        let mut choices = Choices::default();
        for value in unknown.bound.iterate("try all values of an argument that was not recorded").map_err(place)? {
            let value = value.map_err(place)?;
            let names = vec![(self.names[unknown.id.0], value.clone())];
            if choices.add(unknown.with(value, &explain).with(Role::Choice(names))) == Flow::Stop {
                break;
            }
        }
        part.outcome = Outcome::of_any(&choices.parts);
        choices.finish(part);
        Ok(())
    }
}

/// Ways to try: the ones that got furthest are kept.
#[derive(Default)]
struct Choices {
    parts: Vec<Part>,
}

impl Choices {
    /// Adds one; says whether to go on.
    fn add(&mut self, part: Part) -> Flow {
        self.parts.push(part);
        if self.parts.len() < TRIED { Flow::Go } else { Flow::Stop }
    }

    /// Makes the ones that got furthest parts of what they are choices for.
    fn finish(mut self, part: &mut Part) {
        self.parts.sort_by_key(|choice| Reverse(choice.reach()));
        part.more = self.parts.len() > SHOWN;
        self.parts.truncate(SHOWN);
        part.parts.append(&mut self.parts);
    }
}

/// Puts goals into a list from the last to the first, and runs it.
fn run_goals<'a>(
    runner: &mut Runner<'_>,
    goals: &[Goal<'a>],
    progress: &'a Progress<'a>,
    then: Option<&'a Task<'a>>,
) -> Result<Flow, Failure> {
    let Some((last, before)) = goals.split_last() else { return runner.resume(progress, then) };
    let task = Task { work: last.work(), env: last.env, depth: 0, then };
    run_goals(runner, before, progress, Some(&task))
}

/// Bound names and what they stand for in the innermost frame.
fn bound_names(bounds: &Bounds, env: &Env<'_>) -> Vec<(Symbol, Value)> {
    let values = env.bindings.iter().filter_map(|binding| match binding {
        Binding::Value(value) => Some(value.clone()),
        _ => None,
    });
    bounds.symbols.iter().copied().zip(values).collect()
}
