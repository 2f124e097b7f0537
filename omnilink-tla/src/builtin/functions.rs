//! `Functions`.

use std::sync::Arc;

use super::entries::entries;
use super::folds::fold;
use super::{BuiltinModule, Native, NativeArg, Outcome, exactly};
use crate::eval::Failure;
use crate::value::{Predicate, Set, Short, Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "Functions",
    standard: false,
    extends: &[],
    operators: &[
        Native::two("Restrict", restrict),
        Native::higher("RestrictDomain", &[0, 1], |arguments| {
            restrict_by(arguments, |key, _| key, "apply RestrictDomain")
        }),
        Native::higher("RestrictValues", &[0, 1], |arguments| {
            restrict_by(arguments, |_, value| value, "apply RestrictValues")
        }),
        Native::two("IsRestriction", is_restriction),
        Native::one("Range", range),
        Native::higher("Pointwise", &[0, 0, 2], pointwise),
        Native::many("Inverse", &[0, 0, 0], |arguments| {
            let [function, from, to] = exactly(arguments);
            inverse(function, from, to)
        }),
        Native::one("AntiFunction", |function| inverse(function, &function.domain()?, &range(function)?)),
        Native::one("IsInjective", |function| is_injective(function).map(Value::Bool)),
        Native::two("Injection", |from, to| maps(from, to, Map { injective: true, onto: None })),
        Native::two("Surjection", |from, to| maps(from, to, Map { injective: false, onto: Some(to.clone()) })),
        Native::two("Bijection", |from, to| maps(from, to, Map { injective: true, onto: Some(to.clone()) })),
        Native::two("ExistsInjection", |from, to| sizes(from, to).map(|(from, to)| Value::Bool(from <= to))),
        Native::two("ExistsSurjection", |from, to| {
            sizes(from, to).map(|(from, to)| Value::Bool(from >= to && (to > 0 || from == 0)))
        }),
        Native::two("ExistsBijection", |from, to| sizes(from, to).map(|(from, to)| Value::Bool(from == to))),
        Native::higher("FoldFunction", &[2, 0, 0], |arguments| {
            let [operator, base, function] = exactly(arguments);
            fold_function(operator, base.value()?, function.value()?)
        }),
        Native::higher("FoldFunctionOnSet", &[2, 0, 0, 0], fold_function_on_set),
    ],
};

fn restrict(function: &Value, set: &Value) -> Outcome {
    let doing = "apply Restrict";
    let set = set.to_set(doing)?;
    set.check_listable(doing)?;
    let values = set.iter().map(|key| function.apply(&key)).collect::<Result<_, _>>()?;
    Value::function_over(&set, values)
}

/// The entries whose key or value, as `tested` says, passes the test.
fn restrict_by(
    arguments: &[NativeArg<'_>],
    tested: for<'a> fn(&'a Value, &'a Value) -> &'a Value,
    doing: &'static str,
) -> Result<Value, Failure> {
    let [function, test] = exactly(arguments);
    let mut kept = Vec::new();
    for (key, value) in entries(function.value()?, doing)? {
        if test.holds(std::slice::from_ref(tested(&key, &value)), doing)? {
            kept.push((key, value));
        }
    }
    Ok(Value::function(kept)?)
}

fn is_restriction(narrow: &Value, wide: &Value) -> Outcome {
    if !narrow.domain()?.subset(&wide.domain()?)? {
        return Ok(Value::Bool(false));
    }
    for (key, value) in entries(narrow, "apply IsRestriction")? {
        if !value.equals(&wide.apply(&key)?)? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

pub(super) fn range(function: &Value) -> Outcome {
    Value::set(entries(function, "apply Range")?.into_iter().map(|(_, value)| value))
}

fn pointwise(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [first, second, operator] = exactly(arguments);
    let mut combined = Vec::new();
    for (key, value) in entries(first.value()?, "apply Pointwise")? {
        let other = second.value()?.apply(&key)?;
        combined.push((key, operator.call(&[value, other])?));
    }
    Ok(Value::function(combined)?)
}

/// `[t \in to |-> CHOOSE s \in from : t \in Range(function) => function[s] = t]`
fn inverse(function: &Value, from: &Value, to: &Value) -> Outcome {
    const DOING: &str = "apply Inverse";
    let (range, from, to) = (range(function)?, from.to_set(DOING)?, to.to_set(DOING)?);
    to.check_listable(DOING)?;
    let values = to.iter().map(|image| preimage(&image, function, &from, &range)).collect::<Result<_, _>>()?;
    Value::function_over(&to, values)
}

fn preimage(image: &Value, function: &Value, from: &Set, range: &Value) -> Outcome {
    let in_range = image.member(range)?;
    for candidate in from.iter() {
        if !in_range || function.apply(&candidate)?.equals(image)? {
            return Ok(candidate);
        }
    }
    Err(ValueError::rule(format!("cannot apply Inverse: nothing in the set is mapped to {}", Short(image))))
}

fn is_injective(function: &Value) -> Result<bool, ValueError> {
    let entries = entries(function, "apply IsInjective")?;
    let count = entries.len();
    Ok(Set::from_values(entries.into_iter().map(|(_, value)| value).collect())?.len() == count)
}

fn maps(from: &Value, to: &Value, map: Map) -> Outcome {
    Value::filter(Value::function_set(from.clone(), to.clone())?, Arc::new(map))
}

/// What is asked of a function besides its domain and codomain.
struct Map {
    injective: bool,
    onto: Option<Value>,
}

impl Predicate for Map {
    fn holds(&self, function: &Value) -> Result<bool, ValueError> {
        if self.injective && !is_injective(function)? {
            return Ok(false);
        }
        self.onto.as_ref().map_or(Ok(true), |onto| onto.subset(&range(function)?))
    }

    fn describe(&self) -> String {
        let kind = match (self.injective, &self.onto) {
            (true, None) => "injective",
            (true, Some(_)) => "bijective",
            (false, _) => "surjective",
        };
        kind.to_owned()
    }
}

fn sizes(from: &Value, to: &Value) -> Result<(i64, i64), ValueError> {
    Ok((from.cardinality()?, to.cardinality()?))
}

pub(super) fn fold_function(operator: &NativeArg<'_>, base: &Value, function: &Value) -> Result<Value, Failure> {
    fold(operator, base, entries(function, "fold a function")?.into_iter().map(|(_, value)| Ok(value)))
}

fn fold_function_on_set(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [operator, base, function, keys] = exactly(arguments);
    let function = function.value()?;
    let keys = keys.value()?.iterate("apply FoldFunctionOnSet")?;
    fold(operator, base.value()?, keys.map(|key| Ok(function.apply(&key?)?)))
}
