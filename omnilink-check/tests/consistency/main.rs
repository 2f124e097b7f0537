//! Consistency criteria against their definition, on random histories of at most five calls.
//!
//! `OMNILINK_HISTORIES` asks for another number of histories per criterion.

mod brute;
mod criteria;
mod histories;
#[path = "../../../omnilink-tla/tests/support/random.rs"]
mod random;
mod toys;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_check::consistency::{
    ConsistencyError, Criteria, Criterion, Extension, Manner, NAMES, Pruning, Verdict, Visibilities, check_model,
};
use omnilink_check::model::{Call, Calls, Outcome};
use omnilink_check::search::{Control, Limits};

use brute::Brute;
use histories::history;
use random::Random;
use toys::{Input, TOYS, Toy};

/// Calls of a history.
const MOST: usize = 5;
/// Histories per criterion by default.
const EACH: u64 = 1000;

fn each() -> u64 {
    std::env::var("OMNILINK_HISTORIES").map_or(EACH, |count| count.parse().expect("a number"))
}

fn toy(seed: u64) -> Toy {
    TOYS[seed as usize % TOYS.len()]
}

fn check(toy: Toy, calls: &Calls<Input, i64>, criteria: &Criteria, manner: Manner) -> Verdict {
    let interrupt = AtomicBool::new(false);
    let (limits, began) = (Limits::default(), Instant::now());
    let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began };
    check_model(&toy, calls, criteria, manner, &mut control).expect("a history").verdict
}

fn is_satisfied(toy: Toy, calls: &Calls<Input, i64>, criteria: &Criteria, manner: Manner) -> bool {
    match check(toy, calls, criteria, manner) {
        Verdict::Satisfied(witness) => {
            let brute = Brute { toy, calls: calls.as_slice(), criteria };
            assert!(brute.is_witness(&witness), "{criteria}, {calls:?}: {witness:?} is no witness");
            true
        }
        Verdict::Violated(dead_ends) => {
            assert!(calls.as_slice().is_empty() || !dead_ends.is_empty(), "{criteria}, {calls:?}: no reason");
            false
        }
        other => panic!("{criteria}, {calls:?}: {other:?}"),
    }
}

/// A manner that differs by seed.
fn manner(seed: u64) -> Manner {
    let extension = if (seed / 7).is_multiple_of(2) { Extension::JustInTime } else { Extension::WingGong };
    let alone_after = if (seed / 14).is_multiple_of(2) { 1 } else { Manner::default().alone_after };
    Manner { extension, alone_after, ..Manner::default() }
}

fn compare(name: &str, count: u64, mut criteria: impl FnMut(u64, &Calls<Input, i64>) -> Criteria) {
    let mut satisfied = 0;
    for seed in 0..count {
        let toy = toy(seed);
        let calls = history(toy, MOST, seed);
        let criteria = criteria(seed, &calls);
        let is_satisfied = is_satisfied(toy, &calls, &criteria, manner(seed));
        let expected = Brute { toy, calls: calls.as_slice(), criteria: &criteria }.is_satisfied();
        assert_eq!(is_satisfied, expected, "{toy:?}, seed {seed}, {criteria}: {calls:?}");
        satisfied += u64::from(is_satisfied);
    }
    println!("{name:18} {satisfied} of {count} satisfied");
    assert!(satisfied * 20 > count && satisfied * 40 < count * 39, "{name}: both verdicts occur");
}

#[test]
fn named_criteria_mean_what_their_axioms_say() {
    for name in NAMES {
        compare(name, each(), |_, _| criteria::named(name));
    }
}

#[test]
fn random_axioms_mean_what_they_say() {
    compare("random axioms", each(), |seed, _| {
        let criteria = Criteria::uniform(criteria::random_axioms(&mut Random::new(seed * 31 + 7)));
        if criteria.validate().is_err() { criteria.in_real_time() } else { criteria }
    });
}

#[test]
fn criteria_may_differ_by_operation() {
    compare("by operation", 2 * each(), |seed, calls| {
        criteria::random_criteria(calls.as_slice(), &mut Random::new(seed * 17 + 3))
    });
}

