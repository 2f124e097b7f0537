//! One value, however represented, is one value.

use std::collections::HashSet;

use proptest::prelude::*;

use super::plain::{Choices, Plain, alike, build, reference_order};
use crate::value::{Fingerprint, Value};

fn printed(value: &Value) -> String {
    value.clone().normalize().expect("finite").to_string()
}

proptest! {
    #[test]
    fn equal_values_agree(plain in alike(1), left in any::<u64>(), right in any::<u64>()) {
        let a = build(&plain[0], &mut Choices::new(left));
        let b = build(&plain[0], &mut Choices::new(right));
        prop_assert!(a.equals(&b).unwrap());
        prop_assert!(a.compare(&b).unwrap().is_eq());
        prop_assert_eq!(&a, &b);
        prop_assert!(a.cmp(&b).is_eq());
        prop_assert_eq!(a.fingerprint(), b.fingerprint());
        prop_assert_eq!(printed(&a), printed(&b));
        prop_assert!(a.clone().normalize().unwrap().is_normal());
        prop_assert_eq!([a, b].into_iter().collect::<HashSet<_>>().len(), 1);
    }

    #[test]
    fn order_is_as_documented(plain in alike(2), left in any::<u64>(), right in any::<u64>()) {
        let a = build(&plain[0], &mut Choices::new(left));
        let b = build(&plain[1], &mut Choices::new(right));
        let expected = reference_order(&plain[0], &plain[1]);
        prop_assert_eq!(a.cmp(&b), expected);
        prop_assert_eq!(a.compare(&b).unwrap(), expected);
        prop_assert_eq!(b.compare(&a).unwrap(), expected.reverse());
        prop_assert_eq!(a == b, expected.is_eq());
        prop_assert_eq!(a.equals(&b).unwrap(), expected.is_eq());
        prop_assert_eq!(a.fingerprint() == b.fingerprint(), expected.is_eq());
    }

    #[test]
    fn sets_are_enumerated_in_order(plain in alike(6), choices in any::<u64>()) {
        let mut expected = plain.clone();
        expected.sort_by(reference_order);
        expected.dedup();
        let set = build(&Plain::Set(plain.into_iter().collect()), &mut Choices::new(choices));
        let elements: Vec<_> = set.iterate("test").unwrap().map(Result::unwrap).collect();
        let expected: Vec<_> = expected.iter().map(|plain| build(plain, &mut Choices::new(0))).collect();
        prop_assert_eq!(elements, expected);
        prop_assert_eq!(set.cardinality().unwrap() as usize, set.iterate("test").unwrap().count());
    }
}

/// Values that differ in kind or structure only, or are permutations of each other.
#[test]
fn similar_values_have_different_fingerprints() {
    let tuple = |elements: &[i64]| Value::tuple(elements.iter().copied().map(Value::Int)).unwrap();
    let set = |elements: &[Value]| Value::set(elements.iter().cloned()).unwrap();
    let function = |entries: &[(i64, i64)]| {
        Value::function(entries.iter().map(|(key, value)| (Value::Int(*key), Value::Int(*value)))).unwrap()
    };
    let values = [
        Value::Bool(false),
        Value::Bool(true),
        Value::Int(0),
        Value::Int(1),
        Value::Int(-1),
        Value::string(""),
        Value::string("a"),
        Value::model("a"),
        tuple(&[]),
        tuple(&[0]),
        tuple(&[0, 0]),
        tuple(&[1, 2]),
        tuple(&[2, 1]),
        set(&[]),
        set(&[set(&[])]),
        set(&[tuple(&[])]),
        set(&[Value::Int(0)]),
        set(&[Value::Int(1), Value::Int(2)]),
        set(&[tuple(&[1, 2])]),
        set(&[set(&[Value::Int(1)]), set(&[Value::Int(2)])]),
        function(&[(0, 1), (2, 3)]),
        function(&[(0, 3), (2, 1)]),
        function(&[(1, 0), (3, 2)]),
        Value::nat(),
        Value::int(),
        Value::nat().powerset().unwrap(),
        Value::nat().seq_set().unwrap(),
    ];
    let fingerprints: HashSet<Fingerprint> = values.iter().map(Value::fingerprint).collect();
    assert_eq!(fingerprints.len(), values.len());
}

/// Small integers, pairs of them and sets of them make up most states.
#[test]
fn no_collisions_among_many_small_values() {
    let ints = || (-500..500).map(Value::Int);
    let pairs = (0..150).flat_map(|a| (0..150).map(move |b| Value::tuple([Value::Int(a), Value::Int(b)]).unwrap()));
    let functions = (0..150).flat_map(|a| {
        (0..150)
            .map(move |b| Value::function([(Value::Int(0), Value::Int(a)), (Value::Int(2), Value::Int(b))]).unwrap())
    });
    let sets =
        (0_u32..1 << 14).map(|bits| Value::set((0..14).filter(|bit| bits >> bit & 1 == 1).map(Value::Int)).unwrap());
    let all: Vec<_> = ints().chain(pairs).chain(functions).chain(sets).map(|value| value.fingerprint().0).collect();
    for half in [0, 64] {
        let distinct: HashSet<u64> = all.iter().map(|fingerprint| (fingerprint >> half) as u64).collect();
        assert_eq!(distinct.len(), all.len(), "64 bits of the fingerprint are enough for so few values");
    }
}
