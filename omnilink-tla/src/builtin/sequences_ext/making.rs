//! Sequences of sets, sets of sequences, sequences of sequences.

use omnilink_budget::poll;

use crate::builtin::functions::range;
use crate::builtin::sequences::{concatenate, elements};
use crate::builtin::tlc::{next_permutation, sorted};
use crate::builtin::{NativeArg, Outcome, exactly};
use crate::eval::Failure;
use crate::value::{MAX_ELEMENTS, Problem, Set, Tuple, Value, ValueError};

pub(super) fn to_set(sequence: &Value) -> Outcome {
    range(sequence)
}

pub(super) fn to_bag(sequence: &Value) -> Outcome {
    let mut occurrences: Vec<_> = sequence.to_tuple("apply ToBag")?.iter().cloned().collect();
    occurrences.sort_unstable();
    let bag = occurrences.chunk_by(PartialEq::eq).map(|same| (same[0].clone(), Value::Int(same.len() as i64)));
    Value::function(bag)
}

pub(super) fn from_set(set: &Value) -> Outcome {
    let doing = "apply SetToSeq";
    Value::tuple(set.to_set(doing)?.listed(doing)?)
}

pub(super) fn sorted_from_set(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [set, before] = exactly(arguments);
    let doing = "apply SetToSortSeq";
    let sequence = Tuple::new(set.value()?.to_set(doing)?.listed(doing)?)?;
    Ok(Value::tuple(sorted(&sequence, |a, b| before.holds(&[a.clone(), b.clone()], "apply SetToSortSeq"))?)?)
}

pub(super) fn all_from_set(set: &Value) -> Outcome {
    let elements = set.to_set("apply SetToSeqs")?;
    check_count(set, (1..=elements.len()).try_fold(1_usize, usize::checked_mul))?;
    let mut arrangements = Vec::new();
    arrange(&elements, &mut arrangements)?;
    Value::set(arrangements)
}

pub(super) fn all_from_subsets(set: &Value) -> Outcome {
    const DOING: &str = "apply SetToAllKPermutations";
    let size = set.to_set(DOING)?.len();
    // The empty one, and those that begin with one of the elements and go on with any of those of the others.
    check_count(set, (1..=size).try_fold(1_usize, |fewer, size| fewer.checked_mul(size)?.checked_add(1)))?;
    let mut arrangements = Vec::new();
    for subset in set.powerset()?.iterate(DOING)? {
        arrange(&subset?.to_set(DOING)?, &mut arrangements)?;
    }
    Value::set(arrangements)
}

fn check_count(set: &Value, count: Option<usize>) -> Result<(), ValueError> {
    if count.is_some_and(|count| count <= MAX_ELEMENTS) {
        return Ok(());
    }
    let doing = "list all arrangements of a set";
    Err(Problem::TooLarge { set: set.clone(), limit: MAX_ELEMENTS, doing }.into())
}

/// Adds all sequences that have each element of the set once.
fn arrange(set: &Set, arrangements: &mut Vec<Value>) -> Result<(), ValueError> {
    let elements: Vec<_> = set.iter().collect();
    let mut order: Vec<_> = (0..elements.len()).collect();
    loop {
        poll();
        arrangements.push(Value::tuple(order.iter().map(|index| elements[*index].clone()))?);
        if !next_permutation(&mut order) {
            return Ok(());
        }
    }
}

pub(super) fn of_length(set: &Value, length: &Value) -> Outcome {
    Value::function_set(Value::interval(1, length.expect_int("apply TupleOf")?), set.clone())
}

/// `[1..0 -> set] \cup [1..1 -> set] \cup …`, whose elements need not be listed.
pub(super) fn up_to_length(set: &Value, length: &Value) -> Outcome {
    let longest = length.expect_int("apply SeqOf")?;
    if longest < 0 {
        return Ok(Value::empty_set());
    }
    (1..=longest).try_fold(of_length(set, &Value::Int(0))?, |shorter, length| {
        poll();
        shorter.union(&of_length(set, &Value::Int(length))?)
    })
}

pub(super) fn prepend(element: &Value, sequence: &Value) -> Outcome {
    concatenate(&Value::tuple([element.clone()])?, sequence)
}

pub(super) fn reverse(sequence: &Value) -> Outcome {
    Value::tuple(elements(sequence, "apply Reverse")?.iter().rev().cloned())
}

/// Strings are concatenated to a string.
pub(super) fn flatten(sequences: &Value) -> Outcome {
    let sequences = sequences.to_tuple("apply FlattenSeq")?;
    let Some(first) = sequences.get(0) else { return Ok(Value::Tuple(sequences)) };
    sequences.iter().skip(1).try_fold(first.clone(), |flat, next| concatenate(&flat, next))
}

pub(super) fn zip(first: &Value, second: &Value) -> Outcome {
    let (first, second) = (first.to_tuple("apply Zip")?, second.to_tuple("apply Zip")?);
    let pairs = first.iter().zip(second.iter()).map(|(a, b)| Value::tuple([a.clone(), b.clone()]));
    Value::tuple(pairs.collect::<Result<Vec<_>, _>>()?)
}

/// `<< <<a>>, <<x>>, <<b>>, <<y>> >>` for `<<a, b>>` and `<<x, y>>`
pub(super) fn interleave(first: &Value, second: &Value) -> Outcome {
    const DOING: &str = "apply Interleave";
    let (first, second) = (first.to_tuple(DOING)?, second.to_tuple(DOING)?);
    if first.len() != second.len() {
        let (first, second) = (first.len(), second.len());
        return Err(ValueError::rule(format!("cannot {DOING}: the sequences have {first} and {second} elements")));
    }
    if first.is_empty() {
        // The definition has two empty sequences here, not none.
        return Value::tuple([Value::Tuple(first), Value::Tuple(second)]);
    }
    let alternating = first.iter().zip(second.iter()).flat_map(|(a, b)| [a, b]);
    Value::tuple(alternating.map(|element| Value::tuple([element.clone()])).collect::<Result<Vec<_>, _>>()?)
}
