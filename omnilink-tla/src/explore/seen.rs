//! The states that were seen, and from which state each was first reached.

use std::collections::HashMap;

use crate::value::{Fingerprint, FingerprintHasher};

/// Which distinct state, in the order they were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Index(u32);

/// Fingerprints with their numbers, and each one's parent.
#[derive(Default)]
pub(super) struct Seen {
    numbers: HashMap<Fingerprint, Index, FingerprintHasher>,
    parents: Vec<(Fingerprint, Option<Index>)>,
}

impl Seen {
    pub fn contains(&self, fingerprint: Fingerprint) -> bool {
        self.numbers.contains_key(&fingerprint)
    }

    /// Adds a state; `None` if it was seen before.
    pub fn insert(&mut self, fingerprint: Fingerprint, parent: Option<Index>) -> Option<Index> {
        let index = Index(u32::try_from(self.parents.len()).ok()?);
        match self.numbers.entry(fingerprint) {
            std::collections::hash_map::Entry::Occupied(_) => None,
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(index);
                self.parents.push((fingerprint, parent));
                Some(index)
            }
        }
    }

    /// The fingerprints of the states on the way to one, from an initial state on.
    pub fn way_to(&self, index: Index) -> Vec<Fingerprint> {
        let mut way = Vec::new();
        let mut at = Some(index);
        while let Some(Index(index)) = at {
            let (fingerprint, parent) = self.parents[index as usize];
            way.push(fingerprint);
            at = parent;
        }
        way.reverse();
        way
    }
}
