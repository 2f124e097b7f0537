//! Which calls a call may see: sets that the axioms allow, and from which its result follows.
//!
//! **Minimal sets suffice** (Emmi and Enea, "Monitoring Weak Consistency", CAV 2018, Theorems 1 and 2). Axioms are monotone: what a
//! call sees can only oblige others to see more, never less, and whether its result follows depends on nothing but the set itself.
//! So if a linearization can be completed where the call sees a set, it can be completed where the call sees a smaller one that satisfies its
//! own axioms and explains its result: the others keep what they see. The obligations of a call come from calls before it in
//! lin, because every relation of an axiom is contained in lin: vis and po always, hb where it is used in a composition
//! ([`Criteria::validate`](super::Criteria::validate) asks for it). Without `lin >= hb`, the order that Theorem 1 calls hb is po.
//!
//! **A call that never changes the state** is visible only if an axiom demands it. If a set explains a result, it does so without those calls
//! that only read and that no other visible call obliges it to contain: contexts without them have the same states or more.

use std::collections::{HashSet, VecDeque};

use omnilink_budget::poll;

use super::bits::Bits;
use super::contexts::{Contexts, SetId};
use super::linearization::Linearization;
use super::object::Object;

/// Which sets are tried where several calls depend on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Visibilities {
    /// Those that have no smaller one among them.
    #[default]
    Minimal,
    /// All of them: much slower, with the same answer.
    All,
}

/// Sets of calls that one which comes next may see.
pub(super) struct Choice<'l, 'o, O: Object> {
    pub lin: &'l mut Linearization<'o>,
    pub contexts: &'l mut Contexts<'o, O>,
    pub call: usize,
}

impl<O: Object> Choice<'_, '_, O> {
    /// The sets to try: if no other call depends on what this one sees, one that explains its result is enough.
    pub fn sets(&mut self, which: Visibilities) -> Vec<Bits> {
        let required = self.lin.required(self.call);
        let calls = self.lin.calls;
        match which {
            Visibilities::All => self.all(required),
            Visibilities::Minimal if calls.are_dependent => self.minimal(required, usize::MAX),
            Visibilities::Minimal if !calls.rules(self.call).closing.is_empty() => self.minimal(required, 1),
            Visibilities::Minimal => self.any(&required).into_iter().collect(),
        }
    }

    /// Whether the call's result follows from what it sees.
    pub fn explains(&mut self, visible: &Bits) -> bool {
        let states = self.states(visible);
        self.contexts.allows(states, self.call)
    }

    /// The states after the visible calls.
    pub fn states(&mut self, visible: &Bits) -> SetId {
        let first_missed = self.first_missed(visible);
        let mut states = self.lin.states_after(first_missed, self.contexts);
        for &call in &self.lin.order[first_missed..] {
            if visible.contains(call) {
                states = self.contexts.after(states, call);
            }
        }
        states
    }

    fn first_missed(&self, visible: &Bits) -> usize {
        let order = &self.lin.order;
        order.iter().position(|&call| !visible.contains(call)).unwrap_or(order.len())
    }

    /// A set that contains the required calls and explains the result, if there is one: the search goes along lin and takes each
    /// other call or not. What follows depends only on the place and on the states there.
    fn any(&mut self, required: &Bits) -> Option<Bits> {
        let first = self.first_missed(required);
        let start = self.lin.states_after(first, self.contexts);
        let mut seen: HashSet<(usize, SetId)> = HashSet::new();
        // Places with the states before them, and which of the calls that need not be seen are seen.
        let mut taken: Vec<usize> = Vec::new();
        let mut open = vec![(first, start, 0)];
        while let Some((place, mut states, count)) = open.pop() {
            poll();
            taken.truncate(count);
            let mut place = place;
            loop {
                if states == SetId::EMPTY || !seen.insert((place, states)) {
                    break;
                }
                let Some(&call) = self.lin.order.get(place) else {
                    if self.contexts.allows(states, self.call) {
                        let mut visible = required.clone();
                        taken.iter().for_each(|&call| visible.insert(call));
                        return Some(visible);
                    }
                    break;
                };
                place += 1;
                if required.contains(call) {
                    states = self.contexts.after(states, call);
                } else if !self.lin.calls.all[call].only_reads {
                    open.push((place, states, taken.len()));
                    taken.push(call);
                    states = self.contexts.after(states, call);
                }
            }
        }
        None
    }

    /// All sets that contain the required calls, that the axioms allow, that explain the result, and none of which contains
    /// another; at most so many. A set is reached from the required calls by adding one call after the other, with what it
    /// obliges to, and no set on the way explains the result.
    fn minimal(&mut self, required: Bits, most: usize) -> Vec<Bits> {
        let calls = self.lin.calls;
        let rules = calls.rules(self.call);
        let mut found: Vec<Bits> = Vec::new();
        let mut known = HashSet::from([required.clone()]);
        let mut open = VecDeque::from([required]);
        while let Some(visible) = open.pop_front() {
            poll();
            if found.iter().any(|smaller| smaller.is_within(&visible)) {
                continue;
            }
            if self.explains(&visible) {
                found.push(visible);
                if found.len() == most {
                    break;
                }
                continue;
            }
            for &call in &self.lin.order {
                if visible.contains(call) || calls.all[call].only_reads {
                    continue;
                }
                let mut larger = visible.clone();
                larger.insert(call);
                self.lin.close(rules, &mut larger);
                if known.insert(larger.clone()) {
                    open.push_back(larger);
                }
            }
        }
        // What a call obliges to may make a set larger than one that was found later.
        let is_minimal = |set: &&Bits| !found.iter().any(|other| other != *set && other.is_within(set));
        found.iter().filter(is_minimal).cloned().collect()
    }

    /// All sets that contain the required calls, that the axioms allow, and that explain the result.
    fn all(&mut self, required: Bits) -> Vec<Bits> {
        let (mut sets, _) = self.allowed(required, usize::MAX);
        sets.retain(|visible| self.explains(visible));
        sets
    }

    /// The sets that contain the required calls and that the axioms allow, smaller ones first; at most so many, and whether these are
    /// all.
    pub fn allowed(&self, required: Bits, most: usize) -> (Vec<Bits>, bool) {
        let rules = self.lin.calls.rules(self.call);
        let mut known = HashSet::from([required.clone()]);
        let mut sets = vec![required];
        let mut next = 0;
        while next < sets.len() {
            poll();
            let visible = sets[next].clone();
            for &call in self.lin.order.iter().filter(|&&call| !visible.contains(call)) {
                let mut larger = visible.clone();
                larger.insert(call);
                self.lin.close(rules, &mut larger);
                if known.insert(larger.clone()) {
                    if sets.len() == most {
                        return (sets, false);
                    }
                    sets.push(larger);
                }
            }
            next += 1;
        }
        (sets, true)
    }
}
