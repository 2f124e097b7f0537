//! What can go wrong with values. Places in the specification are added by the evaluator.

use std::error::Error;
use std::fmt::{self, Write as _};

use super::Value;

/// Why an operation on values has no result. One pointer, so that results stay small.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ValueError(Box<Problem>);

/// The ways in which operations on values fail. `doing` is a phrase such as `evaluate \cup`.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The two are of kinds that TLA+ does not say whether they are equal, and TLC refuses to compare.
    #[error("cannot {doing} {} {} and {} {}", left.kind_name(), Short(left), right.kind_name(), Short(right))]
    Unlike {
        /// One.
        left: Value,
        /// The other.
        right: Value,
        /// What was tried.
        doing: &'static str,
    },
    /// A function was applied outside its domain.
    #[error("{} is not in the domain of {}", Short(key), Short(function))]
    NotInDomain {
        /// The argument.
        key: Value,
        /// The function.
        function: Value,
    },
    /// The set's elements cannot be listed.
    #[error("cannot {doing}: the elements of {} cannot be enumerated", Short(set))]
    NotEnumerable {
        /// The set.
        set: Value,
        /// What was tried.
        doing: &'static str,
    },
    /// The value is of another kind than the set's elements.
    #[error("cannot decide whether {} {} is in {}, whose elements are {expected}",
        element.kind_name(), Short(element), Short(set))]
    NotAmong {
        /// The value.
        element: Value,
        /// The set.
        set: Value,
        /// What its elements are, in the plural.
        expected: &'static str,
    },
    /// An integer does not fit into 64 bits.
    #[error("cannot {doing}: the result does not fit into a 64-bit integer")]
    Overflow {
        /// What was tried, with the values.
        doing: String,
    },
    /// A value of one kind where another was needed.
    #[error("cannot {doing}: expected {expected}, found {} {}", found.kind_name(), Short(found))]
    NotA {
        /// The kind, with its article: `a set`.
        expected: &'static str,
        /// What there was.
        found: Value,
        /// What was tried.
        doing: &'static str,
    },
    /// There was no element where one was needed.
    #[error("cannot {doing}: {} is empty", Short(found))]
    Empty {
        /// The empty value.
        found: Value,
        /// What was tried.
        doing: &'static str,
    },
    /// Too many elements to hold in memory.
    #[error("cannot {doing}: {} has more than {limit} elements", Short(set))]
    TooLarge {
        /// The set.
        set: Value,
        /// How many are too many.
        limit: usize,
        /// What was tried.
        doing: &'static str,
    },
    /// Values within values within values…
    #[error("a value is nested more than {limit} levels deep")]
    TooDeep {
        /// How deep is too deep.
        limit: u16,
    },
    /// A rule or predicate failed: the evaluator's error, carried through.
    #[error(transparent)]
    Rule(Box<dyn Error + Send + Sync>),
}

impl ValueError {
    /// Carries another error through a [`Rule`](super::Rule) or [`Predicate`](super::Predicate).
    pub fn rule(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Problem::Rule(error.into()).into()
    }

    /// What went wrong.
    pub fn problem(&self) -> &Problem {
        &self.0
    }

    /// What went wrong, to take apart.
    pub fn into_problem(self) -> Problem {
        *self.0
    }

    pub(super) fn not_a(expected: &'static str, found: &Value, doing: &'static str) -> Self {
        Problem::NotA { expected, found: found.clone(), doing }.into()
    }

    pub(super) fn unlike(left: &Value, right: &Value, doing: &'static str) -> Self {
        Problem::Unlike { left: left.clone(), right: right.clone(), doing }.into()
    }
}

impl From<Problem> for ValueError {
    fn from(problem: Problem) -> Self {
        Self(Box::new(problem))
    }
}

/// A value's text, cut to a length that fits into a message; what is cut is not even rendered.
pub struct Short<'a>(pub &'a Value);

impl Short<'_> {
    const LIMIT: usize = 80;
}

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cut = Cut { text: String::new(), room: Self::LIMIT };
        // An error means that the room is used up: nothing else can fail in there.
        let whole = write!(cut, "{}", self.0).is_ok();
        f.write_str(&cut.text)?;
        if whole { Ok(()) } else { f.write_str("…") }
    }
}

struct Cut {
    text: String,
    room: usize,
}

impl fmt::Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            self.room = self.room.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}
