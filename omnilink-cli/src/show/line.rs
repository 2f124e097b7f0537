//! One line per record, for people.

use std::collections::HashMap;
use std::io::{self, Write};

use omnilink_trace::{Effect, Event, Lane, LaneId, Outcome, Record, Termination, Trace, Value};

use super::call::{Call, Meta};
use crate::palette::Palette;

/// Wide enough for ten seconds in nanoseconds; longer times push the line to the right.
const TIME_WIDTH: usize = 11;

/// Writes records as lines whose columns line up.
pub struct Lines<'t> {
    trace: &'t Trace,
    palette: Palette,
    /// Each lane's index and name, padded to one width.
    lanes: HashMap<LaneId, String>,
    lane_width: usize,
}

impl<'t> Lines<'t> {
    /// Lines for the records of `trace`.
    pub fn new(trace: &'t Trace, palette: Palette) -> Self {
        let labels: Vec<_> = trace.lanes().iter().map(|lane| (lane.index(), lane_label(lane))).collect();
        let width = labels.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0).max("lane".len());
        let lanes = labels.into_iter().map(|(index, label)| (index, format!("{label:width$}"))).collect();
        Self { trace, palette, lanes, lane_width: width }
    }

    /// Column heads.
    pub fn head(&self, out: &mut impl Write) -> io::Result<()> {
        let Palette { heading, .. } = self.palette;
        let unit = self.trace.time_unit().word();
        let (start, end, width) = (format!("start {unit}"), format!("end {unit}"), self.lane_width);
        writeln!(out, "{heading}{start:>TIME_WIDTH$}  {end:>TIME_WIDTH$}  {:width$}  event{heading:#}", "lane")
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
        write!(out, "  {faint}{}{faint:#}  {call}", self.lane(event.lane))?;
        if let Some(outcome) = unusual(event.outcome) {
            write!(out, "  {warning}{outcome}{warning:#}")?;
        }
        for effect in &event.effects {
            write!(out, "  ")?;
            self.write_effect(out, effect)?;
        }
        self.write_meta(out, &event.meta)?;
        writeln!(out)
    }

    fn write_end(&self, out: &mut impl Write, end: &Termination) -> io::Result<()> {
        let Palette { faint, .. } = self.palette;
        let time = self.trace.ns(end.time);
        let lane = self.lane(end.lane);
        write!(out, "{time:TIME_WIDTH$}  {time:TIME_WIDTH$}  {faint}{lane}  thread terminated{faint:#}")?;
        self.write_meta(out, &end.meta)?;
        writeln!(out)
    }

    fn write_effect(&self, out: &mut impl Write, effect: &Effect) -> io::Result<()> {
        write!(out, "{}", self.trace.vocabulary().name(effect.variable))?;
        for step in &effect.path {
            write!(out, "[{step}]")?;
        }
        let args: Vec<_> = effect.args.iter().map(ToString::to_string).collect();
        write!(out, ".{}({})", effect.operation, args.join(", "))
    }

    fn write_meta(&self, out: &mut impl Write, meta: &[(Box<str>, Value)]) -> io::Result<()> {
        if meta.is_empty() {
            return Ok(());
        }
        let Palette { faint, .. } = self.palette;
        write!(out, "  {faint}{{{}}}{faint:#}", Meta(meta))
    }

    fn lane(&self, index: LaneId) -> &str {
        self.lanes.get(&index).map_or("", String::as_str)
    }
}

/// `2 consumer`, or `2` if it has no name.
pub fn lane_label(lane: &Lane) -> String {
    match lane.name() {
        "" => lane.index().to_string(),
        name => format!("{} {name}", lane.index()),
    }
}

/// What to say of an outcome, unless it is the usual one.
fn unusual(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Done => None,
        Outcome::Aborted => Some("aborted"),
        Outcome::Indeterminate => Some("indeterminate"),
        Outcome::Pending => Some("pending"),
    }
}
