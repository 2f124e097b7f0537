//! Calls in columns: timebox, lane, and the call as the specification writes it.

use std::io::{self, Write};

use omnilink_check::report::model::Call;

use crate::palette::Palette;

/// Wide enough for ten seconds in nanoseconds; longer times push the line to the right.
const TIME: usize = 11;

/// Calls in columns.
pub(super) struct CallTable<'a> {
    unit: &'a str,
    palette: Palette,
    /// How wide the column of lanes is.
    lane: usize,
}

impl<'a> CallTable<'a> {
    /// A table with room for the lanes of these calls.
    pub fn new<'c>(calls: impl Iterator<Item = &'c Call>, unit: &'a str, palette: Palette) -> Self {
        let lane = calls.map(|call| lane_label(call).chars().count()).max().unwrap_or(0).max("lane".len());
        Self { unit, palette, lane }
    }

    /// The names of the columns.
    pub fn head(&self, out: &mut dyn Write) -> io::Result<()> {
        let Palette { faint, .. } = self.palette;
        let (start, end, width) = (format!("start {}", self.unit), format!("end {}", self.unit), self.lane);
        writeln!(out, "    {faint}{start:>TIME$}  {end:>TIME$}  {:width$}  call{faint:#}", "lane")
    }

    /// The columns of a call; the line is left open.
    pub fn call(&self, call: &Call, out: &mut dyn Write) -> io::Result<()> {
        let Palette { faint, heading, .. } = self.palette;
        let Call { start, call: text, optional, .. } = call;
        let end = call.end.map_or("never".to_owned(), |end| end.to_string());
        let (lane, width) = (lane_label(call), self.lane);
        write!(out, "    {faint}{start:>TIME$}  {end:>TIME$}  {lane:width$}{faint:#}  {heading}{text}{heading:#}")?;
        if *optional { write!(out, "  {faint}(may have taken effect or not){faint:#}") } else { Ok(()) }
    }
}

/// `2 consumer`, or `2` if the lane has no name.
pub(super) fn lane_label(call: &Call) -> String {
    if call.thread.is_empty() { call.lane.to_string() } else { format!("{} {}", call.lane, call.thread) }
}
