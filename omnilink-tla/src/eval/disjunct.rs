//! Running one disjunct of a next-state relation, with arguments that were recorded.

use smallvec::SmallVec;

use super::action::{Disjunct, Found, Progress, Runner, Task, Work};
use super::binders::Flow;
use super::env::{Binding, Env, Frame, Lazy, Unknown, UnknownId, Unknowns};
use super::expr::{at, let_frame};
use super::solve::as_unknown;
use super::{Context, Evaluator, Failure};
use crate::ir::{Action, ActionKind, Arg, Bounds, DefinitionId, Expr};
use crate::value::{Value, ValueError};

impl Runner<'_> {
    /// Runs a disjunct, then the rest.
    pub(super) fn follow<'a>(
        &mut self,
        action: &'a Action,
        disjunct: Disjunct<'a>,
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let cx = progress.cx;
        let (mut action, mut disjunct) = (action, disjunct);
        while let ActionKind::Or(parts) = &action.kind {
            let (nth, onward) = child(disjunct);
            (action, disjunct) = (&parts[nth], onward);
        }
        match &action.kind {
            ActionKind::And(parts) => {
                let (nth, disjunct) = child(disjunct);
                let after = Task { work: Work::Actions(&parts[nth + 1..]), env, depth: progress.depth, then: rest };
                let here = Task {
                    work: Work::Disjunct(&parts[nth], disjunct),
                    env,
                    depth: progress.depth,
                    then: Some(&after),
                };
                let before = Task { work: Work::Actions(&parts[..nth]), env, depth: progress.depth, then: Some(&here) };
                self.resume(progress, Some(&before))
            }
            ActionKind::If(condition, then, otherwise) => {
                let (nth, onward) = child(disjunct);
                let (wanted, body) = if nth == 0 { (true, then) } else { (false, otherwise) };
                match self.evaluator.truth(condition, env, cx) {
                    Ok(truth) if truth == wanted => self.follow(body, onward, env, progress, rest),
                    Ok(_) => Ok(Flow::Go),
                    Err(failure) => self.defer_work(Work::Disjunct(action, disjunct), env, failure, progress, rest),
                }
            }
            ActionKind::Case { arms, other } => {
                let (nth, onward) = child(disjunct);
                let body = arms.get(nth).map(|arm| &arm.body).or(other.as_deref());
                match self.evaluator.arm(arms, env, cx) {
                    Ok(taken) => match (taken.or(other.as_deref()), body) {
                        (Some(taken), Some(body)) if std::ptr::eq(taken, body) => {
                            self.follow(body, onward, env, progress, rest)
                        }
                        _ => Ok(Flow::Go),
                    },
                    Err(failure) => self.defer_work(Work::Disjunct(action, disjunct), env, failure, progress, rest),
                }
            }
            ActionKind::Let(group, body) => {
                let frame = let_frame(group, cx);
                self.follow(body, disjunct, &env.enter(&frame), progress, rest)
            }
            ActionKind::Exists(bounds, body) => self.leave_open(action, (bounds, body), disjunct, env, progress, rest),
            ActionKind::Condition { branches, .. } => self.follow(branches, disjunct, env, progress, rest),
            ActionKind::Call(id, args) if disjunct.position.is_empty() => {
                self.arrive(action, (*id, args), disjunct.args, env, progress, rest)
            }
            ActionKind::Call(id, args) => {
                let (_, onward) = child(disjunct);
                let definition = self.evaluator.program.definition(*id);
                let frame = self.evaluator.bind_open(args, env, cx);
                let inner = Env { bindings: &frame, up: None };
                let Some(body) = &definition.action else { unreachable!("disjuncts lead through actions") };
                let depth = progress.depth + 1;
                self.follow(body, onward, &inner, &Progress { depth, ..*progress }, rest)
                    .map_err(|failure| failure.inside_action(definition.name.as_str(), action.span, depth))
            }
            _ => unreachable!("positions lead through branches and calls"),
        }
    }

    /// Leaves quantified names unknown; if there are tuple patterns among them, all are tried one by one.
    #[inline(never)]
    fn leave_open<'a>(
        &mut self,
        action: &'a Action,
        (bounds, body): (&'a Bounds, &'a Action),
        disjunct: Disjunct<'a>,
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let sets = match self.evaluator.sets(bounds, env, progress.cx) {
            Ok(sets) => sets,
            Err(failure) => return self.defer_work(Work::Disjunct(action, disjunct), env, failure, progress, rest),
        };
        if bounds.binders.iter().any(|binder| binder.tuple) {
            return self.evaluator.each_of(bounds, &sets, env, &mut |env| {
                let flow = self.follow(body, disjunct, env, progress, rest);
                self.tolerated(flow)
            });
        }
        let mut unknowns: SmallVec<[Unknown<'_>; 3]> = SmallVec::new();
        let first = progress.unknowns.map_or(0, Unknowns::count);
        for (set, binder) in sets.iter().zip(&bounds.binders) {
            let span = binder.set.span;
            if is_empty(set).map_err(|error| at(error, span))? {
                return Ok(Flow::Go);
            }
            for _ in 0..binder.names {
                unknowns.push(Unknown::new(UnknownId(first + unknowns.len()), set.clone(), span));
            }
        }
        let mut frame = Frame::new();
        for unknown in &unknowns {
            frame.push(Binding::Unknown(unknown));
        }
        let known = Unknowns { names: &unknowns, before: progress.unknowns };
        let progress = &Progress { unknowns: Some(&known), ..*progress };
        self.follow(body, disjunct, &env.enter(&frame), progress, rest)
    }

    /// Runs the action that the disjunct calls, with the arguments that were recorded.
    fn arrive<'a>(
        &mut self,
        action: &'a Action,
        (id, args): (DefinitionId, &'a [Arg]),
        recorded: &'a [Option<Value>],
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let definition = self.evaluator.program.definition(id);
        let mut frame = self.evaluator.bind_open(args, env, progress.cx);
        let mut solved: SmallVec<[(&Unknown<'_>, Value); 3]> = SmallVec::new();
        let mut equations: SmallVec<[(&Expr, &Value); 3]> = SmallVec::new();
        for ((binding, arg), value) in frame.iter_mut().zip(args).zip(recorded) {
            let (Some(value), Arg::Eager(expr) | Arg::Lazy { expr, .. }) = (value, arg) else { continue };
            match as_unknown(expr, env) {
                Some(unknown) => {
                    *binding = Binding::Value(value.clone());
                    solved.push((unknown, value.clone()));
                }
                None => {
                    // What is passed may be a variable that the action primes, so it is not forgotten.
                    if let Binding::Lazy(lazy) = binding {
                        lazy.memo = lazy.memo.known(value.clone());
                    }
                    equations.push((expr, value));
                }
            }
        }
        let inner = Env { bindings: &frame, up: None };
        let depth = progress.depth + 1;
        let body = match &definition.action {
            Some(body) => Work::Actions(std::slice::from_ref(body)),
            None => unreachable!("disjuncts call actions"),
        };
        let body = Task { work: body, env: &inner, depth, then: rest };
        let equations = Task { work: Work::Arguments(&equations), env, depth: progress.depth, then: Some(&body) };
        let progress = &Progress { parameters: Some(&inner), ..*progress };
        self.hold(&solved, progress, Some(&equations))
            .map_err(|failure| failure.inside_action(definition.name.as_str(), action.span, depth))
    }

    /// Goes on if the expressions that are passed to an action equal the arguments that were recorded.
    pub(super) fn arguments<'a>(
        &mut self,
        pairs: &'a [(&'a Expr, &'a Value)],
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let Some(((expr, recorded), others)) = pairs.split_first() else { return self.resume(progress, rest) };
        let passed = self.evaluator.eval(expr, env, progress.cx);
        let equal = passed.and_then(|passed| passed.equals(recorded).map_err(|error| at(error, expr.span)));
        match equal {
            Ok(true) => self.arguments(others, env, progress, rest),
            Ok(false) => Ok(Flow::Go),
            Err(failure) => {
                let others = Task { work: Work::Arguments(others), env, depth: progress.depth, then: rest };
                self.defer_work(Work::Arguments(&pairs[..1]), env, failure, progress, Some(&others))
            }
        }
    }
}

