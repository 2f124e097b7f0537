//! The fuzzer as its users start it.

use examples_support::{Demo, calls, distinct_states, ends, has_order, has_order_with};
use omnilink_check::rules::Rules;
use omnilink_trace::Value;

const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Store.tla");

fn demo() -> Demo {
    Demo::new(env!("CARGO_BIN_EXE_kv-transactions-demo"))
}

#[test]
fn the_specification_explores() {
    assert_eq!(distinct_states(concat!(env!("CARGO_MANIFEST_DIR"), "/MCStore.tla")), 6160);
}

#[test]
fn a_short_run_of_the_correct_store_is_a_behaviour() {
    let trace = demo().trace(&["--threads", "3", "--ops", "300", "--seed", "5"]);
    assert_eq!((trace.spec(), trace.next(), calls(&trace).len()), ("Store", "Next", 900));
    assert!(has_order(&trace, SPEC));
    let rules = Rules { on_abort: Some("Aborted".into()), on_terminate: Some("Ended".into()), ..Rules::default() };
    assert!(has_order_with(&trace, SPEC, &rules));
}

#[test]
fn one_thread_sees_no_difference() {
    for store in ["correct", "buggy"] {
        let trace = demo().trace(&["--threads=1", "--ops=500", "--seed=3", "--store", store]);
        assert!(has_order(&trace, SPEC), "{store}");
    }
}

#[test]
fn commits_carry_their_result() {
    let trace = demo().trace(&["--threads=2", "--ops=500", "--seed=3"]);
    let mut commits = 0;
    for commit in calls(&trace).iter().filter(|call| call.action.starts_with("Commit")) {
        let expected = match (&*commit.action, commit.aborted) {
            ("Commit", false) => "ok",
            ("Commit", true) => "busy",
            _ => "conflict",
        };
        let results = commit.meta.iter().filter(|(key, _)| &**key == "result");
        assert_eq!(Vec::from_iter(results.map(|(_, value)| value)), [&Value::Str(expected.into())], "{commit:?}");
        commits += 1;
    }
    assert!(commits > 20);
}

/// Whether and which transaction a thread had open when it ended follows from what it did before.
#[test]
fn a_thread_that_ends_rolls_back_what_it_has_open() {
    let mut rolled_back = 0;
    for seed in 1..=10 {
        let trace = demo().trace(&["--threads=1", "--ops=20", "--seed", &seed.to_string()]);
        let calls = calls(&trace);
        for end in ends(&trace) {
            let last = calls.iter().rfind(|call| call.lane == end.lane).expect("20 calls");
            let is_over = !last.aborted && ["Commit", "CommitConflict", "Rollback"].contains(&&*last.action);
            let expected = (!is_over).then(|| Value::Int(last.int("tx")));
            let noted = end.meta.iter().find(|(key, _)| &**key == "rolled_back").map(|(_, tx)| tx.clone());
            assert_eq!(noted, expected, "{last:?}");
            rolled_back += usize::from(noted.is_some());
        }
    }
    assert!((1..10).contains(&rolled_back), "some of the ten runs, not all: {rolled_back}");
}

#[test]
fn what_it_can_do() {
    let (stdout, _) = demo().succeed(&["--list-actions"]);
    let expected = "Begin(tx) weight 1\nRead(tx, key, value) weight 3\nWrite(tx, key, value) weight 2\n\
        Commit: Commit(tx) | CommitConflict(tx) weight 1\nCommitConflict(tx) weight 1\nRollback(tx) weight 1\n";
    assert_eq!(stdout, expected);
}

#[test]
fn wrong_use() {
    demo().refuse(&["--store", "fast"], "--store: `fast` is neither correct nor buggy");
}
