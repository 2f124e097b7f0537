//! TLA+ values: cheap to clone, compare and fingerprint, with the identities of TLA+.
//!
//! A [`Value`] is 16 bytes. What does not fit is shared, never changed, and knows its fingerprint once it was asked
//! for.
//!
//! # Representations
//!
//! One value can be represented in several ways; nothing but speed depends on which.
//!
//! | value | represented as |
//! | --- | --- |
//! | function over `1..n`, `n ≥ 0` (so also `<<>>`, the empty function) | [`Tuple`]: an array or a persistent vector |
//! | other function, records included | [`Function`]: a shared domain and an array of values, or a persistent map |
//! | finite set | [`Set`]: an interval, a sorted array, or a persistent tree |
//! | set that need not or cannot be listed | [`Symbolic`]: `Nat`, `Seq(S)`, `SUBSET S`, `[S -> T]`, filters, … |
//! | function that need not or cannot be tabulated | [`Lambda`]: a domain and a rule |
//!
//! A value is *normal* when nothing in it is symbolic or a lambda. Elements of sets and keys of functions are always
//! normal; elements of tuples and values of functions may be anything. [`Value::normalize`] makes a value normal if it
//! is finite.
//!
//! # Equality
//!
//! [`Value::equals`] is TLC's `=`: comparing values of unlike kinds (`1 = "a"`, `{} = <<>>`) is an error, except that a
//! model value equals nothing but itself. `==`, `Hash` and `Ord` are for data structures: they are total. (TLC's
//! *typed* model values, whose names begin with a letter and an underscore, are not distinguished: comparing them with
//! other values is false rather than an error.)
//!
//! # Order
//!
//! The order in which sets are enumerated, hence what `CHOOSE` finds first. As in TLC where TLC's order depends on
//! values alone:
//!
//! - model values come before everything else, in the order of their names;
//! - `FALSE` before `TRUE`, integers by size, strings lexicographically (TLC: in the order in which it first met them);
//! - tuples, records and other functions: the smaller domain first, then by the first entry that differs, in the order
//!   of keys, first by its key and then by its value (so that tuples of one length are in lexicographic order);
//! - sets: the smaller first, then by the first element that differs.
//!
//! Unlike values have an order as well (booleans, integers, strings, functions, sets), but no set contains both.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::symbol::Symbol;

mod access;
mod algebra;
mod application;
mod display;
mod elements;
mod entries;
mod error;
pub mod fingerprint;
mod function;
mod lambda;
mod member;
mod nesting;
mod order;
mod polynomial;
mod set;
mod splice;
mod symbolic;
#[cfg(test)]
mod tests;
mod tuple;

pub use elements::Elements;
pub use error::{Problem, Short, ValueError};
pub use fingerprint::Fingerprint;
pub(crate) use fingerprint::FingerprintHasher;
pub(crate) use function::FIELDS;
pub use function::{Function, FunctionIter};
pub use lambda::{Lambda, Rule};
pub use nesting::MAX_DEPTH;
pub use set::{Set, SetIter};
pub use symbolic::{MAX_ELEMENTS, Predicate, Shape, Symbolic};
pub use tuple::{MAX_LENGTH, Tuple, TupleIter};

use fingerprint::Kind;
use nesting::Nesting;

/// A TLA+ value.
///
/// The tag is a whole word, so that copying a value is copying two words.
#[repr(u64)]
pub enum Value {
    /// `TRUE` or `FALSE`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A string.
    Str(Symbol),
    /// A model value: equal to nothing but itself.
    Model(Symbol),
    /// A function over `1..n`.
    Tuple(Tuple),
    /// A function over any other finite domain.
    Function(Function),
    /// A finite set.
    Set(Set),
    /// A set given by its construction.
    Symbolic(Arc<Symbolic>),
    /// A function given by its rule.
    Lambda(Arc<Lambda>),
}

const _: () = assert!(size_of::<Value>() == 16 && size_of::<Result<Value, ValueError>>() == 16);
const _: fn() = || {
    fn shared_by_threads<T: Send + Sync>() {}
    shared_by_threads::<Value>();
};

/// Kinds as messages name what was expected.
const KIND_OF_SET: &str = "a set";
const KIND_OF_FUNCTION: &str = "a function";

impl Value {
    /// A string.
    pub fn string(text: &str) -> Self {
        Self::Str(Symbol::new(text))
    }

    /// A model value.
    pub fn model(name: &str) -> Self {
        Self::Model(Symbol::new(name))
    }

    /// The tuple of these elements.
    pub fn tuple(elements: impl IntoIterator<Item = Self>) -> Result<Self, ValueError> {
        Ok(Self::Tuple(Tuple::new(elements.into_iter().collect())?))
    }

    /// The record with these fields. Of equal names, the first counts.
    pub fn record<N: Into<Symbol>>(fields: impl IntoIterator<Item = (N, Self)>) -> Result<Self, ValueError> {
        Self::function(fields.into_iter().map(|(name, value)| (Self::Str(name.into()), value)))
    }

