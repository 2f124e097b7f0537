//! `BagsExt`.

use super::bags::{copies, counts};
use super::{BuiltinModule, Native, NativeArg, Outcome, exactly, naturals};
use crate::eval::Failure;
use crate::value::{Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "BagsExt",
    standard: false,
    extends: &[],
    operators: &[
        Native::two("BagAdd", add),
        Native::two("BagRemove", remove),
        Native::two("BagRemoveAll", |bag, element| bag.without(element)),
        Native::higher("MapThenFoldBag", &[2, 0, 1, 1, 0], map_then_fold),
        Native::higher("FoldBag", &[2, 0, 0], fold),
        Native::one("SumBag", sum),
        Native::one("ProductBag", product),
    ],
};

fn add(bag: &Value, element: &Value) -> Outcome {
    let count = Value::Int(copies(element, bag, "apply BagAdd")?);
    bag.with(element.clone(), naturals::plus(&count, &Value::Int(1))?)
}

fn remove(bag: &Value, element: &Value) -> Outcome {
    const DOING: &str = "apply BagRemove";
    if !bag.has_key(element)? {
        return Ok(bag.clone());
    }
    match copies(element, bag, DOING)? {
        1 => bag.without(element),
        count => bag.with(element.clone(), naturals::minus(&Value::Int(count), &Value::Int(1))?),
    }
}

/// Its definition does not use the operator that chooses, either.
fn map_then_fold(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [operator, base, map, _choose, bag] = exactly(arguments);
    fold_bag(operator, base.value()?, |element| map.call(&[element]), bag.value()?)
}

fn fold(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [operator, base, bag] = exactly(arguments);
    fold_bag(operator, base.value()?, Ok, bag.value()?)
}

/// All copies of one element are folded onto the base from the left, these from the right, the least element outermost.
fn fold_bag(
    operator: &NativeArg<'_>,
    base: &Value,
    map: impl Fn(Value) -> Result<Value, Failure>,
    bag: &Value,
) -> Result<Value, Failure> {
    let mut folded = base.clone();
    for (element, count) in counts(bag, "fold a bag")?.into_iter().rev() {
        let image = map(element)?;
        let mut copies = base.clone();
        for _ in 0..count {
            copies = operator.call(&[copies, image.clone()])?;
        }
        folded = operator.call(&[copies, folded])?;
    }
    Ok(folded)
}

fn sum(bag: &Value) -> Outcome {
    accumulate(bag, "apply SumBag", 0, naturals::times, naturals::plus)
}

fn product(bag: &Value) -> Outcome {
    accumulate(bag, "apply ProductBag", 1, naturals::power, naturals::times)
}

/// Combines elements with their counts, and all of that.
fn accumulate(
    bag: &Value,
    doing: &'static str,
    start: i64,
    repeat: fn(&Value, &Value) -> Result<Value, ValueError>,
    combine: fn(&Value, &Value) -> Result<Value, ValueError>,
) -> Outcome {
    counts(bag, doing)?
        .into_iter()
        .try_fold(Value::Int(start), |total, (element, count)| combine(&total, &repeat(&element, &Value::Int(count))?))
}
