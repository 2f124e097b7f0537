//! Depth first: finds an order quickly where there are many.
//!
//! The loop is that of Wing and Gong (1993) with Lowe's memory of configurations (2017), over positions per lane instead of
//! sets of operations. What it adds:
//!
//! - A read-only event happens as soon as it can, without a choice ([`DepthFirst::settle`]).
//! - Of several events that may come next, the one is tried first that is needed first (`crate::order`).
//! - If it is stuck for a while, it goes back far at once (`leap`).
//! - States are kept for the latest configurations of the path and for every 256th before them; coming back to another,
//!   the search runs the specification again from there (`path`). A path is as long as the trace, and states may be large.

use std::ops::ControlFlow;
use std::sync::Arc;

use omnilink_budget::catch;
use omnilink_tla::{Failure, State};

use super::control::{Control, Progress, Stopped};
use super::deepest::{DeadEnd, Deepest};
use super::foresight::{Foresight, Outlook};
use super::leap::{Lessons, Patience, Postponed};
use super::moves::{Move, Problem, Reached};
use super::seen::Seen;
use super::team::{Share, Team};
use super::{Bound, Failures, Placed, Placement, ToldId};

/// A search in progress.
pub(crate) struct DepthFirst<'a, 'c> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) control: &'a mut Control<'c>,
    pub(super) placement: Placement,
    /// The configurations of the path that have moves left to try.
    pub(super) frames: Vec<Frame>,
    /// Their moves.
    pub(super) moves: Vec<Move>,
    /// Where their current moves lead besides where we have been.
    pub(super) pending: Vec<Branch>,
    /// Parts of earlier paths, those last that begin last on the path.
    pub(super) postponed: Vec<Postponed>,
    /// How long it stays where it is stuck.
    pub(super) patience: Patience,
    /// What it has learned from leaps.
    pub(super) lessons: Lessons,
    foresight: Foresight,
    /// What had been done before the search began here.
    pub(super) way: Vec<Placed>,
    /// What events were bound to when it began, where nobody knows what had been done.
    pub(super) begun: Vec<Option<Bound>>,
    /// All that was done since.
    pub log: Vec<Placed>,
    pub(super) seen: Seen,
    /// With whom it shares the work.
    pub(super) team: Option<Arc<Team>>,
    /// No configuration of the path before this one has moves left.
    pub(super) spare: usize,
    /// How many configurations there were when it last gave a share away, and when it last told how far it is.
    pub(super) gave: u64,
    pub(super) told: u64,
    /// After how many configurations others may join.
    pub pause_at: Option<u64>,
    /// Of `settle`: lanes whose next event was seen not to happen in the present state.
    refused: Vec<bool>,
    pub(super) progress: Progress,
    pub deepest: Deepest,
    pub failures: Failures,
    /// A limit kept something from being tried.
    pub limited: bool,
}

/// A configuration on the path.
pub(super) struct Frame {
    /// Its state, unless it can be found again.
    pub state: Option<State>,
    /// How long the log was when it was reached.
    pub log: usize,
    /// Where its moves begin, the next to try, and where they end.
    pub first_move: usize,
    pub next_move: usize,
    pub end_move: usize,
    /// How many branches were pending when it was reached: those above are where the move being tried leads.
    pub pending: usize,
    /// Inner steps in a row up to here.
    pub inner: u32,
}

/// A state that a move leads to.
pub(super) struct Branch {
    /// Its number among those of the move.
    pub nth: u32,
    pub state: State,
    /// What tells it from others.
    identity: u128,
    /// What the move tells about its event's arguments.
    pub told: ToldId,
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// An order was found: the log.
    Found,
    /// Everything was tried.
    Exhausted,
    /// Others may join now.
    Paused,
    /// Somebody else has an answer.
    Elsewhere,
    /// It was stopped.
    Stopped(Stopped),
}

impl Problem<'_> {
    /// Adds where a move leads, as far as nobody was there or is about to go there.
    #[inline]
    pub(super) fn branches(
        &self,
        seen: &mut Seen,
        placement: &Placement,
        state: &State,
        it: Move,
        branches: &mut Vec<Branch>,
    ) -> Result<(), Failure> {
        let (mut nth, mut failed) = (0, None);
        let steps = self.successors(placement, state, it, |reached: Reached<'_>| {
            match self.identity(&reached) {
                Ok(identity) if !seen.insert(placement.key_after(self.history, it, reached.told(), identity)) => {}
                Ok(identity) => {
                    branches.push(Branch { nth, state: reached.state(), identity, told: reached.told() });
                }
                Err(failure) => {
                    failed.get_or_insert(failure);
                }
            }
            nth += 1;
            ControlFlow::Continue(())
        });
        steps.and(failed.map_or(Ok(()), Err))
    }
}

