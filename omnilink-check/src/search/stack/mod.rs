//! The search stack: the configurations on the path from where the search began to where it is.
//!
//! A *frame* is a configuration, the moves that are left to try in it, and the *branches* that are left: the states that the move
//! being tried leads to. The *trail* is the list of all moves made since the search began. Verbs change both together:
//!
//! | verb | what it does |
//! | --- | --- |
//! | [`make`](SearchStack::make) | makes a move: the placement changes, and the trail is longer by one |
//! | [`push`](SearchStack::push) | enters the configuration that the moves since the top frame have led to |
//! | [`undo`](SearchStack::undo) | takes back the moves since the top frame |
//! | [`pop`](SearchStack::pop) | leaves the top frame |
//! | [`jump_back`](SearchStack::jump_back) | goes down to any frame; the part of the stack above it is *suspended* |
//! | [`resume`](SearchStack::resume) | puts a suspended part back |
//!
//! The stack does not know which moves are worth a try and when to stop: that is for the layers above. `states` keeps the frames'
//! states, `path` reports the last moves.

mod path;
mod states;

use self::states::LANDMARK;
use super::problem::Problem;
use super::{ArgumentsId, Bound, Kind, Move, Placed, Placement};
use crate::timeline::EventRef;

pub(super) struct SearchStack<'a, P: Problem> {
    problem: &'a P,
    /// Where the trail leads.
    placement: Placement,
    frames: Vec<Frame<P::State>>,
    /// The moves of all frames, one frame's after the other's.
    moves: Vec<Move>,
    /// The branches of all frames.
    branches: Vec<Branch<P::State>>,
    /// Suspended parts, those last that belong to the highest frame.
    suspended: Vec<Suspended<P::State>>,
    /// The moves that had been made when the search began here.
    prefix: Vec<Placed>,
    /// The events that had taken inner steps when it began, if the prefix does not contain these.
    begun: Vec<Option<Bound>>,
    trail: Vec<Placed>,
    /// No frame below this one has moves left.
    oldest_open: usize,
}

/// A configuration on the path.
struct Frame<S> {
    /// Its state, unless it was dropped: see `states`.
    state: Option<S>,
    /// How long the trail was when it was entered.
    trail: usize,
    /// Where its moves begin, the next to try, and where they end.
    first_move: usize,
    next_move: usize,
    end_move: usize,
    /// How many branches there were when it was entered: those above are where the move being tried leads.
    branches: usize,
    /// Inner steps in a row up to here.
    inner: u32,
}

/// A state that a move leads to.
pub(super) struct Branch<S> {
    /// Its number among the states that the move leads to.
    pub nth: u32,
    pub state: S,
    /// What distinguishes it from other states: its fingerprint, or that of its `VIEW`.
    pub identity: u128,
    /// What is known about the event's arguments after the move.
    pub args: ArgumentsId,
}

/// What the top frame has left to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// A branch of the move that is being tried.
    Branch,
    /// A move.
    Move,
    /// Nothing.
    Nothing,
    /// There is no frame.
    Empty,
}

/// The upper part of a stack, to be resumed when everything else was tried at the frame that it stands on.
struct Suspended<S> {
    /// That frame.
    at: usize,
    frames: Vec<Frame<S>>,
    moves: Vec<Move>,
    branches: Vec<Branch<S>>,
    trail: Vec<Placed>,
}

/// The moves of a configuration that is being entered.
pub(super) struct MoveList<'s> {
    all: &'s mut Vec<Move>,
    first: usize,
}

impl MoveList<'_> {
    /// The moves, in the order in which they will be tried.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [Move] {
        &mut self.all[self.first..]
    }

    /// Leaves no move.
    pub fn clear(&mut self) {
        self.all.truncate(self.first);
    }

    /// Leaves one move.
    pub fn keep_only(&mut self, it: Move) {
        self.clear();
        self.all.push(it);
    }
}

