//! Every specification of the corpus, explored: the same verdict as TLC's, and the same numbers to the last state.

mod support;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use omnilink_tla::explore::{self, Report, TraceStep, Verdict, ViolatedBy, explore};
use omnilink_tla::{Options, Spec, TlaError, with_stack};
use support::corpus::{self, Case, Expected};
use support::reach::{initial_states, next_states};

/// What an exploration found, in the words of the table; only the kind of an error is compared, not its words.
fn verdict(report: &Report) -> String {
    match &report.verdict {
        Verdict::Ok => "ok".to_owned(),
        Verdict::Stopped(stop) => format!("{stop:?}"),
        Verdict::FalseAssumption(_) => "assumption".to_owned(),
        Verdict::Violated { invariant, .. } => format!("invariant {invariant}"),
        // TLC names the formula, or says where it is.
        Verdict::PropertyViolated { by: ViolatedBy::State, .. } => "invariant".to_owned(),
        Verdict::PropertyViolated { by: ViolatedBy::InitialState, .. } => "initial property".to_owned(),
        Verdict::PropertyViolated { by: ViolatedBy::Step, .. } => "step property".to_owned(),
        Verdict::Deadlock(_) => "deadlock".to_owned(),
        Verdict::Failed { .. } => "error".to_owned(),
    }
}

/// Explores a case; what is wrong with it, if it cannot be explored.
fn explored(case: &Case, workers: usize) -> Result<(Spec, Report), Box<TlaError>> {
    let spec = Spec::load(&case.spec, &Options { config: Some(case.cfg.clone()), ..Options::default() })?;
    let options = explore::Options { check_deadlock: case.deadlock, max_states: None, workers };
    let report = explore(&spec, &options, &mut |_| ())?;
    Ok((spec, report))
}

/// What differs from the table.
fn difference(case: &Case, expected: &Expected) -> Option<String> {
    let expected_verdict = expected.verdict.split(": ").next().unwrap_or_default();
    let (spec, report) = match explored(case, 1) {
        Ok(explored) => explored,
        Err(_) if expected_verdict == "error" => return None,
        Err(error) => return Some(format!("TLC: {}, ours:\n{error}", expected.verdict)),
    };
    // Several threads find the same, in the same order.
    if let Ok((_, parallel)) = explored(case, 3)
        && format!("{:?}", (&parallel.counts, &parallel.verdict)) != format!("{:?}", (&report.counts, &report.verdict))
    {
        return Some(format!("one thread: {report:?}\nthree threads: {parallel:?}"));
    }
    let found = verdict(&report);
    let says_the_same = found == expected_verdict || found == "invariant" && expected_verdict.starts_with("invariant ");
    if !says_the_same {
        return Some(format!("TLC: {}, ours: {:?}", expected.verdict, report.verdict));
    }
    let counts = report.counts;
    let numbers = (Some(counts.generated), Some(counts.distinct), Some(counts.depth));
    let same = match &report.verdict {
        Verdict::Ok => numbers == (expected.generated, expected.distinct, expected.depth),
        // How many states are found before the wrong one depends on the order of the search, but it is one of the nearest.
        Verdict::Violated { trace, .. } | Verdict::PropertyViolated { trace, .. } => {
            (expected.depth.is_none() || numbers.2 == expected.depth) && is_behaviour(&spec, trace)
        }
        Verdict::Deadlock(trace) | Verdict::Failed { trace, .. } => is_behaviour(&spec, trace),
        Verdict::FalseAssumption(_) | Verdict::Stopped(_) => true,
    };
    (!same).then(|| format!("TLC: {expected:?}, ours: {report:?}"))
}

/// Whether states follow each other as the specification says, and by the actions that are named.
fn is_behaviour(spec: &Spec, trace: &[TraceStep]) -> bool {
    let begins = |first: &TraceStep| initial_states(spec).is_ok_and(|states| states.contains(&first.state));
    let goes_on = |pair: &[TraceStep]| {
        let [from, to] = pair else { return false };
        let named = to.action.as_ref().is_none_or(|(action, args)| {
            spec.step(&from.state, *action, args).is_ok_and(|steps| steps.iter().any(|step| step.next == to.state))
        });
        named && next_states(spec, &from.state).is_ok_and(|states| states.contains(&to.state))
    };
    trace.first().is_some_and(begins) && trace.windows(2).all(goes_on)
}

#[test]
fn explorations_agree_with_tlc() {
    let (cases, table) = (corpus::cases(), corpus::expected());
    assert!(cases.iter().map(|case| &case.name).eq(table.keys()), "the table has a row for every case");
    let (next, differences) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Relaxed)) {
            if let Some(difference) = difference(case, &table[&case.name]) {
                differences.fetch_add(1, Relaxed);
                eprintln!("{}: {difference}\n", case.name);
            }
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| with_stack(16 << 20, work).expect("there is room for a stack"));
        }
    });
    assert_eq!(differences.into_inner(), 0, "cases differ");
}
