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
