//! Whether the trace tells exactly what the victim did.

use std::collections::HashMap;
use std::path::Path;

use omnilink_trace::{Finding, LaneEnd};

use crate::death::Manner;
use crate::progress::{Page, WORKERS, Worker};
use crate::script::Step;
use crate::support::reading::read;
use crate::victim::{SHIFT, lane_name};

/// Compares the trace in `directory` with the page that the victim left behind.
pub fn compare(directory: &Path, page: &Page, manner: Manner) {
    let recorded = read(directory);
    assert!(recorded.trace.complete(), "{:?}", recorded.trace.earliest_stop());
    for notice in recorded.trace.notices() {
        let expected = match notice.finding {
            // Said of what the victim does on purpose.
            Finding::UnknownArguments { .. } | Finding::Oversized { .. } => true,
            // A lane that was being opened when the victim died.
            Finding::Unborn => true,
            // Threads go on, and open lanes, while the process exits.
            Finding::LaneCount { expected, found } => manner == Manner::Exit && found > expected,
            _ => false,
        };
        assert!(expected, "{notice}");
    }
    assert_eq!(recorded.trace.run().end.is_some(), manner == Manner::Exit);

    let mut lanes = HashMap::new();
    for lane in recorded.lanes {
        assert_eq!(lane.end, LaneEnd::Complete, "{}", lane.name);
        let calls = lanes.insert(lane.name.clone(), lane.calls);
        assert!(calls.is_none(), "two lanes {}", lane.name);
    }
    for worker in 0..WORKERS {
        compare_worker(worker, page.worker(worker), &mut lanes);
    }
    assert!(lanes.is_empty(), "calls that nobody made: {lanes:?}");
}

/// Takes the worker's lanes, and compares them with its progress.
fn compare_worker(worker: usize, progress: &Worker, lanes: &mut HashMap<String, Vec<String>>) {
    let ended = progress.ended();
    for shift in 0..=ended / SHIFT {
        let name = lane_name(worker, shift);
        let mut calls = lanes.remove(&name).unwrap_or_default().into_iter();
        for n in shift * SHIFT..ended.min((shift + 1) * SHIFT) {
            if let Some(expected) = Step::of(worker, n).ended(worker, n) {
                assert_eq!(calls.next().as_deref(), Some(&*expected), "step {n} of worker {worker}, which has ended");
            }
        }
        let rest: Vec<_> = calls.collect();
        if shift == ended / SHIFT {
            judge_last(worker, ended, progress, &rest);
        } else {
            assert!(rest.is_empty(), "lane {name} has more than the worker did: {rest:?}");
        }
    }
}

/// Whether `rest` is what may be left of step `n`, whose end is not known to have returned.
fn judge_last(worker: usize, n: u64, progress: &Worker, rest: &[String]) {
    let step = Step::of(worker, n);
    let mut permitted: Vec<Option<String>> = Vec::new();
    if !progress.has_begun(n) {
        permitted.push(None);
    }
    if progress.has_entered(n) {
        // A value is set before the page knows of it, so there may be one more. `enter` forgets the values before the step counts as
        // entered, so the number is this step's.
        let surely = progress.values_set().max(step.set_before_begin());
        permitted.extend((surely..=surely + 1).map(|set| Some(step.pending(worker, n, set))));
    }
    if progress.has_begun(n) {
        // Its end may have been reached, and not have returned.
        permitted.push(step.ended(worker, n));
    }
    let found = match rest {
        [] => None,
        [call] => Some(call.clone()),
        more => panic!("worker {worker} had at most step {n} in flight, and left {more:?}"),
    };
    assert!(
        permitted.contains(&found),
        "step {n} of worker {worker} was in flight: {found:?} is none of {permitted:?}"
    );
}
