//! A whole search: from every initial state, with helping threads where it takes long.

use super::parallel::go_on;
use super::{Control, Deepest, DepthFirst, Ended, Failures, Placed, Problem, Progress};

/// What came of it.
pub(crate) struct Outcome<P: Problem> {
    pub ended: Ended,
    /// The initial state that was searched last, as a place in the list.
    pub init: usize,
    /// The order, if one was found.
    pub order: Vec<Placed>,
    pub deepest: Deepest<P::State, P::Arguments>,
    pub failures: Failures<P::Failure>,
    /// A limit kept something from being tried.
    pub limited: bool,
    pub progress: Progress,
}

/// Looks for an order from each of the initial states.
pub(crate) fn run<P: Problem>(problem: &P, inits: &[P::State], control: &mut Control<'_>) -> Outcome<P> {
    let helpers = control.limits.threads.saturating_sub(1);
    let pause_at = (helpers > 0).then_some(control.limits.parallel_after);
    let mut search = DepthFirst::new(problem, control);
    search.pause_at = pause_at;
    let (mut ended, mut init) = (Ended::Exhausted, 0);
    for (nth, state) in inits.iter().enumerate() {
        ended = search.run(state.clone());
        if ended == Ended::Paused {
            ended = go_on(&mut search, helpers);
        }
        init = nth;
        if ended != Ended::Exhausted {
            break;
        }
    }
    let progress = search.progress();
    let DepthFirst { order, deepest, failures, limited, .. } = search;
    Outcome { ended, init, order, deepest, failures, limited, progress }
}
