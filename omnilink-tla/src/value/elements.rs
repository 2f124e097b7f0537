//! Enumerating sets, in order and lazily: stopping early costs nothing for the rest.

use std::cmp::Ordering;
use std::sync::Arc;

use omnilink_budget::poll;

use super::error::ValueError;
use super::{KIND_OF_SET, Set, SetIter, Shape, Symbolic, Value};

/// The elements of a set, in order.
pub enum Elements<'a> {
    /// Of a set that is listed.
    Listed(SetIter<'a>),
    /// Of a set whose elements are made one by one.
    Lazy(Box<dyn Iterator<Item = Result<Value, ValueError>> + 'a>),
}

impl Iterator for Elements<'_> {
    type Item = Result<Value, ValueError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Listed(elements) => elements.next().map(Ok),
            Self::Lazy(elements) => {
                poll();
                elements.next()
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Listed(elements) => elements.size_hint(),
            Self::Lazy(elements) => elements.size_hint(),
        }
    }
}

impl Value {
    /// The elements of a set, in order; `doing` is for the message when it cannot be enumerated.
    pub fn iterate(&self, doing: &'static str) -> Result<Elements<'_>, ValueError> {
        match self {
            Self::Set(set) => Ok(Elements::Listed(set.iter())),
            Self::Symbolic(symbolic) => match symbolic.computed() {
                Some(Self::Set(set)) => Ok(Elements::Listed(set.iter())),
                _ => symbolic.elements(doing),
            },
            _ => Err(ValueError::not_a(KIND_OF_SET, self, doing)),
        }
    }
}

impl Symbolic {
    pub(super) fn elements(self: &Arc<Self>, doing: &'static str) -> Result<Elements<'_>, ValueError> {
        Ok(Elements::Lazy(match self.shape() {
            Shape::Nat | Shape::Int | Shape::Real | Shape::Strings | Shape::Any | Shape::Seq(_) => {
                return Err(self.not_enumerable(doing));
            }
            Shape::Functions { domain, range } => {
                let domain = domain.to_set(doing)?;
                domain.check_listable(doing)?;
                let wheel = wheel(range, doing)?;
                let wheels = domain.iter().map(|_| wheel.clone()).collect();
                Box::new(Odometer::new(domain, wheels))
            }
            Shape::Records(fields) => {
                let names = Set::from_values(fields.iter().map(|(name, _)| Value::Str(*name)).collect())?;
                let wheels = fields.iter().map(|(_, range)| wheel(range, doing)).collect::<Result<_, _>>()?;
                Box::new(Odometer::new(names, wheels))
            }
            Shape::Product(factors) => {
                let wheels = factors.iter().map(|factor| wheel(factor, doing)).collect::<Result<_, _>>()?;
                Box::new(Odometer::new(Set::interval(1, factors.len() as i64), wheels))
            }
            Shape::Subsets(base) => Box::new(Subsets::new(base.to_set(doing)?.listed(doing)?).map(Ok)),
            Shape::Cup(left, right) => Box::new(Merge::new(left.iterate(doing)?, right.iterate(doing)?)),
            Shape::Cap(left, right) => {
                let (listed, other) = if left.is_finite()? { (left, right) } else { (right, left) };
                keep(listed.iterate(doing)?, |element| element.member(other))
            }
            Shape::Minus(left, right) => {
                keep(left.iterate(doing)?, |element| element.member(right).map(|removed| !removed))
            }
            Shape::Filter { base, predicate } => keep(base.iterate(doing)?, |element| predicate.holds(element)),
        }))
    }
}

fn keep<'a>(
    elements: Elements<'a>,
    mut holds: impl FnMut(&Value) -> Result<bool, ValueError> + 'a,
) -> Box<dyn Iterator<Item = Result<Value, ValueError>> + 'a> {
    Box::new(elements.filter_map(move |element| match element {
        Ok(element) => match holds(&element) {
            Ok(true) => Some(Ok(element)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        },
        failed => Some(failed),
    }))
}

/// The values that one key of an [`Odometer`] goes through.
fn wheel(range: &Value, doing: &'static str) -> Result<Arc<[Value]>, ValueError> {
    let range = range.to_set(doing)?;
    Ok(range.listed(doing)?.into())
}

/// All functions with a domain and a choice of values for each key. The last key's value changes fastest, so they come
/// in order.
struct Odometer {
    domain: Set,
    wheels: Vec<Arc<[Value]>>,
    /// Which value of each wheel is next; nothing when all have been.
    positions: Option<Vec<usize>>,
}

impl Odometer {
    fn new(domain: Set, wheels: Vec<Arc<[Value]>>) -> Self {
        let any = wheels.iter().all(|wheel| !wheel.is_empty());
        let positions = any.then(|| vec![0; wheels.len()]);
        Self { domain, wheels, positions }
    }

    fn advance(&mut self) {
        let Some(positions) = &mut self.positions else { return };
        for (position, wheel) in positions.iter_mut().zip(&self.wheels).rev() {
            *position += 1;
            if *position < wheel.len() {
                return;
            }
            *position = 0;
        }
        self.positions = None;
    }
}

impl Iterator for Odometer {
    type Item = Result<Value, ValueError>;

    fn next(&mut self) -> Option<Self::Item> {
        let positions = self.positions.as_ref()?;
        let values = positions.iter().zip(&self.wheels).map(|(position, wheel)| wheel[*position].clone()).collect();
        self.advance();
        Some(Value::function_over(&self.domain, values))
    }
}

/// All subsets, the smaller ones first, those of one size in lexicographic order.
struct Subsets {
    elements: Vec<Value>,
    /// Which elements the next subset has, ascending; nothing when all have been.
    chosen: Option<Vec<usize>>,
}

impl Subsets {
    fn new(elements: Vec<Value>) -> Self {
        Self { elements, chosen: Some(Vec::new()) }
    }

    fn advance(&mut self) {
        let Some(chosen) = &mut self.chosen else { return };
        let (count, size) = (self.elements.len(), chosen.len());
        // The rightmost choice that can still move to the right; all after it follow closely.
        match (0..size).rev().find(|at| chosen[*at] < count - (size - at)) {
            Some(at) => {
                let first = chosen[at] + 1;
                chosen.splice(at.., first..first + (size - at));
            }
            None if size < count => *chosen = (0..=size).collect(),
            None => self.chosen = None,
        }
    }
}

impl Iterator for Subsets {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let chosen = self.chosen.as_ref()?;
        let subset = chosen.iter().map(|index| self.elements[*index].clone()).collect();
        self.advance();
        Some(Value::Set(Set::from_sorted(subset)))
    }
}

/// The elements of both sets, in order, each once.
struct Merge<'a> {
    left: std::iter::Peekable<Elements<'a>>,
    right: std::iter::Peekable<Elements<'a>>,
}

impl<'a> Merge<'a> {
    fn new(left: Elements<'a>, right: Elements<'a>) -> Self {
        Self { left: left.peekable(), right: right.peekable() }
    }
}

impl Iterator for Merge<'_> {
    type Item = Result<Value, ValueError>;

    fn next(&mut self) -> Option<Self::Item> {
        let ordering = match (self.left.peek(), self.right.peek()) {
            (Some(Ok(left)), Some(Ok(right))) => match left.compare(right) {
                Ok(ordering) => ordering,
                Err(error) => return Some(Err(error)),
            },
            (None, _) | (_, Some(Err(_))) => Ordering::Greater,
            _ => Ordering::Less,
        };
        if ordering.is_eq() {
            self.right.next();
        }
        if ordering.is_gt() { self.right.next() } else { self.left.next() }
    }
}
