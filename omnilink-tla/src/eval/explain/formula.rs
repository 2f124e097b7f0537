//! Formulas: evaluated part by part.

use std::cell::Cell;

use super::operator::Form;
use super::part::{Outcome, Part, Role};
use super::{Choices, Explainer, MOST_PARTS, Scope, bound_names};
use crate::eval::binders::Flow;
use crate::eval::context::{Context, Moment};
use crate::eval::env::{Binding, Env};
use crate::eval::expr::{at, let_frame};
use crate::eval::{Evaluator, Failure};
use crate::ir::{Bounds, Expr, ExprKind};
use crate::value::Value;

/// What a formula should be. `None`: whatever it is, it is to be explained.
pub(super) type Wanted = Option<bool>;

impl Evaluator<'_> {
    /// What the body of an operator is of an argument, and if that is not TRUE, why.
    pub fn explain_of(&self, body: &Expr, argument: Value, cx: Context<'_>) -> Part {
        let explainer = Explainer { evaluator: self, names: Vec::new(), left: Cell::new(MOST_PARTS) };
        let env = Env { bindings: &[Binding::Value(argument)], up: None };
        explainer.formula(body, Some(true), Scope { env: &env, cx, unknowns: None, depth: 0 })
    }
}

impl Explainer<'_> {
    /// What a formula is, and if that is not what is wanted, why.
    pub(super) fn formula<'a>(&'a self, expr: &'a Expr, wanted: Wanted, scope: Scope<'a>) -> Part {
        if let ExprKind::Let(group, body) = &expr.kind {
            let frame = let_frame(group, scope.cx);
            return self.formula(body, wanted, scope.within(&scope.env.enter(&frame)));
        }
        let (outcome, as_wanted) = match self.evaluator.truth(expr, scope.env, scope.cx) {
            Ok(truth) => (Outcome::of(truth), wanted == Some(truth)),
            Err(failure) if self.needed(&failure, scope).is_some() && self.may_look(expr.span, scope) => {
                let mut part = Part::new(expr.span, Outcome::False);
                let explain = || self.formula(expr, wanted, scope.deeper());
                self.make_up_for(failure, scope, &mut part, explain);
                return part;
            }
            Err(failure) => (failure.into(), false),
        };
        let mut part = Part::new(expr.span, outcome);
        if !as_wanted && self.may_look(expr.span, scope) {
            // A part that fails says so itself.
            let _ = self.look_into_formula(expr, wanted, scope.deeper(), &mut part);
        }
        part
    }

    fn look_into_formula<'a>(
        &'a self,
        expr: &'a Expr,
        wanted: Wanted,
        scope: Scope<'a>,
        part: &mut Part,
    ) -> Result<(), Failure> {
        let opposite = wanted.map(|wanted| !wanted);
        match &expr.kind {
            ExprKind::And(conjuncts) => {
                self.until(Outcome::True, conjuncts.iter().map(|part| (part, wanted)), Role::Conjunct, scope, part);
            }
            ExprKind::Or(disjuncts) => {
                self.until(Outcome::False, disjuncts.iter().map(|part| (part, wanted)), Role::Disjunct, scope, part);
            }
            ExprKind::Implies(left, right) => {
                let sides = [(&**left, opposite), (&**right, wanted)];
                self.until(Outcome::True, sides.into_iter(), Role::Operand, scope, part);
            }
            ExprKind::Equivalent(left, right) => {
                let side = |side| self.formula(side, None, scope).with(Role::Operand);
                part.parts.extend([left, right].map(|expr| side(expr)));
            }
            ExprKind::Not(negated) => part.parts.push(self.formula(negated, opposite, scope).with(Role::Operand)),
            ExprKind::Prime(inner) => {
                let scope = Scope { cx: scope.cx.prime(), ..scope };
                part.adopt(self.formula(inner, wanted, scope));
            }
            ExprKind::If(condition, then, otherwise) => {
                let taken = if self.evaluator.truth(condition, scope.env, scope.cx)? { then } else { otherwise };
                part.parts.push(self.formula(condition, None, scope).with(Role::Condition));
                part.parts.push(self.formula(taken, wanted, scope).with(Role::Branch));
            }
            ExprKind::Case { arms, other } => {
                let body = self.conditions(arms, scope, part)?.or(other.as_deref());
                part.parts.extend(body.map(|body| self.formula(body, wanted, scope).with(Role::Branch)));
            }
            ExprKind::ForAll(bounds, body) => self.deciding_choice(false, bounds, body, wanted, scope, part)?,
            ExprKind::Exists(bounds, body) => self.deciding_choice(true, bounds, body, wanted, scope, part)?,
            ExprKind::Call(id, args) => self.call(*id, args, Form::Value(wanted), scope, part)?,
            ExprKind::CallLocal(local, args) => self.call_local(*local, args, Form::Value(wanted), scope, part)?,
            ExprKind::Local(local) => self.call_local(*local, &[], Form::Value(wanted), scope, part)?,
            ExprKind::Enabled(action) if !scope.cx.primed => {
                let moment = Moment::state(scope.cx.state);
                let scope = Scope { cx: Context::of(&moment), unknowns: None, ..scope };
                part.adopt(self.action(action, scope));
            }
            ExprKind::Unchanged(inner) => part.values = self.changed(inner, scope),
            _ => part.values = self.values_in(expr, scope),
        }
        Ok(())
    }

    /// Parts that are evaluated from left to right until one is not what the others were.
    fn until<'a>(
        &'a self,
        before: Outcome,
        exprs: impl Iterator<Item = (&'a Expr, Wanted)>,
        role: Role,
        scope: Scope<'a>,
        part: &mut Part,
    ) {
        let mut decided = false;
        for (expr, wanted) in exprs {
            let explained = match decided {
                true => Part::new(expr.span, Outcome::NotReached),
                false => self.formula(expr, wanted, scope),
            };
            decided |= explained.outcome != before;
            part.parts.push(explained.with(role.clone()));
        }
    }

    /// A quantifier: the choice that decides it, if there is one, else those that got furthest.
    fn deciding_choice<'a>(
        &'a self,
        decides: bool,
        bounds: &'a Bounds,
        body: &'a Expr,
        wanted: Wanted,
        scope: Scope<'a>,
        part: &mut Part,
    ) -> Result<(), Failure> {
        let sets = self.evaluator.sets(bounds, scope.env, scope.cx)?;
        part.values = self.values_of(bounds.binders.iter().map(|binder| &binder.set), scope);
        let going_on = Outcome::of(!decides);
        let explained = part.outcome != going_on;
        let mut choices = Choices::default();
        self.evaluator.each_of(bounds, &sets, scope.env, &mut |env| {
            let scope = scope.within(env);
            if explained && matches!(self.evaluator.truth(body, env, scope.cx), Ok(truth) if truth != decides) {
                return Ok(Flow::Go);
            }
            let choice = Role::Choice(bound_names(bounds, env));
            let flow = choices.add(self.formula(body, wanted, scope).with(choice));
            Ok(if explained { Flow::Stop } else { flow })
        })?;
        choices.finish(part);
        Ok(())
    }

    /// An expression on the way to an action that has to have a value: a guard, or what is passed.
    pub(super) fn required<'a>(&'a self, pair: &'a (&'a Expr, &'a Value), role: &Role, scope: Scope<'a>) -> Part {
        let (expr, value) = *pair;
        if let Role::Guard(holds) = role {
            let part = self.formula(expr, Some(*holds), scope);
            return match &part.outcome {
                Outcome::True | Outcome::False => {
                    Part { outcome: Outcome::of(part.outcome == Outcome::of(*holds)), ..part }
                }
                Outcome::Failed(_) | Outcome::NotReached => part,
            };
        }
        let mut part = Part::new(expr.span, Outcome::False);
        part.values = self.values_of([expr], scope);
        let passed = self.evaluator.eval(expr, scope.env, scope.cx);
        let equal = passed.and_then(|passed| passed.equals(value).map_err(|error| at(error, expr.span)));
        match equal {
            Ok(equal) => part.outcome = Outcome::of(equal),
            Err(failure) => {
                let explain = || self.required(pair, role, scope.deeper());
                self.make_up_for(failure, scope, &mut part, explain);
            }
        }
        part
    }
}
