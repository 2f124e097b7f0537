//! The compiled form: names resolved to places, TLA+'s many spellings reduced to few nodes.
//!
//! ```text
//!  ast ──► compile ──► Program { definitions, variables, init, next, … } ──► eval
//! ```
//!
//! # Environments
//! Bound names live in *frames*. Entering an operator, a quantifier, a `LET` or an `EXCEPT` clause pushes one frame that
//! holds all names bound there, in the order written; [`Local`] finds a name by how many frames up it is (`depth`, 0 is
//! the innermost) and where in the frame it stands (`index`). An operator of the module level starts with its parameters'
//! frame alone. Nothing is ever assigned, so an environment is a list of frames on the machine's stack.
//!
//! # Two forms of one body
//! A formula is evaluated to a value ([`Expr`]), or run as an action ([`Action`]): conjuncts from left to right, the first
//! `x' = e` for a variable assigns it, later ones test it, a disjunction or an existential quantifier branches. Definitions
//! that `Init`, `Next` or an `ENABLED` reach have both forms.

mod action;
mod expr;
mod program;
mod reads;
pub(crate) mod visit;

pub use action::{Action, ActionKind};
pub use expr::{
    Arg, Binder, Bounds, CaseArm, Expr, ExprKind, FunctionCode, Lambda, LetDef, LetGroup, Local, OperatorArg, PathStep,
};
pub use expr::{ExceptClause, OnceCode, PointUpdate, RecordCode};
pub use program::{
    Constant, ConstantValue, Definition, DefinitionId, Level, NamedFormula, Program, Property, Unchecked, Variable,
    VariableId,
};
pub use reads::{Reads, surely_reads};
