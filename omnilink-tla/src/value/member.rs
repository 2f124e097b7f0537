//! `\in` and `\subseteq`, without listing the set on the right where that can be avoided.

use std::sync::Arc;

use super::entries::Entries;
use super::error::{Problem, ValueError};
use super::{KIND_OF_SET, Shape, Symbolic, Value};
use crate::symbol::Symbol;

impl Value {
    /// `self \in set`
    pub fn member(&self, set: &Self) -> Result<bool, ValueError> {
        match set {
            Self::Set(set) => set.contains(self),
            Self::Symbolic(symbolic) => member_of_symbolic(self, symbolic),
            _ => Err(ValueError::not_a(KIND_OF_SET, set, "evaluate \\in")),
        }
    }

    /// `self \subseteq other`
    pub fn subset(&self, other: &Self) -> Result<bool, ValueError> {
        let doing = "evaluate \\subseteq";
        match (self, other) {
            (Self::Set(left), Self::Set(right)) => return left.subset(right),
            (Self::Symbolic(left), Self::Symbolic(right)) => {
                if let (Shape::Subsets(left), Shape::Subsets(right)) = (left.shape(), right.shape()) {
                    return left.subset(right);
                }
            }
            (_, Self::Set(_) | Self::Symbolic(_)) => {}
            _ => return Err(ValueError::not_a(KIND_OF_SET, other, doing)),
        }
        for element in self.iterate(doing)? {
            if !element?.member(other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn member_of_symbolic(element: &Value, set: &Arc<Symbolic>) -> Result<bool, ValueError> {
    // What a set's elements are, if this one could not possibly be among them. A model value is in no set that does not
    // list it.
    let only = |expected: &'static str| match element {
        Value::Model(_) => Ok(false),
        _ => Err(not_among(element, set, expected)),
    };
    match set.shape() {
        Shape::Any => Ok(true),
        Shape::Nat => element.as_int().map_or_else(|| only("integers"), |number| Ok(number >= 0)),
        Shape::Int | Shape::Real => element.as_int().map_or_else(|| only("numbers"), |_| Ok(true)),
        Shape::Strings => element.as_str().map_or_else(|| only("strings"), |_| Ok(true)),
        Shape::Seq(base) => match element.resolved() {
            Value::Tuple(tuple) => all(tuple, |part| part.member(base)),
            // To TLC, a string is the sequence of its characters.
            Value::Str(text) => all(text.as_str().chars(), |character| Value::from(character).member(base)),
            _ => only("sequences"),
        },
        Shape::Product(factors) => match element.resolved() {
            Value::Tuple(tuple) if tuple.len() != factors.len() => Ok(false),
            Value::Tuple(tuple) => all(tuple.iter().zip(factors), |(part, factor)| part.member(factor)),
            _ => only("tuples"),
        },
        Shape::Functions { domain, range } => match element.resolved() {
            Value::Lambda(lambda) => {
                Ok(lambda.domain().equals(domain)? && lambda.to_function()?.member(&Value::Symbolic(set.clone()))?)
            }
            function => match Entries::of(function) {
                Some(entries) => {
                    Ok(function.domain()?.equals(domain)? && all(entries, |(_, value)| value.member(range))?)
                }
                None => only("functions"),
            },
        },
        Shape::Records(fields) => match element.resolved() {
            record if record.is_record() => member_of_records(record, fields),
            _ => only("records"),
        },
        Shape::Subsets(base) if element.is_set() => element.subset(base),
        Shape::Subsets(_) => Err(not_among(element, set, "sets")),
        Shape::Cup(left, right) => Ok(element.member(left)? || element.member(right)?),
        Shape::Cap(left, right) => Ok(element.member(left)? && element.member(right)?),
        Shape::Minus(left, right) => Ok(element.member(left)? && !element.member(right)?),
        Shape::Filter { base, predicate } => Ok(element.member(base)? && predicate.holds(element)?),
    }
}

fn member_of_records(record: &Value, fields: &[(Symbol, Value)]) -> Result<bool, ValueError> {
    let Some(entries) = Entries::of(record) else { return Ok(false) };
    if entries.len() != fields.len() {
        return Ok(false);
    }
    all(entries.zip(fields), |((key, value), (name, range))| Ok(key.as_str() == Some(*name) && value.member(range)?))
}

fn all<T>(
    items: impl IntoIterator<Item = T>,
    mut holds: impl FnMut(T) -> Result<bool, ValueError>,
) -> Result<bool, ValueError> {
    for item in items {
        if !holds(item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn not_among(element: &Value, set: &Arc<Symbolic>, expected: &'static str) -> ValueError {
    Problem::NotAmong { element: element.clone(), set: Value::Symbolic(set.clone()), expected }.into()
}
