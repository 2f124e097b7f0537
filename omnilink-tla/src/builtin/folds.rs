//! `Folds`, and the folds of the other modules.

use super::{BuiltinModule, Native, NativeArg, exactly};
use crate::eval::Failure;
use crate::value::{Short, Value};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "Folds",
    standard: false,
    extends: &[],
    operators: &[Native::higher("MapThenFoldSet", &[2, 0, 1, 1, 0], map_then_fold)],
};

/// `op(f(x), op(f(y), … base))`, where `x` is chosen first.
fn map_then_fold(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [operator, base, map, choose, set] = exactly(arguments);
    let mut left = set.value()?.to_set("apply MapThenFoldSet")?;
    let mut chosen = Vec::new();
    while !left.is_empty() {
        let element = choose.call(&[Value::Set(left.clone())])?;
        if !left.contains(&element)? {
            let (element, left) = (Short(&element), Value::Set(left));
            let message =
                format!("cannot apply MapThenFoldSet: {element} was chosen, which is not in {}", Short(&left));
            return Err(Failure::unplaced(message));
        }
        left = left.remove(&element)?;
        chosen.push(element);
    }
    chosen
        .into_iter()
        .try_rfold(base.value()?.clone(), |folded, element| operator.call(&[map.call(&[element])?, folded]))
}

/// `op(y, op(x, base))` for elements `x`, `y` in this order.
pub(super) fn fold(
    operator: &NativeArg<'_>,
    base: &Value,
    elements: impl IntoIterator<Item = Result<Value, Failure>>,
) -> Result<Value, Failure> {
    elements.into_iter().try_fold(base.clone(), |folded, element| operator.call(&[element?, folded]))
}