    /// The function with these entries. Of equal keys, the first counts.
    pub fn function(entries: impl IntoIterator<Item = (Self, Self)>) -> Result<Self, ValueError> {
        Function::from_entries(entries.into_iter().collect())
    }

    /// `[x \in domain |-> …]`, given the values in the order of the domain's elements.
    pub fn function_over(domain: &Set, values: Vec<Self>) -> Result<Self, ValueError> {
        Function::over(domain, values)
    }

    /// The record whose field names are this domain, with values in the order of names.
    pub(crate) fn record_over(domain: &Set, values: SmallVec<[Self; FIELDS]>) -> Result<Self, ValueError> {
        Function::record_over(domain, values)
    }

    /// The set of these elements.
    pub fn set(elements: impl IntoIterator<Item = Self>) -> Result<Self, ValueError> {
        Ok(Self::Set(Set::from_values(elements.into_iter().collect())?))
    }

    /// `TRUE`
    pub const TRUE: Self = Self::Bool(true);

    /// `FALSE`
    pub const FALSE: Self = Self::Bool(false);

    /// `{}`
    pub fn empty_set() -> Self {
        Self::Set(Set::empty())
    }

    /// `{FALSE, TRUE}`
    pub fn boolean() -> Self {
        Self::Set(Set::from_sorted(vec![Self::Bool(false), Self::Bool(true)]))
    }

    /// `lo..hi`
    pub fn interval(lo: i64, hi: i64) -> Self {
        Self::Set(Set::interval(lo, hi))
    }

    /// Whether nothing in it is symbolic or a lambda.
    #[inline]
    pub fn is_normal(&self) -> bool {
        self.nesting().normal
    }

    /// The same value with everything in it listed and tabulated; an error if something in it is infinite.
    #[inline]
    pub fn normalize(self) -> Result<Self, ValueError> {
        if self.is_normal() { Ok(self) } else { self.normalized() }
    }

    fn normalized(&self) -> Result<Self, ValueError> {
        match self {
            Self::Tuple(tuple) => {
                Self::tuple(tuple.iter().map(|element| element.clone().normalize()).collect::<Result<Vec<_>, _>>()?)
            }
            Self::Function(function) => {
                let values = function.iter().map(|(_, value)| value.clone().normalize()).collect::<Result<_, _>>()?;
                Function::over(&function.domain(), values)
            }
            Self::Symbolic(symbolic) => Ok(Self::Set(symbolic.to_set("list the elements of a set")?.clone())),
            Self::Lambda(lambda) => lambda.to_function()?.clone().normalize(),
            Self::Bool(_) | Self::Int(_) | Self::Str(_) | Self::Model(_) | Self::Set(_) => Ok(self.clone()),
        }
    }

    /// A fingerprint that equal values share, whatever their representation.
    ///
    /// What cannot be listed is fingerprinted by its construction; rules and predicates by their identity.
    #[inline]
    pub fn fingerprint(&self) -> Fingerprint {
        match self {
            Self::Int(value) => fingerprint::of_word(Kind::Int, *value as u64),
            Self::Tuple(tuple) => tuple.fingerprint(),
            _ => self.other_fingerprint(),
        }
    }

    /// The same of other values than those that most sequences are made of: apart, so that the others can be inlined.
    fn other_fingerprint(&self) -> Fingerprint {
        match self {
            Self::Int(_) | Self::Tuple(_) => self.fingerprint(),
            Self::Bool(value) => fingerprint::of_word(Kind::Bool, u64::from(*value)),
            Self::Str(text) => fingerprint::retag(Kind::Str, text.fingerprint()),
            Self::Model(name) => fingerprint::retag(Kind::Model, name.fingerprint()),
            Self::Function(function) => function.fingerprint(),
            Self::Set(set) => set.fingerprint(),
            Self::Symbolic(symbolic) => symbolic.fingerprint(),
            Self::Lambda(lambda) => lambda.fingerprint(),
        }
    }

    #[inline]
    fn nesting(&self) -> Nesting {
        match self {
            Self::Bool(_) | Self::Int(_) | Self::Str(_) | Self::Model(_) => Nesting::FLAT,
            Self::Tuple(tuple) => tuple.nesting(),
            Self::Function(function) => function.nesting(),
            Self::Set(set) => set.nesting(),
            Self::Symbolic(symbolic) => symbolic.nesting(),
            Self::Lambda(lambda) => lambda.nesting(),
        }
    }
}

impl Clone for Value {
    /// Scalars, of which most collections are made, are copied in place; everything else counts a reference.
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Bool(value) => Self::Bool(*value),
            Self::Int(value) => Self::Int(*value),
            Self::Str(text) => Self::Str(*text),
            Self::Model(name) => Self::Model(*name),
            Self::Tuple(tuple) => Self::Tuple(tuple.clone()),
            Self::Function(function) => Self::Function(function.clone()),
            Self::Set(set) => Self::Set(set.clone()),
            Self::Symbolic(symbolic) => Self::Symbolic(symbolic.clone()),
            Self::Lambda(lambda) => Self::Lambda(lambda.clone()),
        }
    }
}
