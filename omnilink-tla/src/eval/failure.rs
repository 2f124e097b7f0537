//! Why an evaluation could not go on.

use std::error::Error;
use std::fmt;

use super::env::{Unknown, UnknownId};
use crate::diagnostic::{Diagnostic, Frame};
use crate::source::Span;
use crate::value::{Problem, ValueError};

/// An evaluation error on its way out: each definition it leaves adds itself to the stack.
#[derive(Debug, Clone)]
pub struct Failure(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    diagnostic: Diagnostic,
    /// The value that was needed and is not known yet, if that is all that is wrong.
    unknown: Option<UnknownId>,
    /// There was no stack left.
    too_deep: bool,
    /// A variable of the next state was read before it was assigned.
    too_early: bool,
    /// How many definitions deep the conjunct stands that failed, if it is run on behalf of a deeper one.
    depth: u32,
}

impl Failure {
    /// An error at a place.
    pub fn new(message: impl Into<String>, span: Span) -> Self {
        Self::unplaced(message).located(span)
    }

    /// An error whose place the evaluator adds: see [`Failure::located`].
    pub fn unplaced(message: impl Into<String>) -> Self {
        let diagnostic = Diagnostic::error(message);
        Self(Box::new(Inner { diagnostic, unknown: None, too_deep: false, too_early: false, depth: u32::MAX }))
    }

    /// There is no stack left.
    #[cold]
    pub(super) fn too_deep() -> Self {
        let mut failure = Self::unplaced("this goes too deep for the stack")
            .hint("does the recursion end? If so, evaluate it with more stack");
        failure.0.too_deep = true;
        failure
    }

    /// Whether there was no stack left. What is tried instead of what failed would go as deep, and what is tried instead of
    /// that, too: nothing must be.
    pub(super) fn is_too_deep(&self) -> bool {
        self.0.too_deep
    }

    /// Notes that a variable of the next state was read before it was assigned.
    #[must_use]
    pub(super) fn too_early(mut self) -> Self {
        self.0.too_early = true;
        self
    }

    /// Whether a variable of the next state was read before it was assigned.
    pub(super) fn is_too_early(&self) -> bool {
        self.0.too_early
    }

    /// A value is needed that was not found yet.
    pub(super) fn unknown(unknown: &Unknown<'_>) -> Self {
        let mut failure = Self::unplaced("a value is needed here that nothing determines");
        failure.0.unknown = Some(unknown.id);
        failure
    }

    /// The value that was needed and is not known yet, if that is all that is wrong.
    pub(super) fn needs(&self) -> Option<UnknownId> {
        self.0.unknown
    }

    /// Whether the expression itself has no value, rather than that one could not be found here or yet.
    pub(crate) fn is_of_the_expression(&self) -> bool {
        self.0.unknown.is_none() && !self.0.too_deep && !self.0.too_early
    }

    /// Gives it a place, unless it has one.
    #[must_use]
    pub fn located(mut self, span: Span) -> Self {
        self.0.diagnostic.span.get_or_insert(span);
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.diagnostic.hint = Some(hint.into());
        self
    }

    /// Notes that it happened inside a definition that was used at `span`, which is its place if it has no other. A deep
    /// recursion is shown by its innermost definitions.
    #[must_use]
    pub fn inside(mut self, name: &str, span: Span) -> Self {
        const SHOWN: usize = 24;
        let diagnostic = &mut self.0.diagnostic;
        diagnostic.span.get_or_insert(span);
        if diagnostic.stack.len() < SHOWN {
            diagnostic.stack.push(Frame { name: name.to_owned(), span });
        }
        self
    }

    /// Notes that it happened in a conjunct that stands so many definitions deep, whatever is running now.
    #[must_use]
    pub(super) fn at_depth(mut self, depth: u32) -> Self {
        self.0.depth = self.0.depth.min(depth);
        self
    }

    /// [`Failure::inside`] for a definition that is run as an action, so many definitions deep: what follows it in the
    /// conjunction around it is run before it returns, but is not inside of it.
    #[must_use]
    pub(super) fn inside_action(self, name: &str, span: Span, depth: u32) -> Self {
        if depth <= self.0.depth { self.inside(name, span) } else { self }
    }

    /// What it says.
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.0.diagnostic
    }

    /// What it says, to keep.
    pub fn into_diagnostic(self) -> Diagnostic {
        self.0.diagnostic
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.diagnostic.message)
    }
}

impl Error for Failure {}

impl From<ValueError> for Failure {
    fn from(error: ValueError) -> Self {
        match error.into_problem() {
            Problem::Rule(rule) => match rule.downcast::<Self>() {
                Ok(failure) => *failure,
                Err(other) => Self::unplaced(other.to_string()),
            },
            problem => Self::unplaced(problem.to_string()),
        }
    }
}
