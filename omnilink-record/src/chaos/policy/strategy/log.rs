//! A log of what a strategy answers: the schedule itself is kept, and not only its seed.

use super::{Moment, Strategy, ThreadIndex};

/// What a strategy answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The thread that runs.
    Choice(ThreadIndex),
    /// The number of points that may pass.
    Slice(u32),
}

impl Answer {
    /// Appends it: seven bits to a byte, the lowest bit of the number tells which kind it is.
    pub fn encode(self, bytes: &mut Vec<u8>) {
        let mut number = match self {
            Self::Choice(thread) => (thread as u64) << 1,
            Self::Slice(points) => u64::from(points) << 1 | 1,
        };
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }

    /// Reads the first one and gives the bytes after it; none if they end too early.
    pub fn decode(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let length = 1 + bytes.iter().take(9).position(|byte| byte & 0x80 == 0)?;
        let (encoded, rest) = bytes.split_at(length);
        let number = encoded.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f));
        let answer = match number & 1 {
            0 => Self::Choice((number >> 1) as usize),
            _ => Self::Slice(u32::try_from(number >> 1).ok()?),
        };
        Some((answer, rest))
    }
}

/// A strategy whose answers are kept.
#[derive(Debug)]
pub struct Logged {
    strategy: Box<dyn Strategy>,
    answers: Vec<u8>,
}

impl Logged {
    /// Keeps what `strategy` answers from now on.
    pub fn new(strategy: Box<dyn Strategy>) -> Self {
        Self { strategy, answers: Vec::new() }
    }

    /// All answers, encoded one after the other.
    pub fn into_answers(self) -> Vec<u8> {
        self.answers
    }
}

impl Strategy for Logged {
    fn thread_started(&mut self, thread: ThreadIndex) {
        self.strategy.thread_started(thread);
    }

    fn choose(&mut self, moment: &Moment<'_>) -> ThreadIndex {
        let thread = self.strategy.choose(moment);
        Answer::Choice(thread).encode(&mut self.answers);
        thread
    }

    fn slice(&mut self, points: u64) -> u32 {
        let slice = self.strategy.slice(points);
        Answer::Slice(slice).encode(&mut self.answers);
        slice
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_written() {
        let answers =
            [Answer::Choice(0), Answer::Slice(1), Answer::Choice(300), Answer::Slice(20_000), Answer::Slice(u32::MAX)];
        let mut bytes = Vec::new();
        answers.iter().for_each(|answer| answer.encode(&mut bytes));
        let mut rest = bytes.as_slice();
        for expected in answers {
            let (answer, after) = Answer::decode(rest).unwrap();
            assert_eq!(answer, expected);
            rest = after;
        }
        assert!(rest.is_empty());
        assert_eq!(Answer::decode(&[0x80, 0x80]), None);
        assert_eq!(Answer::decode(&[0xff; 12]), None);
    }
}
