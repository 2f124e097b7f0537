//! The seed decides what threads do.

mod fuzz_support;

use fuzz_support::record;
use omnilink_runtime::fuzz::{Fuzz, Random, ThreadEnd, Unsupported};

/// A fuzzer that makes every kind of choice, also for its states.
fn every_choice() -> Fuzz<'static, (), u64> {
    Fuzz::with_state("Choices", |start| start.random.below(1000))
        .action("Numbers", &["below", "range", "state"], |cx| {
            let (below, range) = (cx.random.below(1_000_000), cx.random.range(-5_i32..=5));
            cx.set("below", &below);
            cx.set("range", &range);
            cx.op.arg(2, &*cx.state);
            Ok(())
        })
        .action("Items", &["item", "bytes"], |cx| {
            let item = *cx.random.pick(&["a", "b", "c"]);
            let bytes = cx.random.bytes::<3>();
            cx.set("item", item);
            cx.set("bytes", &bytes);
            Ok(())
        })
        .action("Sometimes", &[], |cx| if cx.random.chance(1, 3) { Ok(()) } else { Err(Unsupported) })
        .operations(200)
}

fn calls(seed: u64, threads: usize) -> Vec<Vec<String>> {
    let (report, recorded) = record(every_choice().seed(seed).threads(threads), &());
    assert_eq!(report.seed, seed);
    assert_eq!(recorded.seed, Some(seed));
    assert_eq!(report.operations(), 200 * threads as u64);
    recorded.calls
}

#[test]
fn the_same_seed_gives_every_thread_the_same_calls() {
    let first = calls(7, 3);
    assert_eq!(first, calls(7, 3));
    assert_ne!(first, calls(8, 3));
    assert_ne!(first[0], first[1], "threads make different choices");
    assert_eq!(first[..2], calls(7, 2), "choices do not depend on the number of threads");
}

#[test]
fn without_a_seed_one_is_drawn_with_which_the_run_can_be_repeated() {
    let (report, recorded) = record(every_choice().threads(1), &());
    assert_eq!(recorded.seed, Some(report.seed));
    assert_eq!(recorded.calls, calls(report.seed, 1));
    let (other, _) = record(every_choice().threads(1), &());
    assert_ne!(report.seed, other.seed);
}

#[test]
fn threads_record_on_lanes_of_their_own_in_order() {
    let (_, recorded) = record(every_choice().threads(12), &());
    let expected: Vec<_> = (0..12).map(|thread| format!("fuzz-{thread}")).collect();
    assert_eq!(recorded.names, expected);
}

/// Another language has to be able to do the same from the documentation alone.
#[test]
fn steps_are_drawn_as_documented() {
    let fuzz = Fuzz::<()>::new("Weights")
        .action("Never", &[], |_| Ok(()))
        .action("Often", &["x"], |cx| {
            let x = cx.random.below(50);
            cx.set("x", &x);
            Ok(())
        })
        .action("Seldom", &[], |_| Ok(()))
        .weight("Never", 0)
        .weight("Often", 3)
        .threads(2)
        .operations(1000)
        .seed(3);
    let (report, recorded) = record(fuzz, &());
    for (thread, calls) in recorded.calls.iter().enumerate() {
        let mut random = Random::new(3, thread as u64);
        let expected: Vec<_> = (0..1000)
            .map(|_| if random.below(4) < 3 { format!("Often(x={})", random.below(50)) } else { "Seldom()".into() })
            .collect();
        assert_eq!(*calls, expected);
    }
    assert_eq!(report.count(0).performed, 0);
    assert!((1400..1600).contains(&report.count(1).performed), "{:?}", report.count(1));
}

#[test]
fn the_last_weight_given_counts() {
    let fuzz = Fuzz::<()>::new("Weights")
        .action("A", &[], |_| Ok(()))
        .action("B", &[], |_| Ok(()))
        .weight("A", 5)
        .weight("A", 0)
        .operations(20);
    let (report, _) = record(fuzz, &());
    assert_eq!((report.count(0).performed, report.count(1).performed), (0, 80));
}

#[test]
fn an_action_says_what_comes_next() {
    let fuzz = Fuzz::<()>::new("Calls")
        .action("Begin", &[], |cx| {
            cx.then("End");
            Ok(())
        })
        .action("End", &[], |_| Ok(()))
        .action("Refused", &[], |cx| {
            cx.then("Begin");
            Err(Unsupported)
        })
        .action("Other", &[], |_| Ok(()))
        .weight("End", 0)
        .threads(1)
        .operations(100)
        .seed(1);
    let (_, recorded) = record(fuzz, &());
    let mut random = Random::new(1, 0);
    let mut expected = Vec::new();
    while expected.len() < 100 {
        match random.below(3) {
            0 => expected.extend(["Begin()", "End()"]),
            1 => {}
            _ => expected.push("Other()"),
        }
    }
    expected.truncate(100);
    assert_eq!(recorded.calls[0], expected);
}

#[test]
fn what_comes_next_has_to_be_there() {
    let fuzz = Fuzz::<()>::new("Calls").action("Begin", &[], |cx| {
        cx.then("End");
        Ok(())
    });
    let (report, _) = record(fuzz.threads(1), &());
    let ThreadEnd::ActionPanicked { message, .. } = &report.threads[0].end else { panic!() };
    assert_eq!(message, "`End` was to come next, but the actions are Begin");
}
