//! `Bitwise`: integers as their binary digits.

use super::{BuiltinModule, Native, Outcome};
use crate::value::{Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "Bitwise",
    standard: false,
    extends: &[],
    operators: &[
        Native::two("&", |a, b| Ok(Value::Int(a.expect_int("evaluate &")? & b.expect_int("evaluate &")?))),
        Native::two("|", |a, b| Ok(Value::Int(a.expect_int("evaluate |")? | b.expect_int("evaluate |")?))),
        Native::two("^^", |a, b| Ok(Value::Int(a.expect_int("evaluate ^^")? ^ b.expect_int("evaluate ^^")?))),
        Native::one("Not", not),
        Native::two("shiftR", shift_right),
    ],
};

/// All digits up to the highest that is 1, inverted: `Not(5) = 2`.
fn not(a: &Value) -> Outcome {
    let a = natural(a, "apply Not")?;
    let digits = u64::BITS - a.leading_zeros();
    let mask = 1_u64.checked_shl(digits).map_or(u64::MAX, |bit| bit - 1);
    Ok(Value::Int((!a & mask) as i64))
}

fn shift_right(a: &Value, places: &Value) -> Outcome {
    let places = natural(places, "apply shiftR")?;
    Ok(Value::Int(a.expect_int("apply shiftR")? >> places.min(63)))
}

fn natural(value: &Value, doing: &'static str) -> Result<u64, ValueError> {
    let integer = value.expect_int(doing)?;
    u64::try_from(integer).map_err(|_| ValueError::rule(format!("cannot {doing}: {integer} is negative")))
}
