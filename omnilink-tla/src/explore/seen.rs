//! The states that were seen, and from which state each was first reached.

use crate::value::Fingerprint;

/// Which distinct state, in the order they were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Index(u64);

/// Fingerprints, and each one's parent.
#[derive(Default)]
pub(super) struct Seen {
    fingerprints: Fingerprints,
    parents: Vec<(Fingerprint, Option<Index>)>,
}

impl Seen {
    pub fn contains(&self, fingerprint: Fingerprint) -> bool {
        self.fingerprints.contains(fingerprint)
    }

    /// Adds a state; `None` if it was seen before.
    pub fn insert(&mut self, fingerprint: Fingerprint, parent: Option<Index>) -> Option<Index> {
        let index = Index(self.parents.len() as u64);
        self.fingerprints.insert(fingerprint).then(|| {
            self.parents.push((fingerprint, parent));
            index
        })
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

/// A set of fingerprints that is read far more often than it grows: a lookup takes one access to memory.
///
/// A fingerprint is its own hash; it lies in the slot of its lowest bits, or in one of the next.
#[derive(Default)]
struct Fingerprints {
    /// A power of two of them, at least a third empty, which are zero; none as long as there are no fingerprints.
    places: Box<[Fingerprint]>,
    count: usize,
}

const EMPTY: Fingerprint = Fingerprint(0);
const FEWEST_PLACES: usize = 1 << 10;

impl Fingerprints {
    fn contains(&self, fingerprint: Fingerprint) -> bool {
        !self.places.is_empty() && self.places[self.find(occupying(fingerprint))] != EMPTY
    }

    /// Whether it is new.
    fn insert(&mut self, fingerprint: Fingerprint) -> bool {
        if self.count >= self.places.len() / 3 * 2 {
            self.grow();
        }
        let fingerprint = occupying(fingerprint);
        let at = self.find(fingerprint);
        let is_new = self.places[at] == EMPTY;
        self.places[at] = fingerprint;
        self.count += usize::from(is_new);
        is_new
    }

    /// Where it is, or the empty place where it would be.
    fn find(&self, fingerprint: Fingerprint) -> usize {
        let mask = self.places.len() - 1;
        let mut at = fingerprint.0 as usize & mask;
        while self.places[at] != fingerprint && self.places[at] != EMPTY {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let places = (self.places.len() * 2).max(FEWEST_PLACES);
        let old = std::mem::replace(&mut self.places, vec![EMPTY; places].into());
        for fingerprint in old.into_iter().filter(|fingerprint| *fingerprint != EMPTY) {
            let at = self.find(fingerprint);
            self.places[at] = fingerprint;
        }
    }
}

/// A fingerprint other than that of an empty place.
fn occupying(fingerprint: Fingerprint) -> Fingerprint {
    if fingerprint == EMPTY { Fingerprint(1) } else { fingerprint }
}
