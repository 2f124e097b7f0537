//! Models in Rust against brute force and `porcupine-rs`, on random histories of every ready model and of one with many
//! successors.
//!
//! `OMNILINK_HISTORIES` asks for another number of histories in all.

mod brute;
mod objects;
mod porcupine;
#[path = "../../../omnilink-tla/tests/support/random.rs"]
mod random;
mod simulate;

use omnilink_check::model::{Calls, Order, Outcome, Rejection, Verdict, check};

use brute::Brute;
use objects::{Object, each_object};
use simulate::{Kind, history};

/// Histories of each object by default.
const EACH: usize = 400;

fn each() -> usize {
    let asked = std::env::var("OMNILINK_HISTORIES").ok().map(|count| count.parse::<usize>().expect("a number"));
    asked.map_or(EACH, |count| count.div_ceil(objects::COUNT))
}

#[test]
fn brute_force_agrees() {
    struct Compare;
    impl objects::Visitor for Compare {
        fn visit<O: Object>(&mut self, object: &O) {
            let (mut accepted, mut pending) = (0, 0);
            for seed in 0..each() as u64 {
                let calls = history(object, Kind::Lossy, seed);
                let brute = Brute::new(object.model(), calls.as_slice());
                let what = || format!("{}, seed {seed}", object.name());
                pending += calls.as_slice().iter().filter(|call| call.outcome == Outcome::Indeterminate).count();
                match check(object.model(), &calls).expect("a history").verdict {
                    Verdict::Accepted(order) => {
                        accepted += 1;
                        assert!(brute.is_linearizable(), "{}: accepted", what());
                        is_an_order(object, &calls, &brute, &order);
                    }
                    Verdict::Rejected(rejection) => {
                        assert!(!brute.is_linearizable(), "{}: rejected", what());
                        is_furthest(&brute, &rejection);
                    }
                    other => panic!("{}: {other:?}", what()),
                }
            }
            println!("{:10} {accepted} of {} accepted, {pending} pending calls", object.name(), each());
            assert!(accepted * 10 > each() && accepted * 10 < each() * 9, "{}: both verdicts occur", object.name());
            assert!(pending * 10 > each(), "{}: pending calls occur", object.name());
        }
    }
    each_object(&mut Compare);
}

/// The order of each part respects time and has the states that it says.
fn is_an_order<O: Object>(
    object: &O,
    calls: &Calls<O::Input, O::Output>,
    brute: &Brute<'_, O::Model>,
    order: &Order<O::State>,
) {
    use omnilink_check::model::Model;
    let model = object.model();
    for part in &order.parts {
        let mut state = model.init();
        for (at, step) in part.iter().enumerate() {
            let later = &part[at + 1..];
            assert!(later.iter().all(|later| !brute.precedes(later.call, step.call)), "time is respected");
            let call = &calls.as_slice()[step.call];
            let Some(after) = &step.state else {
                assert_eq!(call.outcome, Outcome::Indeterminate, "only such a call may have no effect");
                continue;
            };
            let next = model.step(&state, &call.input, call.output.as_ref());
            assert!(next.into_iter().any(|next| next == *after), "the model allows the step");
            state = after.clone();
        }
    }
    let placed = |nth: &usize| order.steps().any(|step| step.call == *nth);
    let done = (0..calls.as_slice().len()).filter(|&nth| calls.as_slice()[nth].outcome == Outcome::Done);
    assert!(done.into_iter().all(|nth| placed(&nth)), "every call that is done is placed");
}

