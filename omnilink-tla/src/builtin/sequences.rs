//! `Sequences`. As to TLC, a string is a sequence of one-character strings to every operator here.

use super::{BuiltinModule, Native, NativeArg, Outcome, exactly};
use crate::eval::Failure;
use crate::symbol::Symbol;
use crate::value::{MAX_LENGTH, Problem, Tuple, Value, ValueError};

/// How many bytes a concatenated string may have.
const MAX_BYTES: usize = 1 << 24;

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "Sequences",
    standard: true,
    extends: &[],
    operators: &[
        Native::one("Seq", Value::seq_set),
        Native::one("Len", length),
        Native::part("Head", first, head),
        Native::one("Tail", tail),
        Native::two("Append", append),
        Native::two("\\o", concatenate),
        Native::many("SubSeq", &[0, 0, 0], |arguments| {
            let [sequence, from, to] = exactly(arguments);
            subsequence(sequence, from, to)
        }),
        Native::higher("SelectSeq", &[0, 1], select),
    ],
};

/// The elements of a sequence; of a string, its characters.
pub(super) fn elements(sequence: &Value, doing: &'static str) -> Result<Tuple, ValueError> {
    match sequence {
        Value::Str(text) => Tuple::new(text.as_str().chars().map(Value::from).collect()),
        _ => sequence.to_tuple(doing),
    }
}

pub(super) fn length(sequence: &Value) -> Outcome {
    Ok(Value::Int(match sequence {
        Value::Tuple(tuple) => tuple.len(),
        Value::Str(text) => text.as_str().chars().count(),
        _ => sequence.to_tuple("apply Len")?.len(),
    } as i64))
}

fn first(sequence: &Value) -> Option<&Value> {
    match sequence {
        Value::Tuple(tuple) => tuple.get(0),
        _ => None,
    }
}

fn head(sequence: &Value) -> Outcome {
    match sequence {
        Value::Tuple(tuple) => tuple.head().cloned(),
        Value::Str(text) => Ok(split_first(*text, "apply Head")?.0.into()),
        _ => sequence.to_tuple("apply Head")?.head().cloned(),
    }
}

fn tail(sequence: &Value) -> Outcome {
    match sequence {
        Value::Tuple(tuple) => tuple.tail().map(Value::Tuple),
        Value::Str(text) => Ok(Value::string(split_first(*text, "apply Tail")?.1)),
        _ => sequence.to_tuple("apply Tail")?.tail().map(Value::Tuple),
    }
}

fn split_first(text: Symbol, doing: &'static str) -> Result<(char, &'static str), ValueError> {
    let mut rest = text.as_str().chars();
    let first = rest.next().ok_or_else(|| Problem::Empty { found: Value::Str(text), doing })?;
    Ok((first, rest.as_str()))
}

pub(super) fn append(sequence: &Value, element: &Value) -> Outcome {
    match sequence {
        Value::Tuple(tuple) => tuple.append(element.clone()).map(Value::Tuple),
        Value::Str(text) => join(*text, element.expect_str("apply Append to a string")?),
        _ => sequence.to_tuple("apply Append")?.append(element.clone()).map(Value::Tuple),
    }
}

pub(super) fn concatenate(first: &Value, second: &Value) -> Outcome {
    match (first, second) {
        (Value::Tuple(first), Value::Tuple(second)) => chain(first, second),
        (Value::Str(first), _) => join(*first, second.expect_str("evaluate \\o")?),
        _ => chain(&first.to_tuple("evaluate \\o")?, &elements(second, "evaluate \\o")?),
    }
}

fn chain(first: &Tuple, second: &Tuple) -> Outcome {
    check_length(first.len(), second.len(), MAX_LENGTH, "elements")?;
    Ok(Value::Tuple(first.concat(second)))
}

/// Sequences that share their parts double with every `s \o s`: soon no memory could list their elements.
fn check_length(first: usize, second: usize, limit: usize, what: &str) -> Result<(), ValueError> {
    match first.saturating_add(second) {
        length if length > limit => {
            Err(ValueError::rule(format!("cannot concatenate: there would be more than {limit} {what}")))
        }
        _ => Ok(()),
    }
}

fn join(first: Symbol, second: Symbol) -> Outcome {
    check_length(first.as_str().len(), second.as_str().len(), MAX_BYTES, "bytes")?;
    Ok(Value::string(&format!("{first}{second}")))
}

pub(super) fn subsequence(sequence: &Value, from: &Value, to: &Value) -> Outcome {
    let (from, to) = (from.expect_int("apply SubSeq")?, to.expect_int("apply SubSeq")?);
    let part = elements(sequence, "apply SubSeq")?.subseq(from, to)?;
    if !matches!(sequence, Value::Str(_)) {
        return Ok(Value::Tuple(part));
    }
    let characters = part.iter().filter_map(Value::as_str).map(Symbol::as_str);
    Ok(Value::string(&characters.collect::<String>()))
}

fn select(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [sequence, test] = exactly(arguments);
    let mut selected = Vec::new();
    for element in elements(sequence.value()?, "apply SelectSeq")?.iter() {
        if test.holds(std::slice::from_ref(element), "apply SelectSeq")? {
            selected.push(element.clone());
        }
    }
    Ok(Value::tuple(selected)?)
}