impl<'a, P: Problem> SearchStack<'a, P> {
    pub fn new(problem: &'a P) -> Self {
        Self {
            problem,
            placement: Placement::start(problem.timeline()),
            frames: Vec::new(),
            moves: Vec::new(),
            branches: Vec::new(),
            suspended: Vec::new(),
            prefix: Vec::new(),
            begun: Vec::new(),
            trail: Vec::new(),
            oldest_open: 0,
        }
    }

    /// Begins at a placement, which these moves have led to. Without moves, what its events are bound to is taken as it is.
    pub fn restart(&mut self, placement: Placement, prefix: Vec<Placed>) {
        if prefix.is_empty() {
            self.begun = placement.all_bound().to_vec();
        }
        (self.placement, self.prefix, self.oldest_open) = (placement, prefix, 0);
        self.trail.clear();
    }

    /// How many frames there are.
    #[inline]
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Where the search is.
    #[inline]
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The last move that was made since the search began here.
    pub fn last_move(&self) -> Option<Move> {
        self.trail.last().map(|placed| placed.it)
    }

    /// What the top frame has left to try.
    #[inline]
    pub fn left(&self) -> Left {
        match self.frames.last() {
            None => Left::Empty,
            Some(top) if self.branches.len() > top.branches => Left::Branch,
            Some(top) if top.next_move < top.end_move => Left::Move,
            Some(_) => Left::Nothing,
        }
    }

    /// Makes the top frame's current move, to the next of its branches. Returns the branch, and the inner steps in a row up to it.
    #[inline]
    pub fn take_branch(&mut self) -> (Branch<P::State>, u32) {
        let top = self.frames.last().expect("there is a top frame");
        let branch = self.branches.pop().expect("the top frame has a branch left");
        let it = self.moves[top.next_move - 1];
        let inner = inner_after(it, top.inner);
        self.make(it, branch.nth, branch.args);
        (branch, inner)
    }

    /// Tries the moves of the top frame until one leads to branches. `try_move` gets the inner steps in a row up to here.
    #[inline]
    pub fn expand(&mut self, mut try_move: impl FnMut(&Placement, &P::State, Move, u32, &mut Vec<Branch<P::State>>)) {
        let top = self.frames.len() - 1;
        self.restore_state(top);
        let Self { placement, frames, moves, branches, .. } = self;
        let Frame { state, next_move, end_move, inner, .. } = &mut frames[top];
        let state = state.as_ref().expect("it is there or was found again");
        let before = branches.len();
        while branches.len() == before && *next_move < *end_move {
            let it = moves[*next_move];
            *next_move += 1;
            try_move(placement, state, it, *inner, branches);
        }
        // The first that was found is tried first.
        if branches.len() > before + 1 {
            branches[before..].reverse();
        }
    }

    /// Makes a move.
    #[inline]
    pub fn make(&mut self, it: Move, branch: u32, args: ArgumentsId) {
        self.trail.push(Placed { it, branch, args });
        self.placement.make(self.problem.timeline(), it, args);
    }

    /// Takes back the moves since the top frame was entered.
    pub fn undo(&mut self) {
        self.undo_to(self.frames.last().map_or(0, |frame| frame.trail));
    }

    fn undo_to(&mut self, trail: usize) {
        while self.trail.len() > trail {
            let Placed { it, .. } = self.trail.pop().expect("it is longer");
            if it.places() {
                self.placement.retreat(self.problem.timeline(), it.lane as usize);
            }
            if self.problem.timeline().binds {
                let bound = self.binding(&self.placement, it.lane, self.trail.len());
                self.placement.bind(it.lane as usize, bound);
            }
        }
    }

