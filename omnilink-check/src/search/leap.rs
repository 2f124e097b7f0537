//! Going back far at once.
//!
//! A call that was preempted has a box with thousands of other calls in it, and what it did is often seen only later: a
//! transaction's first read tells when its snapshot was taken. If the search has put such a call into a wrong place, it is
//! stuck thousands of events later. Going back step by step, it would first try everything else that could be different in
//! between, all in vain. So when it has been stuck for a while it asks what would have let the event happen that cannot:
//! the last configuration of the path with another move after which that event's lane could go on *alone* beyond the event.
//! There the search goes on, with that move. It remembers when the move was due, because a leap to an earlier
//! place gives up what leaps to later ones have mended.
//!
//! That a lane could go on alone proves nothing: others come between. So nothing is left out. What the search had still
//! to try above the configuration that it leaps to is *postponed* until everything else there was tried.
//!
//! **Why a rejection is still exhaustive.** A configuration that was seen is done with, or is on the path with its moves left
//! to try, or is in a part of a path that is postponed at a configuration on the path or in another such part, or is still to be
//! entered from one of these. A configuration is left only when nothing is postponed at it, so when the path is empty, all that
//! was seen is done with. Leaps and lessons choose among moves that are left; they neither add nor remove any.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use omnilink_tla::State;

use super::depth::{Branch, DepthFirst, Frame};
use super::path::LANDMARK;
use super::{Kind, Limits, Move, Placed, Placement, Reached};
use crate::history::EventRef;

/// How many events of its lane before the one that cannot happen may be at fault.
const LOOK_BACK: u32 = 8;
/// How many steps are tried to see whether a lane can go on alone.
const STEPS: u32 = 64;
/// How many lessons are remembered.
const LESSONS: usize = 64;

/// When to leap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// At how many configurations to think of it.
    pub until: u64,
    /// How many events were placed when the search had last got on.
    placed: u64,
    /// How many configurations it waits, twice as many after every leap that did not help.
    wait: u64,
    /// The event that could not happen where the search got furthest.
    pub stuck: Option<EventRef>,
}

impl Patience {
    pub fn new(limits: &Limits) -> Self {
        Self { until: limits.backjump_after, placed: 0, wait: limits.backjump_after, stuck: None }
    }
}

/// What a leap has taught: a move of an event that is better made at a certain time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lesson {
    event: EventRef,
    it: Move,
    /// When the first of the events that were next had ended.
    time: u64,
}

/// What leaps have taught, the latest first.
pub(super) type Lessons = VecDeque<Lesson>;

/// The upper part of a path, to be gone on with when all else was tried at the configuration that it begins at.
pub(super) struct Postponed {
    /// The place of that configuration on the path.
    at: usize,
    frames: Vec<Frame>,
    moves: Vec<Move>,
    pending: Vec<Branch>,
    log: Vec<Placed>,
}

impl Postponed {
    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.frames[..]) + size_of_val(&self.moves[..]) + size_of_val(&self.log[..])
    }
}

impl DepthFirst<'_, '_> {
    /// If the search is stuck: goes back to where another move may let the event happen that cannot. Tells whether it does.
    pub(super) fn leap(&mut self) -> bool {
        let (now, patience) = (self.progress.configurations, self.control.limits.backjump_after);
        if self.progress.placed > self.patience.placed {
            let placed = self.progress.placed;
            self.patience = Patience { until: now.saturating_add(patience), placed, wait: patience, ..self.patience };
            return false;
        }
        let is_left = |stuck: &EventRef| self.placement.at(stuck.lane as usize) <= stuck.at;
        let Some(stuck) = self.patience.stuck.filter(is_left) else {
            self.patience.until = now.saturating_add(patience / 16);
            return false;
        };
        self.patience.wait = self.patience.wait.saturating_mul(2);
        self.patience.until = now.saturating_add(self.patience.wait);
        let Some((at, nth_move)) = self.better_move(stuck) else { return false };
        self.postpone_above(at);
        self.learn(self.moves[nth_move]);
        self.moves[self.frames[at].next_move..=nth_move].rotate_right(1);
        true
    }

    /// The last configuration of the path with a move left after which an event's lane could go on alone beyond it; and the
    /// place of that move. Moves of other lanes are looked at only where the lane went on: earlier ones do no more.
    fn better_move(&mut self, EventRef { lane, at: due }: EventRef) -> Option<(usize, usize)> {
        let lane = lane as usize;
        let mut placement = self.placement.clone();
        let mut log = self.log.len();
        // What is near is found soon by going back step by step.
        let far = self.frames.len().saturating_sub(self.control.limits.backjump_after as usize / 4);
        for at in (0..self.frames.len()).rev() {
            let frame = &self.frames[at];
            for placed in self.log[frame.log..log].iter().rev().filter(|placed| placed.it.places()) {
                placement.retreat(self.problem.history, placed.it.lane as usize);
            }
            log = frame.log;
            if due - placement.at(lane) > LOOK_BACK {
                return None;
            }
            let went_on = self.log.get(log).is_some_and(|placed| placed.it.lane as usize == lane);
            let branches = self.frames.get(at + 1).map_or(self.pending.len(), |above| above.pending);
            if at >= far || branches > frame.pending {
                continue;
            }
            let is_apt = |&nth: &usize| went_on || self.moves[nth].lane as usize == lane;
            let apt: Vec<usize> = (frame.next_move..frame.end_move).filter(is_apt).collect();
            if apt.is_empty() {
                continue;
            }
            self.restore_state_of(at);
            let state = self.frames[at].state.clone().expect("it is there or was found again");
            let better = apt.into_iter().find(|&nth| {
                let it = self.moves[nth];
                for lane in [lane as u32, it.lane] {
                    let bound = self.binding(&placement, lane, log);
                    placement.bind(lane as usize, bound);
                }
                Alone { search: self, lane, due, steps: STEPS }.goes_on_after(&mut placement, &state, it)
            });
            if let Some(nth) = better {
                return Some((at, nth));
            }
        }
        None
    }

