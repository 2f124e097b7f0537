//! Calls in columns: timebox, name of the event, lane, and the call as the specification writes it.

use std::io::{self, Write};

use omnilink_check::report::model::Call;

use crate::event_name::EventName;
use crate::palette::Palette;

/// Wide enough for ten seconds in nanoseconds; longer times push the line to the right.
const TIME: usize = 11;

/// Calls in columns.
pub(super) struct CallTable<'a> {
    unit: &'a str,
    palette: Palette,
    /// How wide the names of events are.
    event: usize,
    /// How wide the names of lanes are.
    lane: usize,
}

impl<'a> CallTable<'a> {
    /// A table with room for the lanes of these calls.
    pub fn new<'c>(calls: impl Iterator<Item = &'c Call>, unit: &'a str, palette: Palette) -> Self {
        let (mut event, mut lane) = (0, 0);
        for call in calls {
            event = event.max(name(call).len());
            lane = lane.max(call.thread.chars().count());
        }
        // The head of the two columns is one word.
        Self { unit, palette, event, lane: lane.max("event".len().saturating_sub(event + 1)) }
    }

    /// The names of the columns.
    pub fn head(&self, out: &mut dyn Write) -> io::Result<()> {
        let Palette { faint, .. } = self.palette;
        let (start, end) = (format!("start {}", self.unit), format!("end {}", self.unit));
        let width = self.event + 1 + self.lane;
        writeln!(out, "    {faint}{start:>TIME$}  {end:>TIME$}  {:width$}  call{faint:#}", "event")
    }

    /// The columns of a call; the line is left open.
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

/// What `replay --until` calls it.
fn name(call: &Call) -> String {
    EventName { lane: call.lane, index: call.index }.to_string()
}

/// `2 consumer`, or `2` if the lane has no name.
pub(super) fn lane_label(call: &Call) -> String {
    if call.thread.is_empty() { call.lane.to_string() } else { format!("{} {}", call.lane, call.thread) }
}
