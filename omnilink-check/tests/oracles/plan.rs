//! Histories as the oracles see them, and the traces that the checker gets.

use std::fmt;

use omnilink_trace::{Argument, Candidates, Event, Outcome, Record, Run, StopReason, Timebox, Trace, TraceBuilder};

use crate::datum::Datum;
use crate::family::Family;

/// A history.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The calls of each lane, in order.
    pub lanes: Vec<Vec<Call>>,
    /// A lane of which calls are missing, and since when.
    pub stop: Option<(usize, u64)>,
}

/// A call.
#[derive(Debug, Clone)]
pub struct Call {
    /// What it may have been; nothing if anything.
    pub names: Vec<&'static str>,
    /// The arguments of all of these, by name.
    pub args: Vec<(&'static str, Option<Datum>)>,
    /// When it began.
    pub start: u64,
    /// When it had ended.
    pub end: Option<u64>,
    /// How it ended.
    pub outcome: Outcome,
}

impl Call {
    /// The argument of a name.
    pub fn arg(&self, name: &str) -> Option<&Datum> {
        self.args.iter().find(|(other, _)| *other == name).and_then(|(_, value)| value.as_ref())
    }
}

impl Plan {
    /// The trace that a recorder would have left.
    pub fn trace(&self, family: &Family) -> Trace {
        let mut builder = TraceBuilder::new(family.name, "Next", Run::default());
        for (lane, calls) in self.lanes.iter().enumerate() {
            builder.lane(lane as u32, "");
            for call in calls {
                let event = call.event(lane as u32, family, &mut builder);
                builder.push(Record::Event(event)).unwrap_or_else(|error| panic!("{error}\n{self}"));
            }
        }
        if let Some((lane, at)) = self.stop {
            builder.stop(lane as u32, at, StopReason::NoSpace);
        }
        builder.finish("history").unwrap_or_else(|error| panic!("{error}\n{self}"))
    }

    /// All calls with their lanes and places there.
    pub fn calls(&self) -> impl Iterator<Item = (usize, usize, &Call)> {
        self.lanes
            .iter()
            .enumerate()
            .flat_map(|(lane, calls)| calls.iter().enumerate().map(move |(at, call)| (lane, at, call)))
    }
}

impl Call {
    fn event(&self, lane: u32, family: &Family, builder: &mut TraceBuilder) -> Event {
        let mut actions = Vec::new();
        for name in &self.names {
            let params: Vec<_> = family.operation(name).params.iter().map(|(param, _)| *param).collect();
            actions.push(builder.action(name, &params).expect("parameters differ"));
        }
        let candidates = match actions.as_slice() {
            [one] => Candidates::One(*one),
            _ => Candidates::Several(actions.into()),
        };
        let vocabulary = builder.vocabulary();
        let argument = |(name, value): &(&str, Option<Datum>)| Argument {
            param: vocabulary.intern(name),
            value: value.as_ref().map(Datum::recorded),
        };
        Event {
            lane,
            index: 0,
            candidates,
            args: self.args.iter().map(argument).collect(),
            timebox: Timebox { start: self.start, end: self.end },
            outcome: self.outcome,
            effects: Vec::new(),
            meta: Vec::new(),
            offset: 0,
        }
    }
}

/// For people who have to find out what went wrong: a line per lane.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (lane, calls) in self.lanes.iter().enumerate() {
            write!(f, "lane {lane}:")?;
            for call in calls {
                write!(f, "  {call}")?;
            }
            if let Some((_, at)) = self.stop.filter(|(stopped, _)| *stopped == lane) {
                write!(f, "  stopped at {at}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &Option<Datum>| value.as_ref().map_or_else(|| "?".to_owned(), Datum::to_string);
        let args: Vec<_> = self.args.iter().map(|(name, value)| format!("{name}={}", shown(value))).collect();
        let end = self.end.map_or_else(|| "…".to_owned(), |end| end.to_string());
        write!(f, "{}({})[{},{end}]", self.names.join("|"), args.join(", "), self.start)?;
        match self.outcome {
            Outcome::Done | Outcome::Pending => Ok(()),
            Outcome::Aborted => write!(f, "aborted"),
            Outcome::Indeterminate => write!(f, "indeterminate"),
        }
    }
}
