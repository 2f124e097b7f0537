//! From calls to a verdict.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::Model;
use super::calls::{self, Calls, CallsError, Part};
use super::problem::{Changed, ModelProblem};
use super::rejection::Rejection;
use super::side_by_side::{self, Answer};
use crate::search::{self, Control, Ended, Kind, Limits, Placement, Problem, Progress, Stopped};

/// A part with more configurations than this is checked after the others.
const EASILY: u64 = 1 << 14;
/// Fewer calls are checked before threads have started.
const LONG: u64 = 1 << 12;

/// What came of a check.
#[derive(Debug)]
pub struct Checked<S> {
    /// The answer.
    pub verdict: Verdict<S>,
    /// What it took, all parts together.
    pub progress: Progress,
}

/// The answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum Verdict<S> {
    /// There is an order.
    Accepted(Order<S>),
    /// There is none.
    Rejected(Rejection<S>),
    /// The model contradicts itself: this call changes the state, though [`Model::is_read_only`] says that it never does.
    Contradiction {
        /// Its number.
        call: usize,
    },
    /// The search was stopped.
    Unknown(Stopped),
}

/// An order of the calls that the model allows: one for each part of the object, or one for all calls if the model has no parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order<S> {
    /// Of each part: its calls in the order of their effects.
    pub parts: Vec<Vec<Step<S>>>,
}

/// A call of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step<S> {
    /// Its number.
    pub call: usize,
    /// The state after it; none if it took no effect.
    pub state: Option<S>,
}

impl<S> Order<S> {
    /// The steps of all parts, one part after the other.
    pub fn steps(&self) -> impl Iterator<Item = &Step<S>> {
        self.parts.iter().flatten()
    }
}

/// Whether there is an order of calls that a model allows, searched without limits in this thread.
///
/// # Errors
/// If the calls make no history.
pub fn check<M: Model>(model: &M, calls: &Calls<M::Input, M::Output>) -> Result<Checked<M::State>, CallsError> {
    let interrupt = AtomicBool::new(false);
    let (limits, began) = (Limits::default(), Instant::now());
    check_with(model, calls, &mut Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began })
}

/// The same within limits; `control` also hears how far the search is, and can end it.
///
/// # Errors
/// If the calls make no history.
pub fn check_with<M: Model>(
    model: &M,
    calls: &Calls<M::Input, M::Output>,
    control: &mut Control<'_>,
) -> Result<Checked<M::State>, CallsError> {
    calls::validate(calls.as_slice())?;
    let parts = parts(model, calls);
    let check_nth = |nth: usize, control: &mut Control<'_>| {
        let part = Part::new(model, calls, parts[nth].clone());
        check_part(&ModelProblem { model, calls: calls.as_slice(), part: &part }, control)
    };
    let Limits { threads, parallel_after, configurations, .. } = control.limits;
    let is_long = calls.as_slice().len() as u64 >= parallel_after.min(LONG);
    let check_parts = |nths: &[usize], control: &mut Control<'_>| {
        let check_nth = |at: usize, control: &mut Control<'_>| check_nth(nths[at], control);
        match threads > 1 && nths.len() > 1 && is_long {
            true => side_by_side::check(nths.len(), control, &check_nth),
            false => one_by_one(nths.len(), control, &check_nth),
        }
    };
    let mut progress = Progress::default();
    let mut orders: Vec<Vec<Vec<Step<M::State>>>> = vec![Vec::new(); parts.len()];
    let mut left: Vec<usize> = (0..parts.len()).collect();
    // A part that is hard must not hide that another one has no order: those that are easy are checked first.
    let easily = configurations.map_or(EASILY, |limit| limit.min(EASILY));
    let bounds = if parts.len() > 1 { vec![Some(easily), configurations] } else { vec![configurations] };
    let mut unknown = None;
    for bound in bounds {
        let limits = Limits { configurations: bound, ..control.limits.clone() };
        let Control { interrupt, began, .. } = *control;
        let mut control = Control { interrupt, progress: &mut *control.progress, limits, began };
        let answers = check_parts(&left, &mut control);
        let mut undecided = Vec::new();
        unknown = None;
        for (&nth, (verdict, of_part)) in left.iter().zip(answers) {
            match verdict {
                Verdict::Accepted(order) => orders[nth] = order.parts,
                Verdict::Unknown(stopped) => {
                    undecided.push(nth);
                    unknown.get_or_insert((stopped, of_part));
                    continue;
                }
                verdict => {
                    side_by_side::add(&mut progress, &of_part);
                    return Ok(Checked { verdict, progress });
                }
            }
            side_by_side::add(&mut progress, &of_part);
        }
        left = undecided;
        let is_stopped = unknown.as_ref().is_some_and(|(stopped, _)| *stopped != Stopped::Configurations);
        if left.is_empty() || is_stopped {
            break;
        }
    }
    if let Some((stopped, of_part)) = unknown {
        side_by_side::add(&mut progress, &of_part);
        return Ok(Checked { verdict: Verdict::Unknown(stopped), progress });
    }
    Ok(Checked { verdict: Verdict::Accepted(Order { parts: orders.into_iter().flatten().collect() }), progress })
}

