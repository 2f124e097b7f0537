//! The counters, what is recorded of them, and what the specification says to that.

use std::process::Command;
use std::thread;

use counter_demo::{AtomicCounter, Counter, RacyCounter};
use examples_support::{Call, Recording, calls, distinct_states, has_order, record, window};
use omnilink_trace::Trace;

const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Counter.tla");

/// Every thread increments the counter so often.
fn count(counter: &dyn Counter, threads: usize, increments: usize) {
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| (0..increments).for_each(|_| _ = counter.increment()));
        }
    });
}

/// What all increments of a trace learned, in ascending order.
fn learned(trace: &Trace) -> Vec<i64> {
    let increments = calls(trace).into_iter().filter(|call| call.action == "Increment");
    let mut learned: Vec<_> = increments.map(|call| call.int("new")).collect();
    learned.sort_unstable();
    learned
}

#[test]
fn the_specification_explores() {
    assert_eq!(distinct_states(concat!(env!("CARGO_MANIFEST_DIR"), "/MCCounter.tla")), 6);
}

#[test]
fn alone_both_counters_count() {
    let counters: [Box<dyn Counter>; 2] = [Box::<AtomicCounter>::default(), Box::<RacyCounter>::default()];
    for counter in counters {
        let trace = record("Counter", || {
            count(&*counter, 1, 10);
            counter.read();
        });
        assert_eq!(learned(&trace), Vec::from_iter(1..=10));
        assert_eq!(calls(&trace).last().map(|read| read.int("value")), Some(10));
        assert!(has_order(&trace, SPEC));
    }
}

#[test]
fn the_atomic_counter_does_what_the_specification_says() {
    let trace = record("Counter", || count(&AtomicCounter::default(), 3, 50));
    assert_eq!(learned(&trace), Vec::from_iter(1..=150));
    assert!(has_order(&trace, SPEC));
}

/// A second thread counts while the first is between load and store.
#[test]
fn the_racy_counter_loses_an_update_and_the_trace_shows_it() {
    let (window, interlude) = window();
    let counter = RacyCounter::with_window(window);
    let trace = record("Counter", || {
        thread::scope(|scope| {
            scope.spawn(|| counter.increment());
            interlude.perform(|| counter.increment());
        });
        counter.read();
    });
    assert_eq!(learned(&trace), [1, 1]);
    assert_eq!(calls(&trace).last().map(|read| read.int("value")), Some(1));
    assert!(!has_order(&trace, SPEC));
}

fn demo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counter-demo"));
    command.args(arguments).env_remove("OMNILINK_TRACE_DIR");
    command
}

#[test]
fn the_environment_makes_the_program_record() {
    let trace = Recording::of(|path| {
        let output = demo(&["atomic", "2", "50"]).env("OMNILINK_TRACE_DIR", path).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "100 increments, counted to 100\n");
        assert!(output.status.success());
    });
    assert_eq!(learned(&trace), Vec::from_iter(1..=100));
    let reads = |call: &Call| call.action == "Read";
    assert_eq!(calls(&trace).into_iter().filter(reads).count(), 11, "five of each thread, and one at the end");
    assert!(has_order(&trace, SPEC));
}

#[test]
fn nothing_in_the_environment_nothing_recorded() {
    let directory = tempfile::tempdir().unwrap();
    let output = demo(&["buggy", "1", "50"]).current_dir(directory.path()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "50 increments, counted to 50\n");
    assert_eq!(directory.path().read_dir().unwrap().count(), 0);
}

#[test]
fn wrong_use() {
    let cases: [(&[&str], &str); 4] = [
        (&["fast"], "`fast` is neither atomic nor buggy"),
        (&["atomic", "0"], "`0` is not a number above 0"),
        (&["atomic", "2", "many"], "`many` is not a number above 0"),
        (&["atomic", "2", "3", "4"], "`4` is one argument too many"),
    ];
    for (arguments, problem) in cases {
        let output = demo(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.starts_with(&format!("counter-demo: {problem}\n\nUsage:")), "{said}");
    }
}
