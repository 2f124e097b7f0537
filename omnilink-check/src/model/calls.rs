//! The calls of a history, as they are given in memory.

use std::ops::RangeInclusive;

use thiserror::Error;

use super::{Hint, Model};
use crate::order;
use crate::timeline::{Event, NEVER, Timeline};

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call<I, O> {
    /// The thread that made it.
    pub thread: u32,
    /// When it began.
    pub start: u64,
    /// When it had ended; `None` if it never did.
    pub end: Option<u64>,
    /// What it asked for.
    pub input: I,
    /// What it returned, if that is known.
    pub output: Option<O>,
    /// Whether it took effect.
    pub outcome: Outcome,
}

/// Whether a call took effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It did.
    Done,
    /// It may have, or not.
    Indeterminate,
}

/// The calls of a history, in any order.
///
/// A call takes effect between its beginning and its end. Calls of different threads that touch (one ends when the other begins)
/// may take effect in both orders; of one thread, the one that began first comes first. If calls of a thread overlap, as they do
/// where it awaits several at once, or begin at the same time, their times alone decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calls<I, O> {
    calls: Vec<Call<I, O>>,
    /// Calls of a thread take effect in the order in which they were added, whatever their times.
    in_order: bool,
}

/// Calls that make no history.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CallsError {
    /// A call that ended before it began.
    #[error(
        "call {call} of thread {thread} ends at {end}, before it begins at {start}: give its end as the second number"
    )]
    Backwards {
        /// Its place in the history.
        call: usize,
        /// Its thread.
        thread: u32,
        /// When it began.
        start: u64,
        /// When it ended.
        end: u64,
    },
    /// A call that took effect at no time.
    #[error("call {call} of thread {thread} is done but has no end: a call that never ended is indeterminate")]
    Endless {
        /// Its place in the history.
        call: usize,
        /// Its thread.
        thread: u32,
    },
}

impl<I, O> Default for Calls<I, O> {
    fn default() -> Self {
        Self { calls: Vec::new(), in_order: false }
    }
}

impl<I, O> Calls<I, O> {
    /// No call yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// No call yet. Calls of a thread will be added in the order in which it made them, and take effect in that order, also where the
    /// times of one are less certain than that: a trace has such lanes.
    pub(super) fn of_lanes() -> Self {
        Self { calls: Vec::new(), in_order: true }
    }

    /// Whether calls of a thread take effect in the order in which they were added.
    pub(super) fn are_in_order(&self) -> bool {
        self.in_order
    }

    /// Adds a call that took effect. Its number among the calls is returned.
    pub fn done(&mut self, thread: u32, time: RangeInclusive<u64>, input: I, output: Option<O>) -> usize {
        let (start, end) = time.into_inner();
        self.push(Call { thread, start, end: Some(end), input, output, outcome: Outcome::Done })
    }

    /// Adds a call that has not ended, or ended without an answer (a timeout, a lost connection): it may have taken effect at
    /// any time since it began, or not at all.
    pub fn pending(&mut self, thread: u32, start: u64, input: I) -> usize {
        self.push(Call { thread, start, end: None, input, output: None, outcome: Outcome::Indeterminate })
    }

    /// Adds a call.
    pub fn push(&mut self, call: Call<I, O>) -> usize {
        self.calls.push(call);
        self.calls.len() - 1
    }

    /// The calls, in the order in which they were added.
    pub fn as_slice(&self) -> &[Call<I, O>] {
        &self.calls
    }
}

impl<I, O> FromIterator<Call<I, O>> for Calls<I, O> {
    fn from_iter<T: IntoIterator<Item = Call<I, O>>>(calls: T) -> Self {
        Self { calls: calls.into_iter().collect(), in_order: false }
    }
}

/// Some calls of a history, by lane.
pub(crate) struct Part {
    pub timeline: Timeline,
    /// By choice: the call.
    pub calls: Vec<usize>,
}

impl Part {
    /// Those of the calls that an order consists of. One that may not have happened and could only have read makes no difference.
    pub fn new<M: Model>(model: &M, calls: &Calls<M::Input, M::Output>, mut part: Vec<usize>) -> Self {
        let all = calls.as_slice();
        let is_seen = |&nth: &usize| all[nth].outcome == Outcome::Done || !model.is_read_only(&all[nth].input);
        part.retain(is_seen);
        let lanes = if calls.are_in_order() {
            part.sort_by_key(|&nth| (all[nth].thread, nth));
            part.chunk_by(|&one, &other| all[one].thread == all[other].thread).map(<[usize]>::to_vec).collect()
        } else {
            part.sort_by_key(|&nth| (all[nth].thread, all[nth].start, all[nth].end.unwrap_or(NEVER)));
            lanes(all, &part)
        };
        let (mut timeline, mut calls) = (Timeline::default(), Vec::with_capacity(part.len()));
        for (id, lane) in (0..).zip(lanes) {
            let event = |(index, nth): (u32, usize)| {
                let call = &all[nth];
                let end = call.end.unwrap_or(NEVER);
                calls.push(nth);
                Event {
                    start: call.start,
                    end,
                    needed: end,
                    index,
                    first_choice: calls.len() as u32 - 1,
                    choice_count: 1,
                    one_step: true,
                    is_open: false,
                    optional: call.outcome == Outcome::Indeterminate,
                    read_only: model.is_read_only(&call.input),
                }
            };
            let events = (0..).zip(lane).map(event).collect();
            timeline.push_lane(id, events);
        }
        let hints: Vec<Hint> = calls.iter().map(|&nth| model.hint(&all[nth].input, all[nth].output.as_ref())).collect();
        order::by_need(&mut timeline, |event| {
            let Hint { operation, values } = &hints[event.first_choice as usize];
            (*operation, values.iter().map(|&value| value.into()).collect())
        });
        Self { timeline, calls }
    }
}

/// The calls of each thread, which are sorted, as sequences that do not overlap. Where calls of a thread overlap, its calls are
/// spread over several sequences, in each of which one had ended before the next began: so only time orders them.
fn lanes<I, O>(all: &[Call<I, O>], part: &[usize]) -> Vec<Vec<usize>> {
    let mut lanes: Vec<Vec<usize>> = Vec::new();
    for of_thread in part.chunk_by(|&one, &other| all[one].thread == all[other].thread) {
        let end = |&nth: &usize| all[nth].end.unwrap_or(NEVER);
        let is_before =
            |one: &usize, other: &usize| all[*one].start < all[*other].start && end(one) <= all[*other].start;
        let is_sequence = of_thread.is_sorted_by(is_before);
        if is_sequence {
            lanes.push(of_thread.to_vec());
            continue;
        }
        let first = lanes.len();
        for &nth in of_thread {
            let is_free = |lane: &&mut Vec<usize>| lane.last().is_some_and(|last| end(last) < all[nth].start);
            match lanes[first..].iter_mut().find(is_free) {
                Some(lane) => lane.push(nth),
                None => lanes.push(vec![nth]),
            }
        }
    }
    lanes
}

/// Whether the calls make a history.
pub(crate) fn validate<I, O>(calls: &[Call<I, O>]) -> Result<(), CallsError> {
    for (call, &Call { thread, start, end, outcome, .. }) in calls.iter().enumerate() {
        match end {
            Some(end) if end < start => return Err(CallsError::Backwards { call, thread, start, end }),
            None if outcome == Outcome::Done => return Err(CallsError::Endless { call, thread }),
            _ => {}
        }
    }
    Ok(())
}