/// No order of the calls of the part places more of them.
fn is_furthest<M: omnilink_check::model::Model>(brute: &Brute<'_, M>, rejection: &Rejection<M::State>)
where
    M::State: Eq,
{
    assert!(!rejection.dead_ends.is_empty() && rejection.count >= rejection.dead_ends.len() as u64);
    for blocked in &rejection.dead_ends {
        assert!(!blocked.next.is_empty());
        for &next in &blocked.next {
            assert!(!brute.can_happen(&blocked.state, next), "a call that is said to be impossible");
        }
    }
}

#[test]
fn porcupine_rs_agrees() {
    struct Compare;
    impl objects::Visitor for Compare {
        fn visit<O: Object>(&mut self, object: &O) {
            if !O::IS_DETERMINISTIC {
                return;
            }
            let mut accepted = 0;
            for seed in 0..each() as u64 {
                let calls = history(object, Kind::Complete, seed);
                let is_accepted =
                    matches!(check(object.model(), &calls).expect("a history").verdict, Verdict::Accepted(_));
                assert_eq!(is_accepted, porcupine::is_linearizable(object, &calls), "{}, seed {seed}", object.name());
                accepted += usize::from(is_accepted);
            }
            assert!(accepted * 10 > each() && accepted * 10 < each() * 9, "{}: both verdicts occur", object.name());
        }
    }
    each_object(&mut Compare);
}

/// A model that calls something read-only which is not gets no verdict.
#[test]
fn contradictions_are_found() {
    struct Liar;
    impl omnilink_check::model::Model for Liar {
        type State = u8;
        type Input = ();
        type Output = ();
        type Key = ();

        fn init(&self) -> u8 {
            0
        }

        fn step(&self, state: &u8, (): &(), _output: Option<&()>) -> impl IntoIterator<Item = u8> {
            [state + 1]
        }

        fn is_read_only(&self, (): &()) -> bool {
            true
        }
    }
    let mut calls = Calls::new();
    calls.done(0, 1..=2, (), None);
    assert!(matches!(check(&Liar, &calls).expect("a history").verdict, Verdict::Contradiction { call: 0 }));
}

/// Also if the first of several states is the one before the call: an order may need another one.
#[test]
fn contradictions_are_found_in_all_states() {
    struct Sometimes;
    impl omnilink_check::model::Model for Sometimes {
        type State = u8;
        type Input = bool;
        type Output = u8;
        type Key = ();

        fn init(&self) -> u8 {
            0
        }

        fn step(&self, state: &u8, changes: &bool, output: Option<&u8>) -> impl IntoIterator<Item = u8> {
            let states = if *changes { vec![*state, state + 1] } else { vec![*state] };
            let is_possible = *changes || output.is_none_or(|output| output == state);
            if is_possible { states } else { Vec::new() }
        }

        fn is_read_only(&self, _: &bool) -> bool {
            true
        }
    }
    let mut calls = Calls::new();
    calls.done(0, 1..=2, true, None);
    calls.done(0, 3..=4, false, Some(1));
    assert!(matches!(check(&Sometimes, &calls).expect("a history").verdict, Verdict::Contradiction { call: 0 }));
}

/// Linearizability as one criterion of several has the same answer, also for objects with parts.
#[test]
fn linearizability_is_the_same_as_a_criterion() {
    use omnilink_check::consistency::{self, Criteria, Criterion, Manner, check_model};
    use omnilink_check::search::{Control, Limits};
    use std::sync::atomic::AtomicBool;
    struct Compare;
    impl objects::Visitor for Compare {
        fn visit<O: Object>(&mut self, object: &O) {
            for seed in 0..each() as u64 {
                let calls = history(object, Kind::Complete, seed);
                let is_accepted =
                    matches!(check(object.model(), &calls).expect("a history").verdict, Verdict::Accepted(_));
                let interrupt = AtomicBool::new(false);
                let (limits, began) = (Limits::default(), std::time::Instant::now());
                let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began };
                let criteria = Criteria::uniform(Criterion::linearizable());
                let checked = check_model(object.model(), &calls, &criteria, Manner::default(), &mut control);
                let is_satisfied = matches!(checked.expect("a history").verdict, consistency::Verdict::Satisfied(_));
                assert_eq!(is_satisfied, is_accepted, "{}, seed {seed}", object.name());
            }
        }
    }
    each_object(&mut Compare);
}

/// A key does not see the calls of another one, whatever the criterion.
#[test]
fn parts_do_not_see_each_other() {
    use omnilink_check::consistency::{self, Criteria, Manner, NAMES, check_model};
    use omnilink_check::model::ready::{KeyValue, KeyValueCall};
    use omnilink_check::search::{Control, Limits};
    use std::sync::atomic::AtomicBool;
    let is_satisfied = |criterion: &str, read: Option<&str>| {
        let mut calls = Calls::new();
        calls.done(0, 1..=2, KeyValueCall::Put(1, "x".to_owned()), None);
        calls.done(0, 3..=4, KeyValueCall::Get(2), Some(read.map(str::to_owned)));
        let interrupt = AtomicBool::new(false);
        let (limits, began) = (Limits::default(), std::time::Instant::now());
        let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began };
        let criteria = Criteria::parse(criterion).expect("a criterion");
        let checked = check_model(&KeyValue::new(), &calls, &criteria, Manner::default(), &mut control);
        matches!(checked.expect("a history").verdict, consistency::Verdict::Satisfied(_))
    };
    for name in NAMES.into_iter().chain(["linearizable, Get: weak"]) {
        assert!(is_satisfied(name, None), "{name}");
        assert!(!is_satisfied(name, Some("x")), "{name}");
    }
}

