//! `Bags`: a bag is a function to the positive integers.

use omnilink_budget::poll;

use super::entries::entries;
use super::{BuiltinModule, Native, NativeArg, Outcome, exactly, naturals};
use crate::eval::Failure;
use crate::value::{MAX_ELEMENTS, Problem, Tuple, Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "Bags",
    standard: true,
    extends: &["TLC"],
    operators: &[
        Native::constant("EmptyBag", || Value::Tuple(Tuple::empty())),
        Native::one("IsABag", |bag| Ok(Value::Bool(is_bag(bag)))),
        Native::one("BagToSet", Value::domain),
        Native::one("SetToBag", from_set),
        Native::two("BagIn", |element, bag| Ok(Value::Bool(copies(element, bag, "apply BagIn")? > 0))),
        Native::two("CopiesIn", |element, bag| copies(element, bag, "apply CopiesIn").map(Value::Int)),
        Native::two("\\oplus", sum),
        Native::two("\\ominus", difference),
        Native::two("\\sqsubseteq", |a, b| is_subbag(a, b).map(Value::Bool)),
        Native::one("BagUnion", union),
        Native::one("SubBag", subbags),
        Native::higher("BagOfAll", &[1, 0], image),
        Native::one("BagCardinality", cardinality),
    ],
};

/// The elements with their numbers of copies, all of which are positive.
pub(super) fn counts(bag: &Value, doing: &'static str) -> Result<Vec<(Value, i64)>, ValueError> {
    let count = |(element, copies): (Value, Value)| match copies {
        Value::Int(copies @ 1..) => Ok((element, copies)),
        _ => Err(Problem::NotA { expected: "a bag", found: bag.clone(), doing }.into()),
    };
    entries(bag, doing)?.into_iter().map(count).collect()
}

fn is_bag(bag: &Value) -> bool {
    counts(bag, "apply IsABag").is_ok()
}

/// How many copies there are of an element: 0 if it is not in the bag's domain.
pub(super) fn copies(element: &Value, bag: &Value, doing: &'static str) -> Result<i64, ValueError> {
    match bag.has_key(element)? {
        true => bag.apply(element)?.expect_int(doing),
        false => Ok(0),
    }
}

fn from_set(set: &Value) -> Outcome {
    let doing = "apply SetToBag";
    let set = set.to_set(doing)?;
    set.check_listable(doing)?;
    Value::function_over(&set, vec![Value::Int(1); set.len()])
}

fn sum(a: &Value, b: &Value) -> Outcome {
    const DOING: &str = "evaluate (+)";
    counts(a, DOING)?;
    add(a.clone(), counts(b, DOING)?, DOING)
}

/// The bag with these copies added to it.
fn add(bag: Value, more: Vec<(Value, i64)>, doing: &'static str) -> Outcome {
    more.into_iter().try_fold(bag, |bag, (element, count)| {
        let total = naturals::plus(&Value::Int(copies(&element, &bag, doing)?), &Value::Int(count))?;
        bag.with(element, total)
    })
}

fn difference(a: &Value, b: &Value) -> Outcome {
    const DOING: &str = "evaluate (-)";
    let mut left = Vec::new();
    for (element, count) in entries(a, DOING)? {
        let count = naturals::minus(&count, &Value::Int(copies(&element, b, DOING)?))?;
        if matches!(count, Value::Int(1..)) {
            left.push((element, count));
        }
    }
    Value::function(left)
}

fn is_subbag(a: &Value, b: &Value) -> Result<bool, ValueError> {
    const DOING: &str = "evaluate \\sqsubseteq";
    for (element, count) in entries(a, DOING)? {
        if count.expect_int(DOING)? > copies(&element, b, DOING)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn union(bags: &Value) -> Outcome {
    const DOING: &str = "apply BagUnion";
    let bags = bags.to_set(DOING)?;
    bags.iter().try_fold(Value::Tuple(Tuple::empty()), |all, bag| add(all, counts(&bag, DOING)?, DOING))
}

fn subbags(bag: &Value) -> Outcome {
    let counts = counts(bag, "apply SubBag")?;
    let total = counts.iter().fold(1_i64, |total, (_, count)| total.saturating_mul(count.saturating_add(1)));
    if total > MAX_ELEMENTS as i64 {
        return Err(Problem::TooLarge { set: bag.domain()?, limit: MAX_ELEMENTS, doing: "list all subbags" }.into());
    }
    let mut bags = vec![Value::Tuple(Tuple::empty())];
    for (element, count) in counts {
        let with_some = |bag: &Value| {
            poll();
            (1..=count).map(|some| bag.with(element.clone(), Value::Int(some))).collect()
        };
        let more: Vec<Vec<_>> = bags.iter().map(with_some).collect::<Result<_, _>>()?;
        bags.extend(more.into_iter().flatten());
    }
    Value::set(bags)
}

fn image(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    const DOING: &str = "apply BagOfAll";
    let [operator, bag] = exactly(arguments);
    let mut images = Vec::new();
    for (element, count) in counts(bag.value()?, DOING)? {
        images.push((operator.call(&[element])?.normalize()?, count));
    }
    Ok(add(Value::Tuple(Tuple::empty()), images, DOING)?)
}

fn cardinality(bag: &Value) -> Outcome {
    let counts = counts(bag, "apply BagCardinality")?;
    counts.into_iter().try_fold(Value::Int(0), |total, (_, count)| naturals::plus(&total, &Value::Int(count)))
}
