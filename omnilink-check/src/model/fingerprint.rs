//! Fingerprints of values that can be hashed: 128 bits, so that two states of a search are equal by accident as seldom as the
//! hardware is wrong.

use std::hash::{Hash, Hasher};

/// The fingerprint of a value.
pub fn fingerprint(value: &impl Hash) -> u128 {
    let mut hasher = Wide::default();
    value.hash(&mut hasher);
    u128::from(hasher.finish()) << 64 | u128::from(scramble(hasher.words[1] ^ hasher.length))
}

/// Two hashes side by side, each by folded multiplication (as in wyhash and ahash): both halves of the product of what was
/// hashed so far and the next word count.
struct Wide {
    words: [u64; 2],
    /// How many words were hashed.
    length: u64,
}

/// Odd numbers without a pattern (from the digits of the square roots of 2, 3, 5 and 7).
const MULTIPLIERS: [u64; 2] = [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b];
const SEEDS: [u64; 2] = [0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1];

impl Default for Wide {
    fn default() -> Self {
        Self { words: SEEDS, length: 0 }
    }
}

impl Wide {
    #[inline]
    fn word(&mut self, word: u64) {
        for (hash, multiplier) in self.words.iter_mut().zip(MULTIPLIERS) {
            let product = u128::from(*hash ^ word) * u128::from(multiplier);
            // Added, so that a product of 0 does not forget what came before.
            *hash = (product as u64 ^ (product >> 64) as u64).wrapping_add(hash.rotate_left(23));
        }
        self.length += 1;
    }
}

impl Hasher for Wide {
    fn finish(&self) -> u64 {
        scramble(self.words[0].wrapping_add(self.length))
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.word(u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.word(u64::from_le_bytes(word));
            // Tells the bytes from others that end with zeros.
            self.word(rest.len() as u64);
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.word(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.word(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.word(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.word(number);
    }

    fn write_u128(&mut self, number: u128) {
        self.word(number as u64);
        self.word((number >> 64) as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.word(number as u64);
    }
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA'14).
fn scramble(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn what_differs_little_has_other_fingerprints_in_both_halves() {
        let mut low = HashSet::new();
        let mut high = HashSet::new();
        let mut count = 0;
        let mut add = |fingerprint: u128| {
            count += 1;
            assert!(low.insert(fingerprint as u64) && high.insert((fingerprint >> 64) as u64), "number {count}");
        };
        for number in 1_000..50_000_u64 {
            add(fingerprint(&number));
            add(fingerprint(&(number, 0_u64)));
            add(fingerprint(&vec![number; 2]));
        }
        for length in 1..64 {
            add(fingerprint(&vec![0_u8; length].as_slice()));
            add(fingerprint(&"a".repeat(length)));
        }
    }
}
