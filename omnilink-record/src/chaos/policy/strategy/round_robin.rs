//! Round robin: everybody in turn, for slices of one length that the seed draws. The baseline to compare others with.

use super::{LONGEST_SLICE, Moment, Strategy, ThreadIndex};
use crate::seed::Luck;

/// Everybody in turn, for slices of one length that the seed draws.
#[derive(Debug)]
pub struct RoundRobin {
    slice: u32,
}

impl RoundRobin {
    /// The slice of a seed.
    pub fn new(seed: u64) -> Self {
        let mut luck = Luck::new(seed, "round robin");
        let magnitude = 1_u64 << luck.below(12);
        Self { slice: (magnitude + luck.below(magnitude)).min(u64::from(LONGEST_SLICE)) as u32 }
    }
}

impl Strategy for RoundRobin {
    fn thread_started(&mut self, _thread: ThreadIndex) {}

    fn choose(&mut self, moment: &Moment<'_>) -> ThreadIndex {
        let next = moment.runnable.iter().find(|&&thread| thread > moment.current);
        *next.unwrap_or(&moment.runnable[0])
    }

    fn slice(&mut self, _points: u64) -> u32 {
        self.slice
    }
}
