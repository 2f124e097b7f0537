//! Strategies: which thread runs next, and for how many points.
//!
//! A strategy is asked only when there is a choice, and everything it answers is drawn from the seed, so the same
//! program is asked the same questions and gets the same answers.

mod log;
mod pct;
mod priorities;
mod random_walk;
mod replay;
mod round_robin;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use log::{Answer, Logged};
pub use pct::Pct;
pub use priorities::Priorities;
pub use random_walk::RandomWalk;
pub use replay::Replay;
pub use round_robin::RoundRobin;

pub use crate::stacks::ThreadIndex;

/// No thread runs longer than this many points while others wait, so that a thread that spins gets what it spins for.
pub const LONGEST_SLICE: u32 = 20_000;

/// Why a thread has to be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The current thread's slice has ended.
    SliceEnded,
    /// The current thread says that it waits for another.
    Yielded,
    /// The current thread cannot run.
    Blocked,
}

/// A decision that a strategy has to make.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// Why.
    pub reason: Reason,
    /// The thread that ran until now.
    pub current: ThreadIndex,
    /// The threads that can run: at least two, in ascending order.
    pub runnable: &'a [ThreadIndex],
    /// How many points have passed since the program began.
    pub points: u64,
}

impl Moment<'_> {
    /// The threads that can run, without the current one.
    pub fn others(&self) -> Vec<ThreadIndex> {
        self.runnable.iter().copied().filter(|&thread| thread != self.current).collect()
    }
}

/// A way to schedule.
pub trait Strategy: fmt::Debug + Send {
    /// A thread has begun.
    fn thread_started(&mut self, thread: ThreadIndex);
    /// The thread that runs next: one of those that can run.
    fn choose(&mut self, moment: &Moment<'_>) -> ThreadIndex;
    /// How many points may pass before the next choice, if `points` have passed; from 1 to [`LONGEST_SLICE`].
    fn slice(&mut self, points: u64) -> u32;
}

/// The strategies that draw from a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StrategyKind {
    /// See [`RandomWalk`].
    #[default]
    RandomWalk,
    /// See [`Pct`].
    Pct,
    /// See [`Priorities`].
    Priorities,
    /// See [`RoundRobin`].
    RoundRobin,
}

impl StrategyKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::RandomWalk, Self::Pct, Self::Priorities, Self::RoundRobin];

    /// Its name, as the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::RandomWalk => "random-walk",
            Self::Pct => "pct",
            Self::Priorities => "priorities",
            Self::RoundRobin => "round-robin",
        }
    }

    /// A strategy of this kind.
    pub fn seeded(self, seed: u64) -> Box<dyn Strategy> {
        match self {
            Self::RandomWalk => Box::new(RandomWalk::new(seed)),
            Self::Pct => Box::new(Pct::new(seed)),
            Self::Priorities => Box::new(Priorities::new(seed)),
            Self::RoundRobin => Box::new(RoundRobin::new(seed)),
        }
    }
}

impl FromStr for StrategyKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| format!("the strategies are {}", names()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever it is asked, a strategy answers within the rules and repeats itself.
    #[test]
    fn answers_are_legal_and_repeat() {
        for kind in StrategyKind::ALL {
            for seed in 0..20 {
                let answers = |seed| {
                    let mut strategy = kind.seeded(seed);
                    (0..4).for_each(|thread| strategy.thread_started(thread));
                    let mut answers = Vec::new();
                    let (mut current, mut points) = (0, 0);
                    for round in 0..200 {
                        let reason = [Reason::SliceEnded, Reason::Yielded, Reason::Blocked][round % 3];
                        let runnable: Vec<_> =
                            (0..4).filter(|&t| t != round % 4 && (reason != Reason::Blocked || t != current)).collect();
                        if runnable.len() < 2 {
                            continue;
                        }
                        current = strategy.choose(&Moment { reason, current, runnable: &runnable, points });
                        assert!(runnable.contains(&current), "{kind:?}");
                        let slice = strategy.slice(points);
                        assert!((1..=LONGEST_SLICE).contains(&slice), "{kind:?}");
                        points += u64::from(slice);
                        answers.push((current, slice));
                    }
                    answers
                };
                assert_eq!(answers(seed), answers(seed), "{kind:?}");
            }
        }
    }

    #[test]
    fn names_are_parsed() {
        for kind in StrategyKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        assert!("chance".parse::<StrategyKind>().unwrap_err().contains("random-walk, pct"));
    }
}
