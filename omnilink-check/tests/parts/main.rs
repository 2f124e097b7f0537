//! Independent parts of histories: checking them one by one gives the verdict of the whole.
//!
//! | file | what it is |
//! | --- | --- |
//! | `specification` | random specifications over functions, sets and numbers: with parts, and with what connects them |
//! | `history` | random histories of them |
//! | `brute` | brute force: every order of the whole, by the definition of precedence |
//! | `examples` | histories that were thought of |

mod brute;
mod examples;
mod history;
#[path = "../../../omnilink-tla/tests/support/random.rs"]
mod random;
mod specification;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_check::check::{self, Checked, Order, Verdict, check};
use omnilink_check::prepare::{Prepared, prepare};
use omnilink_check::rules::Rules;
use omnilink_check::search::{Became, Control, Limits};
use omnilink_check::timeline::EventRef;
use omnilink_tla::{Spec, with_stack};
use omnilink_trace::Trace;

use history::Plan;
use random::Random;
use specification::Specification;

/// Specifications by default; `OMNILINK_HISTORIES` asks for another number of histories.
const SPECIFICATIONS: u64 = 250;
/// Histories of each.
const EACH: u64 = 12;

/// How often what came of parts.
#[derive(Debug, Default)]
struct Counts {
    accepted: u64,
    rejected: u64,
    /// There were no parts, or they decided nothing.
    whole: u64,
}

fn search(spec: &Spec, prepared: &Prepared, partition: bool, limits: Limits) -> Checked {
    let interrupt = AtomicBool::new(false);
    let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began: Instant::now() };
    let options = check::Options { partition, ..check::Options::default() };
    check(spec, prepared, &options, &mut control).expect("it has an initial state")
}

/// The limits with which parts are looked for at once.
fn at_once() -> Limits {
    Limits { partition_after: 0, ..Limits::default() }
}

/// Compares the verdict by parts with brute force.
fn compare(spec: &Spec, trace: &Trace, counts: &mut Counts) -> Result<(), String> {
    let prepared = prepare(spec, trace, &Rules::default()).map_err(|error| error.to_string())?;
    let expected = brute::has_order(spec, &prepared);
    for limits in [at_once(), Limits { reduce_after: 0, explored_dead_ends: 0, backjump_after: 1, ..at_once() }] {
        let checked = search(spec, &prepared, true, limits);
        match (&checked.verdict, expected) {
            (Verdict::Accepted(order), true) => check_order(spec, &prepared, order)?,
            (Verdict::Rejected(_), false) => {}
            (verdict, _) => return Err(format!("{verdict:?} by {:?}; there is an order: {expected}", checked.parts)),
        }
        match &checked.parts {
            None => counts.whole += 1,
            Some(parts) if parts.rejected.is_some() => {
                // What is said to have no order has none.
                let part = checked.subject(&prepared);
                if brute::has_order(spec, part) {
                    return Err(format!("the part has an order: {parts:?}"));
                }
                counts.rejected += 1;
            }
            Some(_) => counts.accepted += 1,
        }
    }
    Ok(())
}

/// Whether an order is one by the definition: every step is one of the specification, no event comes before one that precedes it,
/// and all happen that have to.
fn check_order(spec: &Spec, prepared: &Prepared, order: &Order) -> Result<(), String> {
    let timeline = &prepared.history.timeline;
    let (mut state, mut placed, mut wrong) = (order.init().clone(), HashSet::<EventRef>::new(), None);
    let walked = order.walk(spec, prepared, &mut |stride| {
        let event = timeline.event(stride.event);
        let is_early = timeline.events().any(|(other, it)| {
            brute::precedes((other, it), (stride.event, event)) && !placed.contains(&other) && !it.optional
        });
        let is_step = match stride.became {
            Became::Nothing => event.optional && stride.state == state,
            Became::Happened(nth) | Became::InnerStep(nth) => {
                let inner = matches!(stride.became, Became::InnerStep(_));
                brute::steps(spec, prepared, event, nth, inner, &state).contains(&stride.state)
            }
        };
        let is_new = matches!(stride.became, Became::InnerStep(_)) || placed.insert(stride.event);
        if is_early || !is_step || !is_new {
            wrong = Some(format!("{stride:?}: early {is_early}, a step {is_step}, for the first time {is_new}"));
        }
        state = stride.state.clone();
        ControlFlow::Continue(())
    });
    if walked.is_err() {
        return Err("the order cannot be walked".to_owned());
    }
    let missing = timeline.events().find(|(place, event)| !event.optional && !placed.contains(place));
    wrong = wrong.or_else(|| missing.map(|(place, _)| format!("{place:?} is missing")));
    wrong.map_or(Ok(()), Err)
}

#[test]
fn parts_say_what_the_whole_says() {
    let asked = std::env::var("OMNILINK_HISTORIES").ok().map(|count| count.parse::<u64>().expect("a number"));
    let first = std::env::var("OMNILINK_SEED").ok().map_or(0, |seed| seed.parse::<u64>().expect("a number"));
    let specifications = asked.map_or(SPECIFICATIONS, |count| count.div_ceil(EACH));
    let counts = with_stack(1 << 26, || run(first..first + specifications)).expect("a thread");
    println!("{counts:?}");
    let Counts { accepted, rejected, whole } = counts;
    let all = accepted + rejected + whole;
    assert!(accepted * 10 >= all && rejected * 12 >= all && whole * 10 >= all, "{counts:?}: one of these is rare");
}

fn run(seeds: std::ops::Range<u64>) -> Counts {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut counts = Counts::default();
    for seed in seeds {
        let mut random = Random::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let specification = Specification::random(&mut random);
        let spec = specification.load(directory.path());
        for nth in 0..EACH {
            let plan = Plan::random(&specification, &spec, &mut random);
            let told = compare(&spec, &plan.trace(), &mut counts);
            assert!(
                told.is_ok(),
                "seed {seed}, history {nth}: {}\n{}\n{plan:#?}",
                told.unwrap_err(),
                specification.text()
            );
        }
    }
    counts
}
