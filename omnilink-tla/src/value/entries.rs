//! Keys and values of any tabulated function, be it a tuple or not.

use super::function::FunctionIter;
use super::tuple::TupleIter;
use super::{Function, Tuple, Value};

/// The entries of a function, in the order of keys.
pub(super) enum Entries<'a> {
    Tuple { key: i64, elements: TupleIter<'a> },
    Function { remaining: usize, entries: FunctionIter<'a> },
}

impl<'a> Entries<'a> {
    /// Of a tabulated function; nothing if the value is anything else.
    pub(super) fn of(value: &'a Value) -> Option<Self> {
        match value {
            Value::Tuple(tuple) => Some(tuple.into()),
            Value::Function(function) => Some(function.into()),
            _ => None,
        }
    }
}

impl<'a> From<&'a Tuple> for Entries<'a> {
    fn from(tuple: &'a Tuple) -> Self {
        Self::Tuple { key: 0, elements: tuple.iter() }
    }
}

impl<'a> From<&'a Function> for Entries<'a> {
    fn from(function: &'a Function) -> Self {
        Self::Function { remaining: function.len(), entries: function.iter() }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Value, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Tuple { key, elements } => {
                *key += 1;
                elements.next().map(|element| (Value::Int(*key), element))
            }
            Self::Function { remaining, entries } => {
                *remaining = remaining.saturating_sub(1);
                entries.next()
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = match self {
            Self::Tuple { elements, .. } => elements.len(),
            Self::Function { remaining, .. } => *remaining,
        };
        (remaining, Some(remaining))
    }
}

impl ExactSizeIterator for Entries<'_> {}