#[test]
fn real_time_may_be_added() {
    for name in ["causal", "read-my-writes", "monotonic-reads", "monotonic-writes", "return-value"] {
        compare(name, each() / 4, |_, _| criteria::named(name).in_real_time());
    }
}

/// Stronger criteria first.
const HIERARCHY: [(&str, &str); 9] = [
    ("linearizable", "sequential"),
    ("sequential", "causal"),
    ("causal", "read-my-writes"),
    ("causal", "monotonic-reads"),
    ("causal", "monotonic-writes"),
    ("read-my-writes", "return-value"),
    ("monotonic-reads", "return-value"),
    ("linearizable", "weak"),
    ("weak", "read-my-writes"),
];

#[test]
fn stronger_criteria_imply_weaker_ones() {
    let mut differ = [0; HIERARCHY.len()];
    for seed in 0..each() {
        let toy = toy(seed);
        let calls = history(toy, 6, seed + 1_000_000);
        let satisfied = |name| is_satisfied(toy, &calls, &criteria::named(name), manner(seed));
        for ((stronger, weaker), differ) in HIERARCHY.into_iter().zip(&mut differ) {
            let (strong, weak) = (satisfied(stronger), satisfied(weaker));
            assert!(weak || !strong, "{toy:?}, seed {seed}: {stronger} without {weaker}: {calls:?}");
            *differ += u64::from(weak && !strong);
        }
    }
    for ((stronger, weaker), count) in HIERARCHY.into_iter().zip(differ) {
        assert!(count > 0, "no history is {weaker} and not {stronger}");
    }
}

#[test]
fn minimal_sets_are_enough() {
    for name in NAMES {
        for seed in 0..each() / 2 {
            let toy = toy(seed);
            let calls = history(toy, 6, seed + 2_000_000);
            let with = |visibilities| {
                is_satisfied(toy, &calls, &criteria::named(name), Manner { visibilities, ..manner(seed) })
            };
            assert_eq!(with(Visibilities::Minimal), with(Visibilities::All), "{name}, {toy:?}, seed {seed}: {calls:?}");
        }
    }
}

/// Histories that are too long for all visibilities.
#[test]
fn pruning_loses_nothing() {
    let mut satisfied = 0;
    for seed in 0..each() {
        let toy = if seed.is_multiple_of(2) { Toy::Bag } else { toy(seed) };
        let calls = history(toy, 7, seed + 3_000_000);
        let criteria = criteria::random_criteria(calls.as_slice(), &mut Random::new(seed * 13 + 5));
        let with = |pruning| is_satisfied(toy, &calls, &criteria, Manner { pruning, ..manner(seed) });
        let pruned = with(Pruning::On);
        assert_eq!(pruned, with(Pruning::Off), "{toy:?}, seed {seed}, {criteria}: {calls:?}");
        satisfied += u64::from(pruned);
    }
    assert!(satisfied * 20 > each() && satisfied * 20 < each() * 19, "{satisfied}: both verdicts occur");
}

fn agrees(toy: Toy, calls: &Calls<Input, i64>, criteria: &Criteria) -> bool {
    let expected = Brute { toy, calls: calls.as_slice(), criteria }.is_satisfied();
    assert_eq!(is_satisfied(toy, calls, criteria, Manner::default()), expected, "{criteria}, {calls:?}");
    expected
}

/// A linearizable call that may not have happened need not follow from calls that are not possible one after the other.
#[test]
fn calls_that_are_left_out_see_nothing() {
    let mut calls = Calls::new();
    let pending = |thread, start, end, input| Call {
        thread,
        start,
        end: Some(end),
        input,
        output: None,
        outcome: Outcome::Indeterminate,
    };
    calls.push(pending(2, 0, 5, ("Acquire", 2)));
    calls.done(1, 0..=6, ("Holder", 1), Some(2));
    calls.done(1, 7..=13, ("Acquire", 1), Some(0));
    calls.push(pending(1, 14, 18, ("Release", 1)));
    let criteria = Criteria::parse("return-value, Holder: weak, Release: linearizable").expect("criteria");
    assert!(agrees(Toy::Lock, &calls, &criteria.in_real_time()));
}

