//! Counts the records of a trace.

use std::collections::BTreeMap;

use omnilink_trace::{ActionId, Event, NameId, Outcome, Record, Trace};

use super::open_calls::OpenCalls;
use super::widest::Widest;

/// The number of widest timeboxes, and of calls that never ended, that a report lists.
const NAMED: usize = 5;

/// The counts so far.
pub struct Tally<'t> {
    pub(super) trace: &'t Trace,
    /// By candidates, in the order in which the trace declares actions.
    pub(super) actions: BTreeMap<Box<[ActionId]>, ActionTally>,
    pub(super) terminations: u64,
    pub(super) open_calls: OpenCalls,
    pub(super) widest: Widest,
    /// The first few calls that never ended.
    pub(super) never_ended: Vec<Event>,
}

/// The counts of one action.
#[derive(Debug, Default)]
pub(super) struct ActionTally {
    pub outcomes: Outcomes,
    /// Calls without a value for a parameter.
    pub unknown: BTreeMap<NameId, u64>,
    /// Sum of the widths of all timeboxes that ended, in ticks.
    pub total_width: u128,
    pub widest: u64,
}

/// Calls by how they ended.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Outcomes {
    /// They returned.
    pub done: u64,
    /// They had no effect.
    pub aborted: u64,
    /// They may or may not have taken effect.
    pub indeterminate: u64,
    /// They never ended.
    pub pending: u64,
}

impl Outcomes {
    fn add(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Done => &mut self.done,
            Outcome::Aborted => &mut self.aborted,
            Outcome::Indeterminate => &mut self.indeterminate,
            Outcome::Pending => &mut self.pending,
        } += 1;
    }

    /// All calls.
    pub fn total(&self) -> u64 {
        self.ended() + self.pending
    }

    /// Calls that ended in one way or another.
    pub fn ended(&self) -> u64 {
        self.done + self.aborted + self.indeterminate
    }
}

impl std::iter::Sum for Outcomes {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |a, b| Self {
            done: a.done + b.done,
            aborted: a.aborted + b.aborted,
            indeterminate: a.indeterminate + b.indeterminate,
            pending: a.pending + b.pending,
        })
    }
}

impl<'t> Tally<'t> {
    /// An empty tally.
    pub fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            actions: BTreeMap::new(),
            terminations: 0,
            open_calls: OpenCalls::default(),
            widest: Widest::new(NAMED),
            never_ended: Vec::new(),
        }
    }

    /// Adds the next record; records must be added in the order of their starts.
    pub fn add(&mut self, record: &Record) {
        match record {
            Record::Event(event) => self.add_event(event),
            Record::Terminated(_) => self.terminations += 1,
        }
    }

    fn add_event(&mut self, event: &Event) {
        let (start, end) = (event.timebox.start, event.timebox.end);
        self.open_calls.add(event.lane, start, end);
        let width = end.map(|end| end - start);
        match width {
            Some(width) => self.widest.add(width, event),
            None if self.never_ended.len() < NAMED => self.never_ended.push(event.clone()),
            None => {}
        }
        let action = self.action(event.candidates.as_slice());
        action.outcomes.add(event.outcome);
        action.total_width += u128::from(width.unwrap_or(0));
        action.widest = action.widest.max(width.unwrap_or(0));
        for arg in event.args.iter().filter(|arg| arg.value.is_none()) {
            *action.unknown.entry(arg.param).or_default() += 1;
        }
    }

    fn action(&mut self, candidates: &[ActionId]) -> &mut ActionTally {
        if !self.actions.contains_key(candidates) {
            self.actions.insert(candidates.into(), ActionTally::default());
        }
        self.actions.get_mut(candidates).expect("it was added above")
    }
}
