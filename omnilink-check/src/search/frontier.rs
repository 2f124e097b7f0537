//! Breadth first: all configurations that orders can pass through, one level after the other.
//!
//! A *changing* event is one that is not read-only. Level `n` is all configurations right after the `n`th changing event was
//! placed, whichever it was, and after the read-only events that can happen then. Only one level is held at a time.
//!
//! **Why a level is exact.** Take any order, as far as its `n`th changing event, that the boxes and the specification allow.
//!
//! - *It is found.* Move every read-only event in it forward to the first place where it can happen: where its box allows it
//!   and it is true of the state. It changes no state, and what is placed lets others come next, never keeps them from it;
//!   so what is left is such an order again, with the same changing events and inner steps, hence the same states. That is
//!   how configurations are made here: after *every* move, also one that is an inner step, all read-only events that can
//!   happen do (`place_read_only`). A read that is true only between two inner steps is placed there or never.
//! - *Nothing else is found.* Every move is one that the boxes and the specification allow.
//!
//! So the states of level `n` are those that the first `n` changing events can lead to, in whatever order, all of them and no
//! others, wherever read-only events are put. How many events of all kinds were placed is *not* the same in all these orders:
//! a claim about "the first `n` events" has to count changing ones.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use super::control::{Control, Progress, Stopped};
use super::problem::{Problem, Reached};
use super::{Move, Placement};

/// A configuration.
#[derive(Clone)]
pub(crate) struct Configuration<S> {
    pub placement: Placement,
    pub state: S,
    /// Inner steps in a row up to here.
    inner: u32,
}

type Level<S> = HashMap<u128, Configuration<S>>;

/// The level that was reached.
pub(crate) struct Frontier<'a, P: Problem> {
    problem: &'a P,
    /// How many changing events are placed in it.
    changing: u64,
    level: Level<P::State>,
    /// A limit, or something that could not be evaluated, kept configurations out.
    pub is_partial: bool,
    progress: Progress,
}

impl<'a, P: Problem> Frontier<'a, P> {
    /// The initial states.
    pub fn new(problem: &'a P, inits: &[P::State]) -> Self {
        let (level, progress) = (Level::new(), Progress::default());
        let mut frontier = Self { problem, changing: 0, level, is_partial: false, progress };
        for init in inits {
            let placement = Placement::start(problem.timeline());
            let start = Configuration { placement, state: init.clone(), inner: 0 };
            let (key, start) = frontier.place_read_only(start);
            frontier.level.insert(key, start);
        }
        frontier
    }

    /// Goes on to the level of so many changing events: all its configurations.
    pub fn advance_to(
        &mut self,
        changing: u64,
        control: &mut Control<'_>,
    ) -> Result<Vec<&Configuration<P::State>>, Stopped> {
        while self.changing < changing && !self.level.is_empty() {
            self.level = self.expand(control)?;
            self.changing += 1;
        }
        Ok(self.level.values().collect())
    }

    /// The next level.
    fn expand(&mut self, control: &mut Control<'_>) -> Result<Level<P::State>, Stopped> {
        let level = std::mem::take(&mut self.level);
        let mut next = Level::new();
        let mut seen: HashSet<u128> = level.keys().copied().collect();
        let mut open: Vec<Configuration<P::State>> = level.into_values().collect();
        let mut moves = Vec::new();
        while let Some(configuration) = open.pop() {
            self.progress = Progress {
                placed: self.progress.placed.max(configuration.placement.placed),
                configurations: self.progress.configurations + 1,
                open: open.len() as u64,
                ..self.progress
            };
            control.check(&self.progress, || 0)?;
            moves.clear();
            self.problem.moves(&configuration.placement, &mut moves);
            for &it in &moves {
                let changes = it.places() && !self.is_read_only(&configuration.placement, it.lane);
                for (key, found) in self.successors(&configuration, it, control.limits.inner_steps) {
                    if changes {
                        next.entry(key).or_insert(found);
                    } else if seen.insert(key) {
                        open.push(found);
                    }
                }
            }
        }
        Ok(next)
    }

    /// Where a move leads, after the read-only events that can happen there.
    fn successors(
        &mut self,
        from: &Configuration<P::State>,
        it: Move,
        limit: u32,
    ) -> Vec<(u128, Configuration<P::State>)> {
        if !it.places() && from.inner >= limit {
            self.is_partial = true;
            return Vec::new();
        }
        let inner = if it.places() { 0 } else { from.inner + 1 };
        let mut found = Vec::new();
        let steps = self.problem.successors(&from.placement, &from.state, it, |reached| {
            let mut placement = from.placement.clone();
            placement.make(self.problem.timeline(), it, reached.arguments());
            found.push(Configuration { placement, state: reached.into_state(), inner });
            ControlFlow::Continue(())
        });
        self.is_partial |= steps.is_err();
        found.into_iter().map(|configuration| self.place_read_only(configuration)).collect()
    }

    /// Places all read-only events that can happen. Tells the key of the configuration that this leads to.
    fn place_read_only(&mut self, mut configuration: Configuration<P::State>) -> (u128, Configuration<P::State>) {
        let Configuration { placement, state, .. } = &mut configuration;
        let mut changed = placement.has_observers();
        while std::mem::take(&mut changed) {
            let viable: Vec<usize> = placement.viable().collect();
            for lane in viable {
                if !self.is_read_only(placement, lane as u32) {
                    continue;
                }
                match self.problem.observe(placement, lane, state) {
                    Ok(Some(_)) => {
                        placement.advance(self.problem.timeline(), lane);
                        changed = true;
                    }
                    Ok(None) => {}
                    Err(_) => self.is_partial = true,
                }
            }
        }
        let fingerprint = self.problem.fingerprint(&Reached::same(state));
        (placement.key_with(fingerprint), configuration)
    }

    fn is_read_only(&self, placement: &Placement, lane: u32) -> bool {
        self.problem.next(placement, lane as usize).is_some_and(|event| event.read_only)
    }
}
