//! `Randomization`: random subsets.

use std::collections::BTreeSet;

use omnilink_budget::poll;

use super::tlc::random;
use super::{BuiltinModule, Native, Outcome, exactly};
use crate::eval::{Failure, Host};
use crate::value::{MAX_ELEMENTS, Set, Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "Randomization",
    standard: true,
    extends: &[],
    operators: &[
        Native::hosted("RandomSubset", &[0, 0], |host, arguments| {
            let [count, set] = exactly(arguments);
            Ok(subset(host, count, set)?)
        }),
        Native::hosted("RandomSetOfSubsets", &[0, 0, 0], |host, arguments| {
            let [count, size, set] = exactly(arguments);
            Ok(set_of_subsets(host, count, size, set)?)
        }),
        Native::hosted("TestRandomSetOfSubsets", &[0, 0, 0], test_set_of_subsets),
    ],
};

/// A number of elements, from 0 to a limit.
fn number(value: &Value, most: i64, what: &str, doing: &'static str) -> Result<usize, ValueError> {
    let number = value.expect_int(doing)?;
    match usize::try_from(number) {
        Ok(small) if number <= most => Ok(small),
        _ => Err(ValueError::rule(format!("cannot {doing}: {what}, {number}, is not in 0..{most}"))),
    }
}

/// So many elements of a set, all choices alike.
fn subset(host: &dyn Host, count: &Value, set: &Value) -> Outcome {
    const DOING: &str = "apply RandomSubset";
    let listable = set.cardinality().ok().filter(|size| usize::try_from(*size).is_ok_and(|size| size <= MAX_ELEMENTS));
    let Some(size) = listable else {
        let count = number(count, MAX_ELEMENTS as i64, "the number of elements", DOING)?;
        return drawn(host, count, set);
    };
    let count = number(count, size, "the number of elements", DOING)?;
    if matches!(set, Value::Symbolic(_)) && count as i64 <= size / 100 {
        return drawn(host, count, set);
    }
    let mut elements = set.to_set(DOING)?.listed(DOING)?;
    // Each prefix of a shuffle is a random choice.
    for place in 0..count {
        let other = place + host.random((elements.len() - place) as u64) as usize;
        elements.swap(place, other);
    }
    elements.truncate(count);
    Value::set(elements)
}

/// Draws elements of a set that is much larger, so that it need not be listed, until there are so many different ones.
fn drawn(host: &dyn Host, count: usize, set: &Value) -> Outcome {
    let mut elements = BTreeSet::new();
    let mut tries = 0;
    while elements.len() < count {
        poll();
        elements.insert(random(host, set)?.normalize()?);
        tries += 1;
        if tries > 100 * count + 1000 {
            let message = format!("cannot apply RandomSubset: {count} different elements are not found by chance");
            return Err(ValueError::rule(message));
        }
    }
    Value::set(elements)
}

/// Draws subsets so many times: an element is in one with the probability that gives the average size.
fn set_of_subsets(host: &dyn Host, count: &Value, size: &Value, set: &Value) -> Outcome {
    const DOING: &str = "apply RandomSetOfSubsets";
    let elements = set.to_set(DOING)?;
    elements.check_listable(DOING)?;
    let all = elements.len();
    let count = number(count, MAX_ELEMENTS as i64, "the number of subsets", DOING)?;
    let size = number(size, all as i64, "the average size", DOING)?;
    let mut subsets = Vec::new();
    for _ in 0..count {
        poll();
        let is_in = |_: &Value| Ok::<_, ValueError>(host.random(all.max(1) as u64) < size as u64);
        subsets.push(Value::Set(elements.filtered(is_in)?));
    }
    Ok(Value::Set(Set::from_values(subsets)?))
}

fn test_set_of_subsets(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    let [count, size, set] = exactly(arguments);
    let sizes = (0..5).map(|_| set_of_subsets(host, count, size, set)?.cardinality().map(Value::Int));
    Ok(Value::tuple(sizes.collect::<Result<Vec<_>, _>>()?)?)
}
