//! Constant parts of formulas, to be evaluated once instead of each time they are met.

use super::facts::Facts;
use crate::ir::visit::{Part, parts};
use crate::ir::{Expr, ExprKind, Level, OnceCode};

/// The expression, to be evaluated once if it is always the same and making its value costs something.
pub(super) fn hoisted(expr: Expr, facts: &Facts) -> Expr {
    if !is_made(&expr.kind) || !is_closed_constant(&expr, 0, facts) {
        return expr;
    }
    let span = expr.span;
    Expr { span, kind: ExprKind::Once(Box::new(OnceCode::new(expr))) }
}

/// Whether evaluating it makes a new value.
fn is_made(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::SetEnum(parts) | ExprKind::Tuple(parts) | ExprKind::Product(parts) => !parts.is_empty(),
        ExprKind::Native(native, _) => !native.params.is_empty(),
        ExprKind::Record(_)
        | ExprKind::RecordSet(_)
        | ExprKind::FunctionSet(..)
        | ExprKind::Function(_)
        | ExprKind::SetFilter(_)
        | ExprKind::SetMap(..)
        | ExprKind::Choose(..)
        | ExprKind::PointUpdate(_)
        | ExprKind::Except(..)
        | ExprKind::Domain(_) => true,
        _ => false,
    }
}

/// Whether an expression that stands so many frames below the one asked about depends on nothing outside of that.
fn is_closed_constant(expr: &Expr, below: u32, facts: &Facts) -> bool {
    let inside = |depth: u32| depth < below;
    let itself = match &expr.kind {
        ExprKind::Local(local) | ExprKind::CallLocal(local, _) => inside(local.depth),
        ExprKind::Call(id, _) => facts.get(*id).level == Level::Constant,
        ExprKind::Native(native, _) => !native.run.is_hosted(),
        ExprKind::Variable(_)
        | ExprKind::Primed(_)
        | ExprKind::Prime(_)
        | ExprKind::Unchanged(_)
        | ExprKind::Enabled(_)
        | ExprKind::Temporal(_)
        | ExprKind::Unevaluable(_)
        | ExprKind::UnassignedConstant(_) => false,
        _ => true,
    };
    let mut constant = itself;
    parts(expr, &mut |part| {
        constant = constant
            && match part {
                Part::Here(inner) => is_closed_constant(inner, below, facts),
                Part::Below { expr: inner, frames } => is_closed_constant(inner, below + frames as u32, facts),
                Part::Definition(id) => facts.get(id).level == Level::Constant,
                Part::Local(local) => inside(local.depth),
                Part::Let { .. } | Part::Enabled => false,
            };
    });
    constant
}
