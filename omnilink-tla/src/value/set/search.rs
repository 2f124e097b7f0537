//! Finding elements in sorted arrays, and deciding whether a set may hold an element at all.

use std::cmp::Ordering;

use crate::symbol::Symbol;
use crate::value::{Value, ValueError};

/// Up to this many elements, looking at all of them for a number, a name or a boolean, which are equal only if they are the same,
/// takes less time than searching by order.
const FEW: usize = 12;

/// Where the key, if it is a number, a name or a boolean, is among few elements.
#[inline(always)]
fn position_of_word(sorted: &[Value], key: &Value) -> Option<usize> {
    if sorted.len() > FEW {
        return None;
    }
    match key {
        Value::Int(key) => sorted.iter().position(|element| matches!(element, Value::Int(element) if element == key)),
        Value::Bool(key) => sorted.iter().position(|element| matches!(element, Value::Bool(element) if element == key)),
        Value::Str(key) => sorted.iter().position(|element| matches!(element, Value::Str(element) if element == key)),
        Value::Model(key) => {
            sorted.iter().position(|element| matches!(element, Value::Model(element) if element == key))
        }
        _ => None,
    }
}

/// Where the key is in the sorted slice, or where it would be inserted. Integers and strings, which most keys are, are
/// found without the general comparison, whose order of kinds is repeated here.
pub(in crate::value) fn position(sorted: &[Value], key: &Value) -> Result<usize, usize> {
    if let Some(found) = position_of_word(sorted, key) {
        return Ok(found);
    }
    match key {
        Value::Int(key) => sorted.binary_search_by(|element| match element {
            Value::Int(element) => element.cmp(key),
            Value::Model(_) | Value::Bool(_) => Ordering::Less,
            _ => Ordering::Greater,
        }),
        Value::Str(key) => position_of_symbol(sorted, *key),
        _ => sorted.binary_search_by(|element| element.cmp(key)),
    }
}

/// Where the string is.
pub(in crate::value) fn position_of_symbol(sorted: &[Value], key: Symbol) -> Result<usize, usize> {
    sorted.binary_search_by(|element| match element {
        Value::Str(element) => element.cmp(&key),
        Value::Model(_) | Value::Bool(_) | Value::Int(_) => Ordering::Less,
        _ => Ordering::Greater,
    })
}

/// An error if a value cannot be in a set between these two neighbours, where it would be in order, because they are
/// not alike.
///
/// Looking at neighbours is enough: model values, which are like everything, come first, so among the others all that
/// is between two unlike values is unlike one of them.
pub(in crate::value) fn check_alike(
    before: Option<&Value>,
    value: &Value,
    behind: Option<&Value>,
) -> Result<(), ValueError> {
    for neighbour in [before, behind].into_iter().flatten() {
        let _: Ordering = value.compare(neighbour)?;
    }
    Ok(())
}
