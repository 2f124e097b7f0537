//! Equality, order and hashing: see the module's documentation for what the order is.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use omnilink_budget::poll;

use super::entries::Entries;
use super::error::ValueError;
use super::{Set, Value};

/// What to do with pairs that TLA+ gives no order.
trait Policy {
    type Error;

    /// The values are of unlike kinds.
    fn unlike(left: &Value, right: &Value) -> Result<Ordering, Self::Error>;

    /// Of the sets or functions, at least one is known by its construction only.
    fn unlisted(left: &Value, right: &Value) -> Result<Ordering, Self::Error>;

    /// The functions' domains are of different sizes.
    fn sizes(left: &Value, right: &Value, sizes: Ordering) -> Result<Ordering, Self::Error>;
}

/// Everything has an order.
struct Total;

impl Policy for Total {
    type Error = Infallible;

    fn unlike(left: &Value, right: &Value) -> Result<Ordering, Infallible> {
        Ok(rank(left).cmp(&rank(right)))
    }

    fn unlisted(left: &Value, right: &Value) -> Result<Ordering, Infallible> {
        Ok(construction(left, right).unwrap_or_else(|| is_unlisted(left).cmp(&is_unlisted(right))))
    }

    fn sizes(_: &Value, _: &Value, sizes: Ordering) -> Result<Ordering, Infallible> {
        Ok(sizes)
    }
}

/// TLC's order.
struct Comparison;

impl Policy for Comparison {
    type Error = ValueError;

    fn unlike(left: &Value, right: &Value) -> Result<Ordering, ValueError> {
        Err(ValueError::unlike(left, right, "compare"))
    }

    fn unlisted(left: &Value, right: &Value) -> Result<Ordering, ValueError> {
        match construction(left, right) {
            Some(Ordering::Equal) => Ok(Ordering::Equal),
            Some(different) if is_primitive(left) && is_primitive(right) => Ok(different),
            _ => {
                why_unlisted(left)?;
                why_unlisted(right)?;
                Self::unlike(left, right)
            }
        }
    }

    fn sizes(_: &Value, _: &Value, sizes: Ordering) -> Result<Ordering, ValueError> {
        Ok(sizes)
    }
}

/// TLC's `=`, which refuses to compare a record on its left with a function that is not a record.
struct Equality;

impl Policy for Equality {
    type Error = ValueError;

    fn unlike(left: &Value, right: &Value) -> Result<Ordering, ValueError> {
        Comparison::unlike(left, right)
    }

    fn unlisted(left: &Value, right: &Value) -> Result<Ordering, ValueError> {
        Comparison::unlisted(left, right)
    }

    fn sizes(left: &Value, right: &Value, sizes: Ordering) -> Result<Ordering, ValueError> {
        match left {
            Value::Function(record) if record.is_record() && !right.is_record() => Self::unlike(left, right),
            _ => Ok(sizes),
        }
    }
}

/// The order of two that are known by their construction only.
fn construction(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Symbolic(left), Value::Symbolic(right)) => Some(left.compare_construction(right)),
        (Value::Lambda(left), Value::Lambda(right)) => Some(Arc::as_ptr(left).cmp(&Arc::as_ptr(right))),
        _ => None,
    }
}

fn is_unlisted(value: &Value) -> bool {
    matches!(value, Value::Symbolic(_) | Value::Lambda(_))
}

/// An error if the value is finite and yet cannot be listed or tabulated: a rule or predicate fails, or it is too
/// large.
fn why_unlisted(value: &Value) -> Result<(), ValueError> {
    match value {
        Value::Symbolic(symbolic) if value.is_finite()? => symbolic.to_set("compare sets").map(|_| ()),
        Value::Lambda(lambda) if lambda.domain().is_finite()? => lambda.to_function().map(|_| ()),
        _ => Ok(()),
    }
}

fn is_primitive(value: &Value) -> bool {
    matches!(value, Value::Symbolic(symbolic) if symbolic.is_primitive())
}

/// The order of kinds. Functions of any form are one kind, sets of any form another.
fn rank(value: &Value) -> u8 {
    match value {
        Value::Model(_) => 0,
        Value::Bool(_) => 1,
        Value::Int(_) => 2,
        Value::Str(_) => 3,
        Value::Tuple(_) | Value::Function(_) | Value::Lambda(_) => 4,
        Value::Set(_) | Value::Symbolic(_) => 5,
    }
}

