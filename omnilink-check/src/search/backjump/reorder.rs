//! Looking for one event that was placed too late.
//!
//! Two calls that overlapped were placed in the wrong order, and that shows hundreds of events later: of two enqueues, when
//! their elements are dequeued. Each frame between has alternatives of its own, so chronological backtracking would take exponentially
//! long, and the event that cannot happen need not be of a lane that was placed wrongly. So every alternative is tried by itself: its
//! event is placed at the frame, all moves that were made since are made again, and then a few more until the event that could not
//! happen does. The frame where that works is the target.
//!
//! An alternative after which the same events lead to the same state changes nothing, and is left as soon as that is seen. The others
//! of a path of n moves take O(n) steps each. These are bounded by a share of what the search has spent in vain, until the first
//! success: from then on as many are tried as were needed the last time.

use smallvec::SmallVec;

use super::super::problem::{Problem, Reached};
use super::super::stack::{Cursor, SearchStack};
use super::super::{ArgumentsId, Move, Placed, Placement};
use crate::timeline::EventRef;

/// One step is tried for so many configurations that were visited in vain.
const SHARE: u64 = 16;
/// How many moves may lead from the end of the path to the obstacle, and how many are tried.
const LAST_MOVES: u32 = 6;
const LAST_STEPS: u64 = 48;

/// How much reordering has helped.
#[derive(Debug, Default)]
pub(super) struct Reordering {
    /// How many steps may be tried whatever the search has spent: twice what a success took, half of it after a failure.
    credit: u64,
    /// The steps that the last target took, until it is known whether it has helped.
    pending: Option<u64>,
}

impl Reordering {
    /// The search got further than before.
    pub fn note_progress(&mut self) {
        if let Some(steps) = self.pending.take() {
            self.credit = self.credit.max(2 * steps);
        }
    }

    /// The highest frame below `far` with a move left after which the moves that were made could be made again and the obstacle could
    /// happen; and the place of that move. `wait` is how many configurations were visited in vain.
    pub fn target<P: Problem>(
        &mut self,
        problem: &P,
        stack: &mut SearchStack<'_, P>,
        obstacle: EventRef,
        far: usize,
        wait: u64,
    ) -> Option<(usize, usize)> {
        if self.pending.take().is_some() {
            self.credit /= 2;
        }
        let budget = self.credit.max(wait / SHARE);
        let mut again = Again { problem, obstacle, steps: budget };
        let mut cursor = Cursor::new(stack);
        while let Some(at) = cursor.down(stack) {
            if at >= far || stack.has_branches(at) || stack.moves_left(at).is_empty() {
                continue;
            }
            // Too many steps lie between this frame and the top.
            if stack.moves_since(at) as u64 > again.steps {
                return None;
            }
            for lane in 0..problem.timeline().lanes.len() as u32 {
                cursor.bind(stack, lane);
            }
            for nth in stack.moves_left(at) {
                let it = stack.move_at(nth);
                if it.places() && again.leads_on(stack, at, &cursor.placement, it).is_some() {
                    self.pending = Some(budget - again.steps);
                    return Some((at, nth));
                }
            }
        }
        None
    }
}

/// Making moves again.
struct Again<'a, P> {
    problem: &'a P,
    obstacle: EventRef,
    /// How many steps may still be tried.
    steps: u64,
}

/// A path that is being made again.
struct Path<S> {
    placement: Placement,
    state: S,
    /// Lanes whose next event is read-only and could not happen yet.
    deferred: SmallVec<[u32; 8]>,
}

