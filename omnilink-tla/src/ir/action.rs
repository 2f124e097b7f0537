//! Formulas run as actions: they find next states instead of a value.

use std::sync::Arc;

use super::{Arg, Bounds, CaseArm, DefinitionId, Expr, LetGroup, Local};
use crate::source::Span;

/// An action and where it was written.
#[derive(Debug)]
pub struct Action {
    /// Where it was written.
    pub span: Span,
    /// What it is.
    pub kind: ActionKind,
}

/// What an action is. `Init` is compiled to the same: there the targets are variables without primes, and it is run as if
/// under a prime, where a variable means that of the state being found.
#[derive(Debug)]
pub enum ActionKind {
    /// `/\`: from left to right.
    And(Box<[Action]>),
    /// `\/`: each in turn.
    Or(Box<[Action]>),
    /// `\E`: each in turn.
    Exists(Bounds, Box<Action>),
    /// `\A`: the conjunction over all, from left to right; true if there are none.
    ForAll(Bounds, Box<Action>),
    /// `IF`
    If(Expr, Box<Action>, Box<Action>),
    /// `CASE`: the first arm whose condition holds.
    Case {
        /// Tried in order.
        arms: Box<[CaseArm<Action>]>,
        /// `OTHER`.
        other: Option<Box<Action>>,
    },
    /// `LET`
    Let(Arc<LetGroup>, Box<Action>),
    /// A definition, which has an action form.
    Call(DefinitionId, Box<[Arg]>),
    /// An operator parameter or `LET` definition that may be an action; for one without parameters the arguments are none.
    /// A parameter that stands for a value is run by its argument's action form, or tested if that has none.
    CallLocal(Local, Box<[Arg]>),
    /// `target = value`, where the target may turn out to be a variable to assign.
    Equal(Expr, Expr),
    /// `target \in set`, likewise.
    Member(Expr, Expr),
    /// `UNCHANGED e`, where the expression is variables, tuples of them, or definitions of such.
    Unchanged(Expr),
    /// A condition that assigns nothing.
    Guard(Expr),
    /// A formula without primes that branches as an action (a disjunction or existential quantifier): TLC finds a next state
    /// once per true branch. Who counts states as TLC does runs the branches; who only wants the states tests the condition.
    Condition {
        /// As a value.
        test: Expr,
        /// As an action.
        branches: Box<Action>,
    },
}
