//! Random choices that repeat exactly, in every language.
//!
//! Every thread of a fuzzer has a generator of its own: ChaCha with 8 rounds and a 64-bit block counter from 0, with
//! the thread's index as 64-bit stream number (Bernstein's nonce), whose key is made from the seed by `seed_from_u64`
//! of [`rand_core::SeedableRng`] (eight outputs of PCG32). A 64-bit number is two consecutive words of the key stream,
//! the low half first. What thread 3 draws thus depends on the seed and on thread 3 alone, never on the
//! schedule or on the number of threads.
//!
//! The mapping from the generator's 64-bit numbers to choices is fixed here instead of taken from the `rand`
//! crate, whose distributions may change between versions, and which C++ does not have:
//!
//! | choice | numbers drawn | result |
//! | --- | --- | --- |
//! | [`number`](Random::number) | one, *x* | *x* |
//! | [`below(n)`](Random::below) | *x*, until (*x·n* mod 2⁶⁴) ≥ (2⁶⁴ mod *n*) | ⌊*x·n* / 2⁶⁴⌋ |
//! | [`range(a..=b)`](Random::range) | as `below(b - a + 1)`; for all 2⁶⁴ values as `number` | *a* + that |
//! | [`chance(k, n)`](Random::chance) | as `below(n)` | that < *k* |
//! | [`pick(items)`](Random::pick) | as `below(length)` | the item there |
//! | [`fill(bytes)`](Random::fill) | one for every 8 bytes begun | their little-endian bytes, the last cut |
//!
//! `below` is Lemire's multiply-and-shift with rejection (*Fast random integer generation in an interval*, 2019): without
//! bias, and nearly always one number and no division.

use std::convert::Infallible;
use std::fmt;
use std::ops::{Bound, RangeBounds};

use rand_core::TryRng;

use super::chacha::ChaCha8;

/// A thread's source of random choices; see the [module](self) for what exactly they are.
///
/// It implements the traits of `rand_core`, so that everything made for the `rand` crate works with it. Choices
/// made through that repeat too, as long as the version of `rand` stays the same.
#[derive(Clone)]
pub struct Random {
    generator: ChaCha8,
}

impl Random {
    /// The generator number `stream` of `seed`. The fuzz loop gives stream *i* to thread *i*.
    pub fn new(seed: u64, stream: u64) -> Self {
        Self { generator: ChaCha8::new(seed, stream) }
    }

    /// Any 64-bit number.
    #[inline]
    pub fn number(&mut self) -> u64 {
        self.generator.number()
    }

    /// A number from 0 to `n - 1`, each as likely as the others.
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "there is no number below 0 to choose");
        let mut product = u128::from(self.number()) * u128::from(n);
        // The division is needed only if the low half is below `n`, since 2^64 mod n is below `n` as well.
        if (product as u64) < n {
            let surplus = n.wrapping_neg() % n;
            while (product as u64) < surplus {
                product = u128::from(self.number()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// An integer of `range`, each as likely as the others: `random.range(1..=6)`, `random.range(-5_i8..)`.
    ///
    /// # Panics
    /// If `range` is empty.
    pub fn range<I: Integer>(&mut self, range: impl RangeBounds<I> + fmt::Debug) -> I {
        let first = match range.start_bound() {
            Bound::Included(&first) => first.widen(),
            Bound::Excluded(&before) => before.widen() + 1,
            Bound::Unbounded => I::MIN.widen(),
        };
        let last = match range.end_bound() {
            Bound::Included(&last) => last.widen(),
            Bound::Excluded(&after) => after.widen() - 1,
            Bound::Unbounded => I::MAX.widen(),
        };
        assert!(first <= last, "the range {range:?} has no number to choose");
        let chosen = match u64::try_from(last - first + 1) {
            Ok(size) => self.below(size),
            Err(_) => self.number(),
        };
        I::narrow(first + i128::from(chosen))
    }

    /// True `successes` times out of `trials`.
    ///
    /// # Panics
    /// If `trials` is 0.
    #[inline]
    pub fn chance(&mut self, successes: u64, trials: u64) -> bool {
        self.below(trials) < successes
    }

    /// One of `items`, each as likely as the others.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        assert!(!items.is_empty(), "there is no item to pick");
        &items[self.below(items.len() as u64) as usize]
    }

    /// Fills `bytes` with random ones.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.number().to_le_bytes()[..chunk.len()]);
        }
    }

    /// `N` random bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }
}

