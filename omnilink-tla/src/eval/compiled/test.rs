//! The conditions of a compiled action.
//!
//! Most are equations between values that lie somewhere: a variable, an argument, a literal, the head of a variable. Where they
//! lie is found once, so that testing them is looking there.

use super::place::Place;
use super::scopes::{Outer, Scopes};
use crate::eval::expr::same;
use crate::eval::{Context, Evaluator, Failure};
use crate::ir::{Expr, ExprKind};

/// A condition in a scope.
pub(super) struct Test<'p> {
    pub expr: &'p Expr,
    pub outer: Outer,
    /// It depends on nothing but the action's arguments.
    pub is_settled: bool,
    equation: Option<Equation<'p>>,
}

/// `left = right`, or `left # right`.
struct Equation<'p> {
    left: Place<'p>,
    right: Place<'p>,
    equal: bool,
}

impl<'p> Test<'p> {
    pub fn new(expr: &'p Expr, outer: Outer, is_settled: bool) -> Self {
        let equation = match &expr.kind {
            ExprKind::Equal(left, right) => Equation::between(left, right, true),
            ExprKind::NotEqual(left, right) => Equation::between(left, right, false),
            _ => None,
        };
        Self { expr, outer, is_settled, equation }
    }

    /// Whether it is true.
    #[inline(always)]
    pub fn holds(&self, evaluator: &Evaluator<'_>, scopes: &Scopes<'_>, cx: Context<'_>) -> Result<bool, Failure> {
        if let Some(Equation { left, right, equal }) = &self.equation
            && let (Some(left), Some(right)) = (left.look(self.outer, scopes, cx), right.look(self.outer, scopes, cx))
            && let Ok(are_equal) = same(left, right)
        {
            return Ok(are_equal == *equal);
        }
        evaluator.truth(self.expr, &scopes.env(self.outer), cx)
    }
}

impl<'p> Equation<'p> {
    fn between(left: &'p Expr, right: &'p Expr, equal: bool) -> Option<Self> {
        Some(Self { left: Place::of(left)?, right: Place::of(right)?, equal })
    }
}
