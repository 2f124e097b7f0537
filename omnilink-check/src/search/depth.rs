//! Depth first: finds an order quickly where there are many.
//!
//! The loop is that of Wing and Gong (1993) with Lowe's memory of configurations (2017), over positions per lane instead of
//! sets of operations. What it adds:
//!
//! - A read-only event happens as soon as it can, without a choice ([`DepthFirst::settle`]).
//! - Of several events that may come next, the one is tried first that is needed first (`crate::order`).
//! - States are kept for the latest configurations of the path and for every 256th before them; coming back to another,
//!   the search runs the specification again from there. A path is as long as the trace, and states may be large.

use std::ops::ControlFlow;

use omnilink_tla::{Failure, State};

use super::control::{Control, Progress, Stopped};
use super::deepest::{DeadEnd, Deepest, Stride};
use super::moves::{Kind, Move, Problem, Reached};
use super::seen::Seen;
use super::{Failures, Placed, Placement};
use crate::history::EventRef;

/// Configurations of the path whose states are kept.
const RECENT: usize = 4096;
/// Of the older ones every so many is kept.
const LANDMARK: usize = 256;

/// A search in progress.
pub(crate) struct DepthFirst<'a, 'c> {
    problem: &'a Problem<'a>,
    control: &'a mut Control<'c>,
    placement: Placement,
    /// The configurations of the path that have moves left to try.
    frames: Vec<Frame>,
    /// Their moves.
    moves: Vec<Move>,
    /// Where their current moves lead besides where we have been.
    pending: Vec<Branch>,
    /// All that was done to get here.
    pub log: Vec<Placed>,
    seen: Seen,
    /// Of `settle`: lanes whose next event was seen not to happen in the present state.
    refused: Vec<bool>,
    progress: Progress,
    pub deepest: Deepest,
    pub failures: Failures,
    /// A limit kept something from being tried.
    pub limited: bool,
}

/// A configuration on the path.
struct Frame {
    /// Its state, unless it can be found again.
    state: Option<State>,
    /// How long the log was when it was reached.
    log: usize,
    /// Where its moves begin, and the next to try.
    first_move: usize,
    next_move: usize,
    /// How many branches were pending when it was reached: those above are where the move being tried leads.
    pending: usize,
    /// Inner steps in a row up to here.
    inner: u32,
}

/// A state that a move leads to.
struct Branch {
    /// Its number among those of the move.
    nth: u32,
    state: State,
    /// What tells it from others.
    identity: u128,
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// An order was found: the log.
    Found,
    /// Everything was tried.
    Exhausted,
    /// It was stopped.
    Stopped(Stopped),
}

impl<'a, 'c> DepthFirst<'a, 'c> {
    pub fn new(problem: &'a Problem<'a>, control: &'a mut Control<'c>) -> Self {
        let lanes = problem.history.lanes.len();
        let events = problem.history.lanes.iter().map(|lane| u64::from(lane.required)).sum();
        Self {
            problem,
            control,
            placement: Placement::start(problem.history),
            frames: Vec::new(),
            moves: Vec::new(),
            pending: Vec::new(),
            log: Vec::new(),
            seen: Seen::default(),
            refused: vec![false; lanes],
            progress: Progress { events, ..Progress::default() },
            deepest: Deepest::default(),
            failures: Failures::default(),
            limited: false,
        }
    }

    /// How far it got.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Looks for an order from an initial state.
    pub fn run(&mut self, init: State) -> Ended {
        self.run_from(Placement::start(self.problem.history), init)
    }

    /// Looks for an order of the rest, from a configuration.
    pub fn run_from(&mut self, placement: Placement, state: State) -> Ended {
        self.placement = placement;
        self.log.clear();
        let identity = self.problem.identity(&Reached::Same(&state)).unwrap_or_else(|_| state.fingerprint().0);
        self.descend(Branch { nth: 0, state, identity }, 0);
        loop {
            if self.placement.is_complete() {
                return Ended::Found;
            }
            if let Err(stopped) = self.may_go_on() {
                self.note_dead_end();
                return Ended::Stopped(stopped);
            }
            let Some(frame) = self.frames.last_mut() else { return Ended::Exhausted };
            if self.pending.len() > frame.pending {
                let branch = self.pending.pop().expect("there is more");
                let it = self.moves[frame.next_move - 1];
                let inner = if it.places() { 0 } else { frame.inner + 1 };
                self.make(it, branch.nth);
                self.descend(branch, inner);
            } else if frame.next_move < self.moves.len() {
                frame.next_move += 1;
                self.try_move();
            } else {
                self.ascend();
            }
        }
    }

