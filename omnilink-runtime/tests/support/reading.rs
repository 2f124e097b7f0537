//! Traces as text, for comparison.

use std::path::Path;

use omnilink_trace::{Event, LaneEnd, Outcome, Record, Trace, Value};

/// A trace as text.
#[derive(Debug)]
pub struct Recorded {
    pub trace: Trace,
    pub lanes: Vec<Lane>,
}

/// A lane as text.
#[derive(Debug)]
pub struct Lane {
    pub name: String,
    /// The calls, such as `Put(key=3, value="x")`, with outcome and meta values if there are any; `?` is unknown.
    pub calls: Vec<String>,
    /// The same as events.
    pub events: Vec<Event>,
    pub end: LaneEnd,
}

impl Recorded {
    /// The calls of all lanes, in the order of lanes.
    pub fn calls(&self) -> Vec<&str> {
        self.lanes.iter().flat_map(|lane| &lane.calls).map(String::as_str).collect()
    }

    /// What a reader is told about the trace.
    pub fn notices(&self) -> Vec<String> {
        self.trace.notices().iter().map(|notice| notice.finding.to_string()).collect()
    }

    /// The events of all lanes, in the order of lanes.
    pub fn events(&self) -> Vec<Event> {
        self.lanes.iter().flat_map(|lane| &lane.events).cloned().collect()
    }
}

/// Reads a trace, which must be without error.
pub fn read(directory: &Path) -> Recorded {
    let trace = Trace::open(directory).unwrap_or_else(|error| panic!("{error}"));
    let text = |lane: &omnilink_trace::Lane| {
        let records = lane.records().map(|record| record.unwrap_or_else(|error| panic!("{error}")));
        let records: Vec<_> = records.collect();
        Lane {
            name: lane.name().to_owned(),
            calls: records.iter().map(|record| record_text(&trace, record)).collect(),
            events: records.into_iter().filter_map(event).collect(),
            end: lane.end(),
        }
    };
    let lanes = trace.lanes().iter().map(text).collect();
    Recorded { trace, lanes }
}

fn event(record: Record) -> Option<Event> {
    match record {
        Record::Event(event) => Some(event),
        Record::Terminated(_) => None,
    }
}

fn record_text(trace: &Trace, record: &Record) -> String {
    match record {
        Record::Event(event) => call_text(trace, event),
        Record::Terminated(end) => format!("terminated{}", pairs(&end.meta)),
    }
}

fn call_text(trace: &Trace, event: &Event) -> String {
    let vocabulary = trace.vocabulary();
    let candidates = event.candidates.as_slice().iter();
    let names: Vec<_> = candidates.map(|&action| vocabulary.action(action).name.to_string()).collect();
    let args = event.args.iter().map(|arg| {
        let value = arg.value.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string);
        format!("{}={value}", vocabulary.name(arg.param))
    });
    let call = format!("{}({})", names.join("|"), args.collect::<Vec<_>>().join(", "));
    let outcome = match event.outcome {
        Outcome::Done => String::new(),
        other => format!(" {other:?}"),
    };
    format!("{call}{outcome}{}", pairs(&event.meta))
}

fn pairs(meta: &[(Box<str>, Value)]) -> String {
    meta.iter().map(|(key, value)| format!(" {key}={value}")).collect()
}
