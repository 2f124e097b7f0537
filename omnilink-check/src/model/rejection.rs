//! Why there is no order: the orders that got furthest, and which calls could not come next in them.

use std::convert::Infallible;
use std::fmt::{self, Write};

use super::Model;
use super::calls::{Call, Calls};
use super::problem::ModelProblem;
use crate::search::{Became, DeadEnd, Deepest, Placement, Problem, Stride};
use crate::timeline::Lane;

/// How far orders got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection<S> {
    /// The calls of the part of the object that has no order.
    pub calls: Vec<usize>,
    /// The most calls that an order could place.
    pub placed: u64,
    /// How many configurations with so many calls placed could not go on.
    pub count: u64,
    /// Some of them.
    pub dead_ends: Vec<Blocked<S>>,
    /// By lane: its calls, in order. Calls of a thread that overlap are in different lanes.
    pub(super) lanes: Vec<Vec<usize>>,
}

/// A configuration from which no call can come next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocked<S> {
    /// The calls placed last, the latest at the end.
    pub last: Vec<usize>,
    /// The state after them.
    pub state: S,
    /// The calls that would have to come next, and cannot.
    pub next: Vec<usize>,
    /// The states after each of the calls placed last, also those that took no effect.
    pub(super) path: Vec<(usize, bool, S)>,
    /// By lane: how many of its calls are placed.
    pub(super) positions: Vec<u32>,
}

impl<S> Rejection<S> {
    pub(super) fn new<M: Model<State = S>>(problem: &ModelProblem<'_, M>, deepest: Deepest<S, Infallible>) -> Self {
        let blocked = |dead_end: DeadEnd<S, Infallible>| {
            let call = |event| problem.part.calls[problem.timeline().event(event).first_choice as usize];
            let stride =
                |stride: Stride<S, Infallible>| (call(stride.event), stride.became != Became::Nothing, stride.state);
            let path: Vec<_> = dead_end.path.into_iter().map(stride).collect();
            let last = path.iter().filter(|(_, happened, _)| *happened).map(|(call, ..)| *call).collect();
            let placement = Placement::resume(problem.timeline(), &dead_end.positions);
            let next = placement.viable().map(|lane| call(problem.place(&placement, lane as u32))).collect();
            Blocked { last, state: dead_end.state, next, path, positions: dead_end.positions }
        };
        let mut calls = problem.part.calls.clone();
        calls.sort_unstable();
        let Deepest { placed, count, kept, .. } = deepest;
        let of_lane =
            |lane: &Lane| lane.events.iter().map(|event| problem.part.calls[event.first_choice as usize]).collect();
        let lanes = problem.timeline().lanes.iter().map(of_lane).collect();
        Self { calls, placed, count, dead_ends: kept.into_iter().map(blocked).collect(), lanes }
    }
}

/// What to call the calls and states of a model in an explanation.
pub trait Words: Model {
    /// A call: `read → 7`.
    fn describe_call(&self, input: &Self::Input, output: Option<&Self::Output>) -> String;

    /// A state: `value 7`.
    fn describe_state(&self, state: &Self::State) -> String;
}

impl<S> Rejection<S> {
    /// What people read.
    pub fn explain<M: Words<State = S>>(&self, model: &M, calls: &Calls<M::Input, M::Output>) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(model, calls.as_slice(), &mut text);
        text
    }

    fn write<M: Words<State = S>>(
        &self,
        model: &M,
        calls: &[Call<M::Input, M::Output>],
        text: &mut String,
    ) -> fmt::Result {
        writeln!(
            text,
            "no order of these {} calls is allowed; at most {} can be placed",
            self.calls.len(),
            self.placed
        )?;
        let Some(example) = self.dead_ends.first() else { return Ok(()) };
        let describe = |nth: usize| {
            let Call { thread, start, end, input, output, .. } = &calls[nth];
            let end = end.map_or_else(|| "…".to_owned(), |end| end.to_string());
            format!("thread {thread} [{start}, {end}] {}", model.describe_call(input, output.as_ref()))
        };
        if !example.last.is_empty() {
            writeln!(text, "for example, after")?;
        }
        for &nth in &example.last {
            writeln!(text, "  {}", describe(nth))?;
        }
        writeln!(
            text,
            "the state is {}, and none of these calls, one of which has to come next, is possible:",
            model.describe_state(&example.state)
        )?;
        for &nth in &example.next {
            writeln!(text, "  {}", describe(nth))?;
        }
        match self.count {
            0 | 1 => Ok(()),
            count => writeln!(text, "({} other orders get as far)", count - 1),
        }
    }
}
