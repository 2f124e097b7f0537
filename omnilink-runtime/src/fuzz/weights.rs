//! Which action comes next.

use super::random::Random;

/// Chooses actions in proportion to their weights.
///
/// One choice is one [`Random::below`] of the sum of all weights. The actions in order of declaration divide
/// `0..sum` among themselves, each taking as many numbers as its weight; the action that owns the number drawn is
/// chosen. Weights 3 and 1 thus give the first action for 0, 1, 2 and the second for 3.
#[derive(Debug)]
pub(super) struct Weights {
    /// For every action the end of its share, ascending; the last is the sum.
    ends: Box<[u64]>,
}

impl Weights {
    /// None if no action has a weight above 0.
    pub fn new(weights: impl IntoIterator<Item = u32>) -> Option<Self> {
        let ends: Box<[u64]> = weights
            .into_iter()
            .scan(0, |sum, weight| {
                *sum += u64::from(weight);
                Some(*sum)
            })
            .collect();
        (ends.last().is_some_and(|&sum| sum > 0)).then_some(Self { ends })
    }

    /// The weight of an action.
    pub fn of(&self, index: usize) -> u64 {
        self.ends[index] - index.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// Index of the next action.
    #[inline]
    pub fn draw(&self, random: &mut Random) -> usize {
        let sum = self.ends[self.ends.len() - 1];
        let drawn = random.below(sum);
        self.ends.partition_point(|&end| end <= drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_in_order_of_declaration() {
        let weights = Weights::new([3, 0, 1]).unwrap();
        assert_eq!([0, 1, 2].map(|index| weights.of(index)), [3, 0, 1]);
        let mut random = Random::new(11, 0);
        let mut numbers = random.clone();
        for _ in 0..100 {
            let expected = if numbers.below(4) < 3 { 0 } else { 2 };
            assert_eq!(weights.draw(&mut random), expected);
        }
    }

    #[test]
    fn nothing_to_choose_from() {
        assert!(Weights::new([]).is_none());
        assert!(Weights::new([0, 0]).is_none());
    }

    #[test]
    fn the_sum_may_exceed_32_bits() {
        let weights = Weights::new([u32::MAX, u32::MAX, u32::MAX]).unwrap();
        let mut random = Random::new(0, 0);
        let mut seen = [false; 3];
        (0..50).for_each(|_| seen[weights.draw(&mut random)] = true);
        assert_eq!(seen, [true; 3]);
    }
}
