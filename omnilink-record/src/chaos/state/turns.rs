//! Which thread ran at which virtual time.
//!
//! Threads run one at a time and the clock never shows the same time twice, so the time of an event tells which thread caused
//! it.

use std::collections::VecDeque;

use super::threads::ThreadIndex;

/// Older turns are forgotten: a program that is stuck after more than this many has been busy since.
const REMEMBERED: usize = 1 << 20;

/// The last turns of the program's threads.
#[derive(Debug)]
pub struct Turns(VecDeque<(u64, ThreadIndex)>);

impl Turns {
    /// The first thread begins.
    pub fn new() -> Self {
        Self(VecDeque::from([(0, 0)]))
    }

    /// A thread goes on when the clock shows `now`; what it reads from the clock is later.
    pub fn begin(&mut self, now: u64, thread: ThreadIndex) {
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back((now, thread));
    }

    /// The thread that has read this time from the clock, if that was not too long ago.
    pub fn reader(&self, time: u64) -> Option<ThreadIndex> {
        let after = self.0.partition_point(|&(begin, _)| begin < time);
        after.checked_sub(1).map(|index| self.0[index].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_belong_to_turns() {
        let mut turns = Turns::new();
        turns.begin(100, 2);
        turns.begin(100, 1);
        turns.begin(150, 2);
        let readers: Vec<_> = [20, 100, 101, 150, 151].iter().map(|&time| turns.reader(time)).collect();
        assert_eq!(readers, [Some(0), Some(0), Some(1), Some(1), Some(2)]);
    }

    #[test]
    fn old_turns_are_forgotten() {
        let mut turns = Turns::new();
        for now in 1..=REMEMBERED as u64 {
            turns.begin(now, 7);
        }
        assert_eq!(turns.reader(1), None);
        assert_eq!(turns.reader(2), Some(7));
    }
}
