//! What a search does once per configuration besides searching: it obeys limits, reports its progress, and gives work away to
//! threads that have none.

use std::sync::Arc;

use super::{Branch, DepthFirst, Ended, Placed, Problem, Subtree, WorkQueue, add_branches};
use crate::search::control::{Control, Progress, Stopped};
use crate::search::stack::inner_after;

impl<P: Problem> DepthFirst<'_, '_, P> {
    /// How many moves may be taken back to give work away, for every configuration visited since the last time.
    const EFFORT: u64 = 8;

    /// Called for every configuration. Tells whether the search ends.
    pub(super) fn check_in(&mut self) -> Option<Ended> {
        self.progress.open = self.stack.depth() as u64;
        let Some(queue) = &self.queue else {
            if let Some(after) = self.aside_after {
                if self.progress.configurations >= self.aside_at && self.is_in_vain(after) {
                    return Some(Ended::Aside);
                }
            } else if self.pause_at.is_some_and(|pause_at| self.progress.configurations >= pause_at) {
                return Some(Ended::Paused);
            }
            let progress = self.progress;
            return self.ask_control(|control, bytes| control.check(&progress, bytes));
        };
        if !self.progress.configurations.is_multiple_of(Control::PERIOD) && !queue.needs_work() {
            return None;
        }
        let queue = Arc::clone(queue);
        if queue.needs_work() {
            self.give_work(&queue);
        }
        if queue.is_over() {
            return Some(Ended::Elsewhere);
        }
        let visited = self.progress.configurations - self.reported;
        if visited < Control::PERIOD {
            return None;
        }
        self.reported = self.progress.configurations;
        let total = queue.report(visited, &self.progress);
        self.ask_control(|control, bytes| control.ask(&total, bytes))
    }

    /// Whether so many moves, and some more for a long history, have led nowhere. If not, notes when to ask again.
    fn is_in_vain(&mut self, after: u64) -> bool {
        let Progress { placed, configurations, events, .. } = self.progress;
        let enough = after.saturating_add(events / 16);
        let missing = enough.saturating_sub(configurations.saturating_sub(placed + placed / 4));
        self.aside_at = configurations + missing;
        missing == 0
    }

    fn ask_control(
        &mut self,
        ask: impl FnOnce(&mut Control<'_>, &dyn Fn() -> usize) -> Result<(), Stopped>,
    ) -> Option<Ended> {
        let bytes = || self.seen.bytes() + self.stack.bytes();
        ask(self.control, &bytes).err().map(Ended::Stopped)
    }

    /// Gives away the subtrees of one move that the lowest frame has left.
    fn give_work(&mut self, queue: &WorkQueue<P::State>) {
        let Some(at) = self.stack.oldest_open() else { return };
        let visited = self.progress.configurations - self.gave;
        if visited * Self::EFFORT < self.stack.moves_since(at) as u64 {
            return;
        }
        self.gave = self.progress.configurations;
        let (it, inner) = self.stack.give_away_move(at);
        if !it.places() && inner >= self.control.limits.inner_steps {
            self.limited = true;
            return;
        }
        let (placement, state) = self.stack.configuration(at);
        let mut branches = Vec::new();
        let added = add_branches(self.problem, &mut self.seen, &placement, &state, it, &mut branches);
        if let Err(failure) = added {
            self.failures.note(self.problem.place(&placement, it.lane), failure);
        }
        let subtree = |Branch { nth, state, args, .. }| {
            let mut placement = placement.clone();
            placement.make(self.problem.timeline(), it, args);
            let moves = self.stack.moves_to(at).chain([Placed { it, branch: nth, args }]).collect();
            Subtree { placement, state, inner: inner_after(it, inner), moves }
        };
        queue.give(branches.into_iter().map(subtree).collect());
    }
}
