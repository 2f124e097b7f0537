//! A line of text per record.

use std::collections::HashMap;
use std::io::{self, Write};

use omnilink_check::report::event_name::EventName;
use omnilink_trace::{Call, Event, Lane, LaneId, Record, Termination, Trace, Value};

use super::call::{Meta, Update, unusual};
use crate::palette::Palette;

/// Wide enough for ten seconds in nanoseconds; longer times push the line to the right.
const TIME_WIDTH: usize = 11;

/// Writes records as lines with aligned columns.
pub struct Lines<'t> {
    trace: &'t Trace,
    palette: Palette,
    /// The lanes' names.
    lanes: HashMap<LaneId, &'t str>,
    /// The width of the longest name of an event.
    event: usize,
    /// The width of the longest name of a lane.
    lane: usize,
}

impl<'t> Lines<'t> {
    /// Lines for the records of `trace`.
    pub fn new(trace: &'t Trace, palette: Palette) -> Self {
        let last = |lane: &Lane| EventName { lane: lane.index(), index: lane.events().saturating_sub(1) }.to_string();
        let event = trace.lanes().iter().map(|lane| last(lane).len()).max().unwrap_or(0);
        let lane = trace.lanes().iter().map(|lane| lane.name().chars().count()).max().unwrap_or(0);
        let lanes = trace.lanes().iter().map(|lane| (lane.index(), lane.name())).collect();
        // The two columns share one title.
        Self { trace, palette, lanes, event, lane: lane.max("event".len().saturating_sub(event + 1)) }
    }

    /// Writes the column titles.
    pub fn head(&self, out: &mut impl Write) -> io::Result<()> {
        let Palette { heading, .. } = self.palette;
        let unit = self.trace.time_unit().word();
        let (start, end, width) = (format!("start {unit}"), format!("end {unit}"), self.event + 1 + self.lane);
        writeln!(out, "{heading}{start:>TIME_WIDTH$}  {end:>TIME_WIDTH$}  {:width$}  call{heading:#}", "event")
    }

    /// The line of `record`.
    pub fn write(&self, out: &mut impl Write, record: &Record) -> io::Result<()> {
        match record {
            Record::Event(event) => self.write_event(out, event),
            Record::Terminated(end) => self.write_end(out, end),
        }
    }

    fn write_event(&self, out: &mut impl Write, event: &Event) -> io::Result<()> {
        let Palette { faint, warning, .. } = self.palette;
        let start = self.trace.ns(event.timebox.start);
        match event.timebox.end {
            Some(end) => write!(out, "{start:TIME_WIDTH$}  {:TIME_WIDTH$}", self.trace.ns(end))?,
            None => write!(out, "{start:TIME_WIDTH$}  {:>TIME_WIDTH$}", "never")?,
        }
        let call = Call::new(self.trace.vocabulary(), event);
        let name = EventName { lane: event.lane, index: event.index }.to_string();
        write!(out, "  {faint}{}{faint:#}  {call}", self.label(&name, event.lane))?;
        if let Some(outcome) = unusual(event.outcome) {
            write!(out, "  {warning}{outcome}{warning:#}")?;
        }
        for effect in &event.effects {
            write!(out, "  {}", Update { vocabulary: self.trace.vocabulary(), effect })?;
        }
        self.write_meta(out, &event.meta)?;
        writeln!(out)
    }

    fn write_end(&self, out: &mut impl Write, end: &Termination) -> io::Result<()> {
        let Palette { faint, .. } = self.palette;
        let time = self.trace.ns(end.time);
        let lane = self.label(&end.lane.to_string(), end.lane);
        write!(out, "{time:TIME_WIDTH$}  {time:TIME_WIDTH$}  {faint}{lane}  thread terminated{faint:#}")?;
        self.write_meta(out, &end.meta)?;
        writeln!(out)
    }

    fn write_meta(&self, out: &mut impl Write, meta: &[(Box<str>, Value)]) -> io::Result<()> {
        if meta.is_empty() {
            return Ok(());
        }
        let Palette { faint, .. } = self.palette;
        write!(out, "  {faint}{{{}}}{faint:#}", Meta(meta))
    }

    /// A message about a lane, with the lane's name, in columns.
    fn label(&self, what: &str, lane: LaneId) -> String {
        let name = self.lanes.get(&lane).copied().unwrap_or_default();
        let (first, second) = (self.event, self.lane);
        format!("{what:first$} {name:second$}")
    }
}

/// `2 consumer`, or `2` if it has no name.
pub fn lane_label(lane: &Lane) -> String {
    match lane.name() {
        "" => lane.index().to_string(),
        name => format!("{} {name}", lane.index()),
    }
}
