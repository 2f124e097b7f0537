//! A table of calls: timebox, name of the event, lane, and the call in TLA+ notation.

use std::io::{self, Write};

use omnilink_trace::Trace;

use super::super::event_name::EventName;
use super::super::model::Call;
use super::Palette;

/// Wide enough for ten seconds in nanoseconds; longer times push the line to the right.
const TIME: usize = 11;

/// A table of calls.
pub struct CallTable<'a> {
    unit: &'a str,
    palette: Palette,
    /// The width of the column of event names.
    event: usize,
    /// The width of the column of lane names.
    lane: usize,
}

impl<'a> CallTable<'a> {
    /// A table whose columns fit these calls.
    pub fn new<'c>(calls: impl Iterator<Item = &'c Call>, unit: &'a str, palette: Palette) -> Self {
        let (mut event, mut lane) = (0, 0);
        for call in calls {
            event = event.max(name(call).len());
            lane = lane.max(call.thread.chars().count());
        }
        Self::of_widths(event, lane, unit, palette)
    }

    /// A table with room for all events of a trace.
    pub fn of_trace(trace: &Trace, palette: Palette) -> Self {
        let lanes = trace.lanes().iter();
        let event = lanes.clone().map(|lane| EventName { lane: lane.index(), index: lane.events() }.to_string().len());
        let lane = lanes.map(|lane| lane.name().chars().count());
        Self::of_widths(event.max().unwrap_or(0), lane.max().unwrap_or(0), trace.time_unit().word(), palette)
    }

    fn of_widths(event: usize, lane: usize, unit: &'a str, palette: Palette) -> Self {
        // The two columns share one title.
        Self { unit, palette, event, lane: lane.max("event".len().saturating_sub(event + 1)) }
    }

    /// Writes the column titles.
    pub fn head(&self, out: &mut dyn Write) -> io::Result<()> {
        let Palette { faint, .. } = self.palette;
        let (start, end) = (format!("start {}", self.unit), format!("end {}", self.unit));
        let width = self.event + 1 + self.lane;
        writeln!(out, "    {faint}{start:>TIME$}  {end:>TIME$}  {:width$}  call{faint:#}", "event")
    }

    /// Writes the columns of a call, without a newline.
    pub fn call(&self, call: &Call, out: &mut dyn Write) -> io::Result<()> {
        let Palette { faint, heading, .. } = self.palette;
        let Call { start, call: text, thread, optional, .. } = call;
        let end = call.end.map_or("never".to_owned(), |end| end.to_string());
        let (name, event, lane) = (name(call), self.event, self.lane);
        write!(out, "    {faint}{start:>TIME$}  {end:>TIME$}  {name:event$} {thread:lane$}{faint:#}")?;
        write!(out, "  {heading}{text}{heading:#}")?;
        if *optional { write!(out, "  {faint}(may have taken effect or not){faint:#}") } else { Ok(()) }
    }
}

/// The event's name, as `replay --until` takes it.
fn name(call: &Call) -> String {
    EventName { lane: call.lane, index: call.index }.to_string()
}

/// `2 consumer`, or `2` if the lane has no name.
pub(super) fn lane_label(call: &Call) -> String {
    if call.thread.is_empty() { call.lane.to_string() } else { format!("{} {}", call.lane, call.thread) }
}
