//! Random numbers that a seed determines, in every version of this program.
//!
//! Stored runs are replayed from their seed, so the generator is part of the format: SplitMix64 (Steele, Lea, Flood:
//! *Fast splittable pseudorandom number generators*, OOPSLA 2014), a few lines that never need to change.

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The seed of run `number` of a campaign.
pub fn derive(campaign: u64, number: u64) -> u64 {
    mix(campaign ^ mix(number.wrapping_add(1).wrapping_mul(GOLDEN)))
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A source of random numbers.
#[derive(Debug, Clone)]
pub struct Luck(u64);

impl Luck {
    /// The numbers of a seed for one `purpose`: drawing more for one of them does not change the others.
    pub fn new(seed: u64, purpose: &str) -> Self {
        Self(purpose.bytes().fold(mix(seed ^ GOLDEN), |state, byte| mix(state ^ u64::from(byte))))
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// A number less than `bound`, which is not zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.number()) * u128::from(bound)) >> 64) as u64
    }

    /// An element of a list that is not empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// How many attempts of this probability of success it takes until the first succeeds; at least one.
    pub fn attempts(&mut self, probability: f64) -> u64 {
        let failures = (1.0 - self.unit()).ln() / (1.0 - probability).ln();
        1 + failures as u64
    }

    /// A number from 0 to 1, without 1.
    fn unit(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_seeds_keep_their_meaning() {
        assert_eq!(derive(1, 0), 11_385_487_063_155_714_807);
        assert_eq!(Luck::new(1, "schedule").number(), 15_927_672_860_914_870_236);
    }

    #[test]
    fn numbers_stay_below_the_bound_and_reach_all_of_it() {
        let mut luck = Luck::new(7, "test");
        let mut seen = [0_u32; 5];
        for _ in 0..1000 {
            seen[luck.below(5) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }

    #[test]
    fn attempts_have_the_mean_of_a_geometric_distribution() {
        let mut luck = Luck::new(7, "test");
        let mean = (0..10_000).map(|_| luck.attempts(0.25)).sum::<u64>() as f64 / 10_000.0;
        assert!((mean - 4.0).abs() < 0.2, "{mean}");
    }
}
