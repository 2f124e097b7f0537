//! Actions: run part by part.

use std::ops::ControlFlow;

use super::operator::Form;
use super::part::{Outcome, Part, Role, Valued};
use super::{Choices, Explainer, Goal, GoalKind, SHOWN, Scope, TRIED, bound_names};
use crate::eval::Failure;
use crate::eval::context::Context;
use crate::eval::env::{Binding, Env};
use crate::eval::expr::let_frame;
use crate::ir::{Action, ActionKind, Bounds, CaseArm, Expr, ExprKind};
use crate::symbol::Symbol;
use crate::value::Value;

impl Explainer<'_> {
    /// Whether an action can happen, and if not, why.
    pub(super) fn action<'a>(&'a self, action: &'a Action, scope: Scope<'a>) -> Part {
        match &action.kind {
            ActionKind::Let(group, body) => {
                let frame = let_frame(group, scope.cx);
                return self.action(body, scope.within(&scope.env.enter(&frame)));
            }
            ActionKind::Guard(condition) | ActionKind::Condition { test: condition, .. } => {
                return self.formula(condition, Some(true), scope);
            }
            _ => {}
        }
        let mut part = Part::new(action.span, self.judge(&[Goal::run(action, scope.env)], scope));
        if part.outcome == Outcome::True || !self.may_look(action.span, scope) {
            return part;
        }
        if let Err(failure) = self.look_into_action(action, scope.deeper(), &mut part) {
            self.make_up_for(failure, scope, &mut part, || self.action(action, scope.deeper()));
        }
        part
    }

    fn look_into_action<'a>(&'a self, action: &'a Action, scope: Scope<'a>, part: &mut Part) -> Result<(), Failure> {
        let Scope { env, cx, .. } = scope;
        match &action.kind {
            ActionKind::And(conjuncts) => {
                let goals: Vec<_> = conjuncts.iter().map(|conjunct| Goal::run(conjunct, env)).collect();
                self.conjunction(&goals, scope, part);
            }
            ActionKind::Or(disjuncts) => {
                let explained = disjuncts.iter().map(|disjunct| self.action(disjunct, scope).with(Role::Disjunct));
                part.parts.extend(explained);
            }
            ActionKind::Exists(bounds, body) => self.no_choice(bounds, body, scope, part)?,
            ActionKind::ForAll(bounds, body) => self.not_for_all(bounds, body, scope, part)?,
            ActionKind::If(condition, then, otherwise) => {
                let taken = if self.evaluator.truth(condition, env, cx)? { then } else { otherwise };
                part.parts.push(self.formula(condition, None, scope).with(Role::Condition));
                part.parts.push(self.action(taken, scope).with(Role::Branch));
            }
            ActionKind::Case { arms, other } => {
                let body = self.conditions(arms, scope, part)?.or(other.as_deref());
                part.parts.extend(body.map(|body| self.action(body, scope).with(Role::Branch)));
            }
            ActionKind::Call(id, args) => self.call(*id, args, Form::Action, scope, part)?,
            ActionKind::CallLocal(local, args) => self.call_local(*local, args, Form::Action, scope, part)?,
            ActionKind::Equal(target, value) if self.evaluator.assignable(target, env, cx).is_some() => {
                part.values = self.values_in(value, scope);
                self.evaluator.eval(value, env, cx)?;
            }
            ActionKind::Equal(left, right) => {
                part.values = self.values_of([left, right], scope);
                self.evaluator.equal(left, right, env, cx, action.span)?;
            }
            ActionKind::Member(target, set) if self.evaluator.assignable(target, env, cx).is_some() => {
                part.values = self.values_of([set], scope);
                self.evaluator.eval(set, env, cx)?;
            }
            ActionKind::Member(element, set) => {
                part.values = self.values_of([element, set], scope);
                self.evaluator.member(element, set, env, cx, action.span)?;
            }
            ActionKind::Unchanged(expr) => part.values = self.changed(expr, scope),
            ActionKind::Let(..) | ActionKind::Guard(_) | ActionKind::Condition { .. } => {
                unreachable!("these are explained by what they consist of")
            }
        }
        Ok(())
    }

    /// Finds the goal that cannot be satisfied together with those before it.
    pub(super) fn conjunction<'a>(&'a self, goals: &[Goal<'a>], scope: Scope<'a>, part: &mut Part) {
        let can_be_met = |count: &usize| self.judge(&goals[..*count], scope) == Outcome::True;
        let met = (0..goals.len()).rev().find(can_be_met).unwrap_or(0);
        part.parts.extend(goals[..met].iter().map(|goal| goal.part(Outcome::True)));
        part.parts.push(self.blame(&goals[..met], goals[met], scope));
        part.parts.extend(goals[met + 1..].iter().map(|goal| goal.part(Outcome::NotReached)));
    }

    /// Explains a goal in the states that satisfy those before it.
    fn blame<'a>(&'a self, before: &[Goal<'a>], culprit: Goal<'a>, scope: Scope<'a>) -> Part {
        let known = scope.assignments();
        let mut ways: Vec<Part> = Vec::new();
        let mut tried = 0;
        self.run(before, scope, &mut |cx| {
            let scope = Scope { cx, env: culprit.env, ..scope };
            let part = self.goal(culprit, scope);
            // Most conjuncts do not depend on how those before them were satisfied.
            let same = |way: &Part| Part { role: part.role.clone(), ..way.clone() } == part;
            if !ways.iter().any(same) {
                ways.push(part.with(Role::After(self.assigned(cx, scope.assignments() - known))));
            }
            tried += 1;
            if tried < TRIED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let mut culprit = culprit.part(Outcome::of_any(&ways));
        if ways.len() > 1 {
            culprit.more = ways.len() > SHOWN;
            ways.sort_by_key(|way| std::cmp::Reverse(way.reach()));
            ways.truncate(SHOWN);
            culprit.parts = ways;
            return culprit;
        }
        match ways.pop() {
            Some(only) => only.with(culprit.role),
            None => culprit,
        }
    }

    /// A goal, explained.
    fn goal<'a>(&'a self, goal: Goal<'a>, scope: Scope<'a>) -> Part {
        match goal.kind {
            GoalKind::Judged(part) => part.clone(),
            GoalKind::Run(action) | GoalKind::RunWhole(action) | GoalKind::RunForAll(_, action) => {
                self.action(action, scope)
            }
            GoalKind::Equal(pair, role) => self.required(pair, role, scope),
        }
        .with(goal.part(Outcome::NotReached).role)
    }

    /// The latest so many variables that were given a next value.
    fn assigned(&self, cx: Context<'_>, count: usize) -> Vec<(Symbol, Value)> {
        let latest = std::iter::successors(cx.assigned(), |assigned| assigned.before).take(count);
        let name = |variable: crate::ir::VariableId| self.evaluator.program.variables[variable.0 as usize].name;
        let mut assigned: Vec<_> =
            latest.map(|assigned| (name(assigned.variable), (*assigned.value).clone())).collect();
        assigned.reverse();
        assigned
    }

    /// `\E`, all of whose choices fail.
    fn no_choice<'a>(
        &'a self,
        bounds: &'a Bounds,
        body: &'a Action,
        scope: Scope<'a>,
        part: &mut Part,
    ) -> Result<(), Failure> {
        let sets = self.evaluator.sets(bounds, scope.env, scope.cx)?;
        part.values = self.values_of(bounds.binders.iter().map(|binder| &binder.set), scope);
        let mut choices = Choices::default();
        self.evaluator.each_of(bounds, &sets, scope.env, &mut |env| {
            let choice = Role::Choice(bound_names(bounds, env));
            Ok(choices.add(self.action(body, scope.within(env)).with(choice)))
        })?;
        choices.finish(part);
        Ok(())
    }

    /// `\A`, which is a conjunction: the first values whose body cannot be satisfied together with those before.
    fn not_for_all<'a>(
        &'a self,
        bounds: &'a Bounds,
        body: &'a Action,
        scope: Scope<'a>,
        part: &mut Part,
    ) -> Result<(), Failure> {
        let frames = self.evaluator.frames(bounds, scope.env, scope.cx)?;
        let goal = |count: usize| Goal { env: scope.env, kind: GoalKind::RunForAll(&frames[..count], body) };
        // All of them cannot be met, none of them can.
        let (mut met, mut unmet) = (0, frames.len());
        while met + 1 < unmet {
            let middle = met.midpoint(unmet);
            let can_be_met = self.judge(&[goal(middle)], scope) == Outcome::True;
            *(if can_be_met { &mut met } else { &mut unmet }) = middle;
        }
        let Some(frame) = frames.get(met) else { return Ok(()) };
        let env = scope.env.enter(frame);
        let body = Goal { env: &env, kind: GoalKind::RunWhole(body) };
        let culprit = self.blame(&[goal(met)], body, scope);
        part.parts.push(culprit.with(Role::Choice(bound_names(bounds, &env))));
        Ok(())
    }

    /// The conditions of a `CASE` up to the one that holds, and what stands beside that.
    pub(super) fn conditions<'a, Body>(
        &'a self,
        arms: &'a [CaseArm<Body>],
        scope: Scope<'a>,
        part: &mut Part,
    ) -> Result<Option<&'a Body>, Failure> {
        for arm in arms {
            let holds = self.evaluator.truth(&arm.condition, scope.env, scope.cx)?;
            part.parts.push(self.formula(&arm.condition, None, scope).with(Role::Condition));
            if holds {
                return Ok(Some(&arm.body));
            }
        }
        Ok(None)
    }

    /// What an `UNCHANGED` says does not change, and does: values before and after.
    pub(super) fn changed<'a>(&'a self, expr: &'a Expr, scope: Scope<'a>) -> Vec<Valued> {
        match &expr.kind {
            ExprKind::Tuple(parts) => return parts.iter().flat_map(|part| self.changed(part, scope)).collect(),
            ExprKind::Call(id, args) if args.is_empty() => {
                return self.changed(&self.evaluator.program.definition(*id).body, scope.within(&Env::EMPTY));
            }
            ExprKind::Local(local) => match scope.env.find(*local) {
                (Binding::Lazy(lazy), _) => return self.changed(lazy.expr, scope.within(lazy.env)),
                (Binding::Let { definition, .. }, frame) => {
                    return self.changed(&definition.lambda.body, scope.within(frame));
                }
                _ => {}
            },
            _ => {}
        }
        let values = [scope.cx, scope.cx.prime()].map(|cx| self.value(expr, Scope { cx, ..scope }));
        match values {
            [Some(now), Some(next)] if now.value != next.value => vec![now, next],
            _ => Vec::new(),
        }
    }
}
