//! The tree that the parser builds: TLA+ as written, with a span on every node and no name resolved yet.
//!
//! Operators are names: `a + b` is the application of `+` to two arguments, `-a` that of `-.`, `f'` that of `'`, just
//! as `Max(a, b)` is that of `Max`. Synonyms are written in one way (`\leq` and `=<` are `<=`; see
//! `syntax::operators`), so that later stages know each operator by one name.

use crate::source::Span;
use crate::symbol::Symbol;

/// A name where it is written.
#[derive(Clone, Copy, Debug)]
pub struct Ident {
    /// The name.
    pub name: Symbol,
    /// Where.
    pub span: Span,
}

/// `---- MODULE name ---- … ====`
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: Ident,
    /// What it extends, in the order written.
    pub extends: Vec<Ident>,
    /// Its declarations and definitions, in the order written.
    pub units: Vec<Unit>,
    /// From the first dashes to the last equals sign.
    pub span: Span,
}

/// A declaration, a definition, or another thing that stands in a module.
#[derive(Clone, Debug)]
pub enum Unit {
    /// `CONSTANTS N, Op(_, _)`
    Constants(Vec<OpDecl>),
    /// `VARIABLES x, y`
    Variables(Vec<Ident>),
    /// `RECURSIVE F(_), G`
    Recursive(Vec<OpDecl>),
    /// `[LOCAL] name(params) == …`
    Definition(Definition),
    /// `[LOCAL] INSTANCE M WITH …`, which has no name
    Instance {
        /// Whether it is `LOCAL`.
        local: bool,
        /// The instance.
        instance: Instance,
    },
    /// `ASSUME [name ==] expr`, also spelled `ASSUMPTION` and `AXIOM`
    Assume {
        /// Its name, if it has one.
        name: Option<Ident>,
        /// What is assumed.
        expr: Expr,
        /// The whole unit.
        span: Span,
    },
    /// `THEOREM [name ==] …` with its proof, which is read past, not kept: nothing is evaluated in it.
    Theorem {
        /// Its name, if it has one.
        name: Option<Ident>,
        /// What it says, unless that is `ASSUME … PROVE …`, which has no value.
        statement: Option<Expr>,
        /// The whole unit.
        span: Span,
    },
    /// A module inside this one.
    Module(Module),
}

/// A declared operator and how many arguments it takes.
#[derive(Clone, Debug)]
pub struct OpDecl {
    /// The operator.
    pub name: Ident,
    /// How many arguments; 0 for a plain constant or parameter.
    pub arity: usize,
}

/// `name(params) == body`
#[derive(Clone, Debug)]
pub struct Definition {
    /// Whether it is `LOCAL`.
    pub local: bool,
    /// What is defined; for infix, prefix and postfix forms the operator's symbol.
    pub name: Ident,
    /// Its parameters; those with an arity take operators.
    pub params: Vec<OpDecl>,
    /// What it is defined as.
    pub body: Body,
    /// The whole definition.
    pub span: Span,
}

/// The right side of a definition.
#[derive(Clone, Debug)]
pub enum Body {
    /// `F(x) == expr`
    Operator(Expr),
    /// `f[x \in S, y \in T] == expr`, which may use `f`
    Function {
        /// The arguments.
        bounds: Vec<Bound>,
        /// The value at them.
        value: Expr,
    },
    /// `I(x) == INSTANCE M WITH …`
    Instance(Instance),
}

/// `INSTANCE M WITH a <- e, …`
#[derive(Clone, Debug)]
pub struct Instance {
    /// The module.
    pub module: Ident,
    /// What takes the place of its constants and variables. The expression may be the bare name of an operator.
    pub substitutions: Vec<(Ident, Expr)>,
    /// The whole of it.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What kind, with its parts.
    pub kind: Box<ExprKind>,
    /// From its first byte to its last.
    pub span: Span,
}

