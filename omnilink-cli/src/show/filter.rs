//! Filters for records.

use std::collections::HashSet;

use omnilink_trace::{ActionId, Record, Trace};

use super::line::lane_label;
use crate::failure::Failure;

/// The options; empty lists and `None` select everything.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Lanes, by index or name.
    pub threads: Vec<String>,
    /// Actions, by name.
    pub actions: Vec<String>,
    /// Only records that end at this time or later, in nanoseconds from the trace's start.
    pub from: Option<u64>,
    /// Only records that start at this time or earlier.
    pub to: Option<u64>,
}

/// The filter, resolved for one trace.
pub struct Filter<'t> {
    trace: &'t Trace,
    lanes: Option<HashSet<u32>>,
    actions: Option<HashSet<ActionId>>,
    from: u64,
    to: u64,
}

impl<'t> Filter<'t> {
    /// Resolves the names; an unknown name is an error, so that a typing mistake does not give an empty result.
    pub fn new(trace: &'t Trace, wanted: &Wanted) -> Result<Self, Failure> {
        Ok(Self {
            trace,
            lanes: find_lanes(trace, &wanted.threads)?,
            actions: find_actions(trace, &wanted.actions)?,
            from: wanted.from.unwrap_or(0),
            to: wanted.to.unwrap_or(u64::MAX),
        })
    }

    /// True if nothing is filtered out.
    pub fn is_everything(&self) -> bool {
        self.lanes.is_none() && self.actions.is_none() && self.from == 0 && self.to == u64::MAX
    }

    /// Whether `record` is selected: its lane and action match, and its timebox overlaps the selected time.
    pub fn selects(&self, record: &Record) -> bool {
        match record {
            Record::Event(event) => {
                self.selects_lane(event.lane)
                    && self.actions.as_ref().is_none_or(|wanted| {
                        event.candidates.as_slice().iter().any(|candidate| wanted.contains(candidate))
                    })
                    && self.touches(event.timebox.start, event.timebox.end)
            }
            Record::Terminated(end) => {
                self.selects_lane(end.lane) && self.actions.is_none() && self.touches(end.time, Some(end.time))
            }
        }
    }

    fn selects_lane(&self, lane: u32) -> bool {
        self.lanes.as_ref().is_none_or(|wanted| wanted.contains(&lane))
    }

    fn touches(&self, start: u64, end: Option<u64>) -> bool {
        self.trace.ns(start) <= self.to && end.is_none_or(|end| self.trace.ns(end) >= self.from)
    }
}

fn find_lanes(trace: &Trace, wanted: &[String]) -> Result<Option<HashSet<u32>>, Failure> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let mut found = HashSet::new();
    for name in wanted {
        let index = name.parse().ok();
        let before = found.len();
        found.extend(
            trace
                .lanes()
                .iter()
                .filter(|lane| Some(lane.index()) == index || lane.name() == name)
                .map(|lane| lane.index()),
        );
        if found.len() == before && !index.is_some_and(|index| found.contains(&index)) {
            let lanes = trace.lanes().iter().map(lane_label);
            return Err(Failure::with_hint(
                format!("the trace has no thread `{name}`"),
                format!("its threads are {}", listing(lanes)),
            ));
        }
    }
    Ok(Some(found))
}

fn find_actions(trace: &Trace, wanted: &[String]) -> Result<Option<HashSet<ActionId>>, Failure> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let mut found = HashSet::new();
    for name in wanted {
        let mut named =
            trace.vocabulary().actions().filter(|(_, action)| &*action.name == name).map(|(id, _)| id).peekable();
        if named.peek().is_none() {
            let actions = trace.vocabulary().actions().map(|(_, action)| action.name.to_string());
            return Err(Failure::with_hint(
                format!("the trace has no action `{name}`"),
                format!("its actions are {}", listing(actions)),
            ));
        }
        found.extend(named);
    }
    Ok(Some(found))
}

/// The first of many names.
fn listing(names: impl ExactSizeIterator<Item = String>) -> String {
    const SHOWN: usize = 20;
    let rest = names.len().saturating_sub(SHOWN);
    let mut text = names.take(SHOWN).collect::<Vec<_>>().join(", ");
    if rest > 0 {
        text.push_str(&format!(" and {rest} more"));
    }
    text
}