    /// Enters the configuration that the placement and a state make; `select` orders and removes its moves.
    #[inline]
    pub fn push(&mut self, state: P::State, inner: u32, select: impl FnOnce(&Placement, &P::State, &mut MoveList<'_>)) {
        let first_move = self.moves.len();
        self.problem.moves(&self.placement, &mut self.moves);
        select(&self.placement, &state, &mut MoveList { all: &mut self.moves, first: first_move });
        let (trail, branches) = (self.trail.len(), self.branches.len());
        let (next_move, end_move) = (first_move, self.moves.len());
        self.frames.push(Frame { state: Some(state), trail, first_move, next_move, end_move, branches, inner });
        self.drop_old_state();
    }

    /// Leaves the top frame.
    pub fn pop(&mut self) {
        let frame = self.frames.pop().expect("there is a top frame");
        self.oldest_open = self.oldest_open.min(self.frames.len());
        self.moves.truncate(frame.first_move);
        self.undo();
    }

    /// Goes down to a frame and suspends what is above it. The frame tries this one of its moves next.
    pub fn jump_back(&mut self, at: usize, nth_move: usize) {
        if let Some(above) = self.frames.get(at + 1) {
            let (moves, branches, trail) = (above.first_move, above.branches, self.frames[at].trail);
            let mut frames = self.frames.split_off(at + 1);
            for (nth, frame) in (at + 1..).zip(&mut frames) {
                frame.state = frame.state.take().filter(|_| nth % LANDMARK == 0);
            }
            let (moves, branches) = (self.moves.split_off(moves), self.branches.split_off(branches));
            self.suspended.push(Suspended { at, frames, moves, branches, trail: self.trail[trail..].to_vec() });
            self.undo_to(trail);
            self.oldest_open = self.oldest_open.min(at);
        }
        self.moves[self.frames[at].next_move..=nth_move].rotate_right(1);
    }

    /// Resumes what was suspended last at the top frame. Tells whether there was anything.
    pub fn resume(&mut self) -> bool {
        // A part that was suspended earlier, at a frame above, lies below on the list: its turn comes when that frame is back.
        let is_here = |suspended: &mut Suspended<P::State>| suspended.at + 1 == self.frames.len();
        let Some(suspended) = self.suspended.pop_if(is_here) else { return false };
        for Placed { it, branch, args } in suspended.trail {
            self.make(it, branch, args);
        }
        self.frames.extend(suspended.frames);
        self.moves.extend(suspended.moves);
        self.branches.extend(suspended.branches);
        true
    }

    /// The moves that a frame has left, as places for [`SearchStack::move_at`].
    pub fn moves_left(&self, at: usize) -> std::ops::Range<usize> {
        self.frames[at].next_move..self.frames[at].end_move
    }

    /// A move.
    pub fn move_at(&self, nth: usize) -> Move {
        self.moves[nth]
    }

    /// Whether a frame has branches left of the move that it tries.
    pub fn has_branches(&self, at: usize) -> bool {
        let above = self.frames.get(at + 1).map_or(self.branches.len(), |above| above.branches);
        above > self.frames[at].branches
    }

    /// The first move that was made after a frame was entered.
    pub fn move_after(&self, at: usize) -> Option<Move> {
        self.trail.get(self.frames[at].trail).map(|placed| placed.it)
    }

    /// The lowest frame below the top that has moves left.
    pub fn oldest_open(&mut self) -> Option<usize> {
        let top = self.frames.len() - 1;
        while self.oldest_open < top && self.moves_left(self.oldest_open).is_empty() {
            self.oldest_open += 1;
        }
        Some(self.oldest_open).filter(|&at| at < top)
    }

    /// The moves that were made since a frame was entered.
    pub fn trail_since(&self, at: usize) -> &[Placed] {
        &self.trail[self.frames[at].trail..]
    }

    /// The frame whose state so many moves have led to since a frame was entered, if it is on the stack. A frame is entered when all
    /// read-only events have been placed that can happen in its state.
    pub fn frame_after(&self, at: usize, moves: usize) -> Option<usize> {
        let trail = self.frames[at].trail + moves;
        let above = self.frames[at..].partition_point(|frame| frame.trail < trail);
        Some(at + above).filter(|&frame| frame < self.frames.len())
    }

    /// How many moves were made since a frame was entered.
    pub fn moves_since(&self, at: usize) -> usize {
        self.trail.len() - self.frames[at].trail
    }

    /// Takes away the last move that a frame has left, for another search to try; with the inner steps in a row up to the frame.
    pub fn give_away_move(&mut self, at: usize) -> (Move, u32) {
        let frame = &mut self.frames[at];
        frame.end_move -= 1;
        (self.moves[frame.end_move], frame.inner)
    }

    /// The configuration of a frame.
    pub fn configuration(&mut self, at: usize) -> (Placement, P::State) {
        (self.placement_at(self.frames[at].trail), self.state(at).clone())
    }

    /// All moves that were made up to a frame, those of the prefix included.
    pub fn moves_to(&self, at: usize) -> impl Iterator<Item = Placed> {
        self.prefix.iter().chain(&self.trail[..self.frames[at].trail]).copied()
    }

    /// Takes all moves that were made, those of the prefix included.
    pub fn take_moves(&mut self) -> Vec<Placed> {
        std::mem::take(&mut self.prefix).into_iter().chain(self.trail.drain(..)).collect()
    }

    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let suspended = self
            .suspended
            .iter()
            .map(|part| size_of_val(&part.frames[..]) + size_of_val(&part.moves[..]) + size_of_val(&part.trail[..]));
        self.frames.capacity() * size_of::<Frame<P::State>>()
            + self.trail.capacity() * size_of::<Placed>()
            + suspended.sum::<usize>()
    }

