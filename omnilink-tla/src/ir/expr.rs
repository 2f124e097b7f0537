//! Expressions that are evaluated to a value.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use super::{Action, DefinitionId, VariableId};
use crate::builtin::Native;
use crate::source::Span;
use crate::symbol::Symbol;
use crate::value::{Set, Value};

/// An expression and where it was written.
#[derive(Debug)]
pub struct Expr {
    /// Where it was written.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// A bound name: see the module's page on environments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// How many frames up.
    pub depth: u32,
    /// Which binding of the frame.
    pub index: u32,
}

/// What an expression is.
#[derive(Debug)]
pub enum ExprKind {
    /// A value known when the specification was compiled.
    Value(Value),
    /// A variable: of this state, or of the next one inside a prime.
    Variable(VariableId),
    /// A variable with a prime.
    Primed(VariableId),
    /// An expression with a prime: its variables are those of the next state.
    Prime(Box<Expr>),
    /// A bound name that stands for a value.
    Local(Local),
    /// A bound name that stands for an operator (a parameter, or a definition of a `LET`), with arguments.
    CallLocal(Local, Box<[Arg]>),
    /// A definition, with arguments.
    Call(DefinitionId, Box<[Arg]>),
    /// An operator of a built-in module, with arguments.
    Native(&'static Native, Box<[Arg]>),
    /// `LET`: one frame with all definitions.
    Let(Arc<LetGroup>, Box<Expr>),

    /// `/\`, left to right, ends at the first FALSE.
    And(Box<[Expr]>),
    /// `\/`, left to right, ends at the first TRUE.
    Or(Box<[Expr]>),
    /// `~`
    Not(Box<Expr>),
    /// `=>`
    Implies(Box<Expr>, Box<Expr>),
    /// `<=>`
    Equivalent(Box<Expr>, Box<Expr>),
    /// `IF`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `CASE`
    Case {
        /// Tried in order.
        arms: Box<[CaseArm<Expr>]>,
        /// `OTHER`.
        other: Option<Box<Expr>>,
    },
    /// `=`
    Equal(Box<Expr>, Box<Expr>),
    /// `#`
    NotEqual(Box<Expr>, Box<Expr>),
    /// `\in`
    In(Box<Expr>, Box<Expr>),
    /// `\notin`
    NotIn(Box<Expr>, Box<Expr>),

    /// `\A`
    ForAll(Bounds, Box<Expr>),
    /// `\E`
    Exists(Bounds, Box<Expr>),
    /// `CHOOSE x \in S : p`; the bounds are one.
    Choose(Bounds, Box<Expr>),
    /// `CHOOSE v : v \notin S`: a value that is like no other.
    ChooseFresh(Value),

    /// `{a, b}`
    SetEnum(Box<[Expr]>),
    /// `{x \in S : p}`; the bounds are one.
    SetFilter(Arc<FunctionCode>),
    /// `{e : x \in S}`
    SetMap(Bounds, Box<Expr>),
    /// `[x \in S |-> e]`, and recursive function definitions.
    Function(Arc<FunctionCode>),
    /// `[S -> T]`
    FunctionSet(Box<Expr>, Box<Expr>),
    /// `[a |-> e]`
    Record(Box<RecordCode>),
    /// `[a : S]`, sorted by field.
    RecordSet(Box<[(Symbol, Expr)]>),
    /// `<<a, b>>`
    Tuple(Box<[Expr]>),
    /// `A \X B \X C`
    Product(Box<[Expr]>),
    /// `f[e]`
    Apply(Box<Expr>, Box<Expr>),
    /// `r.f`
    Field(Box<Expr>, Symbol),
    /// `DOMAIN f`
    Domain(Box<Expr>),
    /// `[f EXCEPT …]`
    Except(Box<Expr>, Box<[ExceptClause]>),
    /// A function or set written out to change it at one point, recognised as such.
    PointUpdate(Box<PointUpdate>),

    /// A constant part, evaluated once.
    Once(Box<OnceCode>),
    /// `ENABLED A`
    Enabled(Arc<Action>),
    /// `UNCHANGED e` as a value: `e' = e`.
    Unchanged(Box<Expr>),
    /// A formula about whole behaviours (`[]P`, `WF_v(A)`, …): evaluating it is an error, which says what it is.
    Temporal(&'static str),
    /// A formula that has no value that could be found (`\A x : p` without a set, …): evaluating it is an error, which says
    /// what it is.
    Unevaluable(&'static str),
    /// A constant that was given nothing: evaluating it is an error, which says how to give it something.
    UnassignedConstant(Symbol),
}

/// An expression that has the same value everywhere.
#[derive(Debug)]
pub struct OnceCode {
    /// The expression. It stands in no frame.
    pub expr: Expr,
    /// Its value, once it was needed.
    pub value: OnceLock<Value>,
}

impl OnceCode {
    /// To be evaluated when first needed.
    pub fn new(expr: Expr) -> Self {
        Self { expr, value: OnceLock::new() }
    }
}

/// The fields of a record. All records made by it share their domain.
#[derive(Debug)]
pub struct RecordCode {
    /// Sorted by name.
    pub fields: Box<[(Symbol, Expr)]>,
    /// The names.
    pub domain: Set,
}

impl RecordCode {
    /// A record of these fields, sorted by name.
    pub fn new(fields: Box<[(Symbol, Expr)]>) -> Self {
        let mut names: Vec<Symbol> = fields.iter().map(|(name, _)| *name).collect();
        names.dedup();
        Self { fields, domain: shared_domain(names) }
    }
}

/// The set of some names in order, one and the same for all records with these names: then they are compared without a look
/// at the names.
fn shared_domain(names: Vec<Symbol>) -> Set {
    static KNOWN: LazyLock<Mutex<HashMap<Vec<Symbol>, Set>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let new = || Set::from_sorted(names.iter().copied().map(Value::Str).collect());
    known.entry(names.clone()).or_insert_with(new).clone()
}

/// One arm of a `CASE`.
#[derive(Debug)]
pub struct CaseArm<Body> {
    /// When.
    pub condition: Expr,
    /// What then.
    pub body: Body,
}

/// What an operator is given for one parameter.
#[derive(Debug)]
pub enum Arg {
    /// Evaluated before the call: it cannot fail and costs nothing.
    Eager(Expr),
    /// Evaluated when first used, as TLA+'s meaning by substitution demands: an argument that is not used may be nonsense.
    Lazy {
        /// The argument.
        expr: Expr,
        /// Whether its value may be kept: not if it depends on the next state, which is still being found.
        keep: bool,
        /// The argument as an action, for [`ActionKind::CallLocal`](super::ActionKind::CallLocal) of the parameter: given
        /// where a formula that may assign variables is passed to a definition that is run.
        action: Option<Box<Action>>,
    },
    /// An operator.
    Operator(OperatorArg),
}

/// An operator given as an argument.
#[derive(Debug)]
pub enum OperatorArg {
    /// `LAMBDA`
    Lambda(Arc<Lambda>),
    /// A definition by its name.
    Definition(DefinitionId),
    /// An operator parameter or `LET` operator passed on.
    Local(Local),
    /// `+`, `Append`, …
    Native(&'static Native),
}

/// Parameters (one frame) and a body.
#[derive(Debug)]
pub struct Lambda {
    /// How many parameters.
    pub arity: usize,
    /// As a value.
    pub body: Expr,
    /// As an action, if it may be run as one.
    pub action: Option<Action>,
}

/// The definitions of one `LET`: one frame. Each of them sees the frame itself, so `RECURSIVE` ones find each other.
#[derive(Debug)]
pub struct LetGroup {
    /// In the order written.
    pub definitions: Box<[LetDef]>,
}

/// One definition of a `LET`. Without parameters it is evaluated when first used.
#[derive(Debug)]
pub struct LetDef {
    /// Its name, for errors.
    pub name: Symbol,
    /// Parameters and body. For a definition without parameters the body's innermost frame is the `LET`'s own.
    pub lambda: Arc<Lambda>,
    /// For a definition without parameters: whether its value may be kept once evaluated (see [`Arg::Lazy`]).
    pub keep: bool,
}

/// Binders with their sets. All names go into one frame, in order; the sets are evaluated outside of it.
#[derive(Debug)]
pub struct Bounds {
    /// The sets, each with the names that range over it.
    pub binders: Box<[Binder]>,
    /// How many names in all.
    pub names: usize,
    /// The names as written, in order, for showing their values.
    pub symbols: Box<[Symbol]>,
}

/// Names that range over one set.
#[derive(Debug)]
pub struct Binder {
    /// What they range over.
    pub set: Expr,
    /// How many names.
    pub names: usize,
    /// Whether they take apart one tuple (`<<x, y>> \in S`) or range over the set each on its own (`x, y \in S`).
    pub tuple: bool,
}

/// `[x \in S |-> e]` or `{x \in S : e}`: code that may outlive its environment, when the function or set cannot be written
/// out at once.
#[derive(Debug)]
pub struct FunctionCode {
    /// The arguments. With several names the function's arguments are tuples of them.
    pub bounds: Bounds,
    /// The value. Its innermost frame is the bounds', or, for a recursive definition, the next one out holds the function
    /// itself as its only name.
    pub body: Expr,
    /// The name of a recursive function definition that uses itself.
    pub recursive: Option<Symbol>,
    /// Whether bounds or body depend on the state.
    pub uses_state: bool,
}

/// `!.a[i] = e`
#[derive(Debug)]
pub struct ExceptClause {
    /// The way to what changes.
    pub path: Box<[PathStep]>,
    /// What it becomes. Its innermost frame holds `@` as its only name.
    pub value: Expr,
    /// Whether the value uses `@` (if not, nothing needs to be there to read).
    pub uses_old: bool,
}

/// One step of a path.
#[derive(Debug)]
pub enum PathStep {
    /// `.field`
    Field(Symbol),
    /// `[e]`
    Index(Expr),
}

/// An expression that changes one function or set at one point. Its parts are evaluated in the environment of the whole
/// expression.
#[derive(Debug)]
pub enum PointUpdate {
    /// `[k \in DOMAIN f \cup {key} |-> IF k = key THEN value ELSE f[k]]`, and `(key :> value) @@ f`
    Insert {
        /// The function.
        function: Expr,
        /// Where.
        key: Expr,
        /// What it becomes there.
        value: Expr,
    },
    /// `[k \in DOMAIN f \cup {key} |-> IF k \in DOMAIN f THEN f[k] ELSE value]`, and `f @@ (key :> value)`
    InsertIfAbsent {
        /// The function.
        function: Expr,
        /// Where.
        key: Expr,
        /// What it becomes there if there was nothing.
        value: Expr,
    },
    /// `set \cup {element}`
    Include {
        /// The set.
        set: Expr,
        /// What it gains.
        element: Expr,
    },
    /// `set \ {element}`
    Exclude {
        /// The set.
        set: Expr,
        /// What it loses.
        element: Expr,
    },
    /// `[k \in DOMAIN f \ {key} |-> f[k]]`
    Remove {
        /// The function.
        function: Expr,
        /// Where.
        key: Expr,
    },
}
