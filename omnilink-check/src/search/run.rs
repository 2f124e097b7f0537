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

/// Another way to an answer, for a search that has made many moves in vain.
pub(crate) struct Aside<'f, P: Problem> {
    /// After how many.
    pub after: u64,
    /// Asks for the answer.
    pub ask: &'f mut Ask<'f, P>,
}

/// Asks for an answer, given how far the search is; tells also how many configurations that took.
pub(crate) type Ask<'f, P> = dyn FnMut(&mut Control<'_>, &Progress) -> (AsideAnswer<P>, u64) + 'f;

/// Its answer.
pub(crate) enum AsideAnswer<P: Problem> {
    /// An order, from the initial state at this place.
    Order(usize, Vec<Placed>),
    /// There is none; these are the reasons.
    NoOrder(Deepest<P::State, P::Arguments>),
    /// None: the search has to go on.
    None,
}

/// Looks for an order from each of the initial states.
pub(crate) fn run<P: Problem>(
    problem: &P,
    inits: &[P::State],
    control: &mut Control<'_>,
    mut aside: Option<Aside<'_, P>>,
) -> Outcome<P> {
    let helpers = control.limits.threads.saturating_sub(1);
    let pause_at = (helpers > 0).then_some(control.limits.parallel_after);
    let mut search = DepthFirst::new(problem, control);
    search.pause_at = pause_at;
    search.aside_after = aside.as_ref().map(|aside| aside.after);
    let (mut ended, mut init) = (Ended::Exhausted, 0);
    for (nth, state) in inits.iter().enumerate() {
        init = nth;
        ended = search.run(state.clone());
        if ended == Ended::Aside {
            search.aside_after = None;
            let progress = search.progress();
            let (answer, visited) = match aside.take() {
                Some(aside) => (aside.ask)(search.control(), &progress),
                None => (AsideAnswer::None, 0),
            };
            search.count(visited);
            match answer {
                AsideAnswer::Order(from, order) => {
                    (ended, init, search.order) = (Ended::Found, from, order);
                    break;
                }
                AsideAnswer::NoOrder(deepest) => {
                    (ended, search.deepest) = (Ended::Exhausted, deepest);
                    (search.failures, search.limited) = (Failures::default(), false);
                    break;
                }
                AsideAnswer::None => ended = search.go_on(),
            }
        }
        if ended == Ended::Paused {
            ended = go_on(&mut search, helpers);
        }
        if ended != Ended::Exhausted {
            break;
        }
    }
    let progress = search.progress();
    let DepthFirst { order, deepest, failures, limited, .. } = search;
    Outcome { ended, init, order, deepest, failures, limited, progress }
}
