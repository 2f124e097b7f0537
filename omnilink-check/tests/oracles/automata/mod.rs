//! The checker on random specifications and histories, against brute force over the automaton's table. Brute force visits every
//! configuration, knows nothing of read-only events, and never asks the evaluator.
//!
//! | file | what it is |
//! | --- | --- |
//! | `automaton`, `laws` | random specifications and rules for events: tables, and the same as text |
//! | `plan` | random histories |
//! | `brute` | brute force |
//! | `claims`, `reasons` | what is compared besides verdicts |

mod automaton;
mod brute;
mod claims;
mod laws;
mod plan;
mod reasons;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use omnilink_check::check::{self, Verdict, check};
use omnilink_check::prepare::prepare;
use omnilink_check::report::Maker;
use omnilink_check::search::{Control, Limits};
use omnilink_check::shrink::shrink;
use omnilink_check::subject;
use omnilink_tla::{Options, Spec, with_stack};

use crate::random::Random;
use automaton::Automaton;
use brute::Brute;
use claims::Subject;
use plan::{Plan, history, trace};
use reasons::Lines;

/// Histories by default; `OMNILINK_HISTORIES` asks for another number.
const CASES: u64 = 20_000;
/// Histories of each specification.
const EACH: u64 = 10;

/// Limits of all ways to search.
fn ways() -> [Limits; 5] {
    let usual = Limits::default;
    [
        usual(),
        Limits { backjump_after: 1, ..usual() },
        Limits { reduce_after: 0, ..usual() },
        Limits { reduce_after: 0, explored_dead_ends: 0, ..usual() },
        Limits { threads: 2, parallel_after: 1, backjump_after: 1, reduce_after: 0, explored_dead_ends: 0, ..usual() },
    ]
}

/// Whether the history is rejected; an error if the checker is wrong.
fn compare(automaton: &Automaton, text: &str, spec: &Spec, plan: &Plan, case: u64) -> Result<bool, String> {
    let trace = trace(automaton, plan);
    let prepared = prepare(spec, &trace, &automaton.laws.rules()).map_err(|error| error.to_string())?;
    let brute = Brute::new(automaton, plan, &prepared)?;
    let seen = brute.reach(brute.starts());
    let is_accepted = seen.iter().any(|(at, ..)| brute.is_complete(at));
    let subject = Subject { spec, prepared: &prepared, brute: &brute, seen: &seen };
    let options = check::Options::default();
    for (nth, limits) in ways().into_iter().enumerate() {
        // Starting threads takes longer than these searches.
        if limits.threads > 1 && !case.is_multiple_of(16) {
            continue;
        }
        let interrupt = AtomicBool::new(false);
        let mut control =
            Control { interrupt: &interrupt, progress: &mut |_| {}, limits: limits.clone(), began: Instant::now() };
        let checked = check(spec, &prepared, &options, &mut control).map_err(|error| error.to_string())?;
        let verdict = match (&checked.verdict, is_accepted) {
            (Verdict::Accepted(order), true) => subject.check_order(order),
            (Verdict::Rejected(deepest), false) => subject.check_deepest(deepest, &limits),
            (verdict, _) => Err(format!("{verdict:?}; there is an order: {is_accepted}")),
        };
        verdict.map_err(|error| format!("way {nth}: {error}"))?;
        if let (0, Verdict::Rejected(deepest)) = (nth, &checked.verdict) {
            let core = shrink(spec, &prepared, &options, deepest, &mut control);
            let core = core.map_err(|error| error.to_string())?.map_err(|stopped| format!("{stopped:?}"))?;
            subject.check_core(&core.ok_or("there is no smaller reason")?)?;
            let maker = Maker {
                name: "Automaton",
                spec,
                inferred: &[],
                trace: &trace,
                prepared: &prepared,
                options,
                limits: &limits,
            };
            let stuck = maker.report(&checked, Duration::ZERO).stuck.ok_or("nothing is explained")?;
            subject.check_explanation(&stuck, deepest, &Lines(text))?;
        }
    }
    Ok(!is_accepted)
}

#[test]
fn random_specifications_mean_what_their_tables_say() {
    let asked = std::env::var("OMNILINK_HISTORIES").ok().map(|count| count.parse::<u64>().expect("a number"));
    let first = std::env::var("OMNILINK_SEED").ok().map_or(0, |seed| seed.parse::<u64>().expect("a number"));
    let cases = asked.unwrap_or(CASES);
    let (rejected, wrong) = run_all(first, cases.div_ceil(EACH));
    println!("{cases} histories of {} specifications, {rejected} rejected", cases.div_ceil(EACH));
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong[..wrong.len().min(4)].concat());
    assert!(rejected * 100 >= cases * 40, "only {rejected} of {cases} histories are rejected");
}

/// All processors share the specifications.
fn run_all(first: u64, specifications: u64) -> (u64, Vec<String>) {
    let workers = thread::available_parallelism().map_or(1, |workers| workers.get() as u64);
    let seeds = |worker| (first + worker..first + specifications).step_by(workers as usize);
    thread::scope(|scope| {
        let work = |worker| scope.spawn(move || with_stack(1 << 26, || run(seeds(worker))).expect("a thread"));
        let started: Vec<_> = (0..workers).map(work).collect();
        let parts = started.into_iter().map(|part| part.join().expect("it does not panic"));
        parts.fold((0, Vec::new()), |(rejected, wrong), part| (rejected + part.0, [wrong, part.1].concat()))
    })
}

fn run(seeds: impl Iterator<Item = u64>) -> (u64, Vec<String>) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("Automaton.tla");
    let (mut rejected, mut wrong) = (0, Vec::new());
    for seed in seeds {
        let mut random = Random::new(seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
        let automaton = Automaton::random(&mut random);
        let text = automaton.text();
        let mut spec = None;
        for nth in 0..EACH {
            let plan = history(&automaton, &mut random);
            // The rules are the same for all its histories.
            let spec = spec.get_or_insert_with(|| load(&automaton, &text, &path, &plan));
            match compare(&automaton, &text, spec, &plan, seed * EACH + nth) {
                Ok(is_rejected) => rejected += u64::from(is_rejected),
                Err(error) => {
                    let mut told = format!("seed {seed}, history {nth}: {error}\n{text}");
                    for (lane, calls) in plan.lanes.iter().enumerate() {
                        for call in calls {
                            let _ = writeln!(told, "lane {lane} {call:?}");
                        }
                    }
                    let Plan { stop, ends, uncertainty, .. } = &plan;
                    let rules = automaton.laws.rules();
                    wrong.push(told + &format!("stop {stop:?} ends {ends:?} uncertainty {uncertainty:?} {rules:?}\n"));
                }
            }
        }
    }
    (rejected, wrong)
}

fn load(automaton: &Automaton, text: &str, path: &Path, plan: &Plan) -> Spec {
    std::fs::write(path, text).expect("it can be written");
    let (options, rules, trace) = (Options::default(), automaton.laws.rules(), trace(automaton, plan));
    let loaded = subject::load(path, &options, &rules, &trace);
    loaded.unwrap_or_else(|error| panic!("{error}\n{text}")).spec
}
