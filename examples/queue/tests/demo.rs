//! The fuzzer as its users start it.

use std::collections::HashSet;

use examples_support::{Demo, calls, distinct_states, ends, has_order};
use omnilink_trace::{Trace, Value};

const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Queue.tla");

fn demo() -> Demo {
    Demo::new(env!("CARGO_BIN_EXE_queue-demo"))
}

/// The elements of all calls of `action`.
fn elements(trace: &Trace, action: &str) -> Vec<i64> {
    calls(trace).iter().filter(|call| call.action == action).map(|call| call.int("elem")).collect()
}

#[test]
fn the_specification_explores() {
    assert_eq!(distinct_states(concat!(env!("CARGO_MANIFEST_DIR"), "/MCQueue.tla")), 121);
}

#[test]
fn the_correct_queue_gives_out_what_was_enqueued_and_nothing_twice() {
    let trace = demo().trace(&["--threads", "3", "--ops", "2000", "--seed", "5"]);
    assert_eq!((trace.spec(), trace.next(), trace.lanes().len()), ("Queue", "Next", 3));
    assert!(trace.lanes().iter().all(|lane| lane.events() == 2000));
    let enqueued: HashSet<_> = elements(&trace, "Enqueue").into_iter().collect();
    let dequeued = elements(&trace, "Dequeue");
    let distinct: HashSet<_> = dequeued.iter().copied().collect();
    assert_eq!(distinct.len(), dequeued.len());
    assert!(distinct.is_subset(&enqueued));
}

#[test]
fn a_short_run_of_the_correct_queue_is_a_behaviour() {
    assert!(has_order(&demo().trace(&["--threads", "3", "--ops", "500", "--seed", "5"]), SPEC));
}

#[test]
fn one_thread_is_first_in_first_out_whatever_the_queue() {
    for queue in ["seg", "buggy"] {
        let trace = demo().trace(&["--threads=1", "--seed=3", "--queue", queue]);
        assert!(elements(&trace, "Dequeue").len() > 100);
        assert!(has_order(&trace, SPEC), "{queue}");
    }
}

#[test]
fn threads_say_at_their_end_how_much_they_enqueued() {
    let trace = demo().trace(&["--threads", "2", "--ops", "50"]);
    let calls = calls(&trace);
    let ends = ends(&trace);
    assert_eq!(ends.len(), 2);
    for end in ends {
        let enqueued = calls.iter().filter(|call| call.lane == end.lane && call.action == "Enqueue").count();
        let (key, value) = &end.meta[0];
        assert_eq!((&**key, value), ("enqueued", &Value::Int(enqueued as i64)));
    }
}

#[test]
fn without_a_trace_directory_a_new_one_is_made_and_named() {
    let demo = demo();
    for n in 1..=2 {
        let (_, stderr) = demo.succeed(&["--ops", "10", "--seed", "4"]);
        assert!(stderr.contains(&format!("4 threads, seed 4, recording to omnilink-trace-{n}\n")), "{stderr}");
        assert!(stderr.ends_with(&format!("with seed 4, recorded in omnilink-trace-{n}\n")), "{stderr}");
        let trace = Trace::open(demo.directory().join(format!("omnilink-trace-{n}"))).unwrap();
        assert_eq!(trace.records().count(), 44, "40 calls and the ends of 4 threads");
    }
}

#[test]
fn what_it_can_do() {
    let demo = demo();
    let (stdout, _) = demo.succeed(&["--list-actions", "--weights", "Enqueue=3"]);
    let expected = "Enqueue(elem) weight 3\nDequeue: Dequeue(elem) | DequeueEmpty weight 1\nDequeueEmpty weight 1\n";
    assert_eq!(stdout, expected);
    let (stdout, _) = demo.succeed(&["--help"]);
    assert!(stdout.contains("Usage: queue-demo [OPTIONS]"), "{stdout}");
    assert!(stdout.contains("--queue NAME"), "{stdout}");
    assert_eq!(demo.directory().read_dir().unwrap().count(), 0, "nothing was recorded");
}

#[test]
fn wrong_use() {
    demo().refuse(&["--queue", "fast"], "--queue: `fast` is neither seg nor buggy");
    demo().refuse(&["--window", "open"], "--window: `open` is neither short nor long");
    let number =
        format!("--threads: `x` is not a whole number from 0 to {} (--help shows what can be given)", u64::MAX);
    demo().refuse(&["--threads", "x"], &number);
}
