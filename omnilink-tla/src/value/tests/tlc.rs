//! What TLC 2.15 answers when values of unlike kinds or forms meet. All but a few plain rows were evaluated by TLC; where this crate
//! deliberately differs, the row says so.

use crate::symbol::Symbol;
use crate::value::{Value, ValueError};

/// What TLC prints: `TRUE`, `FALSE`, another value, or that it stops with an error.
#[derive(Debug, PartialEq)]
enum Answer {
    Is(&'static str),
    Error,
}

use Answer::{Error, Is};

const TRUE: Answer = Is("TRUE");
const FALSE: Answer = Is("FALSE");

fn check(rows: impl IntoIterator<Item = (&'static str, Result<Value, ValueError>, Answer)>) {
    for (expression, result, tlc) in rows {
        match (&result, &tlc) {
            (Ok(value), Is(expected)) => {
                let value = value.clone().normalize().map_or_else(|error| error.to_string(), |value| value.to_string());
                assert_eq!(value, *expected, "{expression}");
            }
            (Err(_), Error) => {}
            _ => panic!("{expression}: {result:?}, but TLC says {tlc:?}"),
        }
    }
}

fn int(number: i64) -> Value {
    Value::Int(number)
}

fn text(text: &str) -> Value {
    Value::string(text)
}

fn m() -> Value {
    Value::model("m")
}

fn set<const N: usize>(elements: [Value; N]) -> Value {
    Value::set(elements).unwrap()
}

fn tuple<const N: usize>(elements: [Value; N]) -> Value {
    Value::tuple(elements).unwrap()
}

fn record<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::record(fields).unwrap()
}

fn function<const N: usize>(entries: [(Value, Value); N]) -> Value {
    Value::function(entries).unwrap()
}

#[test]
fn equality() {
    let eq = |left: Value, right: Value| left.equals(&right).map(Value::Bool);
    let (one, a) = (|| int(1), || text("a"));
    check([
        ("\"a\" = 1", eq(a(), one()), Error),
        ("TRUE = 1", eq(Value::Bool(true), one()), Error),
        ("1 = {1}", eq(one(), set([one()])), Error),
        ("{1} = 1", eq(set([one()]), one()), Error),
        ("<<1>> = 1", eq(tuple([one()]), one()), Error),
        ("[a |-> 1] = \"a\"", eq(record([("a", one())]), a()), Error),
        ("{} = <<>>", eq(set([]), tuple([])), Error),
        ("m = 1", eq(m(), one()), FALSE),
        ("1 = m", eq(one(), m()), FALSE),
        ("m = n", eq(m(), Value::model("n")), FALSE),
        ("m = m", eq(m(), m()), TRUE),
        ("m = <<m>>", eq(m(), tuple([m()])), FALSE),
        ("{m} = {1}", eq(set([m()]), set([one()])), FALSE),
        ("<<m>> = <<1>>", eq(tuple([m()]), tuple([one()])), FALSE),
        ("{{m}} = {{1}}", eq(set([set([m()])]), set([set([one()])])), FALSE),
        ("{m, 1} = {m, \"a\"}", eq(set([m(), one()]), set([m(), a()])), Error),
        ("{1} = {\"a\"}", eq(set([one()]), set([a()])), Error),
        ("{1, 2} = {\"a\"}", eq(set([one(), int(2)]), set([a()])), FALSE),
        ("1..3 = {\"a\"}", eq(Value::interval(1, 3), set([a()])), FALSE),
        ("1..3 = {1, 2, 3}", eq(Value::interval(1, 3), set([int(3), int(2), one()])), TRUE),
        ("1..3 = 2..4", eq(Value::interval(1, 3), Value::interval(2, 4)), FALSE),
        ("{} = 1..0", eq(set([]), Value::interval(1, 0)), TRUE),
        ("<<1, 2>> = <<\"a\">>", eq(tuple([one(), int(2)]), tuple([a()])), FALSE),
        ("<<1, 2>> = <<2, \"a\">>", eq(tuple([one(), int(2)]), tuple([int(2), a()])), FALSE),
        ("<<1, 2>> = <<1, \"a\">>", eq(tuple([one(), int(2)]), tuple([one(), a()])), Error),
        ("<<1>> = [a |-> 1]", eq(tuple([one()]), record([("a", one())])), Error),
        ("<<1, 2>> = [a |-> 1]", eq(tuple([one(), int(2)]), record([("a", one())])), FALSE),
        ("[a |-> 1] = <<1, 2>>", eq(record([("a", one())]), tuple([one(), int(2)])), Error),
        ("{[a |-> 1]} = {<<1, 2>>}", eq(set([record([("a", one())])]), set([tuple([one(), int(2)])])), Error),
        ("[a |-> 1] = <<>>", eq(record([("a", one())]), tuple([])), FALSE),
        ("<<>> = [a |-> 1]", eq(tuple([]), record([("a", one())])), FALSE),
        ("[a |-> 1] = (2 :> 1)", eq(record([("a", one())]), function([(int(2), one())])), Error),
        ("(2 :> 1) = [a |-> 1]", eq(function([(int(2), one())]), record([("a", one())])), Error),
        (
            "(2 :> 1 @@ 3 :> 1) = [a |-> 1]",
            eq(function([(int(2), one()), (int(3), one())]), record([("a", one())])),
            FALSE,
        ),
        (
            "[x \\in 1..2 |-> x] = <<1, 2>>",
            eq(function([(int(2), int(2)), (one(), one())]), tuple([one(), int(2)])),
            TRUE,
        ),
        ("<<>> = [x \\in {} |-> x]", eq(tuple([]), function([])), TRUE),
        (
            "(1 :> \"a\" @@ 2 :> 1) = (1 :> 5 @@ 3 :> 1)",
            eq(function([(one(), a()), (int(2), one())]), function([(one(), int(5)), (int(3), one())])),
            Error,
        ),
        (
            "[a |-> 1, b |-> 2] = [a |-> \"x\", c |-> 3]",
            eq(record([("a", one()), ("b", int(2))]), record([("a", text("x")), ("c", int(3))])),
            Error,
        ),
        ("[a |-> m] = [a |-> 1]", eq(record([("a", m())]), record([("a", one())])), FALSE),
        ("Nat = Nat", eq(Value::nat(), Value::nat()), TRUE),
        ("Nat = Int", eq(Value::nat(), Value::int()), FALSE),
        ("Nat = {1}", eq(Value::nat(), set([one()])), Error),
        ("{1} = Nat", eq(set([one()]), Value::nat()), Error),
        ("SUBSET {1} = {{}, {1}}", eq(set([one()]).powerset().unwrap(), set([set([]), set([one()])])), TRUE),
        ("SUBSET Nat = SUBSET Nat", eq(Value::nat().powerset().unwrap(), Value::nat().powerset().unwrap()), TRUE),
        ("{1} = SUBSET Nat", eq(set([one()]), Value::nat().powerset().unwrap()), Error),
        ("Seq({1}) = Seq({1})", eq(set([one()]).seq_set().unwrap(), set([one()]).seq_set().unwrap()), TRUE),
    ]);
}

#[test]
fn membership() {
    let member = |element: Value, set: Value| element.member(&set).map(Value::Bool);
    let functions = || Value::function_set(Value::interval(1, 2), Value::interval(1, 2)).unwrap();
    let records = || Value::record_set(vec![(Symbol::new("a"), set([int(1)]))]).unwrap();
    let pairs = || Value::product(vec![set([int(1)]), set([int(2)])]).unwrap();
    let sequences = || set([int(1)]).seq_set().unwrap();
    let subsets = || set([int(1)]).powerset().unwrap();
    let natural_or = |element: Value| Value::nat().union(&set([element])).unwrap();
    check([
        ("1 \\in {\"a\"}", member(int(1), set([text("a")])), Error),
        ("TRUE \\in {1}", member(Value::Bool(true), set([int(1)])), Error),
        ("1 \\in {}", member(int(1), set([])), FALSE),
        ("\"a\" \\in {m}", member(text("a"), set([m()])), FALSE),
        ("\"a\" \\in 1..3", member(text("a"), Value::interval(1, 3)), Error),
        ("\"a\" \\in 3..1", member(text("a"), Value::interval(3, 1)), FALSE),
        ("m \\in 1..3", member(m(), Value::interval(1, 3)), FALSE),
        ("\"a\" \\in Nat", member(text("a"), Value::nat()), Error),
        ("m \\in Nat", member(m(), Value::nat()), FALSE),
        ("1 \\in STRING", member(int(1), Value::strings()), Error),
        ("1 \\in Seq({1})", member(int(1), sequences()), Error),
        ("m \\in Seq({1})", member(m(), sequences()), FALSE),
        ("<<\"a\">> \\in Seq({1})", member(tuple([text("a")]), sequences()), Error),
        ("<<1, 1>> \\in Seq({1})", member(tuple([int(1), int(1)]), sequences()), TRUE),
        ("[a |-> 1] \\in Seq({1})", member(record([("a", int(1))]), sequences()), Error),
        ("<<-1, \"a\">> \\in Seq(Nat)", member(tuple([int(-1), text("a")]), Value::nat().seq_set().unwrap()), FALSE),
        ("1 \\in SUBSET {1}", member(int(1), subsets()), Error),
        ("m \\in SUBSET {1}", member(m(), subsets()), Error),
        ("{\"a\"} \\in SUBSET {1}", member(set([text("a")]), subsets()), Error),
        ("{\"a\"} \\in SUBSET Nat", member(set([text("a")]), Value::nat().powerset().unwrap()), Error),
        ("Nat \\in SUBSET Int", member(Value::nat(), Value::int().powerset().unwrap()), Error),
        ("1 \\in [1..2 -> 1..2]", member(int(1), functions()), Error),
        ("m \\in [1..2 -> 1..2]", member(m(), functions()), FALSE),
        ("<<1>> \\in [1..2 -> 1..2]", member(tuple([int(1)]), functions()), FALSE),
        ("<<3, \"a\">> \\in [1..2 -> 1..2]", member(tuple([int(3), text("a")]), functions()), FALSE),
        ("[a |-> 1] \\in [1..2 -> 1..2]", member(record([("a", int(1))]), functions()), FALSE),
        (
            "[a |-> 1] \\in [1..1 -> 1..2]",
            member(record([("a", int(1))]), Value::function_set(Value::interval(1, 1), Value::interval(1, 2)).unwrap()),
            Error,
        ),
        ("<<>> \\in [{} -> {1}]", member(tuple([]), Value::function_set(set([]), set([int(1)])).unwrap()), TRUE),
        ("1 \\in [a : {1}]", member(int(1), records()), Error),
        ("m \\in [a : {1}]", member(m(), records()), FALSE),
        ("<<1>> \\in [a : {1}]", member(tuple([int(1)]), records()), Error),
        ("<<>> \\in [a : {1}]", member(tuple([]), records()), FALSE),
        ("(\"a\" :> 1) \\in [a : {1}]", member(function([(text("a"), int(1))]), records()), TRUE),
        ("[b |-> 1] \\in [a : {1}]", member(record([("b", int(1))]), records()), FALSE),
        ("[a |-> 1, b |-> 2] \\in [a : {1}]", member(record([("a", int(1)), ("b", int(2))]), records()), FALSE),
        ("1 \\in {1} \\X {2}", member(int(1), pairs()), Error),
        ("m \\in {1} \\X {2}", member(m(), pairs()), FALSE),
        ("<<1>> \\in {1} \\X {2}", member(tuple([int(1)]), pairs()), FALSE),
        ("[a |-> 1] \\in {1} \\X {2}", member(record([("a", int(1))]), pairs()), Error),
        ("\"a\" \\in Nat \\cup {\"a\"}", member(text("a"), natural_or(text("a"))), TRUE),
        ("\"a\" \\in Nat \\cup {\"b\"}", member(text("a"), natural_or(text("b"))), Error),
        ("-1 \\in Nat \\cup {-1}", member(int(-1), natural_or(int(-1))), TRUE),
        ("1 \\in STRING \\cup {1}", member(int(1), Value::strings().union(&set([int(1)])).unwrap()), TRUE),
        ("1 \\in STRING \\cup Nat", member(int(1), Value::strings().union(&Value::nat()).unwrap()), Error),
    ]);
}

#[test]
fn sets_of_unlike_elements() {
    let pair = || tuple([int(1), int(2)]);
    check([
        ("{1, \"a\"}", Value::set([int(1), text("a")]), Error),
        ("{m, 1}", Value::set([int(1), m()]), Is("{m, 1}")),
        ("{m, 1, \"a\"}", Value::set([m(), int(1), text("a")]), Error),
        ("{<<1, 2>>, <<\"a\">>}", Value::set([pair(), tuple([text("a")])]), Is("{<<\"a\">>, <<1, 2>>}")),
        ("{<<1>>, [a |-> 1]}", Value::set([tuple([int(1)]), record([("a", int(1))])]), Error),
        ("{[a |-> 1], <<1, 2>>}", Value::set([record([("a", int(1))]), pair()]), Is("{[a |-> 1], <<1, 2>>}")),
        ("{{1}, {\"a\"}}", Value::set([set([int(1)]), set([text("a")])]), Error),
        (
            "{{1}, {\"a\", \"b\"}}",
            Value::set([set([int(1)]), set([text("a"), text("b")])]),
            Is("{{1}, {\"a\", \"b\"}}"),
        ),
        ("{SUBSET {1}, {{}, {1}}}", Value::set([set([int(1)]).powerset().unwrap()]), Is("{{{}, {1}}}")),
        ("{1} \\cup {\"a\"}", set([int(1)]).union(&set([text("a")])), Error),
        ("{} \\cup {\"a\"}", set([]).union(&set([text("a")])), Is("{\"a\"}")),
        ("1..2 \\cup {\"a\"}", Value::interval(1, 2).union(&set([text("a")])), Error),
        ("{1, 2} \\cap {\"a\"}", set([int(1), int(2)]).intersect(&set([text("a")])), Error),
        ("{1, 2} \\ {\"a\"}", set([int(1), int(2)]).minus(&set([text("a")])), Error),
        ("{} \\cap {\"a\"}", set([]).intersect(&set([text("a")])), Is("{}")),
        ("{\"a\"} \\cap Nat", set([text("a")]).intersect(&Value::nat()), Error),
        ("Nat \\cap {1}", Value::nat().intersect(&set([int(1)])), Is("{1}")),
        ("{1, 2} \\subseteq {\"a\"}", set([int(1), int(2)]).subset(&set([text("a")])).map(Value::Bool), Error),
        ("{1} \\subseteq Nat", set([int(1)]).subset(&Value::nat()).map(Value::Bool), TRUE),
        ("Nat \\subseteq Int", Value::nat().subset(&Value::int()).map(Value::Bool), Error),
        ("UNION {{1}, {\"a\"}}", Value::set([set([int(1)]), set([text("a")])]).and_then(|set| set.big_union()), Error),
        ("UNION {1}", set([int(1)]).big_union(), Error),
        ("SUBSET 1", int(1).powerset(), Error),
        ("[2 -> {1}]", Value::function_set(int(2), set([int(1)])), Error),
    ]);
}

#[test]
fn functions_at_unlike_points() {
    let except = |function: Value, key: Value| function.except_at(&[key], |_| Ok::<_, ValueError>(int(9)));
    let (pair, one) = (|| tuple([int(1), int(2)]), || function([(int(2), int(1))]));
    let a = || record([("a", int(1))]);
    check([
        ("[<<1, 2>> EXCEPT ![2] = 9]", except(pair(), int(2)), Is("<<1, 9>>")),
        ("[<<1, 2>> EXCEPT ![3] = 9]", except(pair(), int(3)), Is("<<1, 2>>")),
        ("[<<1, 2>> EXCEPT ![\"a\"] = 9]", except(pair(), text("a")), Error),
        ("[<<1, 2>> EXCEPT ![m] = 9]", except(pair(), m()), Error),
        ("[[a |-> 1] EXCEPT !.b = 9]", except(a(), text("b")), Is("[a |-> 1]")),
        ("[[a |-> 1] EXCEPT ![1] = 9]", except(a(), int(1)), Error),
        ("[(2 :> 1) EXCEPT ![1] = 9]", except(one(), int(1)), Is("(2 :> 1)")),
        ("[(2 :> 1) EXCEPT ![\"a\"] = 9]", except(one(), text("a")), Error),
        ("[(2 :> 1) EXCEPT ![m] = 9]", except(one(), m()), Is("(2 :> 1)")),
        ("<<1, 2>>[\"a\"]", pair().apply(&text("a")), Error),
        ("<<1, 2>>[3]", pair().apply(&int(3)), Error),
        ("[a |-> 1][1]", a().apply(&int(1)), Error),
        ("(2 :> 1)[m]", one().apply(&m()), Error),
        ("(1 :> 1) @@ (\"a\" :> 1)", tuple([int(1)]).merge(&a()), Error),
        ("(1 :> 2) @@ (1 :> 3 @@ 2 :> 4)", tuple([int(2)]).merge(&tuple([int(3), int(4)])), Is("<<2, 4>>")),
        ("DOMAIN [a |-> 1]", a().domain(), Is("{\"a\"}")),
        ("DOMAIN \"abc\"", text("abc").domain(), Error),
    ]);
}

/// `CHOOSE` takes the first in this order that satisfies its condition.
#[test]
fn enumeration_order() {
    let nth = |set: Value, index| set.iterate("test").and_then(|mut elements| elements.nth(index).expect("enough"));
    let by_first_entry =
        set([function([(int(1), int(2)), (int(2), int(0))]), function([(int(1), int(1)), (int(3), int(0))])]);
    check([
        ("functions by entries", Ok(by_first_entry), Is("{(1 :> 1 @@ 3 :> 0), <<2, 0>>}")),
        (
            "records by entries",
            Value::set([record([("a", int(2)), ("b", int(0))]), record([("a", int(1)), ("c", int(0))])]),
            Is("{[a |-> 1, c |-> 0], [a |-> 2, b |-> 0]}"),
        ),
        (
            "tuples by length",
            Value::set([tuple([int(2), int(1)]), tuple([int(1), int(2)]), tuple([int(3)]), tuple([])]),
            Is("{<<>>, <<3>>, <<1, 2>>, <<2, 1>>}"),
        ),
        (
            "sets by size",
            Value::set([Value::interval(1, 2), set([int(1), int(3)]), set([int(5)]), set([])]),
            Is("{{}, {5}, {1, 2}, {1, 3}}"),
        ),
        (
            "SUBSET (1..3)",
            Value::interval(1, 3).powerset(),
            Is("{{}, {1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}}"),
        ),
        (
            "[1..2 -> 1..2]",
            Value::function_set(Value::interval(1, 2), Value::interval(1, 2)),
            Is("{<<1, 1>>, <<1, 2>>, <<2, 1>>, <<2, 2>>}"),
        ),
        (
            "second of [{\"a\", \"b\"} -> 1..3]",
            nth(Value::function_set(set([text("b"), text("a")]), Value::interval(1, 3)).unwrap(), 1),
            Is("[a |-> 1, b |-> 2]"),
        ),
        (
            "second of [b : 1..2, a : 1..3]",
            nth(
                Value::record_set(vec![
                    (Symbol::new("b"), Value::interval(1, 2)),
                    (Symbol::new("a"), Value::interval(1, 3)),
                ])
                .unwrap(),
                1,
            ),
            Is("[a |-> 1, b |-> 2]"),
        ),
        (
            "second of (1..2) \\X (1..3)",
            nth(Value::product(vec![Value::interval(1, 2), Value::interval(1, 3)]).unwrap(), 1),
            Is("<<1, 2>>"),
        ),
        (
            "second of SUBSET {1, 2} \\cup {{5}}",
            nth(Value::interval(1, 2).powerset().unwrap().union(&set([set([int(5)])])).unwrap(), 1),
            Is("{1}"),
        ),
        ("first of BOOLEAN", nth(Value::boolean(), 0), FALSE),
    ]);
}
