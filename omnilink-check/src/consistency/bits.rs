//! Sets of calls.

use smallvec::{SmallVec, smallvec};

/// A set of calls, by number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Bits(SmallVec<[u64; 4]>);

impl Bits {
    /// No call, of so many.
    pub fn none(count: usize) -> Self {
        Self(smallvec![0; count.div_ceil(64)])
    }

    pub fn contains(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    pub fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    pub fn remove(&mut self, at: usize) {
        self.0[at / 64] &= !(1 << (at % 64));
    }

    /// Adds `from..to`.
    pub fn insert_range(&mut self, from: usize, to: usize) {
        (from..to).for_each(|at| self.insert(at));
    }

    pub fn union(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one |= other);
    }

    pub fn intersect(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one &= other);
    }

    pub fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(one, other)| one & !other == 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                let at = left.trailing_zeros() as usize;
                (left != 0).then(|| {
                    left &= left - 1;
                    word * 64 + at
                })
            })
        })
    }

    /// The last call of a range that is in the set.
    pub fn last_in(&self, from: usize, to: usize) -> Option<usize> {
        let mut at = to;
        while at > from {
            let word = (at - 1) / 64;
            let low = word * 64;
            let below = u64::MAX >> (63 - (at - 1 - low));
            let bits = self.0[word] & below;
            if bits != 0 {
                let found = low + 63 - bits.leading_zeros() as usize;
                return (found >= from).then_some(found);
            }
            at = low;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_into_it() {
        let mut set = Bits::none(300);
        let members = [0, 63, 64, 130, 191, 255, 256, 299];
        members.iter().for_each(|&at| set.insert(at));
        assert_eq!(set.iter().collect::<Vec<_>>(), members);
        for from in 0..300 {
            for to in from..=300 {
                let last = members.iter().copied().rfind(|at| (from..to).contains(at));
                assert_eq!(set.last_in(from, to), last, "{from}..{to}");
            }
        }
        let mut other = Bits::none(300);
        other.insert_range(60, 132);
        assert!(!other.is_within(&set));
        other.intersect(&set);
        assert_eq!(other.iter().collect::<Vec<_>>(), [63, 64, 130]);
        assert!(other.is_within(&set));
        other.remove(64);
        other.union(&Bits::none(300));
        assert_eq!(other.iter().collect::<Vec<_>>(), [63, 130]);
    }
}
