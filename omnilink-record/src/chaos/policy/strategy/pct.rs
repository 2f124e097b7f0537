//! PCT: random priorities that change at a few random points.
//!
//! Burckhardt, Kothari, Musuvathi, Nagarakatti: *A randomized scheduler with probabilistic guarantees of finding bugs*
//! (ASPLOS 2010). Always the thread with the highest priority runs. At `d - 1` points, drawn beforehand from the length
//! of the program, the running thread gets a priority lower than all others.
//!
//! Differences: the length of a program is not known beforehand, so each seed draws one, with each order of magnitude
//! equally likely, and a depth from 2 to 5. A thread that yields, or that runs for longer than the longest slice, is
//! lowered as well, or a thread that spins would spin forever.

use super::{LONGEST_SLICE, Moment, Reason, Strategy, ThreadIndex};
use crate::seed::Luck;

/// Random priorities that change at a few random points.
#[derive(Debug)]
pub struct Pct {
    luck: Luck,
    /// By thread; larger ones run.
    priorities: Vec<i64>,
    /// Points at which the running thread is lowered, the next one last.
    changes: Vec<u64>,
    /// The lowest priority given so far.
    lowest: i64,
}

impl Pct {
    /// The priorities and change points of a seed.
    pub fn new(seed: u64) -> Self {
        let mut luck = Luck::new(seed, "pct");
        let length = 1_u64 << (6 + luck.below(11));
        let depth = 2 + luck.below(4);
        let mut changes: Vec<u64> = (1..depth).map(|_| 1 + luck.below(length)).collect();
        changes.sort_unstable_by(|a, b| b.cmp(a));
        Self { luck, priorities: Vec::new(), changes, lowest: 0 }
    }

    fn lower(&mut self, thread: ThreadIndex) {
        self.lowest -= 1;
        self.priorities[thread] = self.lowest;
    }
}

impl Strategy for Pct {
    fn thread_started(&mut self, _thread: ThreadIndex) {
        self.priorities.push(1 + self.luck.below(1 << 40) as i64);
    }

    fn choose(&mut self, moment: &Moment<'_>) -> ThreadIndex {
        if moment.reason != Reason::Blocked {
            self.lower(moment.current);
        }
        let highest = moment.runnable.iter().max_by_key(|&&thread| self.priorities[thread]);
        *highest.unwrap_or(&moment.current)
    }

    fn slice(&mut self, points: u64) -> u32 {
        while self.changes.last().is_some_and(|&change| change <= points) {
            self.changes.pop();
        }
        let until_change = self.changes.last().map_or(u64::MAX, |change| change - points);
        until_change.min(u64::from(LONGEST_SLICE)) as u32
    }
}
