//! An order that TLC found, walked again: only what both evaluators allow is told as one.
//!
//! TLC's trace says which event came when, and as what. An action may lead to several states, so all that are possible
//! are kept side by side until the end.

use std::collections::HashSet;
use std::ops::ControlFlow;

use omnilink_tla::State;

use super::answer::{Became, Moved};
use crate::check::Order;
use crate::error::CheckError;
use crate::search::{Kind, Move, Placed, Placement, Problem, Reached};

/// A state that the order may have led to, and from where.
struct Waypoint {
    state: State,
    /// Place among the states before.
    from: usize,
    branch: u32,
}

/// The order with its states.
///
/// # Errors
/// If the specification does not allow it as it is evaluated here: then one of the two evaluators is wrong.
pub(super) fn retrace(problem: &Problem<'_>, inits: Vec<State>, moves: &[Moved]) -> Result<Order, CheckError> {
    let mut placement = Placement::start(problem.history);
    let start = |state| Waypoint { state, from: 0, branch: Placed::SAME_STATE };
    let mut levels: Vec<Vec<Waypoint>> = vec![inits.into_iter().map(start).collect()];
    let mut made = Vec::with_capacity(moves.len());
    for (at, moved) in moves.iter().enumerate() {
        let it = as_move(*moved);
        if !placement.viable().any(|lane| lane == it.lane as usize) {
            return Err(disagreement(at, "its timebox does not allow it there"));
        }
        let level = levels.last().map_or(&[][..], Vec::as_slice);
        let next = after(problem, &placement, level, it);
        if next.is_empty() {
            return Err(disagreement(at, "the specification does not allow it there"));
        }
        levels.push(next);
        placement.make(problem.history, it);
        made.push(it);
    }
    if !placement.is_complete() {
        return Err(disagreement(moves.len(), "it leaves out events that have to happen"));
    }
    let mut placed = Vec::with_capacity(made.len());
    let mut at = 0;
    for (it, level) in made.iter().zip(&levels[1..]).rev() {
        placed.push(Placed { it: *it, branch: level[at].branch });
        at = level[at].from;
    }
    placed.reverse();
    let Some(init) = levels[0].get(at) else { return Err(disagreement(0, "there is no initial state")) };
    Ok(Order { init: init.state.clone(), moves: placed, honours_constraints: problem.honour_constraints, failures: 0 })
}

/// The states that a move leads to, each once.
fn after(problem: &Problem<'_>, placement: &Placement, level: &[Waypoint], it: Move) -> Vec<Waypoint> {
    let mut seen = HashSet::new();
    let mut next = Vec::new();
    for (from, reached) in level.iter().enumerate() {
        let mut branch = 0;
        // What fails on one branch may succeed on another; if none does, there is no state.
        let _ = problem.successors(placement, &reached.state, it, |found: Reached<'_>| {
            if seen.insert(found.fingerprint()) {
                next.push(Waypoint { state: found.state(), from, branch });
            }
            branch += 1;
            ControlFlow::Continue(())
        });
    }
    next
}

fn as_move(moved: Moved) -> Move {
    let kind = match moved.became {
        Became::Happened(nth) => Kind::Happen(nth),
        Became::Inner(nth) => Kind::Inner(nth),
        Became::Nothing => Kind::Skip,
    };
    Move { lane: moved.lane, kind }
}

fn disagreement(step: usize, why: &str) -> CheckError {
    CheckError::Tlc(format!(
        "TLC found an order, but its step {} cannot be confirmed: {why}; one of the two evaluators is \
         wrong, please report it",
        step + 1
    ))
}