    /// Finds where the top configuration's current move leads.
    fn try_move(&mut self) {
        let frame = self.frames.last().expect("there is a top");
        let it = self.moves[frame.next_move - 1];
        if !it.places() && frame.inner >= self.control.limits.inner_steps {
            self.limited = true;
            return;
        }
        let state = self.take_state_of_top();
        let (problem, seen, placement, pending) = (self.problem, &self.seen, &self.placement, &mut self.pending);
        let before = pending.len();
        let (mut nth, mut failed) = (0, None);
        let steps = problem.successors(placement, &state, it, &mut |reached| {
            match problem.identity(&reached) {
                Ok(identity) if seen.contains(placement.key_after(problem.history, it, identity)) => {}
                Ok(identity) => pending.push(Branch { nth, state: reached.state(), identity }),
                Err(failure) => {
                    failed.get_or_insert(failure);
                }
            }
            nth += 1;
            ControlFlow::Continue(())
        });
        // The first that was found is tried first.
        self.pending[before..].reverse();
        self.frames.last_mut().expect("there is a top").state = Some(state);
        if let Some(failure) = steps.err().or(failed) {
            self.failures.note(problem.place(&self.placement, it.lane), failure);
        }
    }

    /// Enters the configuration that the placement and a state make, if it is new; else goes back.
    fn descend(&mut self, Branch { state, identity, .. }: Branch, inner: u32) {
        let key = self.placement.key_with(identity);
        let is_new = self.seen.insert(key) && {
            self.settle(&state);
            let settled = self.placement.key_with(identity);
            settled == key || self.seen.insert(settled)
        };
        if !is_new {
            self.undo_to(self.frames.last().map_or(0, |frame| frame.log));
            return;
        }
        self.progress.configurations += 1;
        self.progress.placed = self.progress.placed.max(self.placement.placed);
        let first_move = self.moves.len();
        self.problem.moves(&self.placement, &mut self.moves);
        let (log, pending) = (self.log.len(), self.pending.len());
        self.frames.push(Frame { state: Some(state), log, first_move, next_move: first_move, pending, inner });
        self.forget_a_state();
    }

    /// Leaves the top configuration: nothing that could be done there leads to an order.
    fn ascend(&mut self) {
        self.note_dead_end();
        let frame = self.frames.pop().expect("there is a top");
        self.moves.truncate(frame.first_move);
        self.undo_to(self.frames.last().map_or(0, |frame| frame.log));
    }