impl<'a, 'c> DepthFirst<'a, 'c> {
    pub fn new(problem: &'a Problem<'a>, control: &'a mut Control<'c>) -> Self {
        let lanes = problem.history.lanes.len();
        let patience = Patience::new(&control.limits);
        let foresight = Foresight::new(problem, &control.limits);
        let events = problem.history.lanes.iter().map(|lane| u64::from(lane.required)).sum();
        Self {
            problem,
            control,
            placement: Placement::start(problem.history),
            frames: Vec::new(),
            moves: Vec::new(),
            pending: Vec::new(),
            postponed: Vec::new(),
            patience,
            lessons: Lessons::new(),
            foresight,
            way: Vec::new(),
            begun: Vec::new(),
            log: Vec::new(),
            seen: Seen::default(),
            team: None,
            spare: 0,
            gave: 0,
            told: 0,
            pause_at: None,
            refused: vec![false; lanes],
            progress: Progress { events, ..Progress::default() },
            deepest: Deepest::default(),
            failures: Failures::default(),
            limited: false,
        }
    }

    /// How far it got.
    pub fn progress(&self) -> Progress {
        Progress { open: self.frames.len() as u64, ..self.progress }
    }

    /// Looks for an order from an initial state.
    pub fn run(&mut self, init: State) -> Ended {
        self.run_from(Placement::start(self.problem.history), init)
    }

    /// Looks for an order of the rest, from a configuration.
    pub fn run_from(&mut self, placement: Placement, state: State) -> Ended {
        let identity = self.identity_of(&state);
        self.begun = placement.all_bound().to_vec();
        match self.seen.insert(placement.key_with(identity)) {
            true => self.run_share(Share { placement, state, inner: 0, way: Vec::new() }),
            false => Ended::Exhausted,
        }
    }

    /// Looks for an order of the rest, from a configuration that was reached in some way and is known as seen.
    pub(super) fn run_share(&mut self, share: Share) -> Ended {
        self.unless_stopped(|search| search.take_share(share))
    }

    fn take_share(&mut self, Share { placement, state, inner, way }: Share) -> Ended {
        (self.placement, self.way, self.spare) = (placement, way, 0);
        self.log.clear();
        let identity = self.identity_of(&state);
        match self.descend(Branch { nth: 0, state, identity, told: ToldId::NOTHING }, inner) {
            Some(ended) => self.ended(ended),
            None => self.go_ahead(),
        }
    }

    fn identity_of(&self, state: &State) -> u128 {
        self.problem.identity(&Reached::Same(state)).unwrap_or_else(|_| state.fingerprint().0)
    }

    /// Goes on where it is.
    pub(super) fn go_on(&mut self) -> Ended {
        self.unless_stopped(Self::go_ahead)
    }

    /// Searches until it ends or the specification takes more than the thread's budget: that may stop it anywhere inside of
    /// an expression. The path is made whole then as far as it was found, so that it can be told how far the search got.
    fn unless_stopped(&mut self, search: impl FnOnce(&mut Self) -> Ended) -> Ended {
        catch(|| search(self)).unwrap_or_else(|exhausted| {
            self.undo_to(self.frames.last().map_or(0, |frame| frame.log));
            // Finding the last state again may take what is not left.
            let stopped = Ended::Stopped(exhausted.into());
            catch(|| self.ended(stopped)).unwrap_or(stopped)
        })
    }

    fn go_ahead(&mut self) -> Ended {
        loop {
            let Some(frame) = self.frames.last_mut() else { return Ended::Exhausted };
            if self.pending.len() > frame.pending {
                let branch = self.pending.pop().expect("there is more");
                let it = self.moves[frame.next_move - 1];
                let inner = if it.places() { 0 } else { frame.inner + 1 };
                self.make(it, branch.nth, branch.told);
                if let Some(ended) = self.descend(branch, inner) {
                    return self.ended(ended);
                }
            } else if frame.next_move < frame.end_move {
                self.try_moves();
            } else if self.progress.configurations < self.patience.until || !self.leap() {
                self.ascend();
            }
        }
    }

    fn ended(&mut self, ended: Ended) -> Ended {
        match ended {
            Ended::Found => self.log = std::mem::take(&mut self.way).into_iter().chain(self.log.drain(..)).collect(),
            Ended::Stopped(_) => self.note_dead_end(),
            Ended::Exhausted | Ended::Paused | Ended::Elsewhere => {}
        }
        ended
    }

