//! Sets given by their construction: enumerated in order, counted and asked for members as if they were listed.

use std::sync::Arc;

use proptest::prelude::*;

use super::plain::Among;
use crate::symbol::Symbol;
use crate::value::{Predicate, Rule, Value, ValueError};

fn ints(numbers: impl IntoIterator<Item = i64>) -> Value {
    Value::set(numbers.into_iter().map(Value::Int)).unwrap()
}

fn names() -> Value {
    Value::set(["x", "y", "z"].map(Value::string)).unwrap()
}

/// Constructions over small sets, with the number of their elements.
fn constructions() -> Vec<(Value, i64)> {
    let two = || ints([3, 7]);
    let records = vec![(Symbol::new("b"), names()), (Symbol::new("a"), two())];
    let among = Arc::new(Among(vec![ints([]), ints([2, 3])]));
    vec![
        (Value::interval(1, 5).powerset().unwrap(), 32),
        (ints([]).powerset().unwrap(), 1),
        (two().powerset().unwrap().powerset().unwrap(), 16),
        (Value::function_set(Value::interval(1, 3), two()).unwrap(), 8),
        (Value::function_set(names(), Value::interval(0, 2)).unwrap(), 27),
        (Value::function_set(ints([]), two()).unwrap(), 1),
        (Value::function_set(two(), ints([])).unwrap(), 0),
        (Value::function_set(two(), two().powerset().unwrap()).unwrap(), 16),
        (Value::record_set(records).unwrap(), 6),
        (Value::product(vec![two(), names(), Value::interval(1, 2)]).unwrap(), 12),
        (Value::interval(1, 3).powerset().unwrap().union(&ints([5, 6]).powerset().unwrap()).unwrap(), 11),
        (Value::interval(1, 3).powerset().unwrap().intersect(&Value::interval(2, 5).powerset().unwrap()).unwrap(), 4),
        (Value::interval(1, 3).powerset().unwrap().minus(&Value::interval(1, 2).powerset().unwrap()).unwrap(), 4),
        (Value::filter(Value::interval(1, 3).powerset().unwrap(), among).unwrap(), 2),
        (Value::nat().powerset().unwrap().intersect(&ints([1, 2]).powerset().unwrap()).unwrap(), 4),
    ]
}

#[test]
fn enumerated_in_order_and_counted() {
    for (set, count) in constructions() {
        let text = set.to_string();
        let elements: Vec<_> = set.iterate("test").unwrap().map(Result::unwrap).collect();
        assert_eq!(elements.len() as i64, count, "{text}");
        assert!(elements.is_sorted_by(|a, b| a < b), "{text}: {elements:?}");
        assert_eq!(set.cardinality().unwrap(), count, "{text}");
        assert!(set.is_finite().unwrap(), "{text}");
        let listed = Value::set(elements).unwrap();
        assert_eq!(set.fingerprint(), listed.fingerprint(), "{text}");
        assert!(set.equals(&listed).unwrap() && listed.equals(&set).unwrap(), "{text}");
        assert!(set.subset(&listed).unwrap() && listed.subset(&set).unwrap(), "{text}");
    }
}

#[test]
fn membership_is_that_of_the_listed_set() {
    let constructions = constructions();
    let candidates: Vec<_> = constructions.iter().flat_map(|(set, _)| set.iterate("test").unwrap()).collect();
    for (set, _) in &constructions {
        let listed = Value::Set(set.to_set("test").unwrap());
        let fresh = set.to_string();
        for candidate in candidates.iter().flatten() {
            // Where both answer, they agree; a construction may know better whether kinds are unlike.
            if let (Ok(symbolic), Ok(listed)) = (candidate.member(set), candidate.member(&listed)) {
                assert_eq!(symbolic, listed, "{candidate} \\in {fresh}");
            }
        }
        for element in set.iterate("test").unwrap() {
            assert!(element.unwrap().member(set).unwrap(), "{fresh}");
        }
    }
}

struct Positive;

impl Predicate for Positive {
    fn holds(&self, element: &Value) -> Result<bool, ValueError> {
        Ok(element.expect_int("test")? > 0)
    }