/// Without the state, which is long and means nothing to readers.
impl fmt::Debug for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Random").finish_non_exhaustive()
    }
}

impl TryRng for Random {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.generator.word())
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.generator.number())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.fill(bytes);
        Ok(())
    }
}

/// Integers of up to 64 bits, for [`Random::range`].
pub trait Integer: Copy + sealed::Sealed {
    /// The smallest.
    const MIN: Self;
    /// The largest.
    const MAX: Self;
    /// The same number in a type with room for all of them.
    fn widen(self) -> i128;
    /// The number back, which is known to be in range.
    fn narrow(wide: i128) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! integers {
    ($($int:ident),*) => {$(
        impl sealed::Sealed for $int {}

        impl Integer for $int {
            const MIN: Self = $int::MIN;
            const MAX: Self = $int::MAX;

            #[inline]
            fn widen(self) -> i128 {
                self as i128
            }

            #[inline]
            fn narrow(wide: i128) -> Self {
                wide as Self
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(seed: u64, stream: u64) -> [u64; 3] {
        let mut random = Random::new(seed, stream);
        [random.number(), random.number(), random.number()]
    }

    /// Recorded runs stay repeatable only if these never change. The values come from a second implementation, written
    /// from the description above.
    #[test]
    fn the_choices_of_a_seed_are_fixed_for_ever() {
        assert_eq!(numbers(7, 0), [2910824217569608635, 3098856782162503994, 12991601491111613745]);
        assert_eq!(numbers(7, 1), [18301176669829311175, 166969048821288533, 13311386896195443538]);
        let mut random = Random::new(7, 0);
        assert_eq!([0; 8].map(|_| random.below(10)), [1, 1, 7, 7, 6, 3, 0, 8]);
        assert_eq!([0; 4].map(|_| random.range(-3_i8..=3)), [-1, 3, -2, -1]);
        assert_eq!([0; 4].map(|_| random.chance(1, 3)), [false, true, false, false]);
        assert_eq!(*random.pick(&["a", "b", "c"]), "a");
        assert_eq!(random.bytes(), [156, 0, 6, 251, 165, 153, 101, 19, 166, 20, 200]);
    }

    #[test]
    fn seeds_and_streams_differ() {
        assert_eq!(numbers(1, 0), numbers(1, 0));
        assert_ne!(numbers(1, 0), numbers(2, 0));
        assert_ne!(numbers(1, 0), numbers(1, 1));
    }

    #[test]
    fn below_follows_the_documented_rule() {
        // Half of all numbers are rejected for this bound.
        let n = (1 << 63) + 1;
        let mut random = Random::new(3, 0);
        let mut source = Random::new(3, 0);
        for _ in 0..100 {
            let expected = loop {
                let x = source.number();
                if x.wrapping_mul(n) >= ((1_u128 << 64) % u128::from(n)) as u64 {
                    break ((u128::from(x) * u128::from(n)) >> 64) as u64;
                }
            };
            assert_eq!(random.below(n), expected);
        }
    }

    #[test]
    fn ranges_cover_their_ends_and_nothing_else() {
        let mut random = Random::new(5, 0);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..200 {
            seen.insert(random.range(-2..3));
        }
        assert_eq!(seen.into_iter().collect::<Vec<i32>>(), [-2, -1, 0, 1, 2]);
        assert_eq!(random.range(250_u8..=250), 250);
        assert!(random.range(254_u8..) >= 254);
        assert!(random.range(..=i64::MIN + 1) <= i64::MIN + 1);
    }

    #[test]
    fn a_full_range_is_one_number() {
        let expected = numbers(9, 0);
        let mut random = Random::new(9, 0);
        assert_eq!(random.range::<u64>(..), expected[0]);
        assert_eq!(random.range::<i64>(..), expected[1].wrapping_add(i64::MIN as u64) as i64);
        assert_eq!(random.range(0..=u64::MAX), expected[2]);
    }

    #[test]
    #[should_panic(expected = "the range 3..3 has no number")]
    fn an_empty_range_is_refused() {
        Random::new(0, 0).range(3..3);
    }

    #[test]
    fn bytes_are_little_endian_numbers() {
        let [first, second, _] = numbers(4, 0);
        let bytes = Random::new(4, 0).bytes::<11>();
        assert_eq!(bytes[..8], first.to_le_bytes());
        assert_eq!(bytes[8..], second.to_le_bytes()[..3]);
    }
}
