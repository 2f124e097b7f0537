//! Depth-first search: finds an order quickly where there are many.
//!
//! The loop is that of Wing and Gong (JPDC 1993) with Lowe's memory of configurations (2017), over positions per lane instead of
//! sets of operations. What it adds:
//!
//! - A read-only event is placed as soon as it can happen, without a choice ([`DepthFirst::place_read_only`]).
//! - Of several events that may come next, the one that is needed first is tried first (`crate::order`).
//! - A search that is stuck for a while jumps back (`backjump`).
//! - A search that has made many moves in vain leaves out those that it need not try (`reduction`).

mod check_in;

use std::ops::ControlFlow;
use std::sync::Arc;

use omnilink_budget::catch;

use super::backjump::Backjumping;
use super::control::{Control, Progress, Stopped};
use super::deepest::{DeadEnd, Deepest};
use super::problem::{Problem, Reached};
use super::reduction::Reduction;
use super::seen::{Seen, SharedSeen};
use super::stack::{Branch, Left, SearchStack};
use super::work_queue::{Subtree, WorkQueue};
use super::{ArgumentsId, Failures, Move, Placed, Placement};

/// A search in progress.
pub(crate) struct DepthFirst<'a, 'c, P: Problem> {
    problem: &'a P,
    control: &'a mut Control<'c>,
    stack: SearchStack<'a, P>,
    backjumping: Backjumping,
    reduction: Reduction,
    seen: Seen,
    /// Where it shares its work with other threads.
    queue: Option<Arc<WorkQueue<P::State>>>,
    /// How many configurations there were when it last gave work away, and when it last reported its progress.
    gave: u64,
    reported: u64,
    /// After how many configurations others may join, once nothing else is to be asked for.
    pub pause_at: Option<u64>,
    /// After how many moves that led nowhere something else is to be asked for.
    pub aside_after: Option<u64>,
    /// How many configurations there are when it may be time for that.
    aside_at: u64,
    /// Of `place_read_only`: lanes whose next event cannot happen in the present state.
    refused: Vec<bool>,
    progress: Progress,
    /// The order, once it was found.
    pub order: Vec<Placed>,
    pub deepest: Deepest<P::State, P::Arguments>,
    pub failures: Failures<P::Failure>,
    /// A limit kept something from being tried.
    pub limited: bool,
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// An order was found.
    Found,
    /// Everything was tried.
    Exhausted,
    /// Other threads may join now.
    Paused,
    /// It may be time to ask for an answer in another way.
    Aside,
    /// Another thread has an answer.
    Elsewhere,
    /// It was stopped.
    Stopped(Stopped),
}

/// What a search has found when its part is done.
pub(super) struct Findings<P: Problem> {
    order: Vec<Placed>,
    deepest: Deepest<P::State, P::Arguments>,
    failures: Failures<P::Failure>,
    limited: bool,
    progress: Progress,
}

impl<'a, 'c, P: Problem> DepthFirst<'a, 'c, P> {
    pub fn new(problem: &'a P, control: &'a mut Control<'c>) -> Self {
        let lanes = problem.timeline().lanes.len();
        let backjumping = Backjumping::new(&control.limits);
        let reduction = Reduction::new(problem, &control.limits);
        let events = problem.timeline().lanes.iter().map(|lane| u64::from(lane.required)).sum();
        Self {
            problem,
            control,
            stack: SearchStack::new(problem),
            backjumping,
            reduction,
            seen: Seen::default(),
            queue: None,
            gave: 0,
            reported: 0,
            pause_at: None,
            aside_after: None,
            aside_at: 0,
            refused: vec![false; lanes],
            progress: Progress { events, ..Progress::default() },
            order: Vec::new(),
            deepest: Deepest::default(),
            failures: Failures::default(),
            limited: false,
        }
    }

    /// How far it got.
    pub fn progress(&self) -> Progress {
        Progress { open: self.stack.depth() as u64, ..self.progress }
    }

