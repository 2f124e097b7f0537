//! Nothing that a specification can make exhausts the stack or the memory.

use crate::value::{MAX_DEPTH, MAX_ELEMENTS, Problem, Value, ValueError};

type Wrap = fn(Value) -> Result<Value, ValueError>;

const WRAPPERS: [Wrap; 5] = [
    |value| Value::tuple([value]),
    |value| Value::set([value]),
    |value| Value::record([("next", value)]),
    |value| Value::tuple([])?.with(Value::Int(7), value),
    |value| Value::function([(value, Value::Int(0))]),
];

#[test]
fn deep_values_are_errors_before_they_are_dangerous() {
    for wrap in WRAPPERS {
        // As much stack as a thread has by default.
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
            let deep = |levels| (0..levels).try_fold(Value::Int(1), |value, _| wrap(value));
            let (one, other) = (deep(MAX_DEPTH).unwrap(), deep(MAX_DEPTH).unwrap());
            assert!(one.equals(&other).unwrap());
            assert_eq!(one.fingerprint(), other.fingerprint());
            assert!(one.to_string().len() > usize::from(MAX_DEPTH));
            let error = wrap(one).unwrap_err();
            assert!(matches!(error.problem(), Problem::TooDeep { .. }), "{error}");
        });
        thread.unwrap().join().unwrap();
    }
}

#[test]
fn large_sets_are_errors_before_they_fill_the_memory() {
    let huge = Value::interval(0, i64::MAX - 1);
    let all = Value::interval(i64::MIN, i64::MAX);
    let too_large: [(&str, Result<Value, ValueError>); 7] = [
        ("powerset", Value::interval(1, 40).powerset().unwrap().normalize()),
        ("functions", Value::function_set(Value::interval(1, 30), Value::boolean()).unwrap().normalize()),
        ("powerset of huge", huge.powerset().unwrap().normalize()),
        ("hole in huge", huge.minus(&Value::interval(5, 5))),
        ("insertion into huge", huge.union(&Value::interval(-9, -9))),
        ("hole in all", all.minus(&Value::interval(0, 1))),
        ("union", Value::set([huge.clone(), all.clone()]).unwrap().big_union()),
    ];
    for (name, result) in too_large {
        let error = result.expect_err(name);
        assert!(matches!(error.problem(), Problem::TooLarge { limit: MAX_ELEMENTS, .. }), "{name}: {error}");
    }
    for set in [all, Value::interval(1, 63).powerset().unwrap()] {
        let error = set.cardinality().unwrap_err();
        assert!(matches!(error.problem(), Problem::Overflow { .. }), "{error}");
    }
    assert_eq!(huge.cardinality().unwrap(), i64::MAX);
    assert_eq!(Value::interval(1, 62).powerset().unwrap().cardinality().unwrap(), 1 << 62);
}