/// A part that is too hard to decide does not hide that another one has no order.
#[test]
fn a_hard_part_does_not_hide_a_wrong_one() {
    use omnilink_check::model::check_with;
    use omnilink_check::model::ready::{
        KeyValue,
        KeyValueCall::{Append, Get},
    };
    use omnilink_check::search::{Control, Limits};
    use std::sync::atomic::AtomicBool;
    let mut calls = Calls::new();
    // All orders of these lead to different strings, none of which is the one that is read.
    for thread in 0..10 {
        calls.done(thread, 1..=1000, Append(1, format!("{thread} ")), None);
    }
    calls.done(0, 2000..=2001, Get(1), Some(Some("never".to_owned())));
    calls.done(0, 3000..=3001, Append(2, "x".to_owned()), None);
    calls.done(0, 4000..=4001, Get(2), Some(Some("y".to_owned())));
    for threads in [1, 2] {
        let limits = Limits { configurations: Some(50_000), threads, parallel_after: 1, ..Limits::default() };
        let (interrupt, began) = (AtomicBool::new(false), std::time::Instant::now());
        let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began };
        match check_with(&KeyValue::new(), &calls, &mut control).expect("a history").verdict {
            Verdict::Rejected(rejection) => assert_eq!(rejection.calls, [11, 12]),
            other => panic!("{threads} threads: {other:?}"),
        }
    }
}

/// The file of a rejection can be read as that of a specification's, and says what is where.
#[test]
fn a_rejection_has_a_counterexample_file() {
    use omnilink_check::model::ready::{Queue, QueueCall, QueueReturn};
    use omnilink_check::report::counterexample::Counterexample;
    use omnilink_check::report::model::Obstacle;
    let mut calls = Calls::new();
    let enqueued = || Some(QueueReturn::Enqueued(true));
    calls.done(7, 10..=20, QueueCall::Enqueue(1), enqueued());
    calls.done(7, 30..=40, QueueCall::Enqueue(2), enqueued());
    calls.done(9, 50..=60, QueueCall::Dequeue, Some(QueueReturn::Dequeued(Some(2))));
    calls.done(7, 70..=80, QueueCall::Dequeue, Some(QueueReturn::Dequeued(Some(1))));
    calls.pending(4, 65, QueueCall::Enqueue(3));
    let queue = Queue::unbounded();
    let Verdict::Rejected(rejection) = check(&queue, &calls).expect("a history").verdict else { panic!("1 is first") };
    let document = rejection.counterexample(&queue, "Queue", &calls, "ns");
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("why.omni");
    document.write(&file).expect("a file");
    let read = Counterexample::read(&file).expect("a counterexample");
    assert_eq!(read, document);
    let stuck = read.report.stuck.expect("how far orders got");
    assert_eq!((stuck.placed, stuck.events, stuck.time_unit.as_str()), (2, 5, "ns"));
    let example = &stuck.groups[0].example;
    assert_eq!(example.state["state"], "[1, 2]");
    assert_eq!(example.deadline, Some(60));
    let next = |thread: &str| {
        let lane = example.lanes.iter().find(|lane| lane.thread == thread).expect("a lane");
        let next = lane.next.as_ref().expect("a call");
        (lane.placed, next.call.start, next.call.optional, matches!(next.obstacle, Obstacle::Blocked(_)))
    };
    assert_eq!(next("thread 9"), (0, 50, false, true));
    // These began after the dequeue of 2 had ended.
    assert_eq!(next("thread 7"), (2, 70, false, false));
    assert_eq!(next("thread 4"), (0, 65, true, false));
    assert_eq!(example.path.iter().map(|step| step.call.start).collect::<Vec<_>>(), [10, 30]);
    let window = read.window.iter().find(|window| window.thread == "thread 7").expect("a window");
    assert_eq!((window.events, window.before, window.calls.len()), (3, 0, 3));
    assert_eq!(read.report.statistics.actions["Enqueue"], 3);
}

