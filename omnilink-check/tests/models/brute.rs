//! All orders, one by one.

use std::collections::HashSet;

use omnilink_check::model::{Call, Model, Outcome};

/// A history and its model. Parts of the object are not told apart, and states are compared, not fingerprints.
pub struct Brute<'a, M: Model> {
    model: &'a M,
    calls: &'a [Call<M::Input, M::Output>],
}

impl<'a, M: Model> Brute<'a, M>
where
    M::State: Eq,
{
    pub fn new(model: &'a M, calls: &'a [Call<M::Input, M::Output>]) -> Self {
        Self { model, calls }
    }

    /// Whether a call has to come before another.
    pub fn precedes(&self, one: usize, other: usize) -> bool {
        let (a, b) = (&self.calls[one], &self.calls[other]);
        let touch = || a.thread == b.thread && a.start < b.start && a.end == Some(b.start);
        a.end.is_some_and(|end| end < b.start) || touch() && self.is_sequential(a, b)
    }

    /// Whether the calls of a thread that are about the same part as these do not overlap.
    fn is_sequential(&self, a: &Call<M::Input, M::Output>, b: &Call<M::Input, M::Output>) -> bool {
        let key = self.model.partition(&a.input);
        if key.is_some() && key != self.model.partition(&b.input) {
            return false;
        }
        let is_seen = |call: &&Call<_, _>| call.outcome == Outcome::Done || !self.model.is_read_only(&call.input);
        let of_part = |call: &&Call<_, _>| call.thread == a.thread && self.model.partition(&call.input) == key;
        let mut calls: Vec<_> = self.calls.iter().filter(of_part).filter(is_seen).collect();
        calls.sort_by_key(|call| (call.start, call.end.unwrap_or(u64::MAX)));
        calls.windows(2).all(|two| two[0].start < two[1].start && two[0].end.is_some_and(|end| end <= two[1].start))
    }

    pub fn can_happen(&self, state: &M::State, call: usize) -> bool {
        let Call { input, output, .. } = &self.calls[call];
        self.model.step(state, input, output.as_ref()).into_iter().next().is_some()
    }

    /// Whether the calls of each part have an order.
    pub fn is_linearizable(&self) -> bool {
        let keys: Option<HashSet<M::Key>> = self.calls.iter().map(|call| self.model.partition(&call.input)).collect();
        let Some(keys) = keys else { return self.has_order(&vec![true; self.calls.len()]) };
        keys.iter().all(|key| {
            let is_of_part = |call: &Call<M::Input, M::Output>| self.model.partition(&call.input).as_ref() == Some(key);
            self.has_order(&self.calls.iter().map(is_of_part).collect::<Vec<_>>())
        })
    }

    fn has_order(&self, part: &[bool]) -> bool {
        let mut seen = HashSet::new();
        self.search(part.to_vec(), &self.model.init(), &mut seen)
    }

    fn search(&self, left: Vec<bool>, state: &M::State, seen: &mut HashSet<(Vec<bool>, M::State)>) -> bool {
        let is_left = |&nth: &usize| left[nth];
        if !(0..left.len()).filter(is_left).any(|nth| self.calls[nth].outcome == Outcome::Done) {
            return true;
        }
        if !seen.insert((left.clone(), state.clone())) {
            return false;
        }
        (0..left.len()).filter(is_left).any(|nth| {
            if (0..left.len()).filter(is_left).any(|other| self.precedes(other, nth)) {
                return false;
            }
            let mut rest = left.clone();
            rest[nth] = false;
            let Call { input, output, outcome, .. } = &self.calls[nth];
            *outcome == Outcome::Indeterminate && self.search(rest.clone(), state, seen)
                || self
                    .model
                    .step(state, input, output.as_ref())
                    .into_iter()
                    .any(|next| self.search(rest.clone(), &next, seen))
        })
    }
}
