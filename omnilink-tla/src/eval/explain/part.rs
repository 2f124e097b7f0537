//! What an explanation consists of.

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::symbol::Symbol;
use crate::value::Value;

/// A formula and what became of it, with the parts that decided that.
///
/// Only what decides is looked into: of a conjunction the first conjunct that cannot be satisfied together with those
/// before it, of a disjunction everything, of a formula that is as it should be nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// How it belongs to the part around it.
    pub role: Role,
    /// The formula.
    pub span: Span,
    /// What became of it.
    pub outcome: Outcome,
    /// The values that decide it: operands first, then names in them.
    pub values: Vec<Valued>,
    /// Its parts, in the order of evaluation; choices, the one that got furthest first.
    pub parts: Vec<Part>,
    /// Whether there are further choices like those among the parts.
    pub more: bool,
}

/// What became of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is true, or can be made true.
    True,
    /// It is false, or nothing makes it true.
    False,
    /// It cannot be evaluated.
    Failed(Box<Diagnostic>),
    /// What stands before it decided.
    NotReached,
}

/// How a part belongs to the part around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The whole, or the only part.
    Formula,
    /// One of `/\`.
    Conjunct,
    /// One of `\/`.
    Disjunct,
    /// What decides between branches: of `IF`, of `CASE`.
    Condition,
    /// The branch that was taken.
    Branch,
    /// A side of `=>` or `<=>`, what stands under `~`.
    Operand,
    /// The body of a quantifier for one choice of its names, or a formula for one value of an argument that was not
    /// recorded.
    Choice(Vec<(Symbol, Value)>),
    /// A conjunct after one of several ways to satisfy those before it, which gave these variables their next values.
    After(Vec<(Symbol, Value)>),
    /// A quantifier's set on the way to an action, and the names with the arguments that have to be in it (as a tuple,
    /// if they are several). Without names nothing was recorded, and it is enough that there is an element.
    Bound(Vec<(Symbol, Value)>),
    /// A condition on the way to an action, and what it has to be.
    Guard(bool),
    /// An expression that is passed to an action, which has to equal the argument that was recorded for a parameter.
    Passed(Symbol, Value),
}

/// An expression and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Valued {
    /// The expression.
    pub span: Span,
    /// Whether it is the value in the next state although no prime is written on it.
    pub primed: bool,
    /// Its value.
    pub value: Value,
}

impl Part {
    pub(super) fn new(span: Span, outcome: Outcome) -> Self {
        Self { role: Role::Formula, span, outcome, values: Vec::new(), parts: Vec::new(), more: false }
    }

    pub(super) fn with(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// Takes up the body of an operator. One that is nothing but its parts would only repeat them.
    pub(super) fn adopt(&mut self, body: Self) {
        if body.role == Role::Formula && body.values.is_empty() && !body.parts.is_empty() {
            self.parts = body.parts;
            self.more = body.more;
        } else {
            self.parts = vec![body];
        }
    }

    /// How many parts are true: of several choices, those with most true parts are shown.
    pub(super) fn reach(&self) -> usize {
        let this = usize::from(self.outcome == Outcome::True);
        this + self.parts.iter().map(Self::reach).sum::<usize>()
    }
}

impl Outcome {
    pub(super) fn of(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }

    /// Of several ways, none of which need be the only one.
    pub(crate) fn of_any(parts: &[Part]) -> Self {
        let is_true = |part: &&Part| part.outcome == Self::True;
        let failed = |part: &&Part| matches!(part.outcome, Self::Failed(_));
        let decisive = parts.iter().find(is_true).or_else(|| parts.iter().find(failed));
        decisive.map_or(Self::False, |part| part.outcome.clone())
    }
}

impl From<super::Failure> for Outcome {
    fn from(failure: super::Failure) -> Self {
        Self::Failed(Box::new(failure.into_diagnostic()))
    }
}
