//! Arguments that were not recorded, as far as the inner steps of their call determine them.
//!
//! `X_Step(x)` and `X_Done(x)` of one call have the same `x`. If it was not recorded, the first inner step determines what it
//! can be: a value, or, if nothing depended on it there, any element of a set. This is part of the configuration, and every
//! later step of the call has to agree with it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use omnilink_tla::spec::Argument;
use omnilink_tla::value::ValueError;
use omnilink_tla::{Failure, Value};

/// What is known about the arguments of a call, in the order of the action's parameters.
pub(crate) type Arguments = [Known];

/// What is known about an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Known {
    /// Its value.
    Value(Value),
    /// It is in this set.
    In(Value),
    /// It is an operator, which has no value.
    Operator,
}

/// A place in the [`ArgumentTable`]: equal iff the same is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ArgumentsId(u32);

impl ArgumentsId {
    /// Nothing is known beyond what was recorded.
    pub const AS_RECORDED: Self = Self(0);

    /// The number of the place.
    pub fn word(self) -> u32 {
        self.0
    }
}

/// What is known about calls' arguments, each distinct list once.
#[derive(Debug, Default)]
pub(crate) struct ArgumentTable(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    ids: HashMap<u128, ArgumentsId>,
    all: Vec<Arc<Arguments>>,
}

impl ArgumentTable {
    /// What is at a place; none if nothing is known beyond what was recorded.
    pub fn get(&self, id: ArgumentsId) -> Option<Arc<Arguments>> {
        let at = id.0.checked_sub(1)?;
        Some(Arc::clone(&self.table().all[at as usize]))
    }

    /// The place of a list.
    pub fn keep(&self, arguments: Vec<Known>) -> ArgumentsId {
        let mut table = self.table();
        let Table { ids, all } = &mut *table;
        *ids.entry(fingerprint(&arguments)).or_insert_with(|| {
            all.push(arguments.into());
            ArgumentsId(all.len() as u32)
        })
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Equal for equal lists. A set and a value with the same fingerprint are distinguished by the tuple that they are put into.
fn fingerprint(arguments: &Arguments) -> u128 {
    let parts = arguments.iter().map(|known| match known {
        Known::Value(value) => Value::tuple([Value::from(0), value.clone()]),
        Known::In(set) => Value::tuple([Value::from(1), set.clone()]),
        Known::Operator => Value::tuple([]),
    });
    parts.fold(0, |hash: u128, part| {
        let part = part.map_or(0, |part| part.fingerprint().0);
        hash.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15_d1b5_4a32_d192_ed03).wrapping_add(part)
    })
}

/// The values that are known, for asking the specification.
pub(crate) fn values(arguments: &Arguments) -> Vec<Option<Value>> {
    let value = |known: &Known| match known {
        Known::Value(value) => Some(value.clone()),
        Known::In(_) | Known::Operator => None,
    };
    arguments.iter().map(value).collect()
}

/// Whether something is known about arguments besides values.
pub(super) fn is_narrowed(arguments: &Arguments) -> bool {
    arguments.iter().any(|known| matches!(known, Known::In(_)))
}

/// What is known after a step, given what was known before it; none if the two do not agree.
pub(super) fn refine(before: Option<&Arguments>, step: Vec<Argument>) -> Result<Option<Vec<Known>>, Failure> {
    let mut known = Vec::with_capacity(step.len());
    for (at, argument) in step.into_iter().enumerate() {
        match refine_one(before.and_then(|before| before.get(at)), argument)? {
            Some(argument) => known.push(argument),
            None => return Ok(None),
        }
    }
    Ok(Some(known))
}

fn refine_one(before: Option<&Known>, step: Argument) -> Result<Option<Known>, Failure> {
    let failed = |error: ValueError| {
        Failure::unplaced(format!(
            "whether an argument that was not recorded can be the same in all inner steps: {error}"
        ))
    };
    let known = match step {
        Argument::Operator => return Ok(Some(Known::Operator)),
        Argument::Value(value) => match before {
            Some(Known::In(set)) if !value.member(set).map_err(failed)? => return Ok(None),
            _ => Known::Value(value),
        },
        Argument::Of(set) => match before {
            Some(Known::In(other)) if other.fingerprint() != set.fingerprint() => {
                let common = in_both(other, &set).map_err(failed)?;
                match common {
                    Some(common) => Known::In(common),
                    None => return Ok(None),
                }
            }
            _ => Known::In(set),
        },
    };
    Ok(Some(known))
}

/// The elements that two sets have in common, if there are any. One of them has to be finite.
fn in_both(one: &Value, other: &Value) -> Result<Option<Value>, ValueError> {
    let (listed, other) = if one.is_finite()? { (one, other) } else { (other, one) };
    let mut common = Vec::new();
    for element in listed.iterate("compare what two inner steps allow for an argument that was not recorded")? {
        let element = element?;
        if element.member(other)? {
            common.push(element);
        }
    }
    if common.is_empty() { Ok(None) } else { Value::set(common).map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(elements: &[i64]) -> Value {
        Value::set(elements.iter().map(|&element| Value::from(element))).unwrap()
    }

    #[test]
    fn what_two_steps_allow_is_what_both_allow() {
        let step = |set: &Value| vec![Argument::Of(set.clone())];
        let first = refine(None, step(&set(&[1, 2, 3]))).unwrap().unwrap();
        assert_eq!(first, [Known::In(set(&[1, 2, 3]))]);
        let second = refine(Some(&first), step(&set(&[2, 3, 4]))).unwrap().unwrap();
        assert_eq!(second, [Known::In(set(&[2, 3]))]);
        assert_eq!(refine(Some(&second), step(&set(&[4, 5]))).unwrap(), None);
        assert_eq!(refine(Some(&second), vec![Argument::Value(Value::from(4))]).unwrap(), None);
        let third = refine(Some(&second), vec![Argument::Value(Value::from(3))]).unwrap().unwrap();
        assert_eq!(third, [Known::Value(Value::from(3))]);
    }

    #[test]
    fn the_same_has_the_same_place() {
        let table = ArgumentTable::default();
        let value = |value| vec![Known::Value(Value::from(value))];
        let (one, other) = (table.keep(value(1)), table.keep(value(2)));
        assert_ne!(one, other);
        assert_eq!(table.keep(value(1)), one);
        assert_ne!(table.keep(vec![Known::In(Value::from(1))]), one);
        assert_eq!(*table.get(other).unwrap(), value(2));
        assert_eq!(table.get(ArgumentsId::AS_RECORDED), None);
    }
}
