//! A smaller reason for a rejection: a few calls that cannot all have happened, from whatever state could come before them.
//!
//! Three steps, each of which only takes demands away, so that what is left is rejected for reasons of its own:
//!
//! 1. *Cut before* (`cut`). Events are placed breadth first up to a place before the furthest point. That gives all
//!    configurations that orders pass through right after so many events that can change the state, and no others
//!    (`crate::search::Frontier` says why); what came before them is summarised by their states.
//! 2. *Cut after* (`window`). Events that began after a time `t` are dropped, and those still open then need not have
//!    happened: `t` is the earliest for which there is still no order.
//! 3. *Need less* (`window`). Calls are allowed not to have happened, as long as there is still no order then.
//!
//! To remove a call from the reason means to leave open whether it took effect. It is not dropped from the history: the
//! others might then be rejected only because it is gone. More freedom never takes an order away, so a call that was found to
//! be needed stays needed when others are removed later: what is left is needed call by call, which is what
//! [`Core::is_minimal`] says, unless a limit kept that from being found out.

mod cut;
mod window;

use std::collections::HashSet;

use omnilink_budget::catch;
use omnilink_tla::{Spec, State};

use crate::check::{Options, initial_states};
use crate::error::CheckError;
use crate::prepare::Prepared;
use crate::search::{Begun, Configuration, Control, Deepest, SpecProblem, Stopped};
use crate::timeline::EventRef;
use window::Window;

/// A configuration that an order passes through at the cut.
type Start = Configuration<State>;

/// Events that cannot be ordered.
#[derive(Debug, Clone)]
pub struct Core {
    /// How many events are placed before them, at least: those that only read may be placed there or later.
    pub placed: u64,
    /// How many of the events before them can change the state: the same number in every order.
    pub changing: u64,
    /// All states that so many of these, the first of any order, can lead to, and no others.
    pub states: Vec<State>,
    /// The events that cannot all have happened, those first that ended first.
    pub needed: Vec<EventRef>,
    /// Further events at that time, which may have happened or not.
    pub others: Vec<EventRef>,
    /// For each of the needed events there is an order if it need not have happened.
    pub is_minimal: bool,
    /// The furthest configurations of these events alone: a needed event that is the next of its lane and can come next by its
    /// timebox, and the state in which it cannot happen.
    pub blocked: Vec<Blocked>,
}

/// A needed event that cannot happen.
#[derive(Debug, Clone)]
pub struct Blocked {
    /// The event.
    pub event: EventRef,
    /// What its inner steps determine beyond what was recorded.
    pub begun: Option<Begun>,
    /// The state.
    pub state: State,
}

/// Finds a smaller reason for a rejection.
///
/// # Errors
/// Why the search was stopped, or what is wrong with the specification. `None` if something could not be evaluated on the way, so
/// that nothing is known for sure.
pub fn shrink(
    spec: &Spec,
    prepared: &Prepared,
    options: &Options,
    stuck: &Deepest,
    control: &mut Control<'_>,
) -> Result<Result<Option<Core>, Stopped>, CheckError> {
    let found = catch(|| {
        let inits = initial_states(spec)?;
        let problem = SpecProblem::new(spec, prepared, options.honour_constraints);
        Ok(smaller(&problem, &inits, stuck, control))
    });
    found.unwrap_or_else(|exhausted| Ok(Err(exhausted.into())))
}

fn smaller(
    problem: &SpecProblem<'_>,
    inits: &[State],
    stuck: &Deepest,
    control: &mut Control<'_>,
) -> Result<Option<Core>, Stopped> {
    let Some((changing, starts)) = cut::before(problem, inits, stuck, control)? else { return Ok(None) };
    let states: HashSet<State> = starts.iter().map(|start| start.state.clone()).collect();
    let mut states: Vec<State> = states.into_iter().collect();
    states.sort_by_key(State::fingerprint);
    let placed = starts.iter().map(|start| start.placement.placed).min().unwrap_or(0);
    let mut window = Window::new(problem.history, starts);
    window.cut_after(problem, control)?;
    window.need_less(problem, control);
    let blocked = catch(|| window.blocked(problem, control)).unwrap_or_default();
    let (mut needed, others) = window.events();
    needed.sort_by_key(|place| (problem.history.timeline.event(*place).end, *place));
    Ok(Some(Core { placed, changing, states, needed, others, is_minimal: window.is_minimal, blocked }))
}
