//! The behaviour that leads to a state, found again by running from an initial state along known fingerprints.

use std::ops::ControlFlow;

use super::seen::{Index, Seen};
use super::symmetry::Identity;
use crate::diagnostic::TlaError;
use crate::spec::{ActionId, Spec, State};
use crate::value::{Fingerprint, Value};

/// One state on the way, and the step that led to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TraceStep {
    /// The state.
    pub state: State,
    /// The action and its arguments; none for the initial state and for parts of `Next` without a name.
    pub action: Option<(ActionId, Vec<Option<Value>>)>,
}

/// The states on the way to `to`, and `last`, if it is given, as a step from it.
pub(super) fn find(
    spec: &Spec,
    identity: &mut Identity<'_>,
    seen: &Seen,
    to: Option<Index>,
    last: Option<State>,
) -> Result<Vec<TraceStep>, Box<TlaError>> {
    let mut steps: Vec<TraceStep> = Vec::new();
    for fingerprint in to.map(|to| seen.way_to(to)).unwrap_or_default() {
        let from = steps.last().map(|step| &step.state);
        let Some(state) = find_state(spec, identity, from, fingerprint)? else { break };
        let step = named(spec, from, state);
        steps.push(step);
    }
    if let Some(last) = last {
        let step = named(spec, steps.last().map(|step| &step.state), last);
        steps.push(step);
    }
    Ok(steps)
}

/// The first successor (or initial state) inside of the constraints with a fingerprint: the one that the search entered.
fn find_state(
    spec: &Spec,
    identity: &mut Identity<'_>,
    from: Option<&State>,
    fingerprint: Fingerprint,
) -> Result<Option<State>, Box<TlaError>> {
    let mut found = None;
    let mut failed = None;
    let mut is_it = |state: &State| -> Result<bool, Box<TlaError>> {
        Ok(identity.fingerprint(state)? == fingerprint
            && spec.satisfies_constraints(state)?
            && from.map_or(Ok(true), |from| spec.satisfies_action_constraints(from, state))?)
    };
    let mut visit = |state: State| match is_it(&state) {
        Ok(false) => ControlFlow::Continue(()),
        Ok(true) => {
            found = Some(state);
            ControlFlow::Break(())
        }
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    };
    match from {
        Some(from) => spec.next_states(from, &mut visit)?,
        None => spec.init_states(&mut visit)?,
    }
    failed.map_or(Ok(found), Err)
}

/// A state with the action that leads to it.
fn named(spec: &Spec, from: Option<&State>, state: State) -> TraceStep {
    let action = from.and_then(|from| spec.action_between(from, &state));
    TraceStep { state, action }
}