    /// Takes the path back to a configuration; what is above is gone on with later.
    fn postpone_above(&mut self, at: usize) {
        let Some(above) = self.frames.get(at + 1) else { return };
        let (moves, pending, log) = (above.first_move, above.pending, self.frames[at].log);
        let mut frames = self.frames.split_off(at + 1);
        for (nth, frame) in (at + 1..).zip(&mut frames) {
            frame.state = frame.state.take().filter(|_| nth % LANDMARK == 0);
        }
        let (moves, pending) = (self.moves.split_off(moves), self.pending.split_off(pending));
        self.postponed.push(Postponed { at, frames, moves, pending, log: self.log[log..].to_vec() });
        self.undo_to(log);
        self.spare = self.spare.min(at);
    }

    /// Goes on with what was postponed last at the top configuration. Tells whether there was anything.
    pub(super) fn resume_postponed(&mut self) -> bool {
        // What was postponed earlier, but above, is below it on the stack: it is its turn when that part is back.
        let is_here = |postponed: &mut Postponed| postponed.at + 1 == self.frames.len();
        let Some(postponed) = self.postponed.pop_if(is_here) else { return false };
        for Placed { it, branch, told } in postponed.log {
            self.make(it, branch, told);
        }
        self.frames.extend(postponed.frames);
        self.moves.extend(postponed.moves);
        self.pending.extend(postponed.pending);
        true
    }

    /// Remembers that a move is due here.
    fn learn(&mut self, it: Move) {
        let (event, time) = (self.problem.place(&self.placement, it.lane), self.placement.earliest_end());
        self.lessons.truncate(LESSONS - 1);
        self.lessons.push_front(Lesson { event, it, time });
    }

    /// Puts those moves first, of the ones from a place on, that are due here.
    pub(super) fn apply_lessons(&mut self, first_move: usize) {
        let now = self.placement.earliest_end();
        let last = self.log.last().map(|placed| placed.it);
        for &Lesson { event, it, time } in &self.lessons {
            // An inner step leaves its event where it is: it is due once.
            let is_due = if it.places() { time <= now } else { time == now && last != Some(it) };
            if is_due && self.placement.at(event.lane as usize) == event.at {
                let moves = &mut self.moves[first_move..];
                if let Some(nth) = moves.iter().position(|&other| other == it) {
                    moves[..=nth].rotate_right(1);
                }
            }
        }
    }
}

/// A lane that goes on while all others wait, whatever the time.
struct Alone<'s, 'a, 'c> {
    search: &'s DepthFirst<'a, 'c>,
    lane: usize,
    /// The event that it has to get behind.
    due: u32,
    /// How many steps may still be tried.
    steps: u32,
}

impl Alone<'_, '_, '_> {
    fn goes_on(&mut self, placement: &mut Placement, state: &State) -> bool {
        if placement.at(self.lane) > self.due {
            return true;
        }
        let (problem, lane) = (self.search.problem, self.lane as u32);
        let Some(event) = problem.next(placement, self.lane) else { return false };
        let happens = problem.choices_left(placement, lane, event).map(|(nth, _)| Kind::Happen(nth));
        let kinds: Vec<Kind> = happens.chain(event.optional.then_some(Kind::Skip)).collect();
        kinds.into_iter().any(|kind| self.goes_on_after(placement, state, Move { lane, kind }))
    }

    /// Whether it does after a move, which may be of another lane.
    fn goes_on_after(&mut self, placement: &mut Placement, state: &State, it: Move) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        let (problem, lane) = (self.search.problem, it.lane as usize);
        let mut next = Vec::new();
        // What cannot be evaluated is noted when the move is made in earnest.
        let _ = problem.successors(placement, state, it, |reached: Reached<'_>| {
            next.push((reached.state(), reached.told()));
            ControlFlow::Continue(())
        });
        let bound = placement.bound(lane);
        next.iter().any(|(state, told)| {
            placement.make(problem.history, it, *told);
            let goes_on = self.goes_on(placement, state);
            if it.places() {
                placement.retreat(problem.history, lane);
            }
            placement.bind(lane, bound);
            goes_on
        })
    }
}
