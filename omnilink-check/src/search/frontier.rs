//! Breadth first: all configurations that orders can pass through, one level after the other.
//!
//! A level is all configurations with so many events placed; only one is held at a time. This is the exact set of what is
//! possible at some point of a trace, which a depth-first search never has in hand.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use omnilink_tla::State;

use super::control::{Control, Progress, Stopped};
use super::moves::{Problem, Reached};
use super::{Move, Placement};

/// A configuration.
#[derive(Clone)]
pub(crate) struct Configuration {
    pub placement: Placement,
    pub state: State,
    /// Inner steps in a row up to here.
    inner: u32,
}

/// The levels that are still to be looked at.
pub(crate) struct Frontier<'a> {
    problem: &'a Problem<'a>,
    levels: BTreeMap<u64, HashMap<u128, Configuration>>,
    /// A limit, or something that could not be evaluated, kept configurations out.
    pub is_partial: bool,
    progress: Progress,
}

impl<'a> Frontier<'a> {
    /// The initial states.
    pub fn new(problem: &'a Problem<'a>, inits: &[State]) -> Self {
        let mut frontier = Self { problem, levels: BTreeMap::new(), is_partial: false, progress: Progress::default() };
        for init in inits {
            let placement = Placement::start(problem.history);
            frontier.enter(Configuration { placement, state: init.clone(), inner: 0 });
        }
        frontier
    }

    /// Goes on until at least so many events are placed everywhere: the configurations that every order passes through next.
    pub fn advance_to(&mut self, placed: u64, control: &mut Control<'_>) -> Result<Vec<&Configuration>, Stopped> {
        while let Some(level) = self.levels.first_entry().filter(|level| *level.key() < placed) {
            let (placed, level) = level.remove_entry();
            self.expand(placed, level, control)?;
        }
        Ok(self.levels.values().flat_map(HashMap::values).collect())
    }

    fn expand(
        &mut self,
        placed: u64,
        level: HashMap<u128, Configuration>,
        control: &mut Control<'_>,
    ) -> Result<(), Stopped> {
        let mut seen: std::collections::HashSet<u128> = level.keys().copied().collect();
        let mut open: Vec<Configuration> = level.into_values().collect();
        let mut moves = Vec::new();
        while let Some(configuration) = open.pop() {
            self.progress = Progress {
                placed,
                configurations: self.progress.configurations + 1,
                open: open.len() as u64,
                ..self.progress
            };
            control.check(&self.progress, || 0)?;
            moves.clear();
            self.problem.moves(&configuration.placement, &mut moves);
            for &it in &moves {
                for next in self.successors(&configuration, it, control.limits.inner_steps) {
                    if next.placement.placed > placed {
                        self.enter(next);
                    } else if seen.insert(next.placement.key_with(next.state.fingerprint().0)) {
                        open.push(next);
                    }
                }
            }
        }
        Ok(())
    }

    fn successors(&mut self, from: &Configuration, it: Move, limit: u32) -> Vec<Configuration> {
        if !it.places() && from.inner >= limit {
            self.is_partial = true;
            return Vec::new();
        }
        let mut found = Vec::new();
        let steps = self.problem.successors(&from.placement, &from.state, it, |reached: Reached<'_>| {
            found.push(reached.state());
            ControlFlow::Continue(())
        });
        self.is_partial |= steps.is_err();
        let mut placement = from.placement.clone();
        placement.make(self.problem.history, it);
        let inner = if it.places() { 0 } else { from.inner + 1 };
        found.into_iter().map(|state| Configuration { placement: placement.clone(), state, inner }).collect()
    }

    /// Adds a configuration, after the read-only events that can happen in it have.
    fn enter(&mut self, mut configuration: Configuration) {
        let Configuration { placement, state, .. } = &mut configuration;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            let viable: Vec<usize> = placement.viable().collect();
            for lane in viable {
                if !self.problem.next(placement, lane).is_some_and(|event| event.read_only) {
                    continue;
                }
                match self.problem.observe(placement, lane, state) {
                    Ok(Some(_)) => {
                        placement.advance(self.problem.history, lane);
                        changed = true;
                    }
                    Ok(None) => {}
                    Err(_) => self.is_partial = true,
                }
            }
        }
        let key = placement.key_with(state.fingerprint().0);
        self.levels.entry(placement.placed).or_default().entry(key).or_insert(configuration);
    }
}
