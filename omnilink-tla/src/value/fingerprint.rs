//! 128-bit fingerprints: equal values have equal fingerprints, whatever their representation.
//!
//! A fingerprint is two independent lanes of 64 bits. Compound values are hashed from their parts' fingerprints by a
//! *sum* that can be adjusted when one part changes, and finished by mixing in the kind and the number of parts:
//!
//! | value | sum (in each lane) | adjusted by |
//! | --- | --- | --- |
//! | set | Σ element | adding or subtracting an element |
//! | function | Σ mix(key, value) | adding or subtracting an entry |
//! | tuple | Σ element · Bⁱ modulo 2⁶¹−1, i from 0 | append: + e·Bⁿ; tail: (s − e₀)·B⁻¹; update: + (new − old)·Bⁱ |
//!
//! The sum is what nodes cache (`CachedSum`), so that a point update of a value whose sum is known costs a few
//! multiplications, not a pass over the value.

use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A 128-bit fingerprint of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Fingerprint(pub u128);

impl Fingerprint {
    /// The fingerprint of several things in their order; of one thing, its own.
    #[inline]
    pub(crate) fn of_sequence(mut parts: impl Iterator<Item = Self>) -> Self {
        let add = |state, part: Self| seal(absorb(state, part.lanes()));
        match (parts.next(), parts.next()) {
            (Some(only), None) => only,
            (first, second) => Self::from_lanes(first.into_iter().chain(second).chain(parts).fold(SEED, add)),
        }
    }

    pub(crate) fn from_lanes(lanes: Lanes) -> Self {
        Self(u128::from(lanes[0]) | u128::from(lanes[1]) << 64)
    }

    pub(crate) fn lanes(self) -> Lanes {
        [self.0 as u64, (self.0 >> 64) as u64]
    }
}

/// Makes hash tables take a fingerprint for the hash that it is.
pub(crate) type FingerprintHasher = BuildHasherDefault<Already>;

/// A hasher that has nothing left to do.
#[derive(Default)]
pub(crate) struct Already(u64);

impl Hasher for Already {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 ^= u64::from_le_bytes(word);
        }
    }

    fn write_u128(&mut self, fingerprint: u128) {
        self.0 = fingerprint as u64;
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The two halves that are computed side by side and never mixed with each other.
pub(crate) type Lanes = [u64; 2];

/// What is mixed in so that values of different kinds differ.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Bool = 1,
    Int,
    Str,
    Model,
    Tuple,
    Function,
    Set,
    Symbolic,
    Lambda,
}

/// Odd constants with well-spread bits (digits of π, e and √2), a pair per use: what one lane cannot distinguish, the
/// other can.
const SEED: Lanes = [0x243f_6a88_85a3_08d3, 0xb7e1_5162_8aed_2a6b];
const ROUND_1: Lanes = [0x1319_8a2e_0370_7345, 0xbf71_5880_9cf4_f3c7];
const ROUND_2: Lanes = [0xa409_3822_299f_31d1, 0x6a09_e667_f3bc_c909];

/// The product's halves, folded together.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Mixes one word into a lane.
#[inline]
fn absorb(state: Lanes, word: Lanes) -> Lanes {
    [fold(state[0] ^ word[0], ROUND_1[0]), fold(state[1] ^ word[1], ROUND_1[1])]
}

#[inline]
fn seal(state: Lanes) -> Lanes {
    [fold(state[0] ^ SEED[1], ROUND_2[0]), fold(state[1] ^ SEED[0], ROUND_2[1])]
}

#[inline]
fn seed(kind: Kind) -> Lanes {
    let kind = kind as u64;
    [SEED[0].rotate_left(5 * kind as u32), SEED[1].rotate_left(7 * kind as u32)]
}

/// The fingerprint of a value that is one word.
#[inline]
pub(super) fn of_word(kind: Kind, word: u64) -> Fingerprint {
    Fingerprint::from_lanes(seal(absorb(seed(kind), [word, word])))
}

/// The fingerprint of a text, which is neither a string's nor a model value's: [`retag`] makes it one.
pub(crate) fn of_text(text: &str) -> Fingerprint {
    let mut state = absorb(SEED, [text.len() as u64; 2]);
    for chunk in text.as_bytes().chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        state = absorb(state, [u64::from_le_bytes(word); 2]);
    }
    Fingerprint::from_lanes(seal(state))
}

/// Makes a fingerprint one of another kind.
#[inline]
pub(super) fn retag(kind: Kind, of: Fingerprint) -> Fingerprint {
    Fingerprint::from_lanes(absorb(seed(kind), of.lanes()))
}

/// The fingerprint of a compound value from the sum over its parts.
#[inline]
pub(super) fn finish(kind: Kind, count: usize, sum: Lanes) -> Fingerprint {
    let state = absorb(seed(kind), sum);
    Fingerprint::from_lanes(seal([state[0] ^ count as u64, state[1] ^ (count as u64).rotate_left(32)]))
}

/// What a function's entry adds to its sum.
#[inline]
pub(super) fn entry(key: Fingerprint, value: Fingerprint) -> Lanes {
    let (key, value) = (absorb(SEED, key.lanes()), value.lanes());
    seal([key[0].wrapping_add(value[0]), key[1].wrapping_add(value[1])])
}

#[inline]
pub(super) fn add(sum: Lanes, part: Lanes) -> Lanes {
    [sum[0].wrapping_add(part[0]), sum[1].wrapping_add(part[1])]
}

#[inline]
pub(super) fn subtract(sum: Lanes, part: Lanes) -> Lanes {
    [sum[0].wrapping_sub(part[0]), sum[1].wrapping_sub(part[1])]
}

/// A sum that is computed when first asked for and then kept.
///
/// The only value ever stored is the sum, which is a function of the node, so it does not matter which thread stores
/// it, nor that the two lanes are stored one after the other: a reader that finds a lane still zero computes the sum
/// again. (A sum whose lane happens to be zero is never found; it is right all the same.)
pub(super) struct CachedSum([AtomicU64; 2]);

impl CachedSum {
    /// Known from the start when it could be derived.
    #[inline]
    pub(super) fn new(sum: Option<Lanes>) -> Self {
        let [a, b] = sum.unwrap_or_default();
        Self([AtomicU64::new(a), AtomicU64::new(b)])
    }

    /// The sum, if it is known.
    #[inline]
    pub(super) fn get(&self) -> Option<Lanes> {
        let lanes = [self.0[0].load(Relaxed), self.0[1].load(Relaxed)];
        (lanes[0] != 0 && lanes[1] != 0).then_some(lanes)
    }

    /// The sum, computed if it is not known.
    #[inline]
    pub(super) fn get_or(&self, compute: impl FnOnce() -> Lanes) -> Lanes {
        self.get().unwrap_or_else(|| {
            let lanes = compute();
            self.0[0].store(lanes[0], Relaxed);
            self.0[1].store(lanes[1], Relaxed);
            lanes
        })
    }
}
