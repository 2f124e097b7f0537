//! What TLA+ has without any module: the operators on sets, the booleans, `STRING`.

use super::Native;
use crate::value::Value;

pub(super) static OPERATORS: &[Native] = &[
    Native::constant("TRUE", || Value::Bool(true)),
    Native::constant("FALSE", || Value::Bool(false)),
    Native::constant("BOOLEAN", Value::boolean),
    Native::constant("STRING", Value::strings),
    Native::two("\\cup", Value::union),
    Native::two("\\cap", Value::intersect),
    Native::two("\\", Value::minus),
    Native::two("\\subseteq", |a, b| a.subset(b).map(Value::Bool)),
    Native::one("SUBSET", Value::powerset),
    Native::one("UNION", Value::big_union),
];
