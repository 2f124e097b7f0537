//! One call alone: whether some linearization explains its result, whatever the other calls returned.
//!
//! A search that is stuck at a call tries all orders of the calls before it, though the results of most of these have nothing to do with
//! it. So the call is asked about alone, and a history with a call that nothing explains is rejected at once.
//!
//! **Why it loses nothing.** Take a linearization and a visibility that satisfy the criteria, and a call that has to happen. Go along
//! the linearization up to the call, and put down the calls that it sees, in this order. These calls contain those that had to come before it
//! and that it must see by po or hb; a call that it need not see, or that may not have happened, is passed over.
//! Each has any result, or, if the call is strong, strong ones have their recorded results. All this is among what is tried here: every
//! sequence of this kind, up to those that lead to the same positions in the lanes and to the same states. A call that only reads and
//! need not be seen is always passed over: without it there are the same states or more.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::axiom::Relation;
use super::calls::Calls;
use super::contexts::{Contexts, SetId};
use super::object::Object;
use crate::model::fingerprint;
use crate::search::{KeyHasher, Stopped};

/// A call, and what decides whether it can be explained.
pub(super) struct Alone<'a, 'o, O: Object> {
    calls: &'o Calls,
    contexts: &'a mut Contexts<'o, O>,
    call: usize,
    /// By lane: how many of its calls, from the first, the call must see.
    must_see: Vec<u32>,
    is_strong: bool,
}

/// What is known of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Explained {
    /// Nothing explains its result.
    Never,
    /// Something does, or it was not found out.
    Perhaps,
}

impl<'a, 'o, O: Object> Alone<'a, 'o, O> {
    pub fn new(calls: &'o Calls, contexts: &'a mut Contexts<'o, O>, call: usize) -> Self {
        let rules = calls.rules(call);
        let asks = |relation: Relation| rules.required.iter().any(|path| *path == [relation]);
        let own = calls.all[call].lane;
        let must_see = (0..calls.lanes.len()).map(|lane| match lane == own {
            true if asks(Relation::Po) || asks(Relation::Hb) => calls.all[call].at,
            false if asks(Relation::Hb) => calls.ended(call)[lane],
            _ => 0,
        });
        Self { calls, contexts, call, must_see: must_see.collect(), is_strong: rules.is_strong }
    }

    /// Whether something explains the call's result. At most so many positions with states are looked at; `tick` is called for each.
    pub fn explained(
        mut self,
        most: u64,
        tick: &mut dyn FnMut(&Contexts<'o, O>) -> Result<(), Stopped>,
    ) -> Result<Explained, Stopped> {
        let failures = self.contexts.failures;
        let mut seen: HashSet<u128, BuildHasherDefault<KeyHasher>> = HashSet::default();
        let mut open = vec![(vec![0_u32; self.calls.lanes.len()], self.contexts.inits())];
        while let Some((positions, states)) = open.pop() {
            if states == SetId::EMPTY || !seen.insert(fingerprint(&(&positions, states.number()))) {
                continue;
            }
            tick(self.contexts)?;
            let is_explained = self.is_ready(self.call, &positions) && self.contexts.allows(states, self.call);
            if is_explained || seen.len() as u64 > most || self.contexts.failures > failures {
                return Ok(Explained::Perhaps);
            }
            self.extend(&positions, states, &mut open);
        }
        Ok(Explained::Never)
    }

    /// Whether all that has to come before a call was put down or passed over.
    fn is_ready(&self, call: usize, positions: &[u32]) -> bool {
        positions.iter().enumerate().all(|(lane, at)| *at >= self.calls.must_precede(call, lane))
    }

    /// Adds what the next call of each lane leads to; what is added last is looked at first.
    fn extend(&mut self, positions: &[u32], states: SetId, open: &mut Vec<(Vec<u32>, SetId)>) {
        let own = self.calls.all[self.call].lane;
        let next = |lane: usize| self.calls.from(lane, positions[lane]).next();
        let mut next: Vec<usize> = (0..positions.len())
            .filter_map(next)
            .filter(|&call| call != self.call && self.is_ready(call, positions))
            .filter(|&call| self.calls.all[call].lane != own || call < self.call)
            .collect();
        next.sort_by_key(|&call| std::cmp::Reverse((self.calls.all[call].needed, self.calls.all[call].end)));
        for &call in &next {
            let lane = self.calls.all[call].lane;
            let mut after = positions.to_vec();
            after[lane] += 1;
            let is_seen = self.is_strong || self.calls.all[call].at < self.must_see[lane];
            let may_pass = self.calls.all[call].optional || !is_seen;
            if may_pass {
                open.push((after.clone(), states));
            }
            if is_seen || !self.calls.all[call].only_reads {
                let states = if self.is_strong && self.calls.rules(call).is_strong {
                    self.contexts.after_own(states, call)
                } else {
                    self.contexts.after(states, call)
                };
                open.push((after, states));
            }
        }
    }
}
