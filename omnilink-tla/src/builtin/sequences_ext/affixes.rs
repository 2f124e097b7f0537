//! Prefixes, suffixes and other parts.

use super::making::reverse;
use crate::builtin::Outcome;
use crate::builtin::sequences::{length, subsequence};
use crate::value::{MAX_ELEMENTS, Problem, Tuple, Value, ValueError};

pub(super) fn is_prefix(first: &Value, second: &Value) -> Result<bool, ValueError> {
    let (shorter, longer) = (length(first)?, length(second)?);
    if shorter.expect_int("apply IsPrefix")? > longer.expect_int("apply IsPrefix")? {
        return Ok(false);
    }
    first.equals(&subsequence(second, &Value::Int(1), &shorter)?)
}

pub(super) fn is_suffix(first: &Value, second: &Value) -> Result<bool, ValueError> {
    is_prefix(&reverse(first)?, &reverse(second)?)
}

pub(super) fn prefixes(sequence: &Value) -> Outcome {
    let sequence = sequence.to_tuple("apply Prefixes")?;
    parts((0..=sequence.len() as i64).map(|length| sequence.subseq(1, length)))
}

pub(super) fn suffixes(sequence: &Value) -> Outcome {
    let sequence = sequence.to_tuple("apply Suffixes")?;
    let length = sequence.len() as i64;
    parts((1..=length + 1).map(|from| sequence.subseq(from, length)))
}

/// All parts without gaps.
pub(super) fn subsequences(sequence: &Value) -> Outcome {
    let sequence = sequence.to_tuple("apply SubSeqs")?;
    let length = sequence.len() as i64;
    parts(
        (0..=length)
            .flat_map(|from| (from..=length).map(move |to| (from, to)))
            .map(|(from, to)| sequence.subseq(from + 1, to)),
    )
}

fn parts(parts: impl Iterator<Item = Result<Tuple, ValueError>>) -> Outcome {
    Value::set(parts.map(|part| part.map(Value::Tuple)).collect::<Result<Vec<_>, _>>()?)
}

/// All parts with and without gaps.
pub(super) fn scattered_subsequences(sequence: &Value) -> Outcome {
    const DOING: &str = "apply AllSubSeqs";
    let elements = sequence.to_tuple(DOING)?;
    if 1_usize.checked_shl(elements.len() as u32).is_none_or(|count| count > MAX_ELEMENTS) {
        return Err(
            Problem::TooLarge { set: sequence.domain()?, limit: MAX_ELEMENTS, doing: "list its subsets" }.into()
        );
    }
    let mut found = vec![Tuple::empty()];
    for element in elements.iter() {
        let longer = found.iter().map(|part| part.append(element.clone())).collect::<Result<Vec<_>, _>>()?;
        found.extend(longer);
    }
    Value::set(found.into_iter().map(Value::Tuple))
}

pub(super) fn common_prefixes(sequences: &Value) -> Outcome {
    match longest(sequences, "apply CommonPrefixes")? {
        Some(prefix) => prefixes(&prefix),
        None => Ok(Value::empty_set()),
    }
}

pub(super) fn longest_common_prefix(sequences: &Value) -> Outcome {
    const DOING: &str = "apply LongestCommonPrefix";
    longest(sequences, DOING)?.ok_or_else(|| Problem::Empty { found: sequences.clone(), doing: DOING }.into())
}

/// The longest prefix of all, unless there are no sequences.
fn longest(sequences: &Value, doing: &'static str) -> Result<Option<Value>, ValueError> {
    let mut longest: Option<Tuple> = None;
    for sequence in sequences.to_set(doing)?.iter() {
        let sequence = sequence.to_tuple(doing)?;
        longest = Some(match longest {
            None => sequence,
            Some(prefix) => prefix.subseq(1, agreement(&prefix, &sequence)?)?,
        });
    }
    Ok(longest.map(Value::Tuple))
}

/// How many elements two sequences begin with in common.
fn agreement(first: &Tuple, second: &Tuple) -> Result<i64, ValueError> {
    let mut count = 0;
    for (a, b) in first.iter().zip(second.iter()) {
        if !a.equals(b)? {
            break;
        }
        count += 1;
    }
    Ok(count)
}
