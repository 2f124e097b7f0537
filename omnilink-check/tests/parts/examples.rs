//! Histories that were thought of.

use omnilink_check::check::{Checked, Verdict};
use omnilink_check::prepare::{Prepared, prepare};
use omnilink_check::rules::Rules;
use omnilink_check::search::Limits;
use omnilink_tla::{Options, Spec, with_stack};
use omnilink_trace::Outcome;

use crate::history::{Call, Datum, Plan};
use crate::{at_once, check_order, search};

/// A specification of one variable with these actions, each of which a disjunct of `Next` calls.
fn load(name: &str, init: &str, actions: &str, next: &str) -> Spec {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(format!("{name}.tla"));
    let text = format!(
        "---- MODULE {name} ----\nEXTENDS Integers, Sequences, TLC\nVARIABLE f\nKeys == 1..3\nInit == {init}\n{actions}\nNext == {next}\n====\n"
    );
    std::fs::write(&path, &text).expect("it can be written");
    Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn registers(init: &str) -> Spec {
    let actions = "Put(k, v) == f' = [f EXCEPT ![k] = v]\nGet(k, v) == f[k] = v /\\ UNCHANGED f";
    load("Registers", init, actions, "\\E k \\in Keys, v \\in 0..9 : Put(k, v) \\/ Get(k, v)")
}

fn call(name: &'static str, key: i64, value: i64, start: u64, end: u64) -> Call {
    let args = vec![("k", Some(Datum::Int(key))), ("v", Some(Datum::Int(value)))];
    Call { name, or: None, args, start, end, outcome: Outcome::Done }
}

/// What is made of a history by parts, if there are any.
fn check(spec: &Spec, lanes: Vec<Vec<Call>>, limits: Limits) -> (Checked, Prepared) {
    let prepared = prepare(spec, &Plan::of(lanes).trace(), &Rules::default()).expect("it fits the specification");
    let checked = search(spec, &prepared, true, limits);
    if let Verdict::Accepted(order) = &checked.verdict {
        check_order(spec, &prepared, order).expect("it is an order");
    }
    (checked, prepared)
}

fn within_stack(test: impl FnOnce() + Send) {
    with_stack(1 << 26, test).expect("a thread");
}

/// Each key has an order, but the orders, and that of each lane, are a cycle.
#[test]
fn orders_that_do_not_agree_decide_nothing() {
    within_stack(|| {
        let spec = registers("f = [k \\in Keys |-> 0]");
        let lanes = |end, start| {
            vec![
                vec![call("Put", 1, 1, 0, end), call("Get", 2, 0, start, 10)],
                vec![call("Put", 2, 1, 0, end), call("Get", 1, 0, start, 10)],
            ]
        };
        let (checked, _) = check(&spec, lanes(5, 5), at_once());
        assert!(matches!(checked.verdict, Verdict::Rejected(_)), "{:?}", checked.verdict);
        assert!(checked.parts.is_none(), "no part is rejected alone");
        // If the boxes do not overlap, a part is.
        let (checked, _) = check(&spec, lanes(5, 6), at_once());
        assert!(matches!(checked.verdict, Verdict::Rejected(_)), "{:?}", checked.verdict);
        assert!(checked.parts.is_some_and(|parts| parts.rejected.is_some()));
    });
}

/// From each initial state one part has no order, and no part has none from all of them.
#[test]
fn initial_states_may_correlate_parts() {
    within_stack(|| {
        let lanes =
            || vec![vec![call("Get", 1, 1, 0, 5)], vec![call("Get", 2, 0, 0, 5)], vec![call("Put", 3, 1, 0, 5)]];
        let puts = || vec![call("Put", 1, 2, 20, 25), call("Put", 2, 2, 26, 30)];
        let lanes = || lanes().into_iter().chain([puts()]).collect();
        let correlated = registers("f \\in {g \\in [Keys -> 0..1] : g[1] = g[2]}");
        let (checked, _) = check(&correlated, lanes(), at_once());
        assert!(matches!(checked.verdict, Verdict::Rejected(_)), "{:?}", checked.verdict);
        assert!(checked.parts.is_none());
        let (checked, _) = check(&registers("f \\in [Keys -> 0..1]"), lanes(), at_once());
        assert!(matches!(checked.verdict, Verdict::Accepted(_)), "{:?}", checked.verdict);
        assert_eq!(checked.parts.map(|parts| parts.count), Some(3));
    });
}

/// What is said about a rejected part has the places of the whole.
#[test]
fn a_rejected_part_is_told_by_its_events_in_the_whole() {
    within_stack(|| {
        let spec = registers("f = [k \\in Keys |-> 0]");
        let lanes = vec![
            vec![call("Put", 1, 1, 0, 5), call("Put", 2, 1, 10, 15), call("Get", 1, 1, 20, 25)],
            vec![
                call("Get", 2, 0, 0, 5),
                call("Get", 3, 0, 11, 16),
                call("Get", 2, 7, 21, 26),
                call("Put", 3, 1, 30, 35),
            ],
        ];
        let (checked, whole) = check(&spec, lanes, at_once());
        let Verdict::Rejected(deepest) = &checked.verdict else { panic!("{:?}", checked.verdict) };
        let part = checked.subject(&whole);
        let told: Vec<_> = part.history.timeline.lanes.iter().map(|lane| (lane.id, lane.events.len())).collect();
        assert_eq!(told, [(0, 1), (1, 2)]);
        let index: Vec<_> = part.history.timeline.events().map(|(_, event)| event.index).collect();
        assert_eq!(index, [1, 0, 2]);
        assert_eq!(deepest.placed, 2);
        assert_eq!(deepest.kept[0].positions, [1, 1]);
        let rejected = checked.parts.as_ref().and_then(|parts| parts.rejected.as_ref()).expect("a part");
        assert_eq!(rejected.touches, ["f[2]"]);
    });
}

/// A part that is hard to decide does not keep another from being rejected.
#[test]
fn a_hard_part_does_not_hide_a_rejected_one() {
    within_stack(|| {
        let spec = load(
            "Subsets",
            "f = [k \\in Keys |-> <<>>]",
            "Push(k, v) == f' = [f EXCEPT ![k] = Append(@, v)]\nIs(k, v) == Len(f[k]) = v /\\ UNCHANGED f",
            "\\E k \\in Keys, v \\in 0..99 : Push(k, v) \\/ Is(k, v)",
        );
        // All orders of 12 pushes lead to different states.
        let mut lanes: Vec<Vec<Call>> = (0..12).map(|value| vec![call("Push", 1, value, 0, 100)]).collect();
        lanes.push(vec![call("Is", 1, 50, 200, 210)]);
        let many: Vec<Call> = (0..40).map(|nth| call("Push", 2, 1, 10 * nth, 10 * nth + 5)).collect();
        lanes.push(many.into_iter().chain([call("Is", 2, 41, 500, 510)]).collect());
        let limits = Limits { configurations: Some(60_000), reduce_after: u64::MAX, ..at_once() };
        let (checked, whole) = check(&spec, lanes, limits);
        assert!(matches!(checked.verdict, Verdict::Rejected(_)), "{:?}", checked.verdict);
        assert_eq!(checked.subject(&whole).history.timeline.len(), 41);
    });
}

/// What cannot be evaluated in one part leaves the whole open, unless another part is rejected.
#[test]
fn a_part_that_cannot_be_evaluated_is_not_rejected() {
    within_stack(|| {
        // f[2] is nothing.
        let spec = registers("f = (1 :> 0) @@ (3 :> 0)");
        let lanes = |seen| {
            vec![
                vec![call("Put", 1, 1, 0, 5), call("Get", 1, seen, 10, 15)],
                vec![call("Get", 2, 1, 0, 5), call("Put", 2, 2, 10, 15)],
            ]
        };
        let (checked, _) = check(&spec, lanes(1), at_once());
        assert!(matches!(checked.verdict, Verdict::Failed { .. }), "{:?}", checked.verdict);
        let (checked, whole) = check(&spec, lanes(2), at_once());
        assert!(matches!(checked.verdict, Verdict::Rejected(_)), "{:?}", checked.verdict);
        assert_eq!(checked.subject(&whole).history.timeline.lanes[0].id, 0);
    });
}

/// An action on one point may fail because of another that cannot be compared with it.
#[test]
fn points_that_cannot_be_compared_are_of_one_part() {
    within_stack(|| {
        let actions =
            "Add(k) == f' = f \\cup {k}\nLacks(k) == k \\notin f /\\ UNCHANGED f\nName(v) == f' = f \\cup {v}";
        let next = "(\\E k \\in Keys : Add(k) \\/ Lacks(k)) \\/ (\\E v \\in {TRUE} : Name(v))";
        let spec = load("Kinds", "f = {}", actions, next);
        let one =
            |name, param, value, start| Call { args: vec![(param, Some(value))], ..call(name, 0, 0, start, start + 5) };
        let numbers = vec![one("Add", "k", Datum::Int(1), 0), one("Lacks", "k", Datum::Int(1), 10)];
        let (checked, _) = check(&spec, vec![numbers.clone(), vec![one("Add", "k", Datum::Int(2), 0)]], at_once());
        assert!(checked.parts.is_some_and(|parts| parts.rejected.is_some()));
        let (checked, _) = check(&spec, vec![numbers, vec![one("Name", "v", Datum::Bool(true), 0)]], at_once());
        assert!(checked.parts.is_none());
        assert!(matches!(checked.verdict, Verdict::Failed { .. }), "{:?}", checked.verdict);
    });
}
