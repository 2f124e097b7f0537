//! Step 1: all configurations that orders pass through at a cut before the furthest point.

use std::collections::HashSet;

use omnilink_tla::State;

use super::Start;
use crate::history::History;
use crate::search::{Control, Deepest, Frontier, SpecProblem, Stopped};
use crate::timeline::NEVER;

/// How far before the furthest point to cut, at most.
const LOOK_BACK: u64 = 256;

/// The configurations at the best of several cuts, and how many events that can change the state come before it.
///
/// Best is a cut that hides nothing: at which no call that is still open has been taken to have happened. A call that began
/// and did not end may have taken effect or not; if every order has it at the cut, an earlier call has decided that, and that
/// call belongs to the reason. (A queue is said to be full and is not; an enqueue that never returned explains it, and then a
/// later dequeue is impossible. Cut between the two, only the dequeue would be reported.) Of cuts that hide equally little, those
/// with the fewest states are better, and of these the latest.
pub(super) fn before(
    problem: &SpecProblem<'_>,
    inits: &[State],
    stuck: &Deepest,
    control: &mut Control<'_>,
) -> Result<Option<(u64, Vec<Start>)>, Stopped> {
    let mut frontier = Frontier::new(problem, inits);
    let mut best: Option<((usize, usize), u64, Vec<Start>)> = None;
    let furthest = stuck.kept.iter().map(|dead_end| changing(problem.history, &dead_end.positions)).max().unwrap_or(0);
    let mut back = LOOK_BACK;
    while back > 0 {
        let level = furthest.saturating_sub(back);
        let starts: Vec<Start> = frontier.advance_to(level, control)?.into_iter().cloned().collect();
        if !starts.is_empty() {
            let states: HashSet<&State> = starts.iter().map(|start| &start.state).collect();
            let rank = (hidden(problem.history, &starts), states.len());
            if best.as_ref().is_none_or(|(lowest, ..)| rank <= *lowest) {
                best = Some((rank, level, starts));
            }
        }
        back /= 2;
    }
    Ok(best.filter(|_| !frontier.is_partial).map(|(_, level, starts)| (level, starts)))
}

/// How many of the events before these positions can change the state.
fn changing(history: &History, positions: &[u32]) -> u64 {
    let placed = history.timeline.lanes.iter().zip(positions).flat_map(|(lane, at)| &lane.events[..*at as usize]);
    placed.filter(|event| !event.read_only).count() as u64
}

/// Where the part begins that not all of some configurations have placed.
pub(super) fn common(history: &History, starts: &[Start]) -> Vec<u32> {
    let lanes = 0..history.timeline.lanes.len();
    lanes.map(|lane| starts.iter().map(|start| start.placement.at(lane)).min().unwrap_or(0)).collect()
}

/// How many calls all configurations have placed that were open when the first of the others had ended.
fn hidden(history: &History, starts: &[Start]) -> usize {
    let next_end = |at: &[u32]| {
        let next = history.timeline.lanes.iter().zip(at).filter_map(|(lane, at)| lane.events.get(*at as usize));
        next.map(|event| event.end).min().unwrap_or(NEVER)
    };
    let deadline = starts.iter().map(|start| next_end(start.placement.positions())).min().unwrap_or(NEVER);
    let lanes = history.timeline.lanes.iter().zip(common(history, starts));
    lanes.filter(|(lane, at)| lane.events[..*at as usize].last().is_some_and(|last| last.end > deadline)).count()
}