fn order<P: Policy>(left: &Value, right: &Value) -> Result<Ordering, P::Error> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Ok(left.cmp(right)),
        (Value::Bool(left), Value::Bool(right)) => Ok(left.cmp(right)),
        (Value::Str(left), Value::Str(right)) | (Value::Model(left), Value::Model(right)) => Ok(left.cmp(right)),
        (Value::Model(_), _) => Ok(Ordering::Less),
        (_, Value::Model(_)) => Ok(Ordering::Greater),
        (Value::Set(left), Value::Set(right)) => order_sets::<P>(left, right),
        (Value::Tuple(a), Value::Tuple(b)) => match a.len().cmp(&b.len()) {
            Ordering::Equal if a.same(b) => Ok(Ordering::Equal),
            Ordering::Equal => match (a.as_array(), b.as_array()) {
                (Some(a), Some(b)) => order_arrays::<P>(a, b),
                _ => order_all::<P>(a.iter().zip(b)),
            },
            sizes => P::sizes(left, right, sizes),
        },
        (Value::Function(a), Value::Function(b)) if a.same(b) => Ok(Ordering::Equal),
        (Value::Function(a), Value::Function(b)) => match (a.arrays(), b.arrays()) {
            (Some((_, a_values)), Some((_, b_values))) if a.shares_domain(b) => order_arrays::<P>(a_values, b_values),
            _ if a.len() != b.len() => P::sizes(left, right, a.len().cmp(&b.len())),
            (Some((a_keys, a_values)), Some((b_keys, b_values))) => {
                for at in 0..a_keys.len() {
                    let ordering = match order::<P>(&a_keys[at], &b_keys[at])? {
                        Ordering::Equal => order::<P>(&a_values[at], &b_values[at])?,
                        keys => keys,
                    };
                    if ordering.is_ne() {
                        return Ok(ordering);
                    }
                }
                Ok(Ordering::Equal)
            }
            _ => order_resolved::<P>(left, right),
        },
        _ => order_resolved::<P>(left.resolved(), right.resolved()),
    }
}

/// What is left when the common cases are done, with symbolic sets listed and lambdas tabulated where possible.
fn order_resolved<P: Policy>(left: &Value, right: &Value) -> Result<Ordering, P::Error> {
    match (left, right) {
        _ if rank(left) != rank(right) => P::unlike(left, right),
        (Value::Set(left), Value::Set(right)) => order_sets::<P>(left, right),
        _ => match (Entries::of(left), Entries::of(right)) {
            (Some(a), Some(b)) if a.len() != b.len() => P::sizes(left, right, a.len().cmp(&b.len())),
            (Some(a), Some(b)) => order_entries::<P>(a, b),
            _ => P::unlisted(left, right),
        },
    }
}

/// [`order_all`] of elements that lie side by side. Integers and names, which most elements are, cost no call.
#[inline]
fn order_arrays<P: Policy>(left: &[Value], right: &[Value]) -> Result<Ordering, P::Error> {
    for (left, right) in left.iter().zip(right) {
        poll();
        let ordering = match (left, right) {
            (Value::Int(left), Value::Int(right)) => left.cmp(right),
            (Value::Str(left), Value::Str(right)) | (Value::Model(left), Value::Model(right)) if left == right => {
                Ordering::Equal
            }
            _ => order::<P>(left, right)?,
        };
        if ordering.is_ne() {
            return Ok(ordering);
        }
    }
    Ok(Ordering::Equal)
}

/// By the first pair that differs.
fn order_all<'a, P: Policy>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>) -> Result<Ordering, P::Error> {
    for (left, right) in pairs {
        poll();
        let ordering = order::<P>(left, right)?;
        if ordering.is_ne() {
            return Ok(ordering);
        }
    }
    Ok(Ordering::Equal)
}

fn order_sets<P: Policy>(left: &Set, right: &Set) -> Result<Ordering, P::Error> {
    if left.len() != right.len() {
        return Ok(left.len().cmp(&right.len()));
    }
    if left.same(right) {
        return Ok(Ordering::Equal);
    }
    if let (Some(left), Some(right)) = (left.as_array(), right.as_array()) {
        return order_arrays::<P>(left, right);
    }
    for (left, right) in left.iter().zip(right) {
        let ordering = order::<P>(&left, &right)?;
        if ordering.is_ne() {
            return Ok(ordering);
        }
    }
    Ok(Ordering::Equal)
}

fn order_entries<P: Policy>(left: Entries<'_>, right: Entries<'_>) -> Result<Ordering, P::Error> {
    for ((left_key, left), (right_key, right)) in left.zip(right) {
        poll();
        let ordering = match order::<P>(&left_key, &right_key)? {
            Ordering::Equal => order::<P>(left, right)?,
            keys => keys,
        };
        if ordering.is_ne() {
            return Ok(ordering);
        }
    }
    Ok(Ordering::Equal)
}

impl Value {
    /// TLC's `=`: an error if the values are unlike.
    pub fn equals(&self, other: &Self) -> Result<bool, ValueError> {
        order::<Equality>(self, other).map(Ordering::is_eq)
    }

    /// TLC's order, in which sets are enumerated: an error if the values are unlike.
    pub fn compare(&self, other: &Self) -> Result<Ordering, ValueError> {
        order::<Comparison>(self, other)
    }

    /// The listed set or tabulated function that this is, if it can be listed or tabulated; itself otherwise.
    pub(super) fn resolved(&self) -> &Self {
        match self {
            Self::Symbolic(symbolic) => symbolic.explicit().unwrap_or(self),
            Self::Lambda(lambda) => lambda.explicit().unwrap_or(self),
            _ => self,
        }
    }

    /// The sum of the fingerprint, where it is known: values whose sums differ are different.
    fn known_sum(&self) -> Option<super::fingerprint::Lanes> {
        match self {
            Self::Tuple(tuple) => tuple.known_sum(),
            Self::Function(function) => function.known_sum(),
            Self::Set(set) => set.known_sum(),
            _ => None,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        let Ok(ordering) = order::<Total>(self, other);
        ordering
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self.known_sum(), other.known_sum()) {
            // A sum that one of the two forms of a value has, the other has as well.
            (Some(left), Some(right)) if left != right => false,
            _ => self.cmp(other).is_eq(),
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.fingerprint().0);
    }
}
