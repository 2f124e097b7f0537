//! Backjumping: leaving many frames at once where the search is stuck.
//!
//! A call that was preempted has a timebox with thousands of other calls in it, and its effect is often seen only later: a
//! transaction's first read shows when its snapshot was taken. If the search has placed such a call too early or too late, it gets
//! stuck thousands of events later. Chronological backtracking would first try every alternative in between, all in vain. So
//! a search that has been stuck for a while looks for the frame at fault: the highest one with another move after which
//! all the moves that were made since could be made again, beyond the event that cannot happen (`reorder`); or, if there is none, after
//! which the lane of that event could run *solo*, all other lanes waiting (`solo`). The search jumps
//! back to that frame and tries that move. It remembers the move and its time as a *hint*, because a jump to a lower
//! frame undoes what jumps to higher ones have mended: later configurations try hinted moves first.
//!
//! Backjumping is Gaschnig's (1979), and Prosser's survey (1993) has the usual ways to choose the target. They prove that
//! the frames which they skip cannot help. That moves could be made again or a lane could run solo proves nothing, so nothing is
//! discarded here: what was left to try in the skipped frames is suspended until everything else at the target was tried. Trying first what has helped elsewhere
//! is the killer heuristic of game-tree search (Akl and Newborn, 1977).
//!
//! **Why a rejection is still exhaustive.** A configuration that was seen is done with, or has a frame on the stack with its moves
//! left to try, or a frame in a part that is suspended at a frame of the stack or of another such part, or is a branch of
//! one of these. A frame is popped only when nothing is suspended at it, so when the stack is empty, all that was seen is
//! done with. Jumps and hints choose among the moves that are left; they neither add nor remove any.

mod reorder;
mod solo;

use std::collections::VecDeque;

use self::reorder::Reordering;
use self::solo::Solo;
use super::problem::Problem;
use super::stack::{Cursor, SearchStack};
use super::{Limits, Move, Placement, Progress};
use crate::timeline::EventRef;

/// How many events of its lane before the one that cannot happen may be at fault.
const LOOK_BACK: u32 = 8;
/// How many steps are tried to see whether a lane can run solo.
const STEPS: u32 = 64;
/// How many hints are remembered.
const HINTS: usize = 128;

/// When and where to jump.
pub(super) struct Backjumping {
    /// How many configurations a search may be stuck for: [`Limits::backjump_after`].
    after: u64,
    /// At how many configurations to jump.
    due: u64,
    /// How many events were placed when a further one was last placed.
    placed: u64,
    /// How many configurations to wait, twice as many after every jump that did not help.
    wait: u64,
    /// The event that could not happen where the search got furthest.
    obstacle: Option<EventRef>,
    /// The latest first.
    hints: VecDeque<Hint>,
    reordering: Reordering,
}

/// A move that is better made at a certain time.
#[derive(Debug, Clone, Copy)]
struct Hint {
    event: EventRef,
    it: Move,
    /// The earliest end of the events that were next.
    time: u64,
}

impl Backjumping {
    pub fn new(limits: &Limits) -> Self {
        let after = limits.backjump_after;
        Self {
            after,
            due: after,
            placed: 0,
            wait: after,
            obstacle: None,
            hints: VecDeque::new(),
            reordering: Reordering::default(),
        }
    }

    /// Whether to think of a jump at so many configurations.
    #[inline]
    pub fn is_due(&self, configurations: u64) -> bool {
        configurations >= self.due
    }

    /// Whether an event is known that could not happen where the search got furthest.
    pub fn has_obstacle(&self) -> bool {
        self.obstacle.is_some()
    }

    /// Notes the event that cannot happen where the search got furthest: the one that has to come first.
    pub fn note_obstacle(&mut self, problem: &impl Problem, placement: &Placement) {
        self.obstacle = placement.first_to_end().map(|lane| problem.place(placement, lane as u32));
    }

