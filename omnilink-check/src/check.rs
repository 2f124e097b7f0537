//! From a history to a verdict.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use omnilink_budget::catch;
use omnilink_tla::{Spec, State, TlaError};

use crate::error::CheckError;
use crate::parts::{self, Decision, Partition};
use crate::prepare::Prepared;
use crate::search::{
    ArgumentTable, Aside, AsideAnswer, Control, Deepest, Ended, Outcome, Placed, Progress, SpecProblem, Stopped, run,
};
use crate::timeline::EventRef;

/// What came of a check.
#[derive(Debug)]
pub struct Checked {
    /// The answer.
    pub verdict: Verdict,
    /// What it took.
    pub progress: Progress,
    /// The independent parts that gave the answer, if it was not the whole.
    pub parts: Option<Parts>,
}

/// Independent parts of a history, one by one: see `crate::parts`.
#[derive(Debug)]
pub struct Parts {
    /// How many there are.
    pub count: usize,
    /// The one that was rejected, if one was.
    pub rejected: Option<Box<RejectedPart>>,
}

/// A part that has no order. The verdict's dead ends are about it.
#[derive(Debug)]
pub struct RejectedPart {
    /// Its events as a trace of their own.
    pub prepared: Prepared,
    /// What they have in common, as TLA+: `kv[3]`; some of it, if it is much.
    pub touches: Vec<String>,
}

impl Checked {
    /// What the verdict's dead ends are about, given the whole trace.
    pub fn subject<'a>(&'a self, whole: &'a Prepared) -> &'a Prepared {
        let rejected = self.parts.as_ref().and_then(|parts| parts.rejected.as_ref());
        rejected.map_or(whole, |part| &part.prepared)
    }
}

/// The answer.
#[derive(Debug)]
pub enum Verdict {
    /// There is an order.
    Accepted(Order),
    /// There is none.
    Rejected(Deepest),
    /// None was found, but where something could not be evaluated there might be one.
    Failed {
        /// What could not be evaluated.
        error: Box<TlaError>,
        /// For which event.
        event: EventRef,
        /// How far the others got.
        stuck: Deepest,
    },
    /// The search was stopped, or its answer is not one: see [`Stopped::Inferred`].
    Unknown {
        /// Why.
        stopped: Stopped,
        /// How far it had got.
        stuck: Deepest,
    },
}

/// An order of the events.
#[derive(Debug)]
pub struct Order {
    pub(crate) init: State,
    pub(crate) moves: Vec<Placed>,
    pub(crate) honours_constraints: bool,
    /// What its inner steps determine about arguments that were not recorded.
    pub(crate) arguments: Arc<ArgumentTable>,
    /// How often something could not be evaluated on the way to it.
    pub failures: u64,
}

/// Looks for an order of a history's events that a specification allows.
///
/// If the specification has a `VIEW`, states that look alike count as one. That can only lose orders, so if none is found the
/// search is repeated without it.
///
/// It obeys the limits of `control` and the budget of this thread, which counts also inside of the specification's expressions.
///
/// # Errors
/// If there is no initial state, or if one cannot be found out.
pub fn check(
    spec: &Spec,
    prepared: &Prepared,
    options: &Options,
    control: &mut Control<'_>,
) -> Result<Checked, CheckError> {
    catch(|| within_budget(spec, prepared, options, control)).unwrap_or_else(|exhausted| {
        // It was stopped before the search began.
        let verdict = Verdict::Unknown { stopped: exhausted.into(), stuck: Deepest::default() };
        Ok(Checked { verdict, progress: Progress::default(), parts: None })
    })
}

fn within_budget(
    spec: &Spec,
    prepared: &Prepared,
    options: &Options,
    control: &mut Control<'_>,
) -> Result<Checked, CheckError> {
    let inits = initial_states(spec)?;
    let mut problem = SpecProblem::new(spec, prepared, options.honour_constraints);
    problem.use_view = spec.program().view.is_some();
    // Without time, orders of parts hardly ever agree.
    let partition = options.partition && prepared.timed.is_none();
    let checked = search(&problem, &inits, control, partition.then_some(prepared));
    if !problem.use_view || matches!(checked.verdict, Verdict::Accepted(_) | Verdict::Unknown { .. }) {
        return Ok(checked);
    }
    problem.use_view = false;
    let mut again = search(&problem, &inits, control, partition.then_some(prepared));
    again.progress.configurations += checked.progress.configurations;
    Ok(again)
}

/// The initial states, each once.
pub(crate) fn initial_states(spec: &Spec) -> Result<Vec<State>, CheckError> {
    let (mut inits, mut known) = (Vec::new(), HashSet::new());
    spec.init_states(&mut |state| {
        if known.insert(state.clone()) {
            inits.push(state);
        }
        ControlFlow::Continue(())
    })?;
    if inits.is_empty() { Err(CheckError::NoInitialState) } else { Ok(inits) }
}

/// How to check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// `CONSTRAINT` and `ACTION_CONSTRAINT` of the configuration count. They are meant for exploring, and cut behaviours off.
    pub honour_constraints: bool,
    /// Independent parts of a history are checked one by one where the search for an order of the whole takes long.
    pub partition: bool,
}

/// Looks for an order, in parts of the trace, too, if it is given.
fn search(
    problem: &SpecProblem<'_>,
    inits: &[State],
    control: &mut Control<'_>,
    divisible: Option<&Prepared>,
) -> Checked {
    let mut parts = None;
    let ask = &mut |control: &mut Control<'_>, so_far: &Progress| {
        let Some((whole, partition)) = divisible.zip(Partition::of(problem)) else { return (AsideAnswer::None, 0) };
        let count = partition.parts.len();
        let (decision, visited) = parts::decide(problem, partition, inits, control, so_far);
        let answer = match decision {
            Decision::Order(init, order) => {
                parts = Some(Parts { count, rejected: None });
                AsideAnswer::Order(init, order)
            }
            Decision::NoOrder(part, deepest) => {
                let prepared = Prepared { history: part.history, notes: whole.notes.clone(), ..Prepared::default() };
                let rejected = RejectedPart { prepared, touches: part.touches };
                parts = Some(Parts { count, rejected: Some(Box::new(rejected)) });
                AsideAnswer::NoOrder(deepest)
            }
            Decision::Nothing => AsideAnswer::None,
        };
        (answer, visited)
    };
    let after = control.limits.partition_after;
    let aside = divisible.is_some().then_some(Aside { after, ask });
    let Outcome { ended, init, order: moves, deepest: stuck, failures, limited, progress } =
        run(problem, inits, control, aside);
    let verdict = match (ended, failures.first) {
        (Ended::Found, _) => Verdict::Accepted(Order {
            init: inits[init].clone(),
            moves,
            honours_constraints: problem.honour_constraints,
            arguments: problem.arguments(),
            failures: failures.count,
        }),
        (Ended::Stopped(stopped), _) => Verdict::Unknown { stopped, stuck },
        (_, Some((event, failure))) => Verdict::Failed { error: problem.spec.failed(failure), event, stuck },
        _ if limited => Verdict::Unknown { stopped: Stopped::InnerSteps, stuck },
        _ => Verdict::Rejected(stuck),
    };
    Checked { verdict, progress, parts }
}