    /// Lets all read-only events happen that can. No other order of them is worth a look: they change nothing, and each
    /// that is placed can only let more events come next.
    fn settle(&mut self, state: &State) {
        self.refused.fill(false);
        loop {
            let earliest = self.placement.earliest_end();
            let mut changed = false;
            for lane in 0..self.refused.len() {
                if self.refused[lane] || !self.placement.observes_by(lane, earliest) {
                    continue;
                }
                match self.problem.observe(&self.placement, lane, state) {
                    Ok(Some(kind)) => {
                        self.make(Move { lane: lane as u32, kind }, Placed::SAME_STATE);
                        changed = true;
                    }
                    Ok(None) => self.refused[lane] = true,
                    Err(failure) => {
                        self.refused[lane] = true;
                        self.failures.note(self.problem.place(&self.placement, lane as u32), failure);
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn make(&mut self, it: Move, branch: u32) {
        self.log.push(Placed { it, branch });
        self.placement.make(self.problem.history, it);
    }

    fn undo_to(&mut self, log: usize) {
        while self.log.len() > log {
            let Placed { it, .. } = self.log.pop().expect("it is longer");
            if it.places() {
                self.placement.retreat(self.problem.history, it.lane as usize);
            }
            self.restore_binding(it.lane);
        }
    }

    /// Finds the choice again that a lane's next event had been bound to.
    fn restore_binding(&mut self, lane: u32) {
        let next = self.problem.next(&self.placement, lane as usize);
        if next.is_some_and(|event| self.problem.history.choices(event).len() > 1) {
            let last = self.log.iter().rev().find(|placed| placed.it.lane == lane);
            let bound = match last.map(|placed| placed.it.kind) {
                Some(Kind::Inner(nth)) => Some(nth),
                _ => None,
            };
            self.placement.bind(lane as usize, bound);
        }
    }

    fn may_go_on(&mut self) -> Result<(), Stopped> {
        self.progress.open = self.frames.len() as u64;
        let (seen, frames, log) = (&self.seen, &self.frames, &self.log);
        let bytes = || seen.bytes() + frames.capacity() * size_of::<Frame>() + log.capacity() * size_of::<Placed>();
        self.control.check(&self.progress, bytes)
    }

    fn note_dead_end(&mut self) {
        let placed = self.placement.placed;
        if self.frames.is_empty() || !self.deepest.concerns(placed) {
            return;
        }
        let state = self.take_state_of_top();
        self.frames.last_mut().expect("there is a top").state = Some(state.clone());
        let (frames, log, placement) = (&self.frames, &self.log, &self.placement);
        self.deepest.note(placed, || DeadEnd {
            positions: placement.positions().to_vec(),
            state,
            path: path_to_top(frames, log, placement.positions().to_vec()),
        });
    }

    /// Drops the state of a configuration that is far behind.
    fn forget_a_state(&mut self) {
        if let Some(old) = self.frames.len().checked_sub(RECENT + 1).filter(|old| old % LANDMARK != 0) {
            self.frames[old].state = None;
        }
    }

    /// The top configuration's state, to be put back; those up to the last landmark are found again with it.
    fn take_state_of_top(&mut self) -> State {
        let top = self.frames.len() - 1;
        if let Some(state) = self.frames[top].state.take() {
            return state;
        }
        let known = (0..top).rev().find(|&at| self.frames[at].state.is_some()).expect("the first is a landmark");
        let mut placement = self.placement.clone();
        for placed in self.log[self.frames[known].log..self.frames[top].log].iter().rev() {
            if placed.it.places() {
                placement.retreat(self.problem.history, placed.it.lane as usize);
            }
        }
        for at in known + 1..=top {
            let mut state = self.frames[at - 1].state.clone().expect("it was just found");
            for placed in &self.log[self.frames[at - 1].log..self.frames[at].log] {
                state = placed.again(self.problem, &mut placement, &state).expect("what happened can happen again");
            }
            self.frames[at].state = Some(state);
        }
        self.frames[top].state.take().expect("it was just found")
    }
}

/// The last moves on the way to the top configuration, with the states after them, as far as those are known.
fn path_to_top(frames: &[Frame], log: &[Placed], mut positions: Vec<u32>) -> Vec<Stride> {
    let mut path = Vec::new();
    for (at, frame) in frames.iter().enumerate().rev() {
        let Some(state) = &frame.state else { break };
        let before = at.checked_sub(1).map_or(0, |before| frames[before].log);
        for placed in log[before..frame.log].iter().rev() {
            let Move { lane, kind } = placed.it;
            positions[lane as usize] -= u32::from(placed.it.places());
            let event = EventRef { lane, at: positions[lane as usize] };
            path.push(Stride { event, became: kind.into(), state: state.clone() });
        }
        if path.len() >= Deepest::PATH {
            break;
        }
    }
    path.truncate(Deepest::PATH);
    path.reverse();
    path
}

impl Placed {
    /// Does it again: the state that it leads to.
    pub fn again(&self, problem: &Problem<'_>, placement: &mut Placement, state: &State) -> Result<State, Failure> {
        let mut found = None;
        if self.branch == Self::SAME_STATE {
            found = Some(state.clone());
        } else {
            let mut branch = 0;
            let steps = problem.successors(placement, state, self.it, &mut |reached| {
                if branch == self.branch {
                    found = Some(reached.state());
                    return ControlFlow::Break(());
                }
                branch += 1;
                ControlFlow::Continue(())
            });
            if found.is_none() {
                steps?;
            }
        }
        placement.make(problem.history, self.it);
        found.ok_or_else(|| Failure::unplaced("a step that was found cannot be found again"))
    }
}