    /// If the search is stuck, jumps back to where another move may let the obstacle happen. Tells whether it has jumped.
    pub fn jump<P: Problem>(&mut self, problem: &P, stack: &mut SearchStack<'_, P>, progress: &Progress) -> bool {
        let now = progress.configurations;
        if progress.placed > self.placed {
            self.placed = progress.placed;
            (self.due, self.wait) = (now.saturating_add(self.after), self.after);
            self.reordering.note_progress();
            return false;
        }
        let is_left = |event: &EventRef| stack.placement().at(event.lane as usize) <= event.at;
        let Some(obstacle) = self.obstacle.filter(is_left) else {
            self.due = now.saturating_add(self.after / 16);
            return false;
        };
        self.wait = self.wait.saturating_mul(2);
        self.due = now.saturating_add(self.wait);
        // Chronological backtracking soon comes to the frames near the top.
        let far = stack.depth().saturating_sub(self.after as usize / 4);
        let reordered = self.reordering.target(problem, stack, obstacle, far, self.wait);
        let Some((at, nth_move)) = reordered.or_else(|| self.target(problem, stack, obstacle, far)) else {
            return false;
        };
        let it = stack.move_at(nth_move);
        stack.jump_back(at, nth_move);
        self.add_hint(problem, stack.placement(), it);
        true
    }

    /// The highest frame below `far` with a move left after which an event's lane could run solo beyond the event; and the place of
    /// that move.
    /// Moves of other lanes are considered only where the lane itself went on: at lower frames they do no more.
    fn target<P: Problem>(
        &self,
        problem: &P,
        stack: &mut SearchStack<'_, P>,
        EventRef { lane, at: due }: EventRef,
        far: usize,
    ) -> Option<(usize, usize)> {
        let mut cursor = Cursor::new(stack);
        while let Some(at) = cursor.down(stack) {
            if due - cursor.placement.at(lane as usize) > LOOK_BACK {
                return None;
            }
            if at >= far || stack.has_branches(at) {
                continue;
            }
            let went_on = stack.move_after(at).is_some_and(|it| it.lane == lane);
            let is_apt = |&nth: &usize| went_on || stack.move_at(nth).lane == lane;
            let apt: Vec<usize> = stack.moves_left(at).filter(is_apt).collect();
            if apt.is_empty() {
                continue;
            }
            let state = stack.state(at).clone();
            let better = apt.into_iter().find(|&nth| {
                let it = stack.move_at(nth);
                for lane in [lane, it.lane] {
                    cursor.bind(stack, lane);
                }
                let mut solo = Solo { problem, lane: lane as usize, due, steps: STEPS };
                solo.goes_on_after(&mut cursor.placement, &state, it)
            });
            if let Some(nth) = better {
                return Some((at, nth));
            }
        }
        None
    }

    /// Remembers a move that is made in a configuration.
    fn add_hint(&mut self, problem: &impl Problem, placement: &Placement, it: Move) {
        let (event, time) = (problem.place(placement, it.lane), placement.earliest_end());
        self.hints.truncate(HINTS - 1);
        self.hints.push_front(Hint { event, it, time });
    }

    /// Whether there are hints.
    #[inline]
    pub fn has_hints(&self) -> bool {
        !self.hints.is_empty()
    }

    /// Puts those moves of a configuration first that a hint names, given the last move that led to it.
    pub fn apply_hints(&self, placement: &Placement, last: Option<Move>, moves: &mut [Move]) {
        let now = placement.earliest_end();
        for &Hint { event, it, time } in &self.hints {
            // An inner step leaves its event where it is: it is due once.
            let is_due = if it.places() { time <= now } else { time == now && last != Some(it) };
            if is_due
                && placement.at(event.lane as usize) == event.at
                && let Some(nth) = moves.iter().position(|&other| other == it)
            {
                moves[..=nth].rotate_right(1);
            }
        }
    }
}
