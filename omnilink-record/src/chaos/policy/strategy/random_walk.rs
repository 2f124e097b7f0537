//! Random walk: at every point, with some probability, another thread goes on.
//!
//! Which probability is best depends on how far apart the places are that must be hit, which nobody knows beforehand.
//! So each seed draws one, from 1/2 to 1/256 with each order of magnitude equally likely, and keeps it: among many
//! seeds, some suit the bug.

use super::{LONGEST_SLICE, Moment, Strategy, ThreadIndex};
use crate::seed::Luck;

/// At every point, with a probability that the seed draws once, another thread goes on.
#[derive(Debug)]
pub struct RandomWalk {
    luck: Luck,
    switch_probability: f64,
}

impl RandomWalk {
    /// The walk of a seed.
    pub fn new(seed: u64) -> Self {
        let mut luck = Luck::new(seed, "random walk");
        let exponent = 1 + luck.below(8) as i32;
        Self { luck, switch_probability: 0.5_f64.powi(exponent) }
    }
}

impl Strategy for RandomWalk {
    fn thread_started(&mut self, _thread: ThreadIndex) {}

    fn choose(&mut self, moment: &Moment<'_>) -> ThreadIndex {
        self.luck.pick(&moment.others())
    }

    fn slice(&mut self, _points: u64) -> u32 {
        self.luck.attempts(self.switch_probability).min(u64::from(LONGEST_SLICE)) as u32
    }
}
