//! `Reals`: there to be named. As in TLC, numbers that are not integers cannot be computed with.

use super::{BuiltinModule, Native};
use crate::value::Value;

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "Reals",
    standard: true,
    extends: &["Integers"],
    operators: &[
        Native::constant("Real", Value::real),
        Native::refused("/", &[0, 0], "real numbers are not supported; `\\div` divides integers"),
        Native::refused("Infinity", &[], "real numbers are not supported"),
    ],
};
