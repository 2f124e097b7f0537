//! What rr's chaos mode does, in points instead of ticks.
//!
//! O'Callahan: *Introducing rr chaos mode* (2016), and rr's `Scheduler.cc`. Most threads get high priority, some low;
//! priorities are redrawn from time to time; slices are short or long at random; and there are intervals in which only
//! threads of high priority run at all, so that the others starve for a while.

use super::{Moment, Strategy, ThreadIndex};
use crate::seed::Luck;

const LOW_PRIORITY_PROBABILITY: f64 = 0.15;
/// Upper bounds of slices, equally likely.
const SLICES: [u64; 3] = [10, 200, 4000];
/// Priorities are redrawn within this many points.
const REFRESH: u64 = 8000;

/// What rr's chaos mode does, in points instead of ticks.
#[derive(Debug)]
pub struct Priorities {
    luck: Luck,
    /// By thread.
    is_high: Vec<bool>,
    refresh_at: u64,
    /// When only threads of high priority run.
    starvation: std::ops::Range<u64>,
}

impl Priorities {
    /// The priorities and slices of a seed.
    pub fn new(seed: u64) -> Self {
        let luck = Luck::new(seed, "priorities");
        Self { luck, is_high: Vec::new(), refresh_at: 0, starvation: 0..0 }
    }

    fn draw(&mut self) -> bool {
        !self.luck.chance(LOW_PRIORITY_PROBABILITY)
    }

    fn advance(&mut self, points: u64) {
        if points >= self.starvation.end {
            let length = 1 << (6 + self.luck.below(9));
            let start = points + self.luck.below(4 * length);
            self.starvation = start..start + length;
        }
        if points >= self.refresh_at {
            self.refresh_at = points + 1 + self.luck.below(REFRESH);
            for thread in 0..self.is_high.len() {
                self.is_high[thread] = self.draw();
            }
        }
    }
}

impl Strategy for Priorities {
    fn thread_started(&mut self, _thread: ThreadIndex) {
        let is_high = self.draw();
        self.is_high.push(is_high);
    }

    fn choose(&mut self, moment: &Moment<'_>) -> ThreadIndex {
        self.advance(moment.points);
        let others = moment.others();
        let high: Vec<_> = others.iter().copied().filter(|&thread| self.is_high[thread]).collect();
        let starving = self.starvation.contains(&moment.points);
        let candidates = if starving && !high.is_empty() { &high } else { &others };
        self.luck.pick(candidates)
    }

    fn slice(&mut self, _points: u64) -> u32 {
        let bound = self.luck.pick(&SLICES);
        1 + self.luck.below(bound) as u32
    }
}