impl<'a> Unknowns<'a> {
    fn count(&self) -> usize {
        self.names.len() + self.before.map_or(0, Self::count)
    }
}

impl Evaluator<'_> {
    /// The arguments that an action was run with: those that were recorded, and what was found for the others; `None` for
    /// one that may be anything its quantifier allows.
    pub fn arguments_of(&self, found: &Found<'_>, recorded: &[Option<Value>]) -> Result<Vec<Option<Value>>, Failure> {
        let Some(parameters) = found.parameters else { return Ok(Vec::new()) };
        if recorded.iter().all(Option::is_some) {
            return Ok(recorded.to_vec());
        }
        let argument = |(binding, recorded): (&Binding<'_>, &Option<Value>)| match (recorded, binding) {
            (Some(value), _) | (None, Binding::Value(value)) => Ok(Some(value.clone())),
            (None, Binding::Unknown(unknown)) => Ok(unknown.get()),
            (None, Binding::Lazy(lazy)) => match self.eval(lazy.expr, lazy.env, found.context) {
                Ok(value) => value.own().normalize().map(Some).map_err(|error| at(error, lazy.expr.span)),
                Err(failure) if failure.needs().is_some() => Ok(None),
                Err(failure) => Err(failure),
            },
            (None, _) => Ok(None),
        };
        parameters.bindings.iter().zip(recorded).map(argument).collect()
    }

    /// The frame of an operator's parameters where arguments may be unknown: none is evaluated before it is used.
    pub(super) fn bind_open<'a>(&'a self, args: &'a [Arg], env: &'a Env<'a>, cx: Context<'a>) -> Frame<'a> {
        let mut frame = Frame::new();
        for arg in args {
            frame.push(match arg {
                Arg::Eager(expr) | Arg::Lazy { expr, .. } => match Binding::passed_on(expr, env) {
                    Some(binding) => binding,
                    None => Binding::Lazy(Lazy::new(expr, env, cx)),
                },
                Arg::Operator(operator) => self.operator(operator, env),
            });
        }
        frame
    }
}

/// Whether there is nothing in a set. An infinite one has elements.
#[inline]
fn is_empty(set: &Value) -> Result<bool, ValueError> {
    match set {
        Value::Set(set) => Ok(set.is_empty()),
        symbolic => Ok(symbolic.is_finite()? && symbolic.iterate("enumerate")?.next().is_none()),
    }
}

/// The child to take next on the way to a disjunct's call, and the rest of the disjunct.
pub(super) fn child(disjunct: Disjunct<'_>) -> (usize, Disjunct<'_>) {
    let (nth, position) = disjunct.position.split_first().expect("a position ends at its call");
    (*nth as usize, Disjunct { position, ..disjunct })
}
