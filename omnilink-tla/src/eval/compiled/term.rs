//! The expressions that a compiled action assigns to variables.
//!
//! Often it is one built-in operator of values that lie somewhere, `Append(queue, value)`: then that is all there is to do.

use super::place::Place;
use super::scopes::{Outer, Scopes};
use crate::builtin::Run;
use crate::eval::expr::at;
use crate::eval::{Context, Evaluator, Failure};
use crate::ir::{Arg, Expr, ExprKind};
use crate::value::{Value, ValueError};

/// An expression in a scope.
pub(super) struct Term<'p> {
    pub expr: &'p Expr,
    pub outer: Outer,
    operation: Option<Operation<'p>>,
}

/// A built-in operator of values that lie somewhere.
enum Operation<'p> {
    One(fn(&Value) -> Result<Value, ValueError>, Place<'p>),
    Two(fn(&Value, &Value) -> Result<Value, ValueError>, Place<'p>, Place<'p>),
}

impl<'p> Term<'p> {
    pub fn new(expr: &'p Expr, outer: Outer) -> Self {
        Self { expr, outer, operation: Operation::of(expr) }
    }

    /// Its value, as variables hold it.
    #[inline]
    pub fn value(&self, evaluator: &Evaluator<'_>, scopes: &Scopes<'_>, cx: Context<'_>) -> Result<Value, Failure> {
        let look = |place: &Place<'p>| place.look(self.outer, scopes, cx);
        let found = match &self.operation {
            Some(Operation::One(run, value)) => look(value).map(run),
            Some(Operation::Two(run, left, right)) => match (look(left), look(right)) {
                (Some(left), Some(right)) => Some(run(left, right)),
                _ => None,
            },
            None => None,
        };
        match found {
            Some(value) => value.and_then(Value::normalize).map_err(|error| at(error, self.expr.span)),
            None => evaluator.normal(self.expr, &scopes.env(self.outer), cx),
        }
    }
}

impl<'p> Operation<'p> {
    fn of(expr: &'p Expr) -> Option<Self> {
        let ExprKind::Native(native, args) = &expr.kind else { return None };
        let place = |arg: &'p Arg| match arg {
            Arg::Eager(expr) | Arg::Lazy { expr, .. } => Place::of(expr),
            Arg::Operator(_) => None,
        };
        match (native.run, &**args) {
            (Run::One(run), [arg]) => Some(Self::One(run, place(arg)?)),
            (Run::Two(run), [left, right]) => Some(Self::Two(run, place(left)?, place(right)?)),
            _ => None,
        }
    }
}
