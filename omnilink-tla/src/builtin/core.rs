//! What TLA+ has without any module: the operators on sets, the booleans, `STRING`.

use super::Native;
use crate::value::Value;

/// `UNION` of sets that are listed, given as a tuple: there may be infinite ones among them.
pub static UNION_OF_LISTED: Native = Native::one("UNION", |sets| Value::union_of(&sets.to_tuple("apply UNION")?));

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
