//! The counters in unit tests: against `Counter.tla`, and against a model in Rust.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::thread;

use counter_demo::{AtomicCounter, Counter, RacyCounter};
use examples_support::window;
use omnilink_test::{FromTla, Model, Words};

/// Two threads count, a third one looks.
fn use_it(counter: &dyn Counter) {
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| (0..3).for_each(|_| _ = counter.increment()));
        }
        scope.spawn(|| counter.read());
    });
}

/// Two increments, of which one comes between the load and the store of the other.
fn lose_an_update() {
    let (window, interlude) = window();
    let counter = RacyCounter::with_window(window);
    thread::scope(|scope| {
        scope.spawn(|| counter.increment());
        interlude.perform(|| counter.increment());
    });
}

#[test]
fn the_atomic_counter_conforms() {
    omnilink_test::check("Counter.tla", || use_it(&AtomicCounter::default()));
}

#[test]
#[should_panic(expected = "`new = count + 1` is FALSE: new = 1, count + 1 = 2")]
fn a_lost_update_does_not() {
    let traces = tempfile::tempdir().expect("a directory that is removed with the trace");
    omnilink_test::spec("Counter.tla").traces(traces.path()).check(|_| lose_an_update());
}

/// Passes nearly always, as tests of races do. `cargo omnilink test -p counter-demo racy --include-ignored` finds the lost update.
#[test]
#[ignore = "it fails under some schedules, which cargo omnilink test finds"]
fn the_racy_counter_conforms() {
    omnilink_test::check("Counter.tla", || use_it(&RacyCounter::default()));
}

/// The same in Rust.
struct CounterModel;

#[derive(Debug, Clone, Copy, PartialEq, FromTla)]
enum Call {
    Increment,
    Read,
}

impl Model for CounterModel {
    type State = u64;
    type Input = Call;
    /// `new` of an increment, `value` of a read: the only argument that `Call` leaves.
    type Output = u64;
    type Key = ();

    fn init(&self) -> u64 {
        0
    }

    fn step(&self, count: &u64, call: &Call, output: Option<&u64>) -> impl IntoIterator<Item = u64> {
        let next = match call {
            Call::Increment => count + 1,
            Call::Read => *count,
        };
        output.is_none_or(|output| *output == next).then_some(next)
    }

    fn is_read_only(&self, call: &Call) -> bool {
        matches!(call, Call::Read)
    }
}

impl Words for CounterModel {
    fn describe_call(&self, call: &Call, output: Option<&u64>) -> String {
        format!("{call:?} → {}", output.map_or("?".to_owned(), u64::to_string))
    }

    fn describe_state(&self, count: &u64) -> String {
        count.to_string()
    }
}

#[test]
fn the_atomic_counter_conforms_to_the_model() {
    omnilink_test::check_model(CounterModel, || use_it(&AtomicCounter::default()));
}

#[test]
#[should_panic(expected = "no order of these 2 calls is allowed")]
fn a_lost_update_does_not_conform_to_the_model() {
    let traces = tempfile::tempdir().expect("a directory that is removed with the trace");
    omnilink_test::model(CounterModel).traces(traces.path()).check(|_| lose_an_update());
}

/// What is not instrumented is called through `calls`.
#[test]
fn a_counter_of_the_standard_library_conforms_to_the_model() {
    let counter = AtomicU64::new(0);
    omnilink_test::check_calls(CounterModel, |calls| {
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| calls.call(Call::Increment, || counter.fetch_add(1, SeqCst) + 1));
            }
            scope.spawn(|| calls.call(Call::Read, || counter.load(SeqCst)));
        });
    });
}
