//! Expressions that make a value: by choosing, by collecting, by changing another at one point.

use smallvec::SmallVec;

use super::binders::Flow;
use super::env::{Binding, Env};
use super::expr::at;
use super::{Context, Evaluator, Failure};
use crate::ir::{Bounds, Expr, PointUpdate, RecordCode};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::value::{Value, ValueError};

impl Evaluator<'_> {
    pub(super) fn choose<'a>(
        &'a self,
        bounds: &'a Bounds,
        body: &'a Expr,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Value, Failure> {
        let mut chosen = None;
        self.each(bounds, env, cx, |env| {
            if self.truth(body, env, cx)? {
                chosen = Some(chosen_value(bounds, env).map_err(|error| at(error, span))?);
                return Ok(Flow::Stop);
            }
            Ok(Flow::Go)
        })?;
        if let Some(value) = chosen {
            return Ok(value);
        }
        let set = self.eval(&bounds.binders[0].set, env, cx)?;
        Err(Failure::new(
            format!("CHOOSE found no element that satisfies the condition in {}", super::brief(&set)),
            span,
        ))
    }

    pub(super) fn set_map<'a>(
        &'a self,
        bounds: &'a Bounds,
        value: &'a Expr,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Value, Failure> {
        let mut values = Vec::new();
        self.each(bounds, env, cx, |env| {
            values.push(self.eval(value, env, cx)?.own());
            Ok(Flow::Go)
        })?;
        Value::set(values).map_err(|error| at(error, span))
    }

    pub(super) fn values<'a>(
        &'a self,
        exprs: &'a [Expr],
        env: &'a Env<'a>,
        cx: Context<'a>,
    ) -> Result<Vec<Value>, Failure> {
        exprs.iter().map(|expr| Ok(self.eval(expr, env, cx)?.own())).collect()
    }

    pub(super) fn record<'a>(
        &'a self,
        record: &'a RecordCode,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Value, Failure> {
        let mut values = SmallVec::new();
        for (_, value) in &record.fields {
            values.push(self.eval(value, env, cx)?.own());
        }
        Value::record_over(&record.domain, values).map_err(|error| at(error, span))
    }

    pub(super) fn fields<'a>(
        &'a self,
        fields: &'a [(Symbol, Expr)],
        env: &'a Env<'a>,
        cx: Context<'a>,
    ) -> Result<Vec<(Symbol, Value)>, Failure> {
        fields.iter().map(|(name, expr)| Ok((*name, self.eval(expr, env, cx)?.own()))).collect()
    }

    pub(super) fn point_update<'a>(
        &'a self,
        update: &'a PointUpdate,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Value, Failure> {
        let changed = match update {
            PointUpdate::Insert { function, key, value } => {
                let (function, key) = (self.eval(function, env, cx)?, self.eval(key, env, cx)?.own());
                function.with(key, self.eval(value, env, cx)?.own())
            }
            PointUpdate::InsertIfAbsent { function, key, value } => {
                let (function, key) = (self.eval(function, env, cx)?, self.eval(key, env, cx)?.own());
                let domain = function.domain().map_err(|error| at(error, span))?;
                if key.member(&domain).map_err(|error| at(error, span))? {
                    return Ok(function.own());
                }
                function.with(key, self.eval(value, env, cx)?.own())
            }
            PointUpdate::Include { set, element } => {
                let (set, element) = (self.eval(set, env, cx)?, self.eval(element, env, cx)?.own());
                match &*set {
                    Value::Set(set) => set.insert(element).map(Value::Set),
                    other => Value::set([element]).and_then(|element| other.union(&element)),
                }
            }
            PointUpdate::Exclude { set, element } => {
                let (set, element) = (self.eval(set, env, cx)?, self.eval(element, env, cx)?);
                match &*set {
                    Value::Set(set) => set.remove(&element).map(Value::Set),
                    other => Value::set([element.own()]).and_then(|element| other.minus(&element)),
                }
            }
            PointUpdate::Remove { function, key } => {
                let (function, key) = (self.eval(function, env, cx)?, self.eval(key, env, cx)?);
                function.without(&key)
            }
        };
        changed.map_err(|error| at(error, span))
    }
}

/// What `CHOOSE` chose: the innermost frame's value, or the tuple of them.
fn chosen_value(bounds: &Bounds, env: &Env<'_>) -> Result<Value, ValueError> {
    let mut values = env.bindings.iter().map(|binding| match binding {
        Binding::Value(value) => value.clone(),
        _ => unreachable!("binders bind values"),
    });
    if bounds.binders[0].tuple { Value::tuple(values) } else { Ok(values.next().expect("CHOOSE binds a name")) }
}
