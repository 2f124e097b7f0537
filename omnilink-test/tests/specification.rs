//! Instrumented functions against a specification. The harness runs these tests side by side, so recordings wait for each other.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

use omnilink_test::{Failure, Run, spec};

const QUEUE: &str = "tests/specs/Queue.tla";

#[derive(Default)]
struct Queue {
    items: Mutex<VecDeque<u64>>,
    /// A mistake: the newest element comes first.
    newest_first: bool,
}

impl Queue {
    fn buggy() -> Self {
        Self { newest_first: true, ..Self::default() }
    }

    #[omnilink::action(Enqueue(elem = value))]
    fn push(&self, value: u64) {
        self.items.lock().unwrap().push_back(value);
    }

    #[omnilink::action(match ret { Some(v) => Dequeue(elem = v), None => DequeueEmpty })]
    fn pop(&self) -> Option<u64> {
        let mut items = self.items.lock().unwrap();
        if self.newest_first { items.pop_back() } else { items.pop_front() }
    }
}

fn two_threads(queue: &Queue) {
    thread::scope(|scope| {
        scope.spawn(|| (0..10).for_each(|value| queue.push(value)));
        scope.spawn(|| (0..10).for_each(|_| _ = queue.pop()));
    });
}

/// Pushes 1 and 2, and takes one of them out: with the mistake, the wrong one.
fn one_thread(queue: &Queue) {
    queue.push(1);
    queue.push(2);
    queue.pop();
}

fn failure(result: Result<(), Failure>) -> String {
    result.expect_err("the test fails").to_string()
}

#[test]
fn a_queue_that_is_one_passes() {
    omnilink_test::check(QUEUE, || two_threads(&Queue::default()));
}

