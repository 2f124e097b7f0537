//! The race of the store's commits, made to happen, recorded and held against the specification.

use std::thread;

use examples_support::{Recording, calls, has_order, has_order_with, record, window};
use kv_transactions_demo::{Refused, Store, Transaction, Validation};
use omnilink_check::rules::Rules;

const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Store.tla");

/// The keys of the specification by their numbers.
const KEYS: [&str; 4] = ["a", "b", "c", "d"];

#[omnilink::action(Begin(tx))]
fn begin(store: &Store, tx: u64) -> Transaction {
    store.begin()
}

#[omnilink::action(Read(tx, key = KEYS[key], value = ret))]
fn read(store: &Store, tx: u64, transaction: &Transaction, key: usize) -> i64 {
    store.read(transaction, key)
}

#[omnilink::action(Write(tx, key = KEYS[key], value))]
fn write(tx: u64, transaction: &mut Transaction, key: usize, value: i64) {
    transaction.write(key, value);
}

#[omnilink::action(
    match ret { Err(Refused::Conflict) => CommitConflict(tx), _ => Commit(tx) },
    abort_if = matches!(ret, Err(Refused::Busy(_)))
)]
fn commit(store: &Store, tx: u64, transaction: Transaction) -> Result<(), Refused> {
    store.commit(transaction)
}

/// Two transactions that begin at the same state and write to these keys; the second commits while the first is
/// between its look for conflicts and its writes.
fn meet(validation: Validation, keys: [usize; 2]) -> Recording {
    let (window, interlude) = window();
    let store = Store::new(KEYS.len(), validation).with_window(window);
    let trace = record("Store", || {
        let (mut first, mut second) = (begin(&store, 1), begin(&store, 2));
        write(1, &mut first, keys[0], 11);
        write(2, &mut second, keys[1], 22);
        let refused = thread::scope(|scope| {
            let first = scope.spawn(|| commit(&store, 1, first));
            let outcome = interlude.perform(|| commit(&store, 2, second));
            first.join().unwrap().unwrap();
            outcome
        });
        match refused {
            Err(Refused::Busy(second)) => _ = commit(&store, 2, second),
            Err(Refused::Conflict) => panic!("the first has not committed yet"),
            Ok(()) => {}
        }
        let last = begin(&store, 3);
        read(&store, 3, &last, keys[1]);
        store.rollback(last);
    });
    assert_eq!(store.open_transactions(), 0);
    trace
}

/// The names of all commits, and whether they took no effect.
fn commits(trace: &Recording) -> Vec<(String, bool)> {
    let commits = calls(trace).into_iter().filter(|call| call.action.starts_with("Commit"));
    commits.map(|call| (call.action, call.aborted)).collect()
}

#[test]
fn a_conflict_is_missed_and_the_trace_shows_it() {
    let trace = meet(Validation::BeforeTurn, [0, 0]);
    assert_eq!(commits(&trace), [("Commit".to_owned(), false), ("Commit".to_owned(), false)]);
    assert_eq!(calls(&trace).last().map(|read| read.int("value")), Some(11), "22 is lost");
    assert!(!has_order(&trace, SPEC));
}

#[test]
fn in_turn_it_is_not_missed() {
    let trace = meet(Validation::InTurn, [0, 0]);
    let expected = [("Commit", false), ("Commit", true), ("CommitConflict", false)];
    assert_eq!(commits(&trace), expected.map(|(action, aborted)| (action.to_owned(), aborted)));
    assert!(has_order(&trace, SPEC));
    assert!(has_order_with(&trace, SPEC, &aborted()));
}

/// An aborted commit is what `Aborted` says.
fn aborted() -> Rules {
    Rules { on_abort: Some("Aborted".into()), ..Rules::default() }
}

/// Without the rule, a call that took no effect is nothing to the specification.
#[test]
fn only_who_has_begun_can_fail_to_commit() {
    #[omnilink::action(Commit(tx), abort_if = true)]
    fn refused(tx: u64) {}
    let trace = record("Store", || refused(9));
    assert!(has_order(&trace, SPEC));
    assert!(!has_order_with(&trace, SPEC, &aborted()));
}

#[test]
fn without_a_conflict_both_commit() {
    for validation in [Validation::BeforeTurn, Validation::InTurn] {
        let trace = meet(validation, [0, 1]);
        assert_eq!(calls(&trace).last().map(|read| read.int("value")), Some(22));
        assert!(has_order(&trace, SPEC), "{validation:?}");
    }
}

/// Each of two transactions reads what the other one writes, and both commit. No order of the two explains that, but
/// one of their operations does.
#[test]
fn write_skew_is_a_behaviour() {
    let store = Store::new(KEYS.len(), Validation::InTurn);
    let trace = record("Store", || {
        let (mut first, mut second) = (begin(&store, 1), begin(&store, 2));
        assert_eq!(read(&store, 1, &first, 1), 0);
        assert_eq!(read(&store, 2, &second, 0), 0);
        write(1, &mut first, 0, 11);
        write(2, &mut second, 1, 22);
        commit(&store, 1, first).unwrap();
        commit(&store, 2, second).unwrap();
    });
    assert!(has_order(&trace, SPEC));
}
