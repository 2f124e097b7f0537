//! Finding and replacing parts of sequences. Strings are sequences here, too.

use omnilink_budget::poll;

use crate::builtin::Outcome;
use crate::builtin::sequences::{concatenate, elements, length, subsequence};
use crate::value::{Short, Tuple, Value, ValueError};

/// The index, from 0, of the first occurrence of `part` at or after another index.
fn find(part: &Tuple, sequence: &Tuple, from: usize) -> Result<Option<usize>, ValueError> {
    for start in from..=sequence.len().saturating_sub(part.len()) {
        if is_at(part, sequence, start)? {
            return Ok(Some(start));
        }
    }
    Ok(None)
}

fn is_at(part: &Tuple, sequence: &Tuple, start: usize) -> Result<bool, ValueError> {
    for (offset, element) in part.iter().enumerate() {
        poll();
        match sequence.get(start + offset) {
            Some(candidate) if candidate.equals(element)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

pub(super) fn index_of_first(part: &Value, sequence: &Value) -> Outcome {
    const DOING: &str = "apply IndexFirstSubSeq";
    match find(&elements(part, DOING)?, &elements(sequence, DOING)?, 0)? {
        Some(index) => Ok(Value::Int(index as i64 + 1)),
        None => {
            let (part, sequence) = (Short(part), Short(sequence));
            Err(ValueError::rule(format!("cannot {DOING}: {part} is no subsequence of {sequence}")))
        }
    }
}

/// Only the length of `part` counts.
pub(super) fn replace_at(index: &Value, by: &Value, part: &Value, sequence: &Value) -> Outcome {
    const DOING: &str = "apply ReplaceSubSeqAt";
    let index = index.expect_int(DOING)?;
    let rest = index.saturating_add(length(part)?.expect_int(DOING)?);
    let before = subsequence(sequence, &Value::Int(1), &Value::Int(index.saturating_sub(1)))?;
    let after = subsequence(sequence, &Value::Int(rest), &length(sequence)?)?;
    concatenate(&concatenate(&before, by)?, &after)
}

pub(super) fn replace_first(by: &Value, part: &Value, sequence: &Value) -> Outcome {
    const DOING: &str = "apply ReplaceFirstSubSeq";
    match find(&elements(part, DOING)?, &elements(sequence, DOING)?, 0)? {
        Some(index) => replace_at(&Value::Int(index as i64 + 1), by, part, sequence),
        None => Ok(sequence.clone()),
    }
}

/// Replaces as many occurrences as there are without overlaps, from the left. An empty part occurs before each element.
pub(super) fn replace_all(by: &Value, part: &Value, sequence: &Value) -> Outcome {
    const DOING: &str = "apply ReplaceAllSubSeqs";
    if part.equals(sequence)? {
        return Ok(by.clone());
    }
    let (parts, elements) = (elements(part, DOING)?, elements(sequence, DOING)?);
    let slice = |from: usize, to: usize| subsequence(sequence, &Value::Int(from as i64 + 1), &Value::Int(to as i64));
    let (mut replaced, mut copied) = (slice(0, 0)?, 0);
    if parts.is_empty() {
        for index in 0..elements.len() {
            poll();
            replaced = concatenate(&concatenate(&replaced, by)?, &slice(index, index + 1)?)?;
        }
        return Ok(replaced);
    }
    while let Some(index) = find(&parts, &elements, copied)? {
        replaced = concatenate(&concatenate(&replaced, &slice(copied, index)?)?, by)?;
        copied = index + parts.len();
    }
    concatenate(&replaced, &slice(copied, elements.len())?)
}
