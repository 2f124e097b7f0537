//! An order that TLC found, replayed: only what both evaluators allow is reported as an order.
//!
//! TLC's trace says which event came when, and as what. An action may lead to several states, and determine several values of
//! arguments that were not recorded, so all that is possible is kept side by side until the end.

use std::collections::HashSet;
use std::ops::ControlFlow;

use omnilink_tla::State;

use super::answer::{Became, Moved};
use crate::check::Order;
use crate::error::CheckError;
use crate::search::{ArgumentsId, Kind, Move, Placed, Placement, Problem, Reached, SpecProblem};

/// How a configuration that the order may have led to was reached.
#[derive(Clone, Copy)]
struct Waypoint {
    /// Place among the configurations before.
    from: usize,
    branch: u32,
    args: ArgumentsId,
}

/// Configurations that the order may have led to, and how they were reached. Where they are in the lanes is the same for all;
/// what inner steps determine need not be.
#[derive(Default)]
struct Level {
    reached: Vec<(Placement, State)>,
    waypoints: Vec<Waypoint>,
}

/// The order with its states.
///
/// # Errors
/// If the specification does not allow it as it is evaluated here: then one of the two evaluators is wrong.
pub(super) fn retrace(problem: &SpecProblem<'_>, inits: Vec<State>, moves: &[Moved]) -> Result<Order, CheckError> {
    let start = |state: &State| (Placement::start(problem.timeline()), state.clone());
    let mut reached: Vec<_> = inits.iter().map(start).collect();
    let mut made: Vec<(Move, Vec<Waypoint>)> = Vec::with_capacity(moves.len());
    for (at, moved) in moves.iter().enumerate() {
        let it = as_move(*moved);
        if !reached.iter().any(|(placement, _)| placement.viable().any(|lane| lane == it.lane as usize)) {
            return Err(disagreement(at, "its timebox does not allow it there"));
        }
        let next = after(problem, &reached, it);
        if next.reached.is_empty() {
            return Err(disagreement(at, "the specification does not allow it there"));
        }
        reached = next.reached;
        made.push((it, next.waypoints));
    }
    if !reached.iter().any(|(placement, _)| placement.is_complete()) {
        return Err(disagreement(moves.len(), "it leaves out events that have to happen"));
    }
    let mut placed = Vec::with_capacity(made.len());
    let mut at = 0;
    for (it, waypoints) in made.iter().rev() {
        let Waypoint { from, branch, args } = waypoints[at];
        placed.push(Placed { it: *it, branch, args });
        at = from;
    }
    placed.reverse();
    let Some(init) = inits.get(at) else { return Err(disagreement(0, "there is no initial state")) };
    let (honours_constraints, arguments) = (problem.honour_constraints, problem.arguments());
    Ok(Order { init: init.clone(), moves: placed, honours_constraints, arguments, failures: 0 })
}

/// The configurations that a move leads to, each once.
fn after(problem: &SpecProblem<'_>, level: &[(Placement, State)], it: Move) -> Level {
    let mut seen = HashSet::new();
    let mut next = Level::default();
    for (from, (placement, state)) in level.iter().enumerate() {
        let mut branch = 0;
        // What fails on one branch may succeed on another; if none does, there is no state.
        let _ = problem.successors(placement, state, it, |found| {
            let args = found.arguments();
            if seen.insert(placement.key_after(problem.timeline(), it, args, problem.fingerprint(&found))) {
                let mut placement = placement.clone();
                placement.make(problem.timeline(), it, args);
                next.reached.push((placement, found.into_state()));
                next.waypoints.push(Waypoint { from, branch, args });
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
