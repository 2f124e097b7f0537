//! Values as text.

use crate::symbol::Symbol;
use crate::value::{Problem, Short, Value, ValueError};

fn ints(numbers: impl IntoIterator<Item = i64>) -> Value {
    Value::set(numbers.into_iter().map(Value::Int)).unwrap()
}

#[test]
fn values_print_as_tla() {
    let pair = |a: Value, b: Value| Value::tuple([a, b]).unwrap();
    let function = |entries: Vec<(Value, Value)>| Value::function(entries).unwrap();
    let cases = [
        (Value::Bool(true), "TRUE"),
        (Value::Int(-5), "-5"),
        (Value::string("a\"b\\c\n\td"), r#""a\"b\\c\n\td""#),
        (Value::model("m1"), "m1"),
        (Value::tuple([]).unwrap(), "<<>>"),
        (pair(Value::Int(1), Value::string("a")), r#"<<1, "a">>"#),
        (ints([]), "{}"),
        (ints([3, 1, 2]), "{1, 2, 3}"),
        (Value::interval(1, 3), "{1, 2, 3}"),
        (Value::interval(1, 17), "1..17"),
        (ints(-1..30), "-1..29"),
        (ints((0..30).map(|n| 2 * n).take(3)), "{0, 2, 4}"),
        (Value::record([("b", Value::Int(2)), ("a", Value::interval(1, 20))]).unwrap(), "[a |-> 1..20, b |-> 2]"),
        (function(vec![(Value::Int(1), Value::Int(5)), (Value::Int(2), Value::Int(6))]), "<<5, 6>>"),
        (function(vec![(Value::Int(0), Value::Int(-5)), (Value::Int(2), ints([]))]), "(0 :> (-5) @@ 2 :> {})"),
        (function(vec![(Value::string("a b"), Value::Int(5))]), r#"("a b" :> 5)"#),
        (function(vec![(Value::interval(1, 20), Value::interval(1, 20))]), "((1..20) :> (1..20))"),
        (Value::nat(), "Nat"),
        (Value::interval(1, 20).powerset().unwrap(), "SUBSET (1..20)"),
        (ints([1]).powerset().unwrap().powerset().unwrap(), "SUBSET (SUBSET {1})"),
        (Value::function_set(ints([1]), Value::nat()).unwrap(), "[{1} -> Nat]"),
        (Value::record_set(vec![(Symbol::new("a"), Value::nat())]).unwrap(), "[a: Nat]"),
        (Value::product(vec![ints([1]), Value::interval(1, 20)]).unwrap(), "{1} \\X (1..20)"),
        (Value::nat().union(&ints([-1])).unwrap(), "{-1} \\cup Nat"),
        (Value::nat().minus(&ints([1])).unwrap(), "Nat \\ {1}"),
        (ints([1]).seq_set().unwrap(), "Seq({1})"),
    ];
    for (value, text) in cases {
        assert_eq!(value.to_string(), text);
    }
}

#[test]
fn errors_name_the_values() {
    let long = Value::set((0..1000).map(|n| Value::Int(2 * n))).unwrap();
    assert_eq!(Short(&long).to_string().chars().count(), 81);
    let record = Value::record([("a", Value::Int(1))]).unwrap();
    let overflow = ValueError::from(Problem::Overflow { doing: "evaluate 9 * 9".to_owned() });
    let cases = [
        (Value::Int(1).equals(&"a".into()).unwrap_err(), r#"cannot compare the integer 1 and the string "a""#),
        (record.field(Symbol::new("b")).unwrap_err(), r#""b" is not in the domain of [a |-> 1]"#),
        (Value::Int(5).union(&ints([])).unwrap_err(), "cannot evaluate \\cup: expected a set, found the integer 5"),
        (Value::nat().to_set("enumerate").unwrap_err(), "cannot enumerate: the elements of Nat cannot be enumerated"),
        (
            record.member(&Value::nat()).unwrap_err(),
            "cannot decide whether the record [a |-> 1] is in Nat, whose elements are integers",
        ),
        (
            Value::tuple([]).unwrap().as_tuple().unwrap().tail().map(|_| ()).unwrap_err(),
            "cannot apply Tail: <<>> is empty",
        ),
        (
            Value::interval(1, 50).powerset().unwrap().to_set("enumerate").map(|_| ()).unwrap_err(),
            "cannot enumerate: SUBSET (1..50) has more than 4194304 elements",
        ),
        (overflow, "cannot evaluate 9 * 9: the result does not fit into a 64-bit integer"),
    ];
    for (error, text) in cases {
        assert_eq!(error.to_string(), text);
    }
    let carried = ValueError::rule("evaluator's own");
    assert!(matches!(carried.into_problem(), Problem::Rule(error) if error.to_string() == "evaluator's own"));
}
