//! States of a specification, for tests that look at single steps.

use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;

use omnilink_tla::{Options, Spec, State, TlaError};

use super::corpus::Case;

/// A specification that can be run, with some of its states: initial ones, those near them, and some further away.
pub struct Sample {
    pub name: String,
    pub spec: Spec,
    pub states: Vec<State>,
}

/// `most` states or fewer of a specification, out of the first ones that a breadth-first search finds. Nothing if it cannot
/// be loaded, which other tests compare with TLC.
pub fn sample(case: &Case, most: usize) -> Option<Sample> {
    let options = Options { config: Some(case.cfg.clone()), ..Options::default() };
    let spec = Spec::load(&case.spec, &options).ok()?;
    Some(sample_of(&case.name, spec, most))
}

/// The same for a specification that was loaded.
pub fn sample_of(name: &str, spec: Spec, most: usize) -> Sample {
    const LOOKED_AT: usize = 600;
    let found = reachable(&spec, LOOKED_AT);
    let states = found.iter().step_by(found.len().div_ceil(most).max(1)).cloned().collect();
    Sample { name: name.to_owned(), spec, states }
}

/// The first states that a breadth-first search finds whose successors can be evaluated.
fn reachable(spec: &Spec, most: usize) -> Vec<State> {
    let mut seen = HashSet::new();
    let mut states = Vec::new();
    // Sorted, so that the same states are looked at each time.
    let sorted = |states: HashSet<State>| {
        let mut states = Vec::from_iter(states);
        states.sort_by_key(State::fingerprint);
        states
    };
    let mut queue = VecDeque::from(sorted(initial_states(spec).unwrap_or_default()));
    queue.retain(|state| seen.insert(state.clone()));
    while let Some(state) = queue.pop_front()
        && states.len() < most
    {
        let Ok(next) = next_states(spec, &state) else { continue };
        let inside = |next: &State| matches!(spec.satisfies_constraints(next), Ok(true));
        queue.extend(sorted(next).into_iter().filter(|next| seen.insert(next.clone()) && inside(next)));
        states.push(state);
    }
    states
}

/// All initial states.
pub fn initial_states(spec: &Spec) -> Result<HashSet<State>, Box<TlaError>> {
    let mut found = HashSet::new();
    spec.init_states(&mut |state| {
        found.insert(state);
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

/// All successors of a state, named or not.
pub fn next_states(spec: &Spec, state: &State) -> Result<HashSet<State>, Box<TlaError>> {
    let mut found = HashSet::new();
    spec.next_states(state, &mut |next| {
        found.insert(next);
        ControlFlow::Continue(())
    })?;
    Ok(found)
}