/// The write of 4 sees all writes before it. The read after it sees less, and needs the write of 2 before that of 1.
#[test]
fn later_calls_of_a_lane_may_see_less() {
    let mut calls = Calls::new();
    calls.done(0, 0..=9, ("Write", 1), None);
    calls.done(1, 0..=10, ("Write", 2), None);
    calls.done(2, 20..=30, ("Write", 3), None);
    calls.done(1, 40..=50, ("Write", 4), None);
    calls.done(1, 60..=70, ("Read", 0), Some(1));
    let reads = Criterion::parse_axioms("vis >= lin.vis, vis >= po.po").expect("axioms");
    let general = Criterion::named("weak").expect("a criterion");
    assert!(agrees(Toy::Register, &calls, &Criteria { general, special: vec![("Read".to_owned(), reads)] }));
}

/// If `Has` came before `Size`, that one would have to see what `Has` sees.
#[test]
fn reads_may_have_to_come_late() {
    let mut calls = Calls::new();
    calls.done(0, 0..=10, ("Add", 1), Some(1));
    calls.done(1, 5..=50, ("Has", 1), Some(1));
    calls.done(2, 20..=30, ("Size", 0), Some(0));
    let size = Criterion::parse_axioms("lin >= hb, vis >= vis.lin").expect("axioms");
    assert!(agrees(Toy::Set, &calls, &Criteria::weakened("Size", size)));
}

/// Six threads call an object; each call takes effect in its middle.
fn long_history(toy: Toy, rounds: u64) -> Vec<Call<Input, i64>> {
    let mut random = Random::new(5);
    let (mut calls, mut state) = (Calls::new(), Vec::new());
    for nth in 0..6 * rounds {
        let (middle, input) = (100 + 10 * nth, toy.input(&mut random));
        let (next, result) = toy.outcomes(&state, input).swap_remove(0);
        calls.done((nth % 6) as u32, middle - 28..=middle + 28, input, Some(result));
        state = next;
    }
    calls.as_slice().to_vec()
}

/// The orders of all calls before it need not be tried: no result of any other call would explain it.
#[test]
fn one_result_that_nothing_explains_is_found_among_many_calls() {
    let toy = Toy::Counter;
    for criteria in ["weak", "linearizable, Get: weak"] {
        let mut calls = long_history(toy, 30);
        let wrong = calls.iter().rposition(|call| call.input.0 == "Get").expect("such a call");
        calls[wrong].output = Some(1000);
        let calls: Calls<Input, i64> = calls.into_iter().collect();
        let interrupt = AtomicBool::new(false);
        let (limits, began) = (Limits { configurations: Some(100_000), ..Limits::default() }, Instant::now());
        let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began };
        let criteria = Criteria::parse(criteria).expect("criteria");
        let checked = check_model(&toy, &calls, &criteria, Manner::default(), &mut control).expect("a history");
        let Verdict::Violated(unexplained) = checked.verdict else {
            panic!("{criteria}: {:?} after {:?}", checked.verdict, checked.progress)
        };
        assert_eq!(unexplained[0].call, wrong, "{criteria}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let check = |calls: &Calls<Input, i64>, criteria: &str| {
        let interrupt = AtomicBool::new(false);
        let (limits, began) = (Limits::default(), Instant::now());
        let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began };
        let criteria = Criteria::parse(criteria).expect("criteria");
        check_model(&Toy::Queue, calls, &criteria, Manner::default(), &mut control)
    };
    let mut calls = Calls::new();
    calls.done(0, 1..=5, ("Enqueue", 1), None);
    let unknown = check(&calls, "linearizable, Sise: weak").unwrap_err();
    assert!(matches!(&unknown, ConsistencyError::UnknownOperation { known, .. } if known == &["Enqueue"]), "{unknown}");
    calls.done(0, 3..=7, ("Enqueue", 2), None);
    assert_eq!(check(&calls, "causal").unwrap_err(), ConsistencyError::Overlap { thread: 0 });
    assert!(check(&calls, "linearizable").is_ok());
    assert!(matches!(check(&Calls::new(), "causal").unwrap().verdict, Verdict::Satisfied(_)));
}
