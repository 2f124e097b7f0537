//! Set algebra and `@@` against plain sets and maps.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::plain::{Choices, build_function, build_set};
use crate::value::Value;

/// Sets of all sizes, scattered and contiguous.
fn numbers() -> impl Strategy<Value = BTreeSet<i64>> {
    prop_oneof![
        prop::collection::btree_set(0..12_i64, 0..8),
        prop::collection::btree_set(0..300_i64, 0..200),
        (0..50_i64, 0..150_i64).prop_map(|(from, count)| (from..from + count).collect()),
    ]
}

fn set(numbers: &BTreeSet<i64>, choices: u64) -> Value {
    build_set(numbers.iter().copied().map(Value::Int).collect(), &mut Choices::new(choices))
}

fn plain(set: &Value) -> BTreeSet<i64> {
    set.iterate("test").unwrap().map(|element| element.unwrap().as_int().unwrap()).collect()
}

proptest! {
    #[test]
    fn sets(a in numbers(), b in numbers(), choices in any::<u64>(), more in any::<u64>()) {
        let (left, right) = (set(&a, choices), set(&b, more));
        for (operation, result, expected) in [
            ("\\cup", left.union(&right), &a | &b),
            ("\\cap", left.intersect(&right), &a & &b),
            ("\\", left.minus(&right), &a - &b),
            ("UNION", Value::set([left.clone(), right.clone()]).unwrap().big_union(), &a | &b),
        ] {
            let result = result.unwrap();
            prop_assert_eq!(&plain(&result), &expected, "{}", operation);
            prop_assert_eq!(result.cardinality().unwrap() as usize, expected.len());
            prop_assert_eq!(result.fingerprint(), set(&expected, 0).fingerprint(), "{}", operation);
            let in_order: Vec<_> = result.iterate("test").unwrap().map(Result::unwrap).collect();
            prop_assert!(in_order.is_sorted_by(|a, b| a < b));
        }
        prop_assert_eq!(left.subset(&right).unwrap(), a.is_subset(&b));
        prop_assert!(left.minus(&right).unwrap().subset(&left).unwrap());
        prop_assert_eq!(left.equals(&right).unwrap(), a == b);
    }

    #[test]
    fn merging_functions(
        a in prop::collection::btree_map(0..100_i64, 0..5_i64, 0..90),
        b in prop::collection::btree_map(0..100_i64, 5..9_i64, 0..90),
        choices in any::<u64>(),
    ) {
        let function = |map: &BTreeMap<i64, i64>| {
            let entries = map.iter().map(|(key, value)| (Value::Int(*key), Value::Int(*value))).collect();
            build_function(entries, &mut Choices::new(choices))
        };
        let mut expected = b.clone();
        expected.extend(&a);
        let merged = function(&a).merge(&function(&b)).unwrap();
        prop_assert_eq!(merged.fingerprint(), function(&expected).fingerprint());
        prop_assert_eq!(merged, function(&expected));
    }
}

#[test]
fn intervals_stay_intervals() {
    let huge = Value::interval(0, 1 << 60);
    let cases = [
        (huge.union(&Value::interval(-5, 3)), Value::interval(-5, 1 << 60)),
        (huge.union(&Value::interval((1 << 60) + 1, i64::MAX)), Value::interval(0, i64::MAX)),
        (huge.union(&Value::set([Value::Int(-1)]).unwrap()), Value::interval(-1, 1 << 60)),
        (huge.intersect(&Value::interval(-5, 3)), Value::interval(0, 3)),
        (huge.intersect(&Value::set([Value::Int(7), Value::Int(-7)]).unwrap()), Value::interval(7, 7)),
        (huge.minus(&Value::set([Value::Int(0)]).unwrap()), Value::interval(1, 1 << 60)),
    ];
    for (result, expected) in cases {
        let (result, expected) = (result.unwrap(), expected);
        assert_eq!(result.as_set().unwrap().bounds(), expected.as_set().unwrap().bounds());
    }
    assert!(Value::interval(5, 9).subset(&huge).unwrap());
    assert!(Value::Int(1 << 59).member(&huge).unwrap());
    assert_eq!(huge.cardinality().unwrap(), (1 << 60) + 1);
}
