//! `FiniteSets`.

use super::{BuiltinModule, Native};
use crate::value::Value;

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "FiniteSets",
    standard: true,
    extends: &[],
    operators: &[
        Native::one("Cardinality", |set| set.cardinality().map(Value::Int)),
        Native::one("IsFiniteSet", |set| set.is_finite().map(Value::Bool)),
    ],
};