    /// What it searches.
    pub fn problem(&self) -> &'a P {
        self.problem
    }

    /// Whom it asks whether to stop.
    pub fn control(&mut self) -> &mut Control<'c> {
        self.control
    }

    /// Looks for an order from an initial state.
    pub fn run(&mut self, init: P::State) -> Ended {
        self.run_from(Placement::start(self.problem.timeline()), init)
    }

    /// Looks for an order of the rest, from a configuration.
    pub fn run_from(&mut self, placement: Placement, state: P::State) -> Ended {
        let identity = self.identity_of(&state);
        match self.seen.insert(placement.key_with(identity)) {
            true => self.run_subtree(Subtree { placement, state, inner: 0, moves: Vec::new() }),
            false => Ended::Exhausted,
        }
    }

    /// Looks for an order of the rest, from a configuration that is in the memory already.
    pub(super) fn run_subtree(&mut self, subtree: Subtree<P::State>) -> Ended {
        self.unless_stopped(|search| {
            let Subtree { placement, state, inner, moves } = subtree;
            search.stack.restart(placement, moves);
            let identity = search.identity_of(&state);
            match search.descend(state, identity, inner) {
                Some(ended) => search.ended(ended),
                None => search.search(),
            }
        })
    }

    fn identity_of(&self, state: &P::State) -> u128 {
        let reached = Reached::same(state);
        self.problem.identity(&reached).unwrap_or_else(|_| self.problem.fingerprint(&reached))
    }

    /// Counts configurations that something else has visited in the meantime.
    pub(super) fn count(&mut self, configurations: u64) {
        self.progress.configurations += configurations;
    }

    /// Goes on where it paused.
    pub(super) fn go_on(&mut self) -> Ended {
        self.unless_stopped(Self::search)
    }

    /// Searches until it ends or the thread's budget is used up: that may stop it anywhere inside of an expression. The moves
    /// since the top frame are taken back then, so that it can be reported how far the search got.
    fn unless_stopped(&mut self, search: impl FnOnce(&mut Self) -> Ended) -> Ended {
        catch(|| search(self)).unwrap_or_else(|exhausted| {
            self.stack.undo();
            // Finding the top frame's state again may take what is not left.
            let stopped = Ended::Stopped(exhausted.into());
            catch(|| self.ended(stopped)).unwrap_or(stopped)
        })
    }

    fn search(&mut self) -> Ended {
        loop {
            match self.stack.left() {
                Left::Empty => return Ended::Exhausted,
                Left::Branch => {
                    let (Branch { state, identity, .. }, inner) = self.stack.take_branch();
                    if let Some(ended) = self.descend(state, identity, inner) {
                        return self.ended(ended);
                    }
                }
                Left::Move => self.try_moves(),
                Left::Nothing if self.backjumping.is_due(self.progress.configurations) && self.backjump() => {}
                Left::Nothing => self.ascend(),
            }
        }
    }

    fn backjump(&mut self) -> bool {
        self.backjumping.jump(self.problem, &mut self.stack, &self.progress)
    }

    fn ended(&mut self, ended: Ended) -> Ended {
        match ended {
            Ended::Found => self.order = self.stack.take_moves(),
            Ended::Stopped(_) => self.note_dead_end(),
            Ended::Exhausted | Ended::Paused | Ended::Aside | Ended::Elsewhere => {}
        }
        ended
    }

    /// Tries the top frame's moves until one leads somewhere.
    fn try_moves(&mut self) {
        let problem = self.problem;
        let Self { stack, seen, control, failures, limited, .. } = self;
        stack.expand(|placement, state, it, inner, branches| {
            if !it.places() && inner >= control.limits.inner_steps {
                *limited = true;
            } else if let Err(failure) = add_branches(problem, seen, placement, state, it, branches) {
                failures.note(problem.place(placement, it.lane), failure);
            }
        });
    }

    /// Enters the configuration that the placement and a state make, and which is in the memory already. If read-only events
    /// happen there and lead to one that was seen before, goes back. Tells whether the search ends there.
    fn descend(&mut self, state: P::State, identity: u128, inner: u32) -> Option<Ended> {
        let key = self.stack.placement().key_with(identity);
        self.place_read_only(&state);
        let closed = self.stack.placement().key_with(identity);
        if closed != key && !self.seen.insert(closed) {
            self.stack.undo();
            return None;
        }
        self.progress.configurations += 1;
        self.progress.placed = self.progress.placed.max(self.stack.placement().placed);
        let problem = self.problem;
        let Self { stack, backjumping, reduction, progress, deepest, .. } = self;
        let last = stack.last_move();
        stack.push(state, inner, |placement, state, moves| {
            if backjumping.has_hints() {
                backjumping.apply_hints(placement, last, moves.as_mut_slice());
            }
            if reduction.is_due(progress) {
                reduction.apply(problem, placement, state, moves, deepest);
            }
        });
        if self.stack.placement().is_complete() { Some(Ended::Found) } else { self.check_in() }
    }

    /// Leaves the top frame: none of its moves leads to an order.
    fn ascend(&mut self) {
        if !self.stack.resume() {
            self.note_dead_end();
            self.stack.pop();
        }
    }

    /// Places all read-only events that can happen. No other order of them is worth a try: they change nothing, and each
    /// that is placed can only let more events come next.
    fn place_read_only(&mut self, state: &P::State) {
        if !self.stack.placement().has_observers() {
            return;
        }
        self.refused.fill(false);
        loop {
            let earliest = self.stack.placement().earliest_end();
            let mut changed = false;
            for lane in 0..self.refused.len() {
                let placement = self.stack.placement();
                if self.refused[lane] || !placement.observes_by(lane, earliest) {
                    continue;
                }
                match self.problem.observe(placement, lane, state) {
                    Ok(Some(kind)) => {
                        let it = Move { lane: lane as u32, kind };
                        self.stack.make(it, Placed::SAME_STATE, ArgumentsId::AS_RECORDED);
                        changed = true;
                    }
                    Ok(None) => self.refused[lane] = true,
                    Err(failure) => {
                        self.refused[lane] = true;
                        self.failures.note(self.problem.place(placement, lane as u32), failure);
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn note_dead_end(&mut self) {
        let problem = self.problem;
        let Self { stack, backjumping, deepest, .. } = self;
        let placed = stack.placement().placed;
        if stack.depth() == 0 || !deepest.concerns(placed) {
            return;
        }
        if placed > deepest.placed || !backjumping.has_obstacle() {
            backjumping.note_obstacle(problem, stack.placement());
        }
        let state = stack.state(stack.depth() - 1).clone();
        deepest.note(placed, || {
            let positions = stack.placement().positions().to_vec();
            let (before, path) = stack.path_to_top();
            DeadEnd { positions, begun: problem.begun(stack.placement()), state, before, path }
        });
    }

    /// Its memory of configurations, made one that several threads can use.
    pub(super) fn share_seen(&mut self) -> SharedSeen {
        self.seen.share()
    }

    /// Shares its work from now on.
    pub(super) fn join(&mut self, queue: &Arc<WorkQueue<P::State>>, seen: SharedSeen) {
        self.seen = Seen::Shared(seen);
        self.reported = self.progress.configurations;
        self.queue = Some(Arc::clone(queue));
    }

    /// Shares its work no longer.
    pub(super) fn leave(&mut self) {
        self.queue = None;
    }

    pub(super) fn into_findings(self) -> Findings<P> {
        let progress = self.progress();
        Findings { order: self.order, deepest: self.deepest, failures: self.failures, limited: self.limited, progress }
    }

    /// Adds what another search has found, and takes its order for the answer.
    pub(super) fn adopt(&mut self, theirs: Findings<P>, takes_order: bool) {
        if takes_order {
            self.order = theirs.order;
        }
        self.progress.configurations += theirs.progress.configurations;
        self.progress.placed = self.progress.placed.max(theirs.progress.placed);
        self.deepest.merge(theirs.deepest);
        self.failures.merge(theirs.failures);
        self.limited |= theirs.limited;
    }
}

/// Adds the states that a move leads to, as far as their configurations were not seen.
#[inline]
fn add_branches<P: Problem>(
    problem: &P,
    seen: &mut Seen,
    placement: &Placement,
    state: &P::State,
    it: Move,
    branches: &mut Vec<Branch<P::State>>,
) -> Result<(), P::Failure> {
    let (mut nth, mut failed) = (0, None);
    let steps = problem.successors(placement, state, it, |reached| {
        match problem.identity(&reached) {
            Ok(identity) => {
                let args = reached.arguments();
                if seen.insert(placement.key_after(problem.timeline(), it, args, identity)) {
                    branches.push(Branch { nth, state: reached.into_state(), identity, args });
                }
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
