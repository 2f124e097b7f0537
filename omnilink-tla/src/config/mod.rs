//! Model configurations: `.cfg` files as TLC reads them.
//!
//! ```text
//! \* Three nodes are enough.
//! CONSTANTS Node = {n1, n2, n3}   None = None   Quorum <- AllQuorums
//! SPECIFICATION Spec
//! INVARIANTS TypeOK Safe
//! CHECK_DEADLOCK FALSE
//! \* omnilink: ON abort=Rollback
//! ```
//!
//! A configuration is read without a look at the specification: names are resolved by the compiler, so that an error
//! there can point here. Line comments that begin with `omnilink:` are kept: they are rules for checking traces. What goes beyond TLC: negative numbers, `Inst!Op` wherever a definition is named, and strings
//! whose escapes mean what they mean in a module. What TLC passes over in silence is an error: a character that is no
//! TLA+, a comment or a string that does not end.

mod lexer;
mod reader;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources, Span};
use crate::symbol::Symbol;
use crate::value::Value;

/// What a configuration says.
#[derive(Clone, Debug, Default)]
pub struct ConfigFile {
    /// `INIT`
    pub init: Option<Named>,
    /// `NEXT`
    pub next: Option<Named>,
    /// `SPECIFICATION`
    pub specification: Option<Named>,
    /// `CONSTANTS`, in the order written. A name may occur more than once; the last one counts, as in TLC.
    pub constants: Vec<Assignment>,
    /// `INVARIANTS`
    pub invariants: Vec<Named>,
    /// `CONSTRAINTS`
    pub constraints: Vec<Named>,
    /// `ACTION_CONSTRAINTS`
    pub action_constraints: Vec<Named>,
    /// `PROPERTIES`
    pub properties: Vec<Named>,
    /// `VIEW`
    pub view: Option<Named>,
    /// `ALIAS`
    pub alias: Option<Named>,
    /// `POSTCONDITION`
    pub postcondition: Option<Named>,
    /// `SYMMETRY`
    pub symmetry: Option<Named>,
    /// `CHECK_DEADLOCK`
    pub check_deadlock: Option<bool>,
    /// What comments say to OmniLink, `\* omnilink: …`: the text after the colon. What it means is not known here.
    pub remarks: Vec<Span>,
}

/// A name where it is written: `Inv`, `Inst!Inv`, `\prec`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name, without the spaces that may stand around `!`.
    pub name: Symbol,
    /// Where.
    pub span: Span,
}

/// What is given for one name.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The constant or definition.
    pub name: Named,
    /// What it is to be.
    pub to: Given,
}

/// What a name is to be.
#[derive(Clone, Debug)]
pub enum Given {
    /// `N = 3`. Identifiers in it are model values.
    Value(Value),
    /// `N = [Mod] 3`: for the `N` of one module.
    OfModule {
        /// The module.
        module: Named,
        /// What its `N` is.
        value: Value,
    },
    /// `N <- Def`, `N <-[Mod] Def`
    Replacement {
        /// The module whose `N` is meant; the root's otherwise.
        module: Option<Named>,
        /// The definition that replaces it.
        by: Named,
    },
    /// `N = N`: a model value of its own.
    Model,
    /// `Op(1, 2) = 3`: one entry of the table that an operator constant becomes.
    Entry {
        /// The arguments.
        arguments: Vec<Value>,
        /// What the operator is for them.
        result: Value,
    },
}

/// Reads a configuration.
pub fn read_config(sources: &Sources, file: FileId) -> Result<ConfigFile, Diagnostic> {
    reader::Reader::new(sources, file)?.config()
}

/// Reads assignments alone, as they stand in a `CONSTANTS` section: `N = 3  Keys = {1, 2}`.
pub fn read_assignments(sources: &Sources, file: FileId) -> Result<Vec<Assignment>, Diagnostic> {
    reader::Reader::new(sources, file)?.only_assignments()
}
