//! `Naturals`: arithmetic. Integers have 64 bits; what does not fit is an error.

use super::{BuiltinModule, Native, Outcome};
use crate::value::{Problem, Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "Naturals",
    standard: true,
    extends: &[],
    operators: &[
        Native::constant("Nat", Value::nat),
        Native::two("+", plus),
        Native::two("-", minus),
        Native::two("*", times),
        Native::two("^", power),
        Native::two("\\div", divide),
        Native::two("%", modulo),
        Native::two("..", interval),
        Native::compare("<", |a, b| a < b, "evaluate <"),
        Native::compare(">", |a, b| a > b, "evaluate >"),
        Native::compare("<=", |a, b| a <= b, "evaluate <="),
        Native::compare(">=", |a, b| a >= b, "evaluate >="),
    ],
};

/// Two values that must be integers.
pub(crate) fn two_integers(a: &Value, b: &Value, doing: &'static str) -> Result<(i64, i64), ValueError> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok((*a, *b)),
        _ => Ok((a.expect_int(doing)?, b.expect_int(doing)?)),
    }
}

/// The result, or what to say when there is none that fits.
fn fitting(result: Option<i64>, a: i64, operator: &str, b: i64) -> Outcome {
    result.map(Value::Int).ok_or_else(|| Problem::Overflow { doing: format!("evaluate {a} {operator} {b}") }.into())
}

pub(super) fn plus(a: &Value, b: &Value) -> Outcome {
    let (a, b) = two_integers(a, b, "evaluate +")?;
    fitting(a.checked_add(b), a, "+", b)
}

pub(super) fn minus(a: &Value, b: &Value) -> Outcome {
    let (a, b) = two_integers(a, b, "evaluate -")?;
    fitting(a.checked_sub(b), a, "-", b)
}

pub(super) fn times(a: &Value, b: &Value) -> Outcome {
    let (a, b) = two_integers(a, b, "evaluate *")?;
    fitting(a.checked_mul(b), a, "*", b)
}

pub(super) fn power(a: &Value, b: &Value) -> Outcome {
    let (base, exponent) = two_integers(a, b, "evaluate ^")?;
    if exponent < 0 || (base == 0 && exponent == 0) {
        return Err(ValueError::rule(format!("cannot evaluate {base} ^ {exponent}: the result is not defined")));
    }
    // The powers of -1, 0 and 1 fit however large the exponent is; they depend on its parity only.
    let exponent = if matches!(base, -1..=1) && exponent > 0 { 2 - exponent % 2 } else { exponent };
    let result = u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent));
    fitting(result, base, "^", exponent)
}

/// Rounds down, as TLC does also for negative divisors.
fn divide(a: &Value, b: &Value) -> Outcome {
    let (a, b) = two_integers(a, b, "evaluate \\div")?;
    if b == 0 {
        return Err(ValueError::rule(format!("cannot evaluate {a} \\div 0: division by zero")));
    }
    let quotient = a.checked_div(b).map(|quotient| {
        let rounded_up = a % b != 0 && (a < 0) != (b < 0);
        quotient - i64::from(rounded_up)
    });
    fitting(quotient, a, "\\div", b)
}

fn modulo(a: &Value, b: &Value) -> Outcome {
    let (a, b) = two_integers(a, b, "evaluate %")?;
    if b <= 0 {
        return Err(ValueError::rule(format!("cannot evaluate {a} % {b}: the divisor must be positive")));
    }
    Ok(Value::Int(a.rem_euclid(b)))
}

fn interval(a: &Value, b: &Value) -> Outcome {
    let (low, high) = two_integers(a, b, "evaluate ..")?;
    Ok(Value::interval(low, high))
}