#[test]
fn a_queue_that_is_none_fails_with_the_explanation_and_keeps_the_trace() {
    let traces = tempfile::tempdir().unwrap();
    let checked = spec(QUEUE).traces(traces.path()).try_check(|_| one_thread(&Queue::buggy()));
    let failure = checked.expect_err("2 was taken before 1");
    let trace = failure.trace().expect("a trace").to_owned();
    assert!(trace.starts_with(traces.path()) && trace.join("run.json").exists(), "{}", trace.display());
    let text = failure.to_string();
    for part in [
        "rejected: no order of its 3 events",
        "`elem = Head(queue)` is FALSE: elem = 2, Head(queue) = 1",
        "(Queue.tla:",
        "the trace is kept: ",
        "omnilink check ",
    ] {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

#[test]
#[should_panic(expected = "`elem = Head(queue)` is FALSE")]
fn check_panics_with_the_explanation() {
    let traces = tempfile::tempdir().unwrap();
    spec(QUEUE).traces(traces.path()).check(|_| one_thread(&Queue::buggy()));
}

#[test]
fn passed_tests_leave_no_trace_behind() {
    let traces = tempfile::tempdir().unwrap();
    spec(QUEUE).traces(traces.path()).runs(3).check(|_| two_threads(&Queue::default()));
    assert_eq!(traces.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_recording_without_calls_fails() {
    let text = failure(spec(QUEUE).try_check(|_| {}));
    assert!(text.contains("no call was recorded, so nothing was checked"), "{text}");
}

#[test]
fn calls_of_which_none_must_have_happened_fail() {
    let traces = tempfile::tempdir().unwrap();
    let text = failure(spec(QUEUE).traces(traces.path()).try_check(|_| {
        let queue = Queue::default();
        // A panic while it holds the lock: whether it took effect is not known.
        let poison = || {
            let _held = queue.items.lock().unwrap();
            panic!("poisoned on purpose");
        };
        catch_unwind(AssertUnwindSafe(poison)).unwrap_err();
        catch_unwind(AssertUnwindSafe(|| queue.push(1))).unwrap_err();
    }));
    assert!(text.contains("this pass proves little"), "{text}");
}

#[test]
fn a_verdict_that_was_not_found_in_time_fails() {
    let traces = tempfile::tempdir().unwrap();
    let test = spec("tests/specs/Slow.tla").timeout(Duration::from_millis(200)).traces(traces.path());
    let text = failure(test.try_check(|_| Queue::default().push(1)));
    assert!(text.contains("unknown: timeout 200ms stopped it"), "{text}");
}

#[test]
fn a_missing_specification_and_a_wrong_one_are_named() {
    let text = failure(spec("specs/Missing.tla").try_check(|_| unreachable!("it is loaded first")));
    assert!(text.contains("omnilink-test/specs/Missing.tla"), "{text}");
    let text = failure(
        spec("tests/specs/Bounded.tla").constant("Capacity = {").try_check(|_| unreachable!("it is loaded first")),
    );
    assert!(text.contains("--const Capacity:1:2"), "{text}");
}

#[test]
fn constants_and_configurations_count() {
    let full = |queue: &Queue| (0..3).for_each(|value| queue.push(value));
    let bounded = || spec("tests/specs/Bounded.tla");
    bounded().constant("Capacity = 3").check(|_| full(&Queue::default()));
    bounded().config("tests/specs/Three.cfg").check(|_| full(&Queue::default()));
    let traces = tempfile::tempdir().unwrap();
    let text = failure(bounded().constant("Capacity = 2").traces(traces.path()).try_check(|_| full(&Queue::default())));
    assert!(text.contains("`Len(queue) < Capacity` is FALSE"), "{text}");
}

#[test]
fn a_panic_of_the_closure_keeps_its_message_and_the_trace() {
    let traces = tempfile::tempdir().unwrap();
    let test = || {
        spec(QUEUE).traces(traces.path()).check(|_| {
            let queue = Queue::default();
            queue.push(1);
            assert_eq!(queue.pop(), Some(2), "the element");
        });
    };
    let panic = catch_unwind(AssertUnwindSafe(test)).expect_err("1 is not 2");
    let message = panic.downcast_ref::<String>().expect("a message");
    assert!(message.contains("the element") && !message.contains("omnilink"), "{message}");
    let kept: Vec<_> = traces.path().read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(kept.len(), 1);
    assert_eq!(omnilink_trace::Trace::open(&kept[0]).unwrap().records().count(), 2);
}

#[test]
fn recordings_wait_for_each_other_also_where_one_panics() {
    static INSIDE: AtomicU32 = AtomicU32::new(0);
    let traces = tempfile::tempdir().unwrap();
    let test = |number: u32| {
        spec(QUEUE).traces(traces.path()).check(|_| {
            assert_eq!(INSIDE.fetch_add(1, SeqCst), 0, "one at a time");
            two_threads(&Queue::default());
            thread::sleep(Duration::from_millis(5));
            INSIDE.fetch_sub(1, SeqCst);
            assert!(number.is_multiple_of(2), "an odd one");
        });
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..6).map(|number| scope.spawn(move || test(number))).collect();
        for (number, thread) in threads.into_iter().enumerate() {
            let panicked = thread.join().err().map(|panic| *panic.downcast::<&str>().expect("a message"));
            assert_eq!(panicked, (number % 2 == 1).then_some("an odd one"), "{number}");
        }
    });
}

#[test]
fn a_recording_inside_of_another_one_is_an_error_and_harms_nothing() {
    let inner = catch_unwind(|| {
        omnilink_test::check(QUEUE, || omnilink_test::check(QUEUE, || two_threads(&Queue::default())));
    });
    let message = inner.expect_err("nested").downcast::<String>().expect("a message");
    assert!(
        message.contains("a recording inside of another one") && message.contains("specification.rs:"),
        "{message}"
    );
    let alone = omnilink_test::alone();
    let text = failure(spec(QUEUE).try_check(|_| two_threads(&Queue::default())));
    assert!(text.contains("a recording inside of another one"), "{text}");
    drop(alone);
    omnilink_test::check(QUEUE, || two_threads(&Queue::default()));
}

#[test]
fn every_run_has_its_own_seed_and_a_failed_one_is_named() {
    let traces = tempfile::tempdir().unwrap();
    let mut runs = Vec::new();
    let checked = spec(QUEUE).runs(5).seed(7).traces(traces.path()).try_check(|run: Run| {
        runs.push((run.number(), run.seed()));
        one_thread(&Queue { newest_first: run.number() == 3, ..Queue::default() });
    });
    let text = failure(checked);
    assert!(text.starts_with("run 3 of 5 (seed 9): "), "{text}");
    assert_eq!(runs, [(1, 7), (2, 8), (3, 9)]);
    assert!(failure(spec(QUEUE).runs(0).try_check(|_| {})).contains("0 runs"));
}

/// A thread that makes a call when it is asked to.
fn servant(builder: thread::Builder) -> (mpsc::Sender<()>, mpsc::Receiver<()>) {
    let (ask, asked) = mpsc::channel();
    let (answer, answered) = mpsc::channel();
    let serve = move || {
        for () in asked {
            Queue::default().push(1);
            answer.send(()).unwrap();
        }
    };
    builder.spawn(serve).unwrap();
    (ask, answered)
}

#[test]
fn calls_of_other_tests_are_noticed() {
    let traces = tempfile::tempdir().unwrap();
    // The name of a test, as its thread has it, and that of a thread which a test has started.
    for name in [Some("a_queue_that_is_one_passes"), None] {
        let builder = thread::Builder::new();
        let (ask, answered) = servant(match name {
            Some(name) => builder.name(name.to_owned()),
            None => builder,
        });
        let text = failure(spec(QUEUE).traces(traces.path()).try_check(|_| {
            ask.send(()).unwrap();
            answered.recv().unwrap();
        }));
        assert!(text.contains("omnilink_test::alone()"), "{text}");
        assert!(text.contains(&name.unwrap_or("calls_of_other_tests_are_noticed")[..15]), "{text}");
    }
    let (ask, answered) = servant(thread::Builder::new().name("servant".to_owned()));
    spec(QUEUE).check(|_| {
        ask.send(()).unwrap();
        answered.recv().unwrap();
    });
}
