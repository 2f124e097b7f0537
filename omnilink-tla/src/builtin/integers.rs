//! `Integers`: the naturals with `Int` and negation.

use super::{BuiltinModule, Native, Outcome};
use crate::value::{Problem, Value};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "Integers",
    standard: true,
    extends: &["Naturals"],
    operators: &[Native::constant("Int", Value::int), Native::one("-.", negate)],
};

fn negate(a: &Value) -> Outcome {
    let a = a.expect_int("evaluate -")?;
    a.checked_neg().map(Value::Int).ok_or_else(|| Problem::Overflow { doing: format!("evaluate -({a})") }.into())
}
