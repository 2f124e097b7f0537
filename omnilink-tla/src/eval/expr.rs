//! Expressions: one arm per node.

use std::sync::Arc;

use super::env::{Binding, Env, Frame, Held};
use super::function::with_arguments;
use super::memo::Memo;
use super::{Context, Evaluator, Failure};
use crate::builtin::{Native, Run};
use crate::ir::{Arg, CaseArm, Expr, ExprKind, LetGroup};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::value::{Value, ValueError};

impl Evaluator<'_> {
    /// The value of an expression. Names and literals, which most expressions are, cost no call.
    #[inline(always)]
    pub(super) fn eval<'a>(&'a self, expr: &'a Expr, env: &'a Env<'a>, cx: Context<'a>) -> Result<Held<'a>, Failure> {
        match &expr.kind {
            ExprKind::Apply(function, arg) => self.apply(function, arg, env, cx, expr.span),
            _ => self.part(expr, env, cx),
        }
    }

    /// `function[arg]`
    fn apply<'a>(
        &'a self,
        function: &'a Expr,
        arg: &'a Expr,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Held<'a>, Failure> {
        let function = self.part(function, env, cx)?;
        let arg = self.part(arg, env, cx)?;
        element(function, &arg).map_err(|error| at(error, span))
    }

    /// [`Evaluator::eval`] for the parts of an application, which must not be inlined into themselves.
    #[inline(always)]
    fn part<'a>(&'a self, expr: &'a Expr, env: &'a Env<'a>, cx: Context<'a>) -> Result<Held<'a>, Failure> {
        match &expr.kind {
            ExprKind::Value(value) => Ok(Held::Ref(value)),
            ExprKind::Variable(variable) => self.variable(*variable, cx, expr.span).map(Held::Ref),
            ExprKind::Local(local) => match env.find(*local) {
                (Binding::Value(value), _) => Ok(Held::Ref(value)),
                (binding, frame) => self.bound(binding, frame, cx, expr.span),
            },
            _ => self.compound(expr, env, cx),
        }
    }

    /// The value of an expression that must be TRUE or FALSE. Equations, which most conditions are, cost no more than one
    /// call.
    #[inline(always)]
    pub(super) fn truth<'a>(&'a self, expr: &'a Expr, env: &'a Env<'a>, cx: Context<'a>) -> Result<bool, Failure> {
        match &expr.kind {
            ExprKind::Equal(left, right) => self.equal(left, right, env, cx, expr.span),
            ExprKind::NotEqual(left, right) => Ok(!self.equal(left, right, env, cx, expr.span)?),
            _ => self.condition(expr, env, cx),
        }
    }

    /// [`Evaluator::truth`] of any condition.
    fn condition<'a>(&'a self, expr: &'a Expr, env: &'a Env<'a>, cx: Context<'a>) -> Result<bool, Failure> {
        match &expr.kind {
            ExprKind::And(parts) => self.all(parts, env, cx),
            ExprKind::Or(parts) => self.any(parts, env, cx),
            ExprKind::Not(part) => Ok(!self.truth(part, env, cx)?),
            ExprKind::Implies(left, right) => Ok(!self.truth(left, env, cx)? || self.truth(right, env, cx)?),
            ExprKind::Equivalent(left, right) => Ok(self.truth(left, env, cx)? == self.truth(right, env, cx)?),
            ExprKind::Equal(left, right) => self.equal(left, right, env, cx, expr.span),
            ExprKind::NotEqual(left, right) => Ok(!self.equal(left, right, env, cx, expr.span)?),
            ExprKind::In(element, set) => self.member(element, set, env, cx, expr.span),
            ExprKind::NotIn(element, set) => Ok(!self.member(element, set, env, cx, expr.span)?),
            ExprKind::ForAll(bounds, body) => {
                Ok(!self.first(bounds, env, cx, |env| Ok(!self.truth(body, env, cx)?))?)
            }
            ExprKind::Exists(bounds, body) => self.first(bounds, env, cx, |env| self.truth(body, env, cx)),
            ExprKind::Enabled(action) => self.enabled(action, env, cx),
            ExprKind::Native(native, args) => match (native.run, &**args) {
                (Run::Compare(test, doing), [left, right]) => {
                    self.compare(test, doing, [left, right], env, cx, expr.span)
                }
                _ => match self.native(native, args, env, cx, expr.span)? {
                    Value::Bool(value) => Ok(value),
                    other => Err(not_boolean(&other, expr.span)),
                },
            },
            _ => match &*self.eval(expr, env, cx)? {
                Value::Bool(value) => Ok(*value),
                other => Err(not_boolean(other, expr.span)),
            },
        }
    }

    /// The value of an expression with parts.
    fn compound<'a>(&'a self, expr: &'a Expr, env: &'a Env<'a>, cx: Context<'a>) -> Result<Held<'a>, Failure> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Value(_) | ExprKind::Variable(_) | ExprKind::Local(_) => self.part(expr, env, cx),
            ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Not(_)
            | ExprKind::Implies(..)
            | ExprKind::Equivalent(..)
            | ExprKind::Equal(..)
            | ExprKind::NotEqual(..)
            | ExprKind::In(..)
            | ExprKind::NotIn(..)
            | ExprKind::ForAll(..)
            | ExprKind::Exists(..)
            | ExprKind::Enabled(_) => self.truth(expr, env, cx).map(Held::from),
            ExprKind::Apply(function, arg) => self.apply(function, arg, env, cx, span),
            ExprKind::Field(record, field) => {
                let record = self.eval(record, env, cx)?;
                field_of(record, *field).map_err(|error| at(error, span))
            }
            ExprKind::Primed(variable) => self.variable(*variable, cx.prime(), span).map(Held::Ref),
            ExprKind::Prime(inner) => self.eval(inner, env, cx.prime()),
            ExprKind::If(condition, then, otherwise) => {
                let taken = if self.truth(condition, env, cx)? { then } else { otherwise };
                self.eval(taken, env, cx)
            }
            ExprKind::Once(once) => self.once(once),
            ExprKind::Call(definition, args) => self.call(*definition, args, env, cx, span),
            ExprKind::Native(native, args) => self.native(native, args, env, cx, span).map(Held::Own),
            ExprKind::Except(function, clauses) => self.except(function, clauses, env, cx, span).map(Held::Own),
            ExprKind::PointUpdate(update) => self.point_update(update, env, cx, span).map(Held::Own),
            ExprKind::Record(record) => self.record(record, env, cx, span).map(Held::Own),
            ExprKind::Tuple(elements) => {
                Value::tuple(self.values(elements, env, cx)?).map(Held::Own).map_err(|error| at(error, span))
            }
            _ => self.uncommon(expr, env, cx),
        }
    }

    /// The value of an expression of a kind that actions seldom evaluate. Apart from the others, so that those need little
    /// stack.
    #[inline(never)]
    fn uncommon<'a>(&'a self, expr: &'a Expr, env: &'a Env<'a>, cx: Context<'a>) -> Result<Held<'a>, Failure> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::CallLocal(local, args) => self.call_local(*local, args, env, cx, span).map(Held::Own),
            ExprKind::Let(group, body) => {
                let frame = let_frame(group, cx);
                self.eval(body, &env.enter(&frame), cx).map(|value| Held::Own(value.own()))
            }
            ExprKind::Case { arms, other } => match self.arm(arms, env, cx)? {
                Some(body) => self.eval(body, env, cx),
                None => match other {
                    Some(body) => self.eval(body, env, cx),
                    None => Err(no_arm(span)),
                },
            },
            ExprKind::Choose(bounds, body) => self.choose(bounds, body, env, cx, span).map(Held::Own),
            ExprKind::ChooseFresh(value) => Ok(Held::Ref(value)),

            ExprKind::SetEnum(elements) => {
                Value::set(self.values(elements, env, cx)?).map(Held::Own).map_err(|error| at(error, span))
            }
            ExprKind::SetFilter(code) => self.filter(code, env, cx, span).map(Held::Own),
            ExprKind::SetMap(bounds, value) => self.set_map(bounds, value, env, cx, span).map(Held::Own),
            ExprKind::Function(code) => self.function(code, env, cx, span).map(Held::Own),
            ExprKind::FunctionSet(domain, range) => {
                let (domain, range) = (self.eval(domain, env, cx)?.own(), self.eval(range, env, cx)?.own());
                Value::function_set(domain, range).map(Held::Own).map_err(|error| at(error, span))
            }
            ExprKind::RecordSet(fields) => {
                Value::record_set(self.fields(fields, env, cx)?).map(Held::Own).map_err(|error| at(error, span))
            }
            ExprKind::Product(factors) => {
                Value::product(self.values(factors, env, cx)?).map(Held::Own).map_err(|error| at(error, span))
            }
            ExprKind::Domain(function) => {
                self.eval(function, env, cx)?.domain().map(Held::Own).map_err(|error| at(error, span))
            }
            ExprKind::Unchanged(inner) => {
                let (now, next) = (self.eval(inner, env, cx)?, self.eval(inner, env, cx.prime())?);
                now.equals(&next).map(Held::from).map_err(|error| at(error, span))
            }
            ExprKind::UnassignedConstant(name) => Err(unassigned(*name, span)),
            ExprKind::Temporal(what) | ExprKind::Unevaluable(what) => {
                Err(Failure::new(format!("{what} cannot be evaluated"), span))
            }
            _ => unreachable!("the common kinds are evaluated elsewhere"),
        }
    }

    pub(super) fn all<'a>(&'a self, parts: &'a [Expr], env: &'a Env<'a>, cx: Context<'a>) -> Result<bool, Failure> {
        for part in parts {
            if !self.truth(part, env, cx)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn any<'a>(&'a self, parts: &'a [Expr], env: &'a Env<'a>, cx: Context<'a>) -> Result<bool, Failure> {
        for part in parts {
            if self.truth(part, env, cx)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The body of the first arm whose condition holds.
    pub(super) fn arm<'a, Body>(
        &'a self,
        arms: &'a [CaseArm<Body>],
        env: &'a Env<'a>,
        cx: Context<'a>,
    ) -> Result<Option<&'a Body>, Failure> {
        for arm in arms {
            if self.truth(&arm.condition, env, cx)? {
                return Ok(Some(&arm.body));
            }
        }
        Ok(None)
    }

    /// `left = right`
    pub(super) fn equal<'a>(
        &'a self,
        left: &'a Expr,
        right: &'a Expr,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<bool, Failure> {
        match (self.glance(left, env, cx), self.glance(right, env, cx)) {
            (Some(left), Some(right)) => same(left, right).map_err(|error| at(error, span)),
            _ => self.made_equal(left, right, env, cx, span),
        }
    }

    /// The same, where values may have to be made.
    #[inline(never)]
    fn made_equal<'a>(
        &'a self,
        left: &'a Expr,
        right: &'a Expr,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<bool, Failure> {
        let (left, right) = (self.eval(left, env, cx)?, self.eval(right, env, cx)?);
        same(&left, &right).map_err(|error| at(error, span))
    }

    /// The value of an expression, if it lies somewhere and is found by a look.
    #[inline(always)]
    fn glance<'a>(&'a self, expr: &'a Expr, env: &'a Env<'a>, cx: Context<'a>) -> Option<&'a Value> {
        let name = |expr: &'a Expr| match &expr.kind {
            ExprKind::Value(value) => Some(value),
            ExprKind::Variable(variable) if !cx.primed => cx.state.get(variable.0 as usize),
            ExprKind::Local(local) => match env.find(*local).0 {
                Binding::Value(value) => Some(value),
                _ => None,
            },
            _ => None,
        };
        match &expr.kind {
            ExprKind::Native(Native { run: Run::Part(find, _), .. }, args) => match &**args {
                [Arg::Eager(whole) | Arg::Lazy { expr: whole, .. }] => find(name(whole)?),
                _ => None,
            },
            _ => name(expr),
        }
    }

    /// `element \in set`, without making the set where its elements are described by a condition or by a function.
    pub(super) fn member<'a>(
        &'a self,
        element: &'a Expr,
        set: &'a Expr,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<bool, Failure> {
        let element = self.eval(element, env, cx)?;
        self.contains(set, element, env, cx, span)
    }

    /// The same of an element that was evaluated. A condition is also found behind an operator with arguments and in a `LET`,
    /// where the set would be made for this question alone.
    fn contains<'a>(
        &'a self,
        set: &'a Expr,
        element: Held<'_>,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<bool, Failure> {
        match &set.kind {
            ExprKind::SetFilter(code) => {
                let base = &code.bounds.binders[0].set;
                if !self.contains(base, Held::Ref(&element), env, cx, span)? {
                    return Ok(false);
                }
                with_arguments(code, element.own(), |frame| self.truth(&code.body, &env.enter(frame), cx))
                    .map(|(holds, _)| holds)
            }
            ExprKind::Domain(function) => {
                self.eval(function, env, cx)?.has_key(&element).map_err(|error| at(error, span))
            }
            ExprKind::Let(group, body) if describes_set(body) => {
                let frame = let_frame(group, cx);
                self.contains(body, element, &env.enter(&frame), cx, span)
            }
            ExprKind::Call(id, args) if !args.is_empty() && describes_set(&self.program.definition(*id).body) => {
                let definition = self.program.definition(*id);
                self.deeper(set.span)
                    .and_then(|()| {
                        self.with_frame(args, env, cx, |bindings| {
                            self.contains(&definition.body, element, &Env { bindings, up: None }, cx, span)
                        })
                    })
                    .map_err(|failure| failure.inside(definition.name.as_str(), set.span))
            }
            _ => element.member(&*self.eval(set, env, cx)?).map_err(|error| at(error, span)),
        }
    }
}

