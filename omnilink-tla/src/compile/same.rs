//! Whether two expressions are written alike.

use super::resolve::without_parens;
use crate::syntax::ast::{Expr, ExprKind, Selector};

/// Whether two expressions that stand at places where the same names are known mean the same because they are written
/// alike, parentheses and layout aside. Only what names, applies or builds plain values is compared: no binders.
pub(super) fn same(left: &Expr, right: &Expr) -> bool {
    match (&*without_parens(left).kind, &*without_parens(right).kind) {
        (ExprKind::Int(left), ExprKind::Int(right)) => left == right,
        (ExprKind::Str(left), ExprKind::Str(right)) => left == right,
        (ExprKind::Name { path: one, name: left }, ExprKind::Name { path: other, name: right }) => {
            left.name == right.name && same_path(one, other)
        }
        (ExprKind::Apply { path: one, op: left, args }, ExprKind::Apply { path: other, op: right, args: others }) => {
            left.name == right.name && same_path(one, other) && all_same(args, others)
        }
        (ExprKind::Index { function: left, args }, ExprKind::Index { function: right, args: others }) => {
            same(left, right) && all_same(args, others)
        }
        (ExprKind::Field { record: left, field: one }, ExprKind::Field { record: right, field: other }) => {
            one.name == other.name && same(left, right)
        }
        (ExprKind::Tuple(left), ExprKind::Tuple(right)) => all_same(left, right),
        (ExprKind::Record(left), ExprKind::Record(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|((one, left), (other, right))| one.name == other.name && same(left, right))
        }
        _ => false,
    }
}

fn all_same(left: &[Expr], right: &[Expr]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
}

fn same_path(left: &[Selector], right: &[Selector]) -> bool {
    let step =
        |(left, right): (&Selector, &Selector)| left.name.name == right.name.name && all_same(&left.args, &right.args);
    left.len() == right.len() && left.iter().zip(right).all(step)
}
