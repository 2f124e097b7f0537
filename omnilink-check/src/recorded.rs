//! How many calls of each action a trace has, whether or not they become events of a history.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use omnilink_tla::Spec;
use omnilink_trace::{Candidates, Vocabulary};

use crate::coverage;

/// The calls of a trace, by what they may be.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Recorded(HashMap<Candidates, Calls>);

/// Some of its calls.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Calls {
    /// How many there are.
    pub all: u64,
    /// How many an order has to account for: each of them has happened.
    pub counting: u64,
    /// How many were left without being ended.
    pub unended: u64,
    /// How many that count have arguments that were not recorded.
    pub unknown: u64,
}

impl Recorded {
    /// The calls that may be the same as these.
    pub fn calls(&mut self, candidates: &Candidates) -> &mut Calls {
        self.0.entry(candidates.clone()).or_default()
    }

    /// All of them.
    pub fn total(&self) -> Calls {
        let mut total = Calls::default();
        self.0.values().for_each(|calls| total.add(calls));
        total
    }

    /// Those that may be of any action.
    pub fn of_any_action(&self) -> Calls {
        let of_any = self.0.iter().find(|(candidates, _)| candidates.as_slice().is_empty());
        of_any.map(|(_, calls)| *calls).unwrap_or_default()
    }

    /// Per name of an action, the calls that may be of it.
    pub fn by_action(&self, spec: &Spec, vocabulary: &Vocabulary) -> BTreeMap<String, Calls> {
        let mut all: BTreeMap<String, Calls> = BTreeMap::new();
        for (candidates, calls) in &self.0 {
            let names: BTreeSet<String> = match candidates.as_slice() {
                [] => coverage::actions(spec),
                some => some.iter().map(|&id| coverage::recorded_as(spec, &vocabulary.action(id).name)).collect(),
            };
            names.into_iter().for_each(|name| all.entry(name).or_default().add(calls));
        }
        all
    }
}

impl Calls {
    fn add(&mut self, other: &Self) {
        self.all += other.all;
        self.counting += other.counting;
        self.unended += other.unended;
        self.unknown += other.unknown;
    }
}