    /// What a lane's next event was bound to when the trail was so long.
    fn binding(&self, placement: &Placement, lane: u32, trail: usize) -> Option<Bound> {
        let next = self.problem.next(placement, lane as usize)?;
        if next.choice_count == 1 && !next.is_open {
            return None;
        }
        let before = self.prefix.iter().chain(&self.trail[..trail]);
        let Some(last) = before.rev().find(|placed| placed.it.lane == lane) else {
            return self.begun.get(lane as usize).copied().flatten();
        };
        match last.it.kind {
            Kind::Inner(choice) => Some(Bound { choice, args: last.args }),
            Kind::Happen(_) | Kind::Skip => None,
        }
    }

    /// The placement when the trail was so long.
    fn placement_at(&self, trail: usize) -> Placement {
        let mut placement = self.placement.clone();
        for placed in self.trail[trail..].iter().rev().filter(|placed| placed.it.places()) {
            placement.retreat(self.problem.timeline(), placed.it.lane as usize);
        }
        for lane in 0..self.problem.timeline().lanes.len() {
            let bound = self.binding(&placement, lane as u32, trail);
            placement.bind(lane, bound);
        }
        placement
    }
}

/// Goes from the top of a stack down, frame by frame, without changing the stack.
pub(super) struct Cursor {
    /// The frames below this one were not visited.
    at: usize,
    /// How long the trail was at the frame.
    trail: usize,
    /// The placement of the frame. What its lanes' next events are bound to is found only by [`Cursor::bind`].
    pub placement: Placement,
}

impl Cursor {
    /// Above the top frame.
    pub fn new(stack: &SearchStack<'_, impl Problem>) -> Self {
        Self { at: stack.frames.len(), trail: stack.trail.len(), placement: stack.placement.clone() }
    }

    /// Goes to the next frame below.
    pub fn down(&mut self, stack: &SearchStack<'_, impl Problem>) -> Option<usize> {
        self.at = self.at.checked_sub(1)?;
        let frame = &stack.frames[self.at];
        for placed in stack.trail[frame.trail..self.trail].iter().rev().filter(|placed| placed.it.places()) {
            self.placement.retreat(stack.problem.timeline(), placed.it.lane as usize);
        }
        self.trail = frame.trail;
        Some(self.at)
    }

    /// Finds what a lane's next event is bound to at the frame.
    pub fn bind(&mut self, stack: &SearchStack<'_, impl Problem>, lane: u32) {
        let bound = stack.binding(&self.placement, lane, self.trail);
        self.placement.bind(lane as usize, bound);
    }
}

/// The inner steps in a row after a move.
pub(super) fn inner_after(it: Move, before: u32) -> u32 {
    if it.places() { 0 } else { before + 1 }
}
