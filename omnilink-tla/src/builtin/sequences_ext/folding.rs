//! Folds over sequences.

use crate::builtin::functions::fold_function;
use crate::builtin::{NativeArg, exactly};
use crate::eval::Failure;
use crate::value::Value;

pub(super) fn fold(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [operator, base, sequence] = exactly(arguments);
    fold_function(operator, base.value()?, sequence.value()?)
}

/// `op(op(base, s[1]), s[2])`
pub(super) fn fold_left(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [operator, base, sequence] = exactly(arguments);
    let sequence = sequence.value()?.to_tuple("apply FoldLeft")?;
    sequence.iter().try_fold(base.value()?.clone(), |folded, element| operator.call(&[folded, element.clone()]))
}

/// `op(s[1], op(s[2], base))`
pub(super) fn fold_right(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [operator, sequence, base] = exactly(arguments);
    let sequence = sequence.value()?.to_tuple("apply FoldRight")?;
    sequence.iter().try_rfold(base.value()?.clone(), |folded, element| operator.call(&[element.clone(), folded]))
}

pub(super) fn fold_left_domain(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [operator, base, sequence] = exactly(arguments);
    let length = sequence.value()?.to_tuple("apply FoldLeftDomain")?.len() as i64;
    (1..=length).try_fold(base.value()?.clone(), |folded, index| operator.call(&[folded, Value::Int(index)]))
}

pub(super) fn fold_right_domain(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [operator, sequence, base] = exactly(arguments);
    let length = sequence.value()?.to_tuple("apply FoldRightDomain")?.len() as i64;
    (1..=length).try_rfold(base.value()?.clone(), |folded, index| operator.call(&[Value::Int(index), folded]))
}
