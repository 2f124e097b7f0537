//! Changing one element or entry again and again: the value and its fingerprint stay what they would be if made afresh.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::plain::{Choices, build_function, build_set};
use crate::value::set::SMALL;
use crate::value::{Set, Tuple, Value};

#[derive(Clone, Debug)]
enum Change {
    Put(i64, i64),
    Remove(i64),
    Fingerprint,
}

/// Keys from few and from many, so that arrays, intervals, tuples and trees all come up and turn into each other.
fn changes() -> impl Strategy<Value = Vec<Change>> {
    prop_oneof![Just(4_i64), Just(100)].prop_flat_map(|keys| {
        let change = prop_oneof![
            8 => (0..keys, 0..5_i64).prop_map(|(key, value)| Change::Put(key, value)),
            4 => (0..keys).prop_map(Change::Remove),
            1 => Just(Change::Fingerprint),
        ];
        prop::collection::vec(change, 0..400)
    })
}

fn ints(numbers: impl IntoIterator<Item = i64>) -> Vec<Value> {
    numbers.into_iter().map(Value::Int).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sets(changes in changes(), choices in any::<u64>(), from in 0..40_i64, count in 0..90_i64) {
        let mut expected: BTreeSet<i64> = (from..from + count).collect();
        let mut set = build_set(ints(expected.iter().copied()), &mut Choices::new(choices)).to_set("test").unwrap();
        for change in changes {
            match change {
                Change::Put(key, _) => {
                    set = set.insert(Value::Int(key)).unwrap();
                    expected.insert(key);
                }
                Change::Remove(key) => {
                    set = set.remove(&Value::Int(key)).unwrap();
                    expected.remove(&key);
                }
                Change::Fingerprint => _ = set.fingerprint(),
            }
            prop_assert_eq!(set.len(), expected.len());
        }
        let fresh = Set::from_values(ints(expected.iter().copied())).unwrap();
        prop_assert_eq!(set.fingerprint(), fresh.fingerprint());
        prop_assert_eq!(set.iter().collect::<Vec<_>>(), ints(expected.iter().copied()));
        for key in -1..101 {
            prop_assert_eq!(set.contains(&Value::Int(key)).unwrap(), expected.contains(&key));
        }
    }

    #[test]
    fn functions(changes in changes(), choices in any::<u64>(), from in 0..40_i64, count in 0..90_i64) {
        let mut expected: BTreeMap<i64, i64> = (from..from + count).map(|key| (key, key % 3)).collect();
        let entries = |map: &BTreeMap<i64, i64>| -> Vec<_> {
            map.iter().map(|(key, value)| (Value::Int(*key), Value::Int(*value))).collect()
        };
        let mut function = build_function(entries(&expected), &mut Choices::new(choices));
        for change in changes {
            match change {
                Change::Put(key, 0) => {
                    let path = [Value::Int(key)];
                    function = function.except_at(&path, |old| Ok::<_, crate::value::ValueError>(
                        Value::Int(old.as_int().unwrap() + 1),
                    )).unwrap();
                    expected.entry(key).and_modify(|value| *value += 1);
                }
                Change::Put(key, value) => {
                    function = function.with(Value::Int(key), Value::Int(value)).unwrap();
                    expected.insert(key, value);
                }
                Change::Remove(key) => {
                    function = function.without(&Value::Int(key)).unwrap();
                    expected.remove(&key);
                }
                Change::Fingerprint => _ = function.fingerprint(),
            }
        }
        let fresh = Value::function(entries(&expected)).unwrap();
        prop_assert_eq!(function.fingerprint(), fresh.fingerprint());
        prop_assert_eq!(&function, &fresh);
        if function.is_normal() {
            prop_assert_eq!(function.as_tuple().is_some(), fresh.as_tuple().is_some());
        }
        prop_assert_eq!(function.domain().unwrap(), Value::set(expected.keys().copied().map(Value::Int)).unwrap());
        for key in -1..101 {
            prop_assert_eq!(function.apply(&Value::Int(key)).ok(), expected.get(&key).copied().map(Value::Int));
            prop_assert_eq!(function.has_key(&Value::Int(key)).unwrap(), expected.contains_key(&key));
        }
    }

    #[test]
    fn tuples(
        start in prop::collection::vec(0..5_i64, 0..150),
        changes in prop::collection::vec((0..8_u8, 0..150_i64, 0..5_i64), 0..200),
    ) {
        let mut expected = start;
        let mut tuple = Tuple::new(ints(expected.iter().copied())).unwrap();
        for (change, at, value) in changes {
            match change {
                0..=2 => {
                    tuple = tuple.append(Value::Int(value)).unwrap();
                    expected.push(value);
                }
                3 if !expected.is_empty() => {
                    tuple = tuple.tail().unwrap();
                    expected.remove(0);
                }
                4 if !expected.is_empty() => {
                    tuple = tuple.front().unwrap();
                    expected.pop();
                }
                5 if (at as usize) < expected.len() => {
                    tuple = tuple.with_at(at as usize, Value::Int(value)).unwrap();
                    expected[at as usize] = value;
                }
                6 if (at as usize) < expected.len() && expected.len() < 300 => {
                    let part = tuple.subseq(at + 1, expected.len() as i64).unwrap();
                    part.fingerprint();
                    tuple = tuple.concat(&part);
                    expected.extend_from_within(at as usize..);
                }
                _ => _ = tuple.fingerprint(),
            }
        }
        let fresh = Tuple::new(ints(expected.iter().copied())).unwrap();
        prop_assert_eq!(tuple.fingerprint(), fresh.fingerprint());
        prop_assert_eq!(tuple.iter().cloned().collect::<Vec<_>>(), ints(expected.iter().copied()));
        prop_assert_eq!(tuple.len(), expected.len());
        let middle = expected.len() / 2;
        prop_assert_eq!(tuple.get(middle).cloned(), expected.get(middle).copied().map(Value::Int));
    }
}

/// A domain that is a tree, because it was larger, and small enough for a function with an array of values.
#[test]
fn functions_over_trees() {
    let large = (0..=SMALL as i64).map(|n| 3 * n);
    let tree = Set::from_values(ints(large.clone())).unwrap();
    let tree = large.clone().take(9).fold(tree, |tree, n| tree.remove(&Value::Int(n)).unwrap());
    let function = Value::function_over(&tree, tree.iter().collect()).unwrap();
    for key in large {
        assert_eq!(function.apply(&Value::Int(key)).is_ok(), key >= 27, "{key}");
    }
    assert!(function.with(Value::Int(1), Value::Int(1)).unwrap().has_key(&Value::Int(60)).unwrap());
}

/// What the point operations are for: a child's fingerprint comes from its parent's.
#[test]
fn sums_are_handed_on() {
    let function = Value::record([("a", Value::Int(1)), ("b", Value::Int(2))]).unwrap();
    function.fingerprint();
    let changed = function.with(Value::string("c"), Value::Int(3)).unwrap();
    assert!(changed.as_function().unwrap().known_sum().is_some());
    let tuple = Tuple::new(ints(1..100)).unwrap();
    assert!(tuple.append(Value::Int(1)).unwrap().known_sum().is_none());
    tuple.fingerprint();
    let rotated = tuple.append(Value::Int(1)).unwrap().tail().unwrap().with_at(3, Value::Int(0)).unwrap();
    assert!(rotated.front().unwrap().concat(&tuple).known_sum().is_some());
    let set = Set::interval(1, 100);
    set.fingerprint();
    let one = Set::from_values(ints([200])).unwrap();
    assert!(set.union(&one).unwrap().remove(&Value::Int(7)).unwrap().known_sum().is_some());
}
