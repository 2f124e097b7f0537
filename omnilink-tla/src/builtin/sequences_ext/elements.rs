//! Finding, putting in, taking out and replacing single elements.

use crate::builtin::sequences::{length, subsequence};
use crate::builtin::{NativeArg, Outcome, exactly};
use crate::eval::Failure;
use crate::value::{Problem, Tuple, Value, ValueError};

pub(super) fn contains(sequence: &Value, element: &Value) -> Outcome {
    Ok(Value::Bool(first_equal(&sequence.to_tuple("apply Contains")?, element)?.is_some()))
}

/// The index, from 0, of the first element that is equal to one.
fn first_equal(sequence: &Tuple, element: &Value) -> Result<Option<usize>, ValueError> {
    for (index, candidate) in sequence.iter().enumerate() {
        if candidate.equals(element)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// Every pair is compared: the operator need not be transitive.
pub(super) fn is_sorted(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    const DOING: &str = "apply IsSorted";
    let [sequence, before] = exactly(arguments);
    let sequence = sequence.value()?.to_tuple(DOING)?;
    for (index, earlier) in sequence.iter().enumerate() {
        for later in sequence.iter().skip(index + 1) {
            if !before.holds(&[earlier.clone(), later.clone()], DOING)? {
                return Ok(Value::Bool(false));
            }
        }
    }
    Ok(Value::Bool(true))
}

pub(super) fn remove_all(sequence: &Value, element: &Value) -> Outcome {
    let mut kept = Vec::new();
    for candidate in sequence.to_tuple("apply Remove")?.iter() {
        if !candidate.equals(element)? {
            kept.push(candidate.clone());
        }
    }
    Value::tuple(kept)
}

pub(super) fn replace_all(sequence: &Value, old: &Value, new: &Value) -> Outcome {
    let sequence = sequence.to_tuple("apply ReplaceAll")?;
    let replaced = sequence.iter().map(|element| Ok(if element.equals(old)? { new.clone() } else { element.clone() }));
    Value::tuple(replaced.collect::<Result<Vec<_>, ValueError>>()?)
}

/// The index, from 1, of the first element in this order that passes the test; 0 if none does.
fn select<'a>(
    elements: impl Iterator<Item = (usize, &'a Value)>,
    test: &NativeArg<'_>,
    doing: &'static str,
) -> Result<i64, Failure> {
    for (index, element) in elements {
        if test.holds(std::slice::from_ref(element), doing)? {
            return Ok(index as i64 + 1);
        }
    }
    Ok(0)
}

pub(super) fn select_first(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    const DOING: &str = "apply SelectInSeq";
    let [sequence, test] = exactly(arguments);
    Ok(Value::Int(select(sequence.value()?.to_tuple(DOING)?.iter().enumerate(), test, DOING)?))
}

pub(super) fn select_last(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    const DOING: &str = "apply SelectLastInSeq";
    let [sequence, test] = exactly(arguments);
    let sequence = sequence.value()?.to_tuple(DOING)?;
    let indices = (0..sequence.len()).rev();
    Ok(Value::Int(select(indices.zip(sequence.iter().rev()), test, DOING)?))
}

pub(super) fn select_first_within(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    within(arguments, select_first)
}

pub(super) fn select_last_within(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    within(arguments, select_last)
}

/// Selects in a subsequence. The index is that of the whole sequence: so TLC computes it, though the definition has that of the
/// subsequence.
fn within(
    arguments: &[NativeArg<'_>],
    select: fn(&[NativeArg<'_>]) -> Result<Value, Failure>,
) -> Result<Value, Failure> {
    let [sequence, from, to, test] = exactly(arguments);
    let part = subsequence(sequence.value()?, from.value()?, to.value()?)?;
    match select(&[NativeArg::Value(part), NativeArg::Operator(&|arguments| test.call(arguments))])? {
        Value::Int(index @ 1..) => {
            let before = from.value()?.expect_int("select in a subsequence")?.saturating_sub(1);
            Ok(Value::Int(index.saturating_add(before)))
        }
        none => Ok(none),
    }
}

pub(super) fn insert_at(sequence: &Value, index: &Value, element: &Value) -> Outcome {
    const DOING: &str = "apply InsertAt";
    let (sequence, index) = (sequence.to_tuple(DOING)?, index.expect_int(DOING)?);
    let before = sequence.subseq(1, index.saturating_sub(1))?;
    let after = sequence.subseq(index, sequence.len() as i64)?;
    Ok(Value::Tuple(before.append(element.clone())?.concat(&after)))
}

/// An index outside of the sequence changes nothing, as with `EXCEPT`.
pub(super) fn replace_at(sequence: &Value, index: &Value, element: &Value) -> Outcome {
    sequence.except_at(std::slice::from_ref(index), |_| Ok(element.clone()))
}

pub(super) fn remove_at(sequence: &Value, index: &Value) -> Outcome {
    const DOING: &str = "apply RemoveAt";
    without(&sequence.to_tuple(DOING)?, index.expect_int(DOING)?)
}

/// The sequence without the element at an index from 1.
fn without(sequence: &Tuple, index: i64) -> Outcome {
    let before = sequence.subseq(1, index.saturating_sub(1))?;
    Ok(Value::Tuple(before.concat(&sequence.subseq(index.saturating_add(1), sequence.len() as i64)?)))
}

pub(super) fn remove_first(sequence: &Value, element: &Value) -> Outcome {
    let elements = sequence.to_tuple("apply RemoveFirst")?;
    match first_equal(&elements, element)? {
        Some(index) => without(&elements, index as i64 + 1),
        None => Ok(sequence.clone()),
    }
}

pub(super) fn remove_first_match(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    const DOING: &str = "apply RemoveFirstMatch";
    let [sequence, test] = exactly(arguments);
    let elements = sequence.value()?.to_tuple(DOING)?;
    match select(elements.iter().enumerate(), test, DOING)? {
        0 => Ok(sequence.value()?.clone()),
        index => Ok(without(&elements, index)?),
    }
}

/// Of an empty sequence, the empty sequence.
pub(super) fn front(sequence: &Value) -> Outcome {
    match sequence {
        Value::Tuple(tuple) if !tuple.is_empty() => tuple.front().map(Value::Tuple),
        _ => {
            let last = length(sequence)?.expect_int("apply Front")? - 1;
            subsequence(sequence, &Value::Int(1), &Value::Int(last))
        }
    }
}

pub(super) fn last(sequence: &Value) -> Outcome {
    const DOING: &str = "apply Last";
    let elements = sequence.to_tuple(DOING)?;
    let last = elements.iter().next_back().cloned();
    last.ok_or_else(|| Problem::Empty { found: sequence.clone(), doing: DOING }.into())
}

/// `a` modulo `b` in `1..b`.
pub(super) fn index_modulo(a: &Value, b: &Value) -> Outcome {
    let (a, b) = (a.expect_int("apply SeqMod")?, b.expect_int("apply SeqMod")?);
    if b <= 0 {
        return Err(ValueError::rule(format!("cannot evaluate SeqMod({a}, {b}): the divisor must be positive")));
    }
    Ok(Value::Int(match a.rem_euclid(b) {
        0 => b,
        index => index,
    }))
}
