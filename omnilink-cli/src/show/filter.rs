//! Which records to look at.

use std::collections::HashSet;

use omnilink_trace::{ActionId, Record, Trace};

use super::line::lane_label;
use crate::failure::Failure;

/// What the user asked for; empty lists and `None` let everything through.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Lanes, by index or name.
    pub threads: Vec<String>,
    /// Actions, by name.
    pub actions: Vec<String>,
    /// Nothing that ended before this, in nanoseconds from the trace's start.
    pub from: Option<u64>,
    /// Nothing that started after this.
    pub to: Option<u64>,
}

/// What was asked for, in terms of one trace.
pub struct Filter<'t> {
    trace: &'t Trace,
    lanes: Option<HashSet<u32>>,
    actions: Option<HashSet<ActionId>>,
    from: u64,
    to: u64,
}

impl<'t> Filter<'t> {
    /// Looks the names up; one that the trace does not have is an error, so that a typing mistake is not an empty answer.
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

    /// True if `record` was asked for: it is in a wanted lane, may be a wanted action, and its box touches the wanted time.
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