    fn describe(&self) -> String {
        "x > 0".to_owned()
    }
}

struct Successor;

impl Rule for Successor {
    fn apply(&self, argument: &Value) -> Result<Value, ValueError> {
        Ok(Value::Int(argument.expect_int("test")? + 1))
    }
}

#[test]
fn members_of_infinite_sets() {
    let sequence = |numbers: &[i64]| Value::tuple(numbers.iter().copied().map(Value::Int)).unwrap();
    let nat_sequences = Value::nat().seq_set().unwrap();
    let cases = [
        (Value::Int(0), Value::nat(), true),
        (Value::Int(-1), Value::nat(), false),
        (Value::Int(-1), Value::int(), true),
        (Value::Int(-1), Value::nat().union(&ints([-1])).unwrap(), true),
        (Value::Int(5), Value::nat().minus(&ints([5])).unwrap(), false),
        (Value::string("a"), Value::strings(), true),
        (Value::string("a"), Value::any(), true),
        (sequence(&[1, 2]), nat_sequences.clone(), true),
        (sequence(&[1, -2]), nat_sequences.clone(), false),
        (sequence(&[]), ints([]).seq_set().unwrap(), true),
        (ints([1, 2]), Value::nat().powerset().unwrap(), true),
        (ints([1, -2]), Value::nat().powerset().unwrap(), false),
        (sequence(&[1, 2]), Value::function_set(Value::interval(1, 2), Value::nat()).unwrap(), true),
        (sequence(&[1, 2]), Value::function_set(Value::interval(1, 3), Value::nat()).unwrap(), false),
        (
            Value::tuple([sequence(&[1]), sequence(&[])]).unwrap(),
            Value::function_set(Value::interval(1, 2), nat_sequences).unwrap(),
            true,
        ),
        (Value::Int(3), Value::filter(Value::int(), Arc::new(Positive)).unwrap(), true),
        (Value::Int(-3), Value::filter(Value::int(), Arc::new(Positive)).unwrap(), false),
    ];
    for (element, set, expected) in cases {
        assert_eq!(element.member(&set).unwrap(), expected, "{element} \\in {set}");
        assert!(!set.is_finite().unwrap() || set.iterate("test").is_ok() || set.cardinality().is_err(), "{set}");
    }
}

#[test]
fn infinite_functions_are_applied() {
    let successor = Value::lambda(Value::nat(), Arc::new(Successor)).unwrap();
    assert_eq!(successor.apply(&Value::Int(41)).unwrap(), Value::Int(42));
    assert_eq!(
        successor.apply(&Value::Int(-1)).unwrap_err().to_string(),
        "-1 is not in the domain of [x \\in Nat |-> ...]"
    );
    assert!(successor.clone().normalize().is_err());
    assert!(successor.equals(&successor).unwrap());
    let short = Value::lambda(Value::interval(1, 2), Arc::new(Successor)).unwrap();
    assert_eq!(short, Value::tuple([Value::Int(2), Value::Int(3)]).unwrap());
}

#[test]
fn enumeration_is_lazy() {
    let subsets = Value::interval(1, 200).powerset().unwrap();
    assert_eq!(subsets.iterate("test").unwrap().nth(201).unwrap().unwrap(), ints([1, 2]));
    let functions = Value::function_set(Value::interval(1, 100), Value::interval(0, 9)).unwrap();
    assert!(functions.iterate("test").unwrap().nth(1000).is_some());
    assert!(subsets.cardinality().is_err() && functions.to_set("test").is_err());
}

proptest! {
    #[test]
    fn subsets_are_subsets(base in prop::collection::btree_set(0..30_i64, 0..8)) {
        let base = ints(base);
        let subsets = base.powerset().unwrap();
        let mut count = 0;
        for subset in subsets.iterate("test").unwrap() {
            prop_assert!(subset.unwrap().subset(&base).unwrap());
            count += 1;
        }
        prop_assert_eq!(count, 1_i64 << base.cardinality().unwrap());
    }
}