    /// Tries the top configuration's moves until one leads somewhere.
    fn try_moves(&mut self) {
        let top = self.frames.len() - 1;
        self.restore_state_of(top);
        let Self { problem, seen, placement, frames, moves, pending, .. } = self;
        let Frame { state, next_move, end_move, inner, .. } = &mut frames[top];
        let state = state.as_ref().expect("it is there or was found again");
        let before = pending.len();
        while pending.len() == before && *next_move < *end_move {
            let it = moves[*next_move];
            *next_move += 1;
            if !it.places() && *inner >= self.control.limits.inner_steps {
                self.limited = true;
            } else if let Err(failure) = problem.branches(seen, placement, state, it, pending) {
                self.failures.note(problem.place(placement, it.lane), failure);
            }
        }
        // The first that was found is tried first.
        if pending.len() > before + 1 {
            pending[before..].reverse();
        }
    }

    /// Enters the configuration that the placement and a state make, and which is known as seen. If read-only events happen
    /// there and lead to one that was seen before, goes back. Tells whether the search ends there.
    fn descend(&mut self, Branch { state, identity, .. }: Branch, inner: u32) -> Option<Ended> {
        let key = self.placement.key_with(identity);
        self.settle(&state);
        let settled = self.placement.key_with(identity);
        if settled != key && !self.seen.insert(settled) {
            self.undo_to(self.frames.last().map_or(0, |frame| frame.log));
            return None;
        }
        self.progress.configurations += 1;
        self.progress.placed = self.progress.placed.max(self.placement.placed);
        let first_move = self.moves.len();
        self.problem.moves(&self.placement, &mut self.moves);
        if !self.lessons.is_empty() {
            self.apply_lessons(first_move);
        }
        if self.foresight.is_due(&self.progress) {
            self.look_ahead(&state, first_move);
        }
        let (log, pending) = (self.log.len(), self.pending.len());
        let (next_move, end_move) = (first_move, self.moves.len());
        self.frames.push(Frame { state: Some(state), log, first_move, next_move, end_move, pending, inner });
        self.forget_a_state();
        if self.placement.is_complete() { Some(Ended::Found) } else { self.look_up() }
    }

    /// Takes those moves away, of the ones from a place on, that are not worth a try.
    fn look_ahead(&mut self, state: &State, first_move: usize) {
        let Self { problem, placement, foresight, moves, deepest, .. } = self;
        let outlook = foresight.look(problem, placement, state, &moves[first_move..]);
        let helped = match outlook {
            Outlook::Open => false,
            Outlook::Hopeless { room } => {
                let is_over = foresight.gives_up(placement.placed, room, deepest.placed);
                moves.truncate(if is_over { first_move } else { moves.len() });
                is_over
            }
            Outlook::Only(it) => {
                moves.truncate(first_move);
                moves.push(it);
                true
            }
        };
        foresight.note(helped);
    }

    /// Leaves the top configuration: nothing that could be done there leads to an order.
    fn ascend(&mut self) {
        if self.resume_postponed() {
            return;
        }
        self.note_dead_end();
        let frame = self.frames.pop().expect("there is a top");
        self.spare = self.spare.min(self.frames.len());
        self.moves.truncate(frame.first_move);
        self.undo_to(self.frames.last().map_or(0, |frame| frame.log));
    }

    /// Lets all read-only events happen that can. No other order of them is worth a look: they change nothing, and each
    /// that is placed can only let more events come next.
    fn settle(&mut self, state: &State) {
        if !self.placement.has_observers() {
            return;
        }
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
                        self.make(Move { lane: lane as u32, kind }, Placed::SAME_STATE, ToldId::NOTHING);
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

    pub(super) fn make(&mut self, it: Move, branch: u32, told: ToldId) {
        self.log.push(Placed { it, branch, told });
        self.placement.make(self.problem.history, it, told);
    }

    pub(super) fn undo_to(&mut self, log: usize) {
        while self.log.len() > log {
            let Placed { it, .. } = self.log.pop().expect("it is longer");
            if it.places() {
                self.placement.retreat(self.problem.history, it.lane as usize);
            }
            if self.problem.history.binds() {
                self.restore_binding(it.lane);
            }
        }
    }

    fn note_dead_end(&mut self) {
        let placed = self.placement.placed;
        if self.frames.is_empty() || !self.deepest.concerns(placed) {
            return;
        }
        if placed > self.deepest.placed || self.patience.stuck.is_none() {
            let due = self.placement.first_to_end();
            self.patience.stuck = due.map(|lane| self.problem.place(&self.placement, lane as u32));
        }
        let top = self.frames.len() - 1;
        self.restore_state_of(top);
        let state = self.frames[top].state.clone().expect("it is there or was found again");
        let mut deepest = std::mem::take(&mut self.deepest);
        deepest.note(placed, || {
            let positions = self.placement.positions().to_vec();
            let (before, path) = self.path_to_top();
            DeadEnd { positions, begun: self.problem.begun(&self.placement), state, before, path }
        });
        self.deepest = deepest;
    }
}