/// Whether an expression is a set by a condition.
fn describes_set(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::SetFilter(_) => true,
        ExprKind::Let(_, body) => describes_set(body),
        _ => false,
    }
}

/// `left = right`
#[inline(always)]
pub(super) fn same(left: &Value, right: &Value) -> Result<bool, ValueError> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Ok(left == right),
        (Value::Str(left), Value::Str(right)) | (Value::Model(left), Value::Model(right)) => Ok(left == right),
        (Value::Bool(left), Value::Bool(right)) => Ok(left == right),
        (Value::Tuple(left), Value::Tuple(right)) if left.len() != right.len() => Ok(false),
        (left, right) => left.equals(right),
    }
}

/// The frame of a `LET`.
pub(super) fn let_frame<'a>(group: &'a Arc<LetGroup>, cx: Context<'a>) -> Frame<'a> {
    let bind = |definition| Binding::Let { group, definition, memo: Memo::new(cx, !definition.keep) };
    group.definitions.iter().map(bind).collect()
}

/// `function[arg]`, borrowed from the function where it is borrowed itself.
fn element<'a>(function: Held<'a>, arg: &Value) -> Result<Held<'a>, ValueError> {
    if let Held::Ref(function) = function {
        let found = match function {
            Value::Tuple(tuple) => {
                arg.as_int().and_then(|index| tuple.get(usize::try_from(index).ok()?.checked_sub(1)?))
            }
            Value::Function(function) if arg.is_normal() => function.get(arg),
            _ => None,
        };
        if let Some(value) = found {
            return Ok(Held::Ref(value));
        }
    }
    function.apply(arg).map(Held::Own)
}

/// `record.field`, borrowed likewise.
fn field_of(record: Held<'_>, field: Symbol) -> Result<Held<'_>, ValueError> {
    if let Held::Ref(Value::Function(function)) = record
        && let Some(value) = function.field(field)
    {
        return Ok(Held::Ref(value));
    }
    record.field(field).map(Held::Own)
}

#[cold]
fn not_boolean(value: &Value, span: Span) -> Failure {
    Failure::new(format!("expected TRUE or FALSE, found {}: {}", value.kind_name(), super::brief(value)), span)
}

#[cold]
pub(super) fn no_arm(span: Span) -> Failure {
    Failure::new("no condition of CASE is true and there is no OTHER", span)
}

fn unassigned(name: Symbol, span: Span) -> Failure {
    Failure::new(format!("the constant {name} has no value"), span).hint(format!(
        "give it one: `CONSTANT {name} = …` in the .cfg file, or --const '{name} = …' on the command line"
    ))
}

/// An error of a value operation, at its place.
#[cold]
pub(super) fn at(error: ValueError, span: Span) -> Failure {
    Failure::from(error).located(span)
}