/// `I!J(x)!`: one step on the way to a name inside instances.
#[derive(Clone, Debug)]
pub struct Selector {
    /// The instance's name.
    pub name: Ident,
    /// The arguments of a parameterised instance.
    pub args: Vec<Expr>,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `42`, `\b101`, `\o17`, `\hFF`
    Int(i64),
    /// `3.14`, kept as written: nothing computes with it
    Decimal(Symbol),
    /// `"text"`, escapes resolved
    Str(Symbol),
    /// A name, or an operator symbol where an operator is expected: `x`, `TRUE`, `I!J(1)!Op`, `+`
    Name {
        /// The instances before it.
        path: Vec<Selector>,
        /// The last name.
        name: Ident,
    },
    /// An operator with arguments, however it is written: `Op(a, b)`, `I!Op(a)`, `a + b`, `~a`, `a'`, `DOMAIN f`.
    /// Of two or more factors, `A \X B \X C` is one application of `\X`.
    Apply {
        /// The instances before the operator.
        path: Vec<Selector>,
        /// The operator.
        op: Ident,
        /// Its arguments; never empty.
        args: Vec<Expr>,
    },
    /// `/\ a /\ b` written as a list by columns (or `\/`)
    Junction {
        /// Whether it is a conjunction.
        conjunction: bool,
        /// Its items; never empty.
        items: Vec<Expr>,
    },
    /// `LAMBDA x, y : expr`, or `LAMBDA F(_) : …`
    Lambda {
        /// Parameters.
        params: Vec<OpDecl>,
        /// Body.
        body: Expr,
    },
    /// `\A x, y \in S, <<a, b>> \in T : body`, or `\E`
    Quantifier {
        /// `\A` rather than `\E`.
        universal: bool,
        /// What is bound.
        bounds: Vec<Bound>,
        /// The body.
        body: Expr,
    },
    /// `\A x : body`, `\E x : body`, `\AA x : body`, `\EE x : body`: no set to take `x` from
    UnboundedQuantifier {
        /// The quantifier as written in ASCII.
        quantifier: Symbol,
        /// What is bound.
        names: Vec<Ident>,
        /// The body.
        body: Expr,
    },
    /// `CHOOSE x \in S : p`, `CHOOSE <<x, y>> \in S : p`, `CHOOSE x : p`
    Choose {
        /// What is bound.
        pattern: Pattern,
        /// The set, if there is one.
        set: Option<Expr>,
        /// The condition.
        body: Expr,
    },
    /// `{a, b}`
    SetEnum(Vec<Expr>),
    /// `{x \in S : p}`
    SetFilter {
        /// What is bound.
        bound: Bound,
        /// The condition.
        condition: Expr,
    },
    /// `{e : x \in S, y \in T}`
    SetMap {
        /// The elements.
        value: Expr,
        /// What is bound.
        bounds: Vec<Bound>,
    },
    /// `[x \in S |-> e]`
    Function {
        /// The arguments.
        bounds: Vec<Bound>,
        /// The value at them.
        value: Expr,
    },
    /// `[S -> T]`
    FunctionSet {
        /// Domain.
        domain: Expr,
        /// Range.
        range: Expr,
    },
    /// `[a |-> 1, b |-> 2]`
    Record(Vec<(Ident, Expr)>),
    /// `[a : S, b : T]`
    RecordSet(Vec<(Ident, Expr)>),
    /// `[f EXCEPT !.a[1] = e, ![x, y] = @ + 1]`
    Except {
        /// The function.
        function: Expr,
        /// The changes, in order.
        updates: Vec<Update>,
    },
    /// `@` inside `EXCEPT`
    At,
    /// `f[a, b]`
    Index {
        /// The function.
        function: Expr,
        /// The arguments: several mean a tuple.
        args: Vec<Expr>,
    },
    /// `r.field`
    Field {
        /// The record.
        record: Expr,
        /// The field.
        field: Ident,
    },
    /// `<<a, b>>`
    Tuple(Vec<Expr>),
    /// `IF c THEN a ELSE b`
    If {
        /// The condition.
        condition: Expr,
        /// If it is true.
        then: Expr,
        /// If it is false.
        otherwise: Expr,
    },
    /// `CASE a -> b [] c -> d [] OTHER -> e`
    Case {
        /// Conditions with their values.
        arms: Vec<(Expr, Expr)>,
        /// The value if no condition holds.
        other: Option<Expr>,
    },
    /// `LET … IN body`
    Let {
        /// Definitions, `RECURSIVE` declarations and instances.
        units: Vec<Unit>,
        /// The body.
        body: Expr,
    },
    /// `[A]_v` (box) or `<<A>>_v` (angle)
    Stuttering {
        /// `[A]_v` rather than `<<A>>_v`.
        stutters: bool,
        /// The action.
        action: Expr,
        /// The state function.
        subscript: Expr,
    },
    /// `WF_v(A)` or `SF_v(A)`
    Fairness {
        /// `SF` rather than `WF`.
        strong: bool,
        /// The state function.
        subscript: Expr,
        /// The action.
        action: Expr,
    },
    /// `label :: expr`, or `label(x, y) :: expr`
    Label {
        /// The label.
        name: Ident,
        /// The bound names that it depends on.
        params: Vec<Ident>,
        /// What it names.
        expr: Expr,
    },
    /// `( expr )`: kept, because parentheses decide precedence conflicts and how things print
    Parens(Expr),
}

/// `x, y \in S` or `<<x, y>> \in S`
#[derive(Clone, Debug)]
pub struct Bound {
    /// What is bound.
    pub pattern: Pattern,
    /// What it is taken from.
    pub set: Expr,
}

/// What a binder binds.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// `x, y`: each of them ranges over the set.
    Names(Vec<Ident>),
    /// `<<x, y>>`: the set's elements are tuples, taken apart.
    Tuple(Vec<Ident>),
}

/// `!.a[1] = value`
#[derive(Clone, Debug)]
pub struct Update {
    /// The way to what changes; never empty.
    pub path: Vec<Step>,
    /// What it becomes.
    pub value: Expr,
    /// The whole clause.
    pub span: Span,
}

/// One step of an [`Update`]'s path.
#[derive(Clone, Debug)]
pub enum Step {
    /// `.field`
    Field(Ident),
    /// `[a, b]`: several arguments mean a tuple.
    Index(Vec<Expr>),
}