#[test]
fn what_is_no_history_is_refused() {
    use omnilink_check::model::ready::{Counter, CounterCall};
    use omnilink_check::model::{Call, CallsError};
    let call = |start, end, outcome| Call { thread: 3, start, end, input: CounterCall::Read, output: Some(0), outcome };
    let refused = |calls: &[Call<CounterCall, i64>]| check(&Counter, &calls.iter().cloned().collect()).unwrap_err();
    let good = call(1, Some(2), Outcome::Done);
    let backwards = refused(&[good.clone(), call(9, Some(8), Outcome::Done)]);
    assert_eq!(backwards, CallsError::Backwards { call: 1, thread: 3, start: 9, end: 8 });
    assert_eq!(refused(&[call(1, None, Outcome::Done)]), CallsError::Endless { call: 0, thread: 3 });
}

/// Parts are checked by themselves: a rejection names the calls of one key.
#[test]
fn a_rejection_is_about_one_part() {
    use omnilink_check::model::ready::{KeyValue, KeyValueCall};
    let mut calls = Calls::new();
    for key in 0..50_u32 {
        let time = u64::from(key);
        calls.done(key, time..=time + 100, KeyValueCall::Put(key, "x".to_owned()), Some(None));
        let read = if key == 30 { "y" } else { "x" };
        calls.done(key, time + 200..=time + 300, KeyValueCall::Get(key), Some(Some(read.to_owned())));
    }
    let store = KeyValue::new();
    let Verdict::Rejected(rejection) = check(&store, &calls).expect("a history").verdict else {
        panic!("y was never put")
    };
    assert_eq!(rejection.calls, [60, 61]);
    let text = rejection.explain(&store, &calls);
    assert_eq!(
        text,
        "no order of these 2 calls is allowed; at most 1 can be placed\n\
         for example, after\n  thread 30 [30, 130] Put(30, \"x\") → None\n\
         the state is \"x\", and none of these calls, one of which has to come next, is possible:\n  \
         thread 30 [230, 330] Get(30) → Some(\"y\")\n"
    );
}

/// Calls of one thread may overlap: some threads await several at once.
#[test]
fn overlapping_calls_of_a_thread_may_take_effect_in_both_orders() {
    use omnilink_check::model::ready::{Counter, CounterCall::Add};
    let mut calls = Calls::new();
    calls.done(0, 10..=30, Add(1), Some(2));
    calls.done(0, 20..=40, Add(2), Some(0));
    assert!(matches!(check(&Counter, &calls).expect("a history").verdict, Verdict::Accepted(_)));
    // Not if one had ended.
    let mut calls = Calls::new();
    calls.done(0, 10..=20, Add(1), Some(2));
    calls.done(0, 20..=40, Add(2), Some(0));
    assert!(matches!(check(&Counter, &calls).expect("a history").verdict, Verdict::Rejected(_)));
}

/// Parts that are checked side by side have the answer of parts that are checked one by one.
#[test]
fn parts_side_by_side_have_the_same_answer() {
    use omnilink_check::model::check_with;
    use omnilink_check::model::ready::{KeyValue, KeyValueCall};
    use omnilink_check::search::{Control, Limits};
    use std::sync::atomic::AtomicBool;
    let (mut accepted, mut rejected) = (0, 0);
    for seed in 0..60_u64 {
        let mut random = random::Random::new(seed);
        let mut calls = Calls::new();
        for at in 0..120_u64 {
            let (key, time) = (random.below(6) as u8, at * 3..=at * 3 + random.below(12) as u64);
            let value = random.below(3).to_string();
            // What is read is right or wrong by luck: in histories of few reads mostly right.
            if random.below(40) == 0 {
                calls.done(at as u32 % 4, time, KeyValueCall::Get(key), Some(Some(value)));
            } else {
                calls.done(at as u32 % 4, time, KeyValueCall::Put(key, value), None);
            }
        }
        let answer = |threads: usize| {
            let limits = Limits { threads, parallel_after: 1, ..Limits::default() };
            let interrupt = AtomicBool::new(false);
            let began = std::time::Instant::now();
            let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began };
            let checked = check_with(&KeyValue::<u8>::new(), &calls, &mut control).expect("a history");
            match checked.verdict {
                Verdict::Accepted(order) => (order.parts.len(), None, checked.progress.events),
                Verdict::Rejected(rejection) => (0, Some(rejection.calls), checked.progress.events),
                other => panic!("seed {seed}: {other:?}"),
            }
        };
        let one_by_one = answer(1);
        if one_by_one.1.is_some() {
            rejected += 1
        } else {
            accepted += 1
        }
        assert_eq!(answer(3), one_by_one, "seed {seed}");
    }
    assert!(accepted > 5 && rejected > 5, "both occur: {accepted} accepted, {rejected} rejected");
}
