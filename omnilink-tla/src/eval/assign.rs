//! Assignments: `x' = e`, `x' \in S`, `UNCHANGED`.

use super::action::{Progress, Runner, Task, Work};
use super::binders::Flow;
use super::context::{Assigned, Context, Moment, Next};
use super::env::{Binding, Env, Held};
use super::expr::at;
use super::{Evaluator, Failure, stack};
use crate::ir::{Action, Expr, ExprKind, VariableId};
use crate::value::Value;

impl Runner<'_> {
    /// `target = value`
    pub(super) fn run_equal<'a>(
        &mut self,
        action: &'a Action,
        target: &'a Expr,
        value: &'a Expr,
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let cx = progress.cx;
        let Some(variable) = self.evaluator.assignable(target, env, cx) else {
            return match self.evaluator.equal(target, value, env, cx, action.span) {
                Err(failure) if failure.needs().is_some() => {
                    self.solve_equation(action, target, value, env, failure, progress, rest)
                }
                truth => self.test(action, env, truth, progress, rest),
            };
        };
        match self.evaluator.normal(value, env, cx) {
            Ok(value) => self.assign(variable, Held::Own(value), progress, rest),
            Err(failure) => self.defer(action, env, failure, progress, rest),
        }
    }

    /// `target \in set`
    pub(super) fn run_member<'a>(
        &mut self,
        action: &'a Action,
        target: &'a Expr,
        set: &'a Expr,
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let cx = progress.cx;
        let Some(variable) = self.evaluator.assignable(target, env, cx) else {
            return match self.evaluator.member(target, set, env, cx, action.span) {
                Err(failure) if failure.needs().is_some() => {
                    self.solve_membership(action, target, set, env, failure, progress, rest)
                }
                truth => self.test(action, env, truth, progress, rest),
            };
        };
        let elements = match self.evaluator.eval(set, env, cx) {
            Ok(elements) => elements,
            Err(failure) => return self.defer(action, env, failure, progress, rest),
        };
        let elements = elements.iterate("enumerate").map_err(|error| at(error, set.span))?;
        self.try_each(elements, |runner, element| {
            let element = element.map_err(|error| at(error, set.span))?;
            runner.assign(variable, Held::Own(element), progress, rest)
        })
    }

    /// `UNCHANGED e`
    pub(super) fn run_unchanged<'a>(
        &mut self,
        action: &'a Action,
        expr: &'a Expr,
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let cx = progress.cx;
        self.evaluator.deeper(expr.span)?;
        match &expr.kind {
            ExprKind::Variable(variable) if !cx.primed && cx.next(*variable).is_none() => {
                match cx.state.get(variable.0 as usize) {
                    Some(value) => self.assign(*variable, Held::Ref(value), progress, rest),
                    None => Err(Failure::new("UNCHANGED needs a state", action.span)),
                }
            }
            ExprKind::Tuple(parts) => self.unchanged_parts(action, parts, env, progress, rest),
            ExprKind::Call(id, args) if args.is_empty() => {
                let body = &self.evaluator.program.definition(*id).body;
                self.run_unchanged(action, body, &Env::EMPTY, progress, rest)
            }
            ExprKind::Local(local) => match env.find(*local) {
                (Binding::Lazy(lazy), _) => self.run_unchanged(action, lazy.expr, lazy.env, progress, rest),
                (Binding::Let { definition, .. }, frame) => {
                    self.run_unchanged(action, &definition.lambda.body, frame, progress, rest)
                }
                _ => self.resume(progress, rest),
            },
            _ => {
                let (now, next) = (self.evaluator.eval(expr, env, cx), self.evaluator.eval(expr, env, cx.prime()));
                let truth = match (now, next) {
                    (Ok(now), Ok(next)) => now.equals(&next).map_err(|error| at(error, action.span)),
                    (Err(failure), _) | (_, Err(failure)) => Err(failure),
                };
                self.test(action, env, truth, progress, rest)
            }
        }
    }

    pub(super) fn unchanged_parts<'a>(
        &mut self,
        action: &'a Action,
        parts: &'a [Expr],
        env: &'a Env<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let Some((first, others)) = parts.split_first() else { return self.resume(progress, rest) };
        let cx = progress.cx;
        if let ExprKind::Variable(variable) = &first.kind
            && !cx.primed
            && cx.next(*variable).is_none()
            && let Some(value) = cx.state.get(variable.0 as usize)
        {
            let assigned = Assigned { variable: *variable, value: Held::Ref(value), before: cx.assigned() };
            let moment = Moment { state: cx.state, next: Next::Partly(Some(&assigned)) };
            return self.unchanged_parts(action, others, env, &progress.after(&moment), rest);
        }
        let then = Task { work: Work::Unchanged(action, others), env, depth: progress.depth, then: rest };
        self.run_unchanged(action, first, env, progress, Some(&then))
    }

    /// Gives a variable of the next state its value and goes on.
    fn assign<'a>(
        &mut self,
        variable: VariableId,
        value: Held<'a>,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let assigned = Assigned { variable, value, before: progress.cx.assigned() };
        let moment = Moment { state: progress.cx.state, next: Next::Partly(Some(&assigned)) };
        self.resume(&progress.after(&moment), rest)
    }
}

impl Evaluator<'_> {
    /// A value as variables hold it.
    pub(super) fn normal<'a>(&'a self, expr: &'a Expr, env: &'a Env<'a>, cx: Context<'a>) -> Result<Value, Failure> {
        self.eval(expr, env, cx)?.own().normalize().map_err(|error| at(error, expr.span))
    }

    /// The variable of the next state that an equation's left side is, if it has no value yet. It may be written under
    /// another name: that of a parameter (`Set(v, e) == v' = e`), of a `LET`, of a definition.
    pub(super) fn assignable(&self, target: &Expr, env: &Env<'_>, cx: Context<'_>) -> Option<VariableId> {
        let variable = match &target.kind {
            ExprKind::Primed(variable) => *variable,
            ExprKind::Variable(variable) if cx.primed => *variable,
            ExprKind::Prime(inner) => return self.assignable(inner, env, cx.prime()),
            ExprKind::Local(local) => {
                return match env.find(*local) {
                    (Binding::Lazy(lazy), _) => self.assignable(lazy.expr, lazy.env, cx),
                    (Binding::Let { definition, .. }, frame) if definition.lambda.arity == 0 && stack::is_left() => {
                        self.assignable(&definition.lambda.body, frame, cx)
                    }
                    _ => None,
                };
            }
            ExprKind::Call(id, args) if args.is_empty() && stack::is_left() => {
                return self.assignable(&self.program.definition(*id).body, &Env::EMPTY, cx);
            }
            _ => return None,
        };
        matches!((cx.next, cx.next(variable)), (Next::Partly(_), None)).then_some(variable)
    }
}
