//! Evaluation: expressions to values, actions to next states.
//!
//! ```text
//!  Program ─┐
//!  state ───┼─► Evaluator ─► value            (expr, names, binders, call, making, function)
//!  args ────┘       │    └─► next states      (action, branch, assign, disjunct, solve; flat, compiled: from many states)
//!                   └── Env: frames on the stack; Context: the state, and the next one as far as it was found
//! ```
//!
//! The evaluator changes nothing: environments and the next state grow as lists on the stack and shrink by returning from a
//! call, so backtracking out of a branch undoes it. Values are borrowed from where they lie ([`env::Held`]) as long as
//! possible.
//!
//! Arguments are evaluated when first used, as TLC does: `IF n = 0 THEN … ELSE Op(10 \div n)` and a definition that ignores
//! its argument mean what they say.

mod action;
mod arguments;
mod assign;
mod binders;
mod branch;
mod call;
mod capture;
mod compiled;
mod context;
mod disjunct;
mod env;
mod explain;
mod expr;
mod failure;
mod flat;
mod function;
mod host;
mod kept;
mod making;
mod memo;
mod names;
mod read_only;
mod solve;
mod stack;
mod world;

use std::sync::Arc;

use omnilink_budget::poll;

pub use action::{Disjunct, Found, Manner};
pub use arguments::Argument;
pub use compiled::{ActionTree, Entry, Footprint, Refusal, Touch};
pub use context::{Context, Moment};
pub use env::Env;
pub use explain::{Outcome, Part, Role, Valued};
pub use failure::Failure;
pub use flat::Flat;
pub use host::Host;
pub use kept::{Keeping, Kept};
pub use stack::{STACK, with_stack};
pub use world::{Reading, World};

use crate::ir::{Expr, Program};
use crate::source::Span;
use crate::value::Value;

/// Evaluates expressions and actions of one program.
#[derive(Clone, Copy)]
pub struct Evaluator<'p> {
    program: &'p Arc<Program>,
    host: &'p Arc<dyn Host>,
    /// What was evaluated before in the state at hand.
    kept: Option<&'p Kept<'p>>,
}

impl<'p> Evaluator<'p> {
    /// An evaluator of a program.
    pub fn new(program: &'p Arc<Program>, host: &'p Arc<dyn Host>) -> Self {
        Self { program, host, kept: None }
    }

    /// The same, which keeps values of definitions for a state.
    pub fn keeping(self, kept: Option<&'p Kept<'p>>) -> Self {
        Self { kept, ..self }
    }

    /// The value of an expression that stands in no scope.
    pub fn value(&self, expr: &Expr, cx: Context<'_>) -> Result<Value, Failure> {
        self.eval(expr, &Env::EMPTY, cx)?.own().normalize().map_err(|error| expr::at(error, expr.span))
    }

    /// Whether a formula that stands in no scope is true.
    pub fn holds(&self, expr: &Expr, cx: Context<'_>) -> Result<bool, Failure> {
        self.truth(expr, &Env::EMPTY, cx)
    }

    /// Whether the body of an operator is true of an argument.
    pub fn holds_of(&self, body: &Expr, argument: Value, cx: Context<'_>) -> Result<bool, Failure> {
        self.truth(body, &Env { bindings: &[env::Binding::Value(argument)], up: None }, cx)
    }

    /// Fails if recursion is too deep to go on.
    fn deeper(&self, span: Span) -> Result<(), Failure> {
        poll();
        if stack::is_left() { Ok(()) } else { Err(Failure::too_deep().located(span)) }
    }
}

/// A value cut to a length that fits into a message.
fn brief(value: &Value) -> String {
    const SHOWN: usize = 160;
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}
