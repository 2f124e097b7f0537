//! Checking parts one by one.

use omnilink_tla::State;

use super::{Part, Partition, merge};
use crate::search::{Control, Deepest, Ended, Limits, Outcome, Placed, Progress, SpecProblem, Stopped, run};

/// From how many initial states parts are checked.
const MOST_INITS: usize = 64;
/// How many configurations a part may take in the first round besides some for each of its events, and how many times as many
/// in each further one.
const FIRST: u64 = 1 << 12;
const FACTOR: u64 = 8;

/// What parts say about the whole.
pub(crate) enum Decision {
    /// There is an order, from the initial state at this place.
    Order(usize, Vec<Placed>),
    /// There is none, since a part has none.
    NoOrder(Box<Part>, Deepest),
    /// Nothing.
    Nothing,
}

/// A part that is being checked.
struct Open<'p> {
    part: &'p Part,
    problem: SpecProblem<'p>,
    /// Its orders, by the initial state that they begin in.
    orders: Vec<Option<Vec<Placed>>>,
    /// From these initial states there is none.
    refused: Vec<bool>,
    deepest: Deepest,
}

/// What is known after a search.
enum Step {
    Known,
    /// A limit of the round was reached.
    Later,
    /// Something could not be evaluated, or was left out.
    Unsure,
    /// All has to stop.
    Stop,
}

/// Checks the parts; tells also how many configurations that took.
pub(crate) fn decide(
    problem: &SpecProblem<'_>,
    partition: Partition,
    inits: &[State],
    control: &mut Control<'_>,
    so_far: &Progress,
) -> (Decision, u64) {
    let mut visited = 0;
    if inits.len() > MOST_INITS {
        return (Decision::Nothing, visited);
    }
    let mut parts: Vec<Open<'_>> = partition.parts.iter().map(|part| Open::new(problem, part, inits.len())).collect();
    // The initial states from which no part was rejected so far.
    let mut alive = vec![true; inits.len()];
    let mut is_unsure = false;
    let mut waiting: Vec<usize> = (0..parts.len()).collect();
    let mut round = 0;
    let mut rejected = None;
    'rounds: while !waiting.is_empty() {
        let mut later = Vec::new();
        for at in waiting {
            let part = &mut parts[at];
            let mut waits = false;
            for (nth, init) in inits.iter().enumerate() {
                if !alive[nth] || part.orders[nth].is_some() {
                    continue;
                }
                match part.search(nth, init, round, control, so_far, &mut visited) {
                    Step::Known => alive[nth] &= part.orders[nth].is_some(),
                    Step::Later => waits = true,
                    Step::Unsure => is_unsure = true,
                    Step::Stop => return (Decision::Nothing, visited),
                }
            }
            if alive.iter().all(|alive| !alive) {
                rejected = Some(at);
                break 'rounds;
            }
            if waits {
                later.push(at);
            }
        }
        (waiting, round) = (later, round + 1);
    }
    let Some(at) = rejected else {
        if is_unsure {
            return (Decision::Nothing, visited);
        }
        for (nth, init) in inits.iter().enumerate().filter(|(nth, _)| alive[*nth]) {
            let orders: Vec<(&Part, &[Placed])> =
                parts.iter().filter_map(|open| Some((open.part, open.orders[nth].as_deref()?))).collect();
            debug_assert_eq!(orders.len(), parts.len(), "every part has an order from a state that is left");
            if let Some(order) = merge::merge(problem, init, &orders) {
                return (Decision::Order(nth, order), visited);
            }
        }
        return (Decision::Nothing, visited);
    };
    // The part that was rejected from the last of the initial states: is it from all of them?
    let part = &mut parts[at];
    for (nth, init) in inits.iter().enumerate() {
        if !part.refused[nth] {
            let known = part.search(nth, init, round, control, so_far, &mut visited);
            if !matches!(known, Step::Known) || !part.refused[nth] {
                return (Decision::Nothing, visited);
            }
        }
    }
    let deepest = std::mem::take(&mut part.deepest);
    drop(parts);
    let part = partition.parts.into_iter().nth(at).expect("the part was checked");
    (Decision::NoOrder(Box::new(part), deepest), visited)
}

impl<'p> Open<'p> {
    fn new(problem: &'p SpecProblem<'_>, part: &'p Part, inits: usize) -> Self {
        Self {
            part,
            problem: problem.with_history(&part.history),
            orders: (0..inits).map(|_| None).collect(),
            refused: vec![false; inits],
            deepest: Deepest::default(),
        }
    }

    /// Searches for an order of the part from an initial state.
    fn search(
        &mut self,
        nth: usize,
        init: &State,
        round: u32,
        control: &mut Control<'_>,
        so_far: &Progress,
        visited: &mut u64,
    ) -> Step {
        let before = so_far.configurations + *visited;
        let most = (FIRST + 4 * self.part.history.timeline.len() as u64).saturating_mul(FACTOR.saturating_pow(round));
        let left = control.limits.configurations.map_or(u64::MAX, |limit| limit.saturating_sub(before));
        let limits = Limits { configurations: Some(most.min(left)), ..control.limits.clone() };
        let (interrupt, began) = (control.interrupt, control.began);
        let progress = &mut |at: &Progress| {
            let configurations = before + at.configurations;
            (control.progress)(&Progress { configurations, open: at.open, ..*so_far });
        };
        let mut control = Control { interrupt, progress, limits, began };
        let Outcome { ended, order, deepest, failures, limited, progress, .. } =
            run(&self.problem, std::slice::from_ref(init), &mut control, None);
        *visited += progress.configurations;
        match ended {
            Ended::Found => self.orders[nth] = Some(order),
            Ended::Stopped(Stopped::Configurations) if most < left => return Step::Later,
            Ended::Exhausted if failures.count > 0 || limited => return Step::Unsure,
            Ended::Exhausted => {
                self.refused[nth] = true;
                self.deepest.merge(deepest);
            }
            Ended::Stopped(_) | Ended::Paused | Ended::Aside | Ended::Elsewhere => return Step::Stop,
        }
        Step::Known
    }
}
