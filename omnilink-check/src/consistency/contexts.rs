//! Contexts: the states after calls that another call sees.
//!
//! A context is a sequence of calls, each with any result, so it leads to a set of states. Whether a call's result follows from a
//! context depends only on that set. So sets are kept once each, with a number, and a context is extended by looking
//! up where its set leads: contexts that begin alike share what they have in common, and contexts that lead to the same states
//! are one.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use omnilink_budget::poll;

use super::calls::Calls;
use super::object::{Object, Step};
use crate::search::KeyHasher;

/// The number of a set of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SetId(u32);

impl SetId {
    /// No state: the calls are not possible one after the other.
    pub const EMPTY: Self = Self(0);

    pub fn number(self) -> u32 {
        self.0
    }
}

/// Sets of states, and where calls lead from them.
pub(super) struct Contexts<'o, O: Object> {
    object: &'o O,
    sets: Vec<Arc<[O::State]>>,
    ids: HashMap<u128, SetId, BuildHasherDefault<KeyHasher>>,
    any: HashMap<(SetId, O::Class), SetId>,
    own: HashMap<(SetId, usize), bool>,
    calls: &'o Calls,
    /// A call that only reads was not possible in some state: see `Search::free_reads`.
    pub excluded: bool,
    /// The first call that could not be evaluated, and why.
    pub failure: Option<(usize, O::Failure)>,
    /// How often that happened.
    pub failures: u64,
}

impl<'o, O: Object> Contexts<'o, O> {
    pub fn new(object: &'o O, calls: &'o Calls) -> Self {
        let mut contexts = Self {
            object,
            sets: Vec::new(),
            ids: HashMap::default(),
            any: HashMap::new(),
            own: HashMap::new(),
            calls,
            excluded: false,
            failure: None,
            failures: 0,
        };
        contexts.keep(Vec::new());
        contexts
    }

    /// The initial states.
    pub fn inits(&mut self) -> SetId {
        let inits = self.object.inits();
        self.keep(inits)
    }

    /// The states of a set.
    pub fn states(&self, set: SetId) -> Arc<[O::State]> {
        Arc::clone(&self.sets[set.0 as usize])
    }

    /// A set of each state of a set.
    pub fn singletons(&mut self, set: SetId) -> Vec<SetId> {
        self.states(set).iter().map(|state| self.keep(vec![state.clone()])).collect()
    }

    /// Roughly how many bytes the sets and what is known about them take.
    pub fn bytes(&self) -> usize {
        self.sets.len() * 160 + (self.any.len() + self.own.len()) * 48
    }

    /// The states after a call with any result.
    pub fn after(&mut self, set: SetId, call: usize) -> SetId {
        if set == SetId::EMPTY {
            return set;
        }
        let key = (set, self.object.class(call));
        if let Some(&known) = self.any.get(&key) {
            return known;
        }
        let after = self.steps(set, call, O::any_result);
        let after = self.keep(after);
        self.excluded |= self.calls.all[call].only_reads && after != set;
        self.any.insert(key, after);
        after
    }

    /// Whether some state of a set allows a call with its recorded result.
    pub fn allows(&mut self, set: SetId, call: usize) -> bool {
        if set == SetId::EMPTY {
            return false;
        }
        if let Some(&known) = self.own.get(&(set, call)) {
            return known;
        }
        let allows = !self.steps(set, call, O::own_result).is_empty();
        self.own.insert((set, call), allows);
        allows
    }

    /// The states after a call with its recorded result.
    pub fn after_own(&mut self, set: SetId, call: usize) -> SetId {
        let after = self.steps(set, call, O::own_result);
        self.keep(after)
    }

    /// The states after a call with its recorded result, each as a set of its own.
    pub fn own_steps(&mut self, set: SetId, call: usize) -> Vec<SetId> {
        let after = self.after_own(set, call);
        self.singletons(after)
    }

    fn steps(&mut self, set: SetId, call: usize, step: Step<O>) -> Vec<O::State> {
        let mut after = Vec::new();
        for state in &*self.states(set) {
            poll();
            if let Err(failure) = step(self.object, state, call, &mut |next| after.push(next)) {
                self.failures += 1;
                self.failure.get_or_insert((call, failure));
            }
        }
        after
    }

    /// The number of a set with these states, of which some may be equal.
    fn keep(&mut self, states: Vec<O::State>) -> SetId {
        let mut marked: Vec<(u128, O::State)> =
            states.into_iter().map(|state| (self.object.fingerprint(&state), state)).collect();
        marked.sort_by_key(|(mark, _)| *mark);
        marked.dedup_by_key(|(mark, _)| *mark);
        let fold = |hash: u128, (mark, _): &(u128, O::State)| {
            hash.rotate_left(9).wrapping_mul(0x9e37_79b9_7f4a_7c15_d1b5_4a32_d192_ed03).wrapping_add(*mark)
        };
        let key = marked.iter().fold(marked.len() as u128, fold);
        let Self { sets, ids, .. } = self;
        *ids.entry(key).or_insert_with(|| {
            sets.push(marked.into_iter().map(|(_, state)| state).collect());
            SetId(sets.len() as u32 - 1)
        })
    }
}
