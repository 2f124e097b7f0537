//! Several threads on one search.
//!
//! Every thread searches depth first, and all use one memory of configurations: the first to reach a configuration searches
//! from it, and for the others it counts as seen. A thread without work waits at the `work_queue`; the others give away what their lowest
//! frame has left to try, which is likely to be the most. The search is over when no thread has work, or when one has
//! found an order.
//!
//! Most searches are too short for this: other threads join when the first has visited
//! [`Limits::parallel_after`](super::Limits::parallel_after) configurations.

use std::sync::Arc;
use std::thread;

use omnilink_budget::{Budget, on_behalf};
use omnilink_tla::{STACK, with_stack};

use super::control::Control;
use super::depth_first::{DepthFirst, Ended};
use super::problem::Problem;
use super::work_queue::WorkQueue;

/// Continues a search that was [paused](Ended::Paused), with so many more threads, until it ends.
pub(crate) fn go_on<P: Problem>(search: &mut DepthFirst<'_, '_, P>, helpers: usize) -> Ended {
    let queue = Arc::new(WorkQueue::new(helpers + 1, &search.progress()));
    let seen = search.share_seen();
    search.join(&queue, seen.clone());
    let problem = search.problem();
    let control = search.control();
    let (limits, interrupt, began) = (control.limits.clone(), control.interrupt, control.began);
    let help = || {
        let _guard = EndOnPanic(&queue);
        let mut control = Control { interrupt, progress: &mut |_| {}, limits: limits.clone(), began };
        let mut helper = DepthFirst::new(problem, &mut control);
        helper.join(&queue, seen.clone());
        let ended = work(&mut helper, &queue, Ended::Exhausted);
        (ended, helper.into_findings())
    };
    let ended = thread::scope(|scope| {
        let _guard = EndOnPanic(&queue);
        let helper = || with_stack(STACK, help).inspect_err(|_| queue.leave()).ok();
        let start = |_| {
            let budget = Budget::current();
            scope.spawn(move || on_behalf(budget, helper))
        };
        let joined: Vec<_> = (0..helpers).map(start).collect();
        let first = search.go_on();
        let mut ended = work(search, &queue, first);
        for helper in joined {
            let worked = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // A thread for which there was no stack was of no help.
            let Some((theirs, findings)) = worked else { continue };
            search.adopt(findings, theirs == Ended::Found && ended != Ended::Found);
            ended = ended.and(theirs);
        }
        ended
    });
    search.leave();
    ended
}

/// Searches one subtree after the other, until the search is over.
fn work<P: Problem>(search: &mut DepthFirst<'_, '_, P>, queue: &WorkQueue<P::State>, first: Ended) -> Ended {
    let mut ended = first;
    while ended == Ended::Exhausted {
        let own = search.progress();
        let control = search.control();
        let Some(subtree) = queue.take(&mut || (control.progress)(&queue.report(0, &own))) else { break };
        ended = search.run_subtree(subtree);
    }
    if ended != Ended::Exhausted {
        queue.end();
    }
    ended
}

/// Ends the search if a thread panics: the others would wait for it.
struct EndOnPanic<'q, S>(&'q WorkQueue<S>);

impl<S> Drop for EndOnPanic<'_, S> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end();
        }
    }
}

impl Ended {
    /// The answer of two threads together: an order that one has found counts, and what stopped one stopped both.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Found, _) | (_, Self::Found) => Self::Found,
            (Self::Stopped(stopped), _) | (_, Self::Stopped(stopped)) => Self::Stopped(stopped),
            _ => Self::Exhausted,
        }
    }
}
