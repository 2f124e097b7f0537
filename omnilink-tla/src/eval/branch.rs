//! The nodes of an action that branch, bind names or only test.

use std::ops::ControlFlow;

use super::Failure;
use super::action::{Manner, Progress, Runner, Sink, Task, Work};
use super::binders::Flow;
use super::env::{Binding, Env, Held, Lazy, Operator};
use super::expr::{at, let_frame, no_arm};
use crate::ir::{Action, ActionKind, Arg, Bounds, Lambda, Local};
use crate::source::Span;
use crate::value::Value;

impl Runner<'_> {
    /// Runs an action that is neither a conjunction nor a definition nor an assignment.
    #[inline(never)]
    pub(super) fn run_branching<'a>(
        &mut self,
        action: &'a Action,
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let (evaluator, cx) = (self.evaluator, progress.cx);
        match &action.kind {
            ActionKind::Or(_) | ActionKind::Exists(..) | ActionKind::ForAll(..) if self.is_complete(progress) => {
                self.test(action, env, self.is_true(action, env, progress), progress, rest)
            }
            ActionKind::ForAll(bounds, body) => match evaluator.frames(bounds, env, cx) {
                Ok(frames) => self.for_all(&frames, body, env, progress, rest),
                Err(failure) => self.defer(action, env, failure, progress, rest),
            },
            ActionKind::Exists(bounds, body) => match evaluator.sets(bounds, env, cx) {
                Ok(sets) => self.exists(bounds, &sets, body, env, progress, rest),
                Err(failure) => self.defer(action, env, failure, progress, rest),
            },
            ActionKind::If(condition, then, otherwise) => match evaluator.truth(condition, env, cx) {
                Ok(true) => self.run_branch(then, env, progress, rest),
                Ok(false) => self.run_branch(otherwise, env, progress, rest),
                Err(failure) => self.defer(action, env, failure, progress, rest),
            },
            ActionKind::Case { arms, other } => match (evaluator.arm(arms, env, cx), other) {
                (Ok(Some(body)), _) => self.run_branch(body, env, progress, rest),
                (Ok(None), Some(body)) => self.run_branch(body, env, progress, rest),
                (Ok(None), None) => self.defer(action, env, no_arm(action.span), progress, rest),
                (Err(failure), _) => self.defer(action, env, failure, progress, rest),
            },
            ActionKind::Let(group, body) => {
                let frame = let_frame(group, cx);
                self.run(body, &env.enter(&frame), progress, rest)
            }
            ActionKind::CallLocal(local, args) => self.run_local(*local, args, action, env, progress, rest),
            ActionKind::Guard(condition) => match evaluator.truth(condition, env, cx) {
                Err(failure) => self.solve(action, condition, env, failure, progress, rest),
                truth => self.test(action, env, truth, progress, rest),
            },
            ActionKind::Condition { test, branches } => {
                if self.manner.branch_conditions && !self.is_complete(progress) {
                    return self.run(branches, env, progress, rest);
                }
                match evaluator.truth(test, env, cx) {
                    Err(failure) if failure.needs().is_some() => self.run(branches, env, progress, rest),
                    truth => self.test(action, env, truth, progress, rest),
                }
            }
            ActionKind::And(_)
            | ActionKind::Or(_)
            | ActionKind::Call(..)
            | ActionKind::Equal(..)
            | ActionKind::Member(..)
            | ActionKind::Unchanged(_) => self.run(action, env, progress, rest),
        }
    }

    /// An operator parameter or a definition of a `LET`.
    fn run_local<'a>(
        &mut self,
        local: Local,
        args: &'a [Arg],
        action: &'a Action,
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let (evaluator, cx) = (self.evaluator, progress.cx);
        match env.find(local) {
            (Binding::Lazy(Lazy { action: Some(argument), env: outer, .. }), _) => {
                self.run(argument, outer, progress, rest)
            }
            (Binding::Lazy(Lazy { expr, env: outer, .. }), _) => {
                self.test(action, env, evaluator.truth(expr, outer, cx), progress, rest)
            }
            (Binding::Value(value), _) => self.test(action, env, boolean(value, action.span), progress, rest),
            (Binding::Let { definition, .. }, frame) => {
                self.run_lambda(&definition.lambda, frame, args, env, action.span, progress, rest)
            }
            (Binding::Operator(Operator::Lambda(lambda, closure)), _) => {
                self.run_lambda(lambda, closure, args, env, action.span, progress, rest)
            }
            (Binding::Operator(Operator::Definition(id)), _) => {
                self.run_definition(*id, args, action, env, progress, rest)
            }
            _ => {
                let value = evaluator.call_local(local, args, env, cx, action.span);
                self.test(action, env, value.and_then(|value| boolean(&value, action.span)), progress, rest)
            }
        }
    }

    fn exists<'a>(
        &mut self,
        bounds: &'a Bounds,
        sets: &[Held<'a>],
        body: &'a Action,
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let evaluator = self.evaluator;
        evaluator.each_of(bounds, sets, env, &mut |env| {
            let flow = self.run(body, env, progress, rest);
            self.tolerated(flow)
        })
    }

    #[allow(clippy::too_many_arguments)]
    fn run_lambda<'a>(
        &mut self,
        lambda: &'a Lambda,
        closure: &'a Env<'a>,
        args: &'a [Arg],
        env: &'a Env<'a>,
        span: Span,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        self.evaluator.deeper(span)?;
        let frame = self.evaluator.bind(args, env, progress.cx)?;
        let entered;
        let inner = if args.is_empty() {
            closure
        } else {
            entered = closure.enter(&frame);
            &entered
        };
        match &lambda.action {
            Some(body) => self.run(body, inner, progress, rest),
            None => match self.evaluator.truth(&lambda.body, inner, progress.cx)? {
                true => self.resume(progress, rest),
                false => Ok(Flow::Go),
            },
        }
    }

    /// Whether an action that has nothing left to assign is true.
    fn is_true(&self, action: &Action, env: &Env<'_>, progress: &Progress<'_>) -> Result<bool, Failure> {
        let mut found = false;
        let sink: Sink<'_> = &mut |_| {
            found = true;
            Ok(ControlFlow::Break(()))
        };
        // Nothing is complete for this run, or it would ask itself.
        let progress = Progress { assigned: 0, deferred: None, ..*progress };
        Runner { evaluator: self.evaluator, manner: Manner::default(), sink }.run(action, env, &progress, None)?;
        Ok(found)
    }

    /// Runs a body for all values of bound names: a conjunction over them.
    pub(super) fn for_all<'a>(
        &mut self,
        frames: &'a [Vec<Binding<'a>>],
        body: &'a Action,
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let Some((frame, others)) = frames.split_first() else { return self.resume(progress, rest) };
        let then = Task { work: Work::ForAll(others, body), env, depth: progress.depth, then: rest };
        self.run(body, &env.enter(frame), progress, Some(&then))
    }
}

fn boolean(value: &Value, span: Span) -> Result<bool, Failure> {
    value.expect_bool("use as a condition").map_err(|error| at(error, span))
}
