//! The value of an argument or of a `LET` definition: evaluated when first used, then kept.
//!
//! Whether a kept value may be used again depends on what the expression reads. One that reads no variable of the next state has
//! the same value as long as its environment exists. One that does (`F(x')`: it is *late*) has another value in every branch
//! that assigns the variable differently, so it is evaluated in the moment in which it was given:
//!
//! ```text
//! x' = 1 /\ F(x')        F(n) == (y' = 1 \/ y' = 2) /\ n > 0      n is given after x' = 1, before y' is assigned
//! ```
//!
//! If that succeeds, it read only variables that were assigned then. A branch assigns further variables and never one again, so
//! the value is the same in every moment that follows from this one, and is kept for them. If it reads a variable
//! that was not assigned then, it is evaluated in the moment of each use and never kept.
//!
//! Without keeping late values, `A(n) == n >= 0 /\ A(n + 1)` used as `A(x')` would evaluate a chain as long as the recursion is
//! deep at each level of it, and `A(n + n)` one that doubles.

use std::cell::{Cell, OnceCell};

use super::context::Moment;
use super::env::{Held, reads_unknown};
use super::{Context, Failure};
use crate::value::Value;

/// The value of an expression that is evaluated when first used.
#[derive(Clone)]
pub struct Memo<'a> {
    /// The moment in which it was given.
    moment: &'a Moment<'a>,
    /// Whether it was given inside a prime. Its value is kept for uses that are, too, or are not, too.
    primed: bool,
    /// Whether it may read variables of the next state.
    late: bool,
    /// Whether it reads a variable that was not assigned when it was given.
    too_early: Cell<bool>,
    value: OnceCell<Value>,
}

impl<'a> Memo<'a> {
    pub fn new(cx: Context<'a>, late: bool) -> Self {
        Self { moment: cx.moment, primed: cx.primed, late, too_early: Cell::new(false), value: OnceCell::new() }
    }

    /// That of an expression whose value somebody knows, whatever it reads.
    pub fn known(&self, value: Value) -> Self {
        Self { late: false, value: value.into(), ..self.clone() }
    }

    /// Whether the expression was given inside a prime.
    pub fn is_primed(&self) -> bool {
        self.primed
    }

    /// The value, if it was evaluated and is the same in a context.
    #[inline]
    pub fn get_in(&self, cx: Context<'_>) -> Option<&Value> {
        self.value.get().filter(|_| self.is_same_in(cx))
    }

    #[inline]
    fn is_same_in(&self, cx: Context<'_>) -> bool {
        self.primed == cx.primed && (!self.late || self.moment.leads_to(cx.moment))
    }

    /// The value in a context. It is kept if it can be.
    pub fn evaluate(
        &'a self,
        cx: Context<'a>,
        eval: impl Fn(Context<'a>) -> Result<Held<'a>, Failure>,
    ) -> Result<Held<'a>, Failure> {
        if self.too_early.get() || !self.is_same_in(cx) {
            return eval(cx);
        }
        let given = if self.late { Context { moment: self.moment, ..cx } } else { cx };
        let (value, depends) = reads_unknown(|| eval(given));
        match value {
            Ok(value) if depends => Ok(value),
            Ok(value) => {
                let value = value.own();
                Ok(Held::Ref(self.value.get_or_init(|| value)))
            }
            Err(failure) if self.late && failure.is_too_early() => {
                self.too_early.set(true);
                eval(cx)
            }
            Err(failure) => Err(failure),
        }
    }
}
