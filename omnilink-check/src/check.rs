//! From a history to a verdict.

use omnilink_tla::{Spec, State, TlaError};

use crate::error::CheckError;
use crate::history::EventRef;
use crate::prepare::Prepared;
use crate::search::{Control, Deepest, DepthFirst, Ended, Placed, Problem, Progress, Stopped};

/// What came of a check.
#[derive(Debug)]
pub struct Checked {
    /// The answer.
    pub verdict: Verdict,
    /// What it took.
    pub progress: Progress,
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
    /// The search was stopped.
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
}

/// Looks for an order of a history's events that a specification allows.
///
/// # Errors
/// If there is no initial state, or if one cannot be found out.
pub fn check(spec: &Spec, prepared: &Prepared, control: &mut Control<'_>) -> Result<Checked, CheckError> {
    let problem = Problem { spec, history: &prepared.history, conditions: &prepared.conditions, use_view: spec.program().view.is_some() };
    let mut inits = Vec::new();
    spec.init_states(&mut |state| {
        if !inits.contains(&state) {
            inits.push(state);
        }
        std::ops::ControlFlow::Continue(())
    })?;
    let mut search = DepthFirst::new(&problem, control);
    let mut ended = Ended::Exhausted;
    let mut from = None;
    for init in inits {
        ended = search.run(init.clone());
        from = Some(init);
        if ended != Ended::Exhausted {
            break;
        }
    }
    let progress = search.progress();
    let stuck = std::mem::take(&mut search.deepest);
    let verdict = match (ended, search.failures.first.take(), from) {
        (Ended::Found, _, Some(init)) => Verdict::Accepted(Order { init, moves: std::mem::take(&mut search.log) }),
        (Ended::Stopped(stopped), ..) => Verdict::Unknown { stopped, stuck },
        (_, Some((event, failure)), _) => Verdict::Failed { error: spec.failed(failure), event, stuck },
        _ if search.limited => Verdict::Unknown { stopped: Stopped::InnerSteps, stuck },
        _ => Verdict::Rejected(stuck),
    };
    Ok(Checked { verdict, progress })
}
