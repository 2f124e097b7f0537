//! `Combinatorics`: what is not written in TLA+.

use super::{BuiltinModule, Native, Outcome};
use crate::value::{Value, ValueError};

pub(super) static MODULE: BuiltinModule =
    BuiltinModule { name: "Combinatorics", standard: false, extends: &[], operators: &[Native::two("choose", choose)] };

/// The number of subsets with `k` elements of a set with `n`, without factorials on the way: they would overflow.
fn choose(n: &Value, k: &Value) -> Outcome {
    const DOING: &str = "apply choose";
    let (n, k) = (n.expect_int(DOING)?, k.expect_int(DOING)?);
    if !(0..=n).contains(&k) {
        return Err(ValueError::rule(format!("cannot {DOING}: {k} is not in 0..{n}")));
    }
    let mut count: i128 = 1;
    for (i, factor) in (n - k.min(n - k) + 1..=n).enumerate() {
        count = count * i128::from(factor) / (i as i128 + 1);
        if count > i128::from(i64::MAX) {
            return Err(ValueError::rule(format!("cannot {DOING}: choose({n}, {k}) is larger than 64 bits hold")));
        }
    }
    Ok(Value::Int(count as i64))
}