/// Whether no other part is checked after this answer.
pub(super) fn is_last<S>(verdict: &Verdict<S>) -> bool {
    !matches!(verdict, Verdict::Accepted(_) | Verdict::Unknown(Stopped::Configurations))
}

/// The answers of all parts up to the first one that ends the check.
fn one_by_one<S>(
    parts: usize,
    control: &mut Control<'_>,
    check_part: &dyn Fn(usize, &mut Control<'_>) -> Answer<S>,
) -> Vec<Answer<S>> {
    let mut answers = Vec::with_capacity(parts);
    for part in 0..parts {
        let answer = check_part(part, control);
        let is_last = is_last(&answer.0);
        answers.push(answer);
        if is_last {
            break;
        }
    }
    answers
}

/// The calls of each part of the object, in the order in which the parts are first called.
pub(crate) fn parts<M: Model>(model: &M, calls: &Calls<M::Input, M::Output>) -> Vec<Vec<usize>> {
    let mut places = HashMap::new();
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for (nth, call) in calls.as_slice().iter().enumerate() {
        let Some(key) = model.partition(&call.input) else { return vec![(0..calls.as_slice().len()).collect()] };
        let place = *places.entry(key).or_insert_with(|| {
            parts.push(Vec::new());
            parts.len() - 1
        });
        parts[place].push(nth);
    }
    parts
}

fn check_part<M: Model>(problem: &ModelProblem<'_, M>, control: &mut Control<'_>) -> (Verdict<M::State>, Progress) {
    let found = search::run(problem, &[problem.model.init()], control, None);
    let verdict = match (found.ended, found.failures.first) {
        (Ended::Found, _) => Verdict::Accepted(order(problem, &found.order)),
        (Ended::Stopped(stopped), _) => Verdict::Unknown(stopped),
        (_, Some((_, Changed(call)))) => Verdict::Contradiction { call },
        _ => Verdict::Rejected(Rejection::new(problem, found.deepest)),
    };
    (verdict, found.progress)
}

/// The steps of an order that was found.
fn order<M: Model>(problem: &ModelProblem<'_, M>, moves: &[search::Placed]) -> Order<M::State> {
    let mut placement = Placement::start(problem.timeline());
    let mut state = problem.model.init();
    let mut steps = Vec::with_capacity(moves.len());
    for placed in moves {
        let event = problem.next(&placement, placed.it.lane as usize).expect("moves are of events that are left");
        let call = problem.part.calls[event.first_choice as usize];
        let next = problem.replay(placed, &mut placement, &state).ok().flatten();
        state = next.expect("a model gives the same states for the same call again");
        let happened = matches!(placed.it.kind, Kind::Happen(_));
        steps.push(Step { call, state: happened.then(|| state.clone()) });
    }
    Order { parts: vec![steps] }
}
