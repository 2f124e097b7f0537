//! The fuzzer as its users start it.

use std::collections::HashSet;

use examples_support::{Call, Demo, calls, distinct_states, has_order};
use omnilink_trace::{Trace, Value};

const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/BulkQueue.tla");

fn demo() -> Demo {
    Demo::new(env!("CARGO_BIN_EXE_bulk-queue-demo"))
}

/// The elements that a call moved.
fn batch(call: &Call) -> &[Value] {
    let Value::Tuple(elems) = call.arg("elems") else { panic!("{call:?}") };
    elems
}

/// The elements that all calls of an action moved.
fn elements(trace: &Trace, action: &str) -> Vec<Value> {
    calls(trace).iter().filter(|call| call.action == action).flat_map(batch).cloned().collect()
}

#[test]
fn the_specification_explores() {
    assert_eq!(distinct_states(concat!(env!("CARGO_MANIFEST_DIR"), "/MCBulkQueue.tla")), 671);
}

#[test]
fn the_correct_queue_gives_out_what_was_enqueued_and_nothing_twice() {
    let trace = demo().trace(&["--threads", "3", "--ops", "2000", "--seed", "5"]);
    assert_eq!((trace.spec(), trace.next(), calls(&trace).len()), ("BulkQueue", "Next", 6000));
    let enqueued: HashSet<_> = elements(&trace, "EnqueueBulk").into_iter().collect();
    let dequeued = elements(&trace, "DequeueBulk");
    let distinct: HashSet<_> = dequeued.iter().cloned().collect();
    assert!(dequeued.len() > 100);
    assert_eq!(distinct.len(), dequeued.len());
    assert!(distinct.is_subset(&enqueued));
    assert!(
        calls(&trace).iter().all(|call| call.action == "EnqueueBulk" || batch(call).len() as i64 <= call.int("max"))
    );
}

#[test]
fn a_short_run_of_the_correct_queue_is_a_behaviour() {
    assert!(has_order(&demo().trace(&["--threads", "2", "--ops", "100", "--seed", "5"]), SPEC));
}

#[test]
fn one_thread_is_first_in_first_out_whatever_the_queue() {
    for queue in ["patient", "hasty"] {
        let trace = demo().trace(&["--threads=1", "--ops=200", "--seed=3", "--queue", queue]);
        assert!(elements(&trace, "DequeueBulk").len() > 100);
        assert!(has_order(&trace, SPEC), "{queue}");
    }
}

#[test]
fn what_it_can_do() {
    let (stdout, _) = demo().succeed(&["--list-actions"]);
    assert_eq!(stdout, "EnqueueBulk(elems) weight 1\nDequeueBulk(max, elems) weight 1\n");
}

#[test]
fn wrong_use() {
    demo().refuse(&["--queue", "fast"], "--queue: `fast` is neither patient nor hasty");
}
