//! `FiniteSetsExt`.

use omnilink_budget::poll;

use super::folds::fold;
use super::{BuiltinModule, Native, NativeArg, Outcome, exactly, naturals};
use crate::eval::Failure;
use crate::value::{MAX_ELEMENTS, Problem, Set, Short, Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "FiniteSetsExt",
    standard: false,
    extends: &["Folds", "Functions"],
    operators: &[
        Native::higher("FoldSet", &[2, 0, 0], |arguments| {
            let [operator, base, set] = exactly(arguments);
            fold_set(operator, base, set)
        }),
        Native::higher("ReduceSet", &[2, 0, 0], |arguments| {
            let [operator, set, base] = exactly(arguments);
            fold_set(operator, base, set)
        }),
        Native::one("SumSet", |set| accumulate(set, "apply SumSet", 0, naturals::plus)),
        Native::one("ProductSet", |set| accumulate(set, "apply ProductSet", 1, naturals::times)),
        Native::higher("MapThenSumSet", &[1, 0], map_then_sum),
        Native::one("FlattenSet", Value::big_union),
        Native::two("SymDiff", |a, b| a.minus(b)?.union(&b.minus(a)?)),
        Native::higher("Quantify", &[0, 1], quantify),
        Native::two("kSubset", subsets_of_size),
        Native::one("Max", |set| Ok(extremes(set, "apply Max")?.1)),
        Native::one("Min", |set| Ok(extremes(set, "apply Min")?.0)),
        Native::one("Choices", choices),
        Native::higher("ChooseUnique", &[0, 1], choose_unique),
    ],
};

fn fold_set(operator: &NativeArg<'_>, base: &NativeArg<'_>, set: &NativeArg<'_>) -> Result<Value, Failure> {
    fold(operator, base.value()?, set.value()?.iterate("fold a set")?.map(|element| Ok(element?)))
}

fn accumulate(
    set: &Value,
    doing: &'static str,
    start: i64,
    combine: fn(&Value, &Value) -> Result<Value, ValueError>,
) -> Outcome {
    set.iterate(doing)?.try_fold(Value::Int(start), |total, element| combine(&total, &element?))
}

fn map_then_sum(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [map, set] = exactly(arguments);
    set.value()?
        .iterate("apply MapThenSumSet")?
        .try_fold(Value::Int(0), |total, element| Ok(naturals::plus(&total, &map.call(&[element?])?)?))
}

fn quantify(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [set, predicate] = exactly(arguments);
    let mut count = 0;
    for element in set.value()?.iterate("apply Quantify")? {
        count += i64::from(predicate.holds(&[element?], "apply Quantify")?);
    }
    Ok(Value::Int(count))
}

/// The least and the greatest of some integers.
fn extremes(set: &Value, doing: &'static str) -> Result<(Value, Value), ValueError> {
    let elements = set.to_set(doing)?;
    let ends = elements.first().zip(elements.last());
    let (least, greatest) = ends.ok_or_else(|| Problem::Empty { found: set.clone(), doing })?;
    // Elements are alike, apart from model values, which come first.
    least.expect_int(doing)?;
    greatest.expect_int(doing)?;
    Ok((least, greatest))
}

fn subsets_of_size(size: &Value, set: &Value) -> Outcome {
    const DOING: &str = "apply kSubset";
    let elements = set.to_set(DOING)?.listed(DOING)?;
    let Ok(size) = usize::try_from(size.expect_int(DOING)?) else { return Ok(Value::empty_set()) };
    if size > elements.len() {
        return Ok(Value::empty_set());
    }
    if binomial(elements.len(), size).is_none_or(|count| count > MAX_ELEMENTS) {
        return Err(Problem::TooLarge { set: set.clone(), limit: MAX_ELEMENTS, doing: "list its k-subsets" }.into());
    }
    let mut indices: Vec<_> = (0..size).collect();
    let mut subsets = Vec::new();
    loop {
        poll();
        let subset = indices.iter().map(|index| elements[*index].clone()).collect();
        subsets.push(Value::Set(Set::from_sorted(subset)));
        if !next_combination(&mut indices, elements.len()) {
            return Value::set(subsets);
        }
    }
}

fn binomial(n: usize, k: usize) -> Option<usize> {
    (1..=k.min(n - k)).try_fold(1_usize, |count, i| Some(count.checked_mul(n - k.min(n - k) + i)? / i))
}

/// Makes ascending indices below `end` the next ones in lexicographic order, unless they are the last.
fn next_combination(indices: &mut [usize], end: usize) -> bool {
    let size = indices.len();
    let Some(place) = (0..size).rfind(|place| indices[*place] < end - size + place) else { return false };
    indices[place] += 1;
    for later in place + 1..size {
        indices[later] = indices[later - 1] + 1;
    }
    true
}

/// All sets with one element of each of the sets.
fn choices(sets: &Value) -> Outcome {
    const DOING: &str = "apply Choices";
    let mut chosen = Set::from_sorted(vec![Value::empty_set()]);
    for set in sets.to_set(DOING)?.iter() {
        let options = set.to_set(DOING)?;
        if chosen.len().saturating_mul(options.len()) > MAX_ELEMENTS {
            return Err(Problem::TooLarge { set: sets.clone(), limit: MAX_ELEMENTS, doing: "list all choices" }.into());
        }
        let mut extended = Vec::new();
        for choice in chosen.iter() {
            let choice = choice.to_set(DOING)?;
            for option in options.iter() {
                extended.push(Value::Set(choice.insert(option)?));
            }
        }
        chosen = Set::from_values(extended)?;
    }
    Ok(Value::Set(chosen))
}

fn choose_unique(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    const DOING: &str = "apply ChooseUnique";
    let [set, predicate] = exactly(arguments);
    let set = set.value()?;
    let mut chosen = None;
    for element in set.iterate(DOING)? {
        let element = element?;
        if predicate.holds(std::slice::from_ref(&element), DOING)?
            && let Some(other) = chosen.replace(element.clone())
        {
            let (one, other) = (Short(&other), Short(&element));
            let message = format!("cannot {DOING}: the predicate holds of {one} and of {other} in {}", Short(set));
            return Err(Failure::unplaced(message));
        }
    }
    chosen.ok_or_else(|| {
        Failure::unplaced(format!("cannot {DOING}: the predicate holds of no element of {}", Short(set)))
    })
}
