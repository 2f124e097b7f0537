//! Replay: the answers that another strategy once gave.
//!
//! A program that behaves as it did asks the same questions. When it asks another one, the answers make no sense any
//! more: it goes on with a strategy of its own, so that the program comes to an end, and the hash tells that the runs
//! differ.

use super::{Answer, LONGEST_SLICE, Moment, RoundRobin, Strategy, ThreadIndex};

/// The answers that another strategy once gave.
#[derive(Debug)]
pub struct Replay {
    answers: Vec<u8>,
    next: usize,
    afterwards: RoundRobin,
}

impl Replay {
    /// Replays answers as [`Logged`](super::Logged) has kept them.
    pub fn new(answers: Vec<u8>) -> Self {
        Self { answers, next: 0, afterwards: RoundRobin::new(0) }
    }

    fn answer(&mut self) -> Option<Answer> {
        let (answer, rest) = Answer::decode(&self.answers[self.next..])?;
        self.next = self.answers.len() - rest.len();
        Some(answer)
    }

    fn give_up(&mut self) {
        self.next = self.answers.len();
    }
}

impl Strategy for Replay {
    fn thread_started(&mut self, thread: ThreadIndex) {
        self.afterwards.thread_started(thread);
    }

    fn choose(&mut self, moment: &Moment<'_>) -> ThreadIndex {
        match self.answer() {
            Some(Answer::Choice(thread)) if moment.runnable.contains(&thread) => thread,
            _ => {
                self.give_up();
                self.afterwards.choose(moment)
            }
        }
    }

    fn slice(&mut self, points: u64) -> u32 {
        match self.answer() {
            Some(Answer::Slice(slice)) if (1..=LONGEST_SLICE).contains(&slice) => slice,
            _ => {
                self.give_up();
                self.afterwards.slice(points)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Logged, Reason, StrategyKind};
    use super::*;

    fn ask(strategy: &mut dyn Strategy) -> Vec<(ThreadIndex, u32)> {
        (0..3).for_each(|thread| strategy.thread_started(thread));
        let moment = |points| Moment { reason: Reason::SliceEnded, current: 0, runnable: &[0, 1, 2], points };
        (0..50).map(|points| (strategy.choose(&moment(points)), strategy.slice(points))).collect()
    }

    #[test]
    fn the_answers_are_those_that_were_kept() {
        let mut logged = Logged::new(StrategyKind::RandomWalk.seeded(5));
        let answers = ask(&mut logged);
        assert_eq!(ask(&mut Replay::new(logged.into_answers())), answers);
    }

    #[test]
    fn nonsense_still_gives_legal_answers() {
        for kept in [&[][..], &[0x80], &[0xfe, 0xff, 0x01], &[1, 1, 1]] {
            assert!(ask(&mut Replay::new(kept.to_vec())).iter().all(|&(thread, slice)| thread < 3 && slice > 0));
        }
    }
}