impl<P: Problem> Again<'_, P> {
    /// Succeeds if the obstacle can happen when a move is made at a frame, and then all moves that were made since but those of the
    /// same event.
    fn leads_on(&mut self, stack: &mut SearchStack<'_, P>, at: usize, placement: &Placement, it: Move) -> Option<()> {
        let (placement, state) = (placement.clone(), stack.state(at).clone());
        let mut path = Path { placement, state, deferred: SmallVec::new() };
        self.make(&mut path, Placed { it, branch: 0, args: ArgumentsId::AS_RECORDED })?;
        let mut is_due = true;
        for nth in 0..stack.moves_since(at) {
            let placed = stack.trail_since(at)[nth];
            if !is_due || placed.it.lane != it.lane {
                self.make(&mut path, placed)?;
            } else if placed.it.places() {
                is_due = false;
                self.differs(stack, at, nth + 1, &path).then_some(())?;
            }
        }
        let kept = self.steps.saturating_sub(LAST_STEPS);
        self.steps -= kept;
        let passes = path.deferred.is_empty() && self.passes_obstacle(path.placement, &path.state, LAST_MOVES);
        self.steps += kept;
        passes.then_some(())
    }

    /// Whether a path has led to another state than the moves that were made did, so many of them.
    fn differs(&self, stack: &mut SearchStack<'_, P>, at: usize, moves: usize, path: &Path<P::State>) -> bool {
        let Some(same) = stack.frame_after(at, moves) else { return true };
        let fingerprint = |state: &P::State| self.problem.fingerprint(&Reached::same(state));
        !path.deferred.is_empty() || fingerprint(stack.state(same)) != fingerprint(&path.state)
    }

    /// Makes a move, if it can be made. A read-only event that cannot happen is deferred.
    fn make(&mut self, path: &mut Path<P::State>, placed: Placed) -> Option<()> {
        let lane = placed.it.lane;
        let Path { placement, state, deferred } = path;
        if placed.branch == Placed::SAME_STATE {
            if deferred.contains(&lane) || !self.observes(placement, state, lane) {
                deferred.push(lane);
            }
            return Some(());
        }
        if deferred.contains(&lane) {
            return None;
        }
        *state = self.step(placement, state, placed)?;
        // In the order of the lane: what was deferred later waits for what was deferred earlier.
        let mut refused: SmallVec<[u32; 8]> = SmallVec::new();
        deferred.retain(|lane| {
            let stays = refused.contains(lane) || !self.observes(placement, state, *lane);
            if stays {
                refused.push(*lane);
            }
            stays
        });
        Some(())
    }

    /// Whether a few moves of any lane lead beyond the obstacle, whatever is wrong then.
    fn passes_obstacle(&mut self, mut placement: Placement, state: &P::State, moves_left: u32) -> bool {
        let (problem, EventRef { lane, at: due }) = (self.problem, self.obstacle);
        loop {
            if placement.at(lane as usize) > due {
                return true;
            }
            let earliest = placement.earliest_end();
            let mut readers = (0..problem.timeline().lanes.len()).filter(|&lane| placement.observes_by(lane, earliest));
            let reader = readers.find(|&lane| matches!(problem.observe(&placement, lane, state), Ok(Some(_))));
            let Some(reader) = reader.filter(|_| self.steps > 0) else { break };
            self.steps -= 1;
            placement.advance(problem.timeline(), reader);
        }
        if moves_left == 0 {
            return false;
        }
        let mut moves = Vec::new();
        problem.moves(&placement, &mut moves);
        moves.into_iter().any(|it| {
            let mut placement = placement.clone();
            let made = Placed { it, branch: 0, args: ArgumentsId::AS_RECORDED };
            let after = self.step(&mut placement, state, made);
            after.is_some_and(|after| self.passes_obstacle(placement, &after, moves_left - 1))
        })
    }

    /// Makes a move, if it can be made and steps are left.
    fn step(&mut self, placement: &mut Placement, state: &P::State, placed: Placed) -> Option<P::State> {
        self.steps = self.steps.checked_sub(1)?;
        // What cannot be evaluated is noted when the search makes the move.
        self.problem.replay(&placed, placement, state).ok().flatten()
    }

    /// Places a lane's next event, which is read-only, if it can happen in a state.
    fn observes(&mut self, placement: &mut Placement, state: &P::State, lane: u32) -> bool {
        self.steps = self.steps.saturating_sub(1);
        let can_happen = matches!(self.problem.observe(placement, lane as usize, state), Ok(Some(_)));
        if can_happen {
            placement.advance(self.problem.timeline(), lane as usize);
        }
        can_happen
    }
}
