//! The values that decide a formula.

use super::part::Valued;
use super::{Explainer, Scope};
use crate::ir::{Arg, Expr, ExprKind};

/// How many values are given for one formula.
const MOST: usize = 8;

impl Explainer<'_> {
    /// The values of the operands of an expression, and of names in them.
    pub(super) fn values_in<'a>(&'a self, expr: &'a Expr, scope: Scope<'a>) -> Vec<Valued> {
        match operands(expr) {
            // A name, or something whose parts have no values of their own.
            operands if operands.is_empty() => self.values_of([expr], scope),
            operands => self.values_of(operands, scope),
        }
    }

    /// The values of expressions, and of names in them.
    pub(super) fn values_of<'a>(&'a self, exprs: impl IntoIterator<Item = &'a Expr>, scope: Scope<'a>) -> Vec<Valued> {
        let mut values = Vec::new();
        let mut inner: Vec<&Expr> = Vec::new();
        for expr in exprs {
            self.add(&mut values, expr, scope);
            inner.extend(operands(expr));
        }
        // The list grows while we go through it: the parts of parts come after all parts.
        let mut at = 0;
        while let Some(expr) = inner.get(at).copied() {
            at += 1;
            match operands(expr) {
                parts if parts.is_empty() => self.add(&mut values, expr, scope),
                parts => inner.extend(parts),
            }
        }
        values
    }

    /// The values of arguments.
    pub(super) fn argument_values<'a>(&'a self, args: &'a [Arg], scope: Scope<'a>) -> Vec<Valued> {
        let mut values = Vec::new();
        for arg in args {
            if let Arg::Eager(expr) | Arg::Lazy { expr, .. } = arg {
                self.add(&mut values, expr, scope);
            }
        }
        values
    }

    /// The value of an expression, if it has one.
    pub(super) fn value<'a>(&'a self, expr: &'a Expr, scope: Scope<'a>) -> Option<Valued> {
        let value = self.evaluator.eval(expr, scope.env, scope.cx).ok()?.own().normalize().ok()?;
        // Init is run as if under a prime, from no state.
        let primed = scope.cx.primed && !scope.cx.state.is_empty();
        Some(Valued { span: expr.span, primed, value })
    }

    /// Adds a value that says more than the source does, once.
    fn add<'a>(&'a self, values: &mut Vec<Valued>, expr: &'a Expr, scope: Scope<'a>) {
        let sources = &self.evaluator.program.sources;
        let text = sources.text(expr.span);
        if values.len() == MOST || values.iter().any(|known| sources.text(known.span) == text) {
            return;
        }
        if let Some(valued) = self.value(expr, scope)
            && valued.value.to_string() != text
        {
            values.push(valued);
        }
    }
}

/// The parts of an expression that are evaluated in the same scope to find its value.
fn operands(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Equal(left, right)
        | ExprKind::NotEqual(left, right)
        | ExprKind::In(left, right)
        | ExprKind::NotIn(left, right)
        | ExprKind::Apply(left, right) => vec![left, right],
        ExprKind::Native(_, args) | ExprKind::Call(_, args) | ExprKind::CallLocal(_, args) => {
            let value = |arg| match arg {
                &Arg::Eager(ref expr) | &Arg::Lazy { ref expr, .. } => Some(expr),
                Arg::Operator(_) => None,
            };
            args.iter().filter_map(value).collect()
        }
        ExprKind::Field(inner, _) | ExprKind::Domain(inner) | ExprKind::Not(inner) => vec![inner],
        ExprKind::Tuple(items) | ExprKind::SetEnum(items) => items.iter().collect(),
        _ => Vec::new(),
    }
}
