//! The pass over a trace: counts the selected records, and decides which ones to print.

use omnilink_trace::{Merged, Record, Trace, TraceError};

use super::filter::Filter;
use super::tally::Tally;

/// A record of the trace, and whether to print it.
pub struct Seen {
    /// The record.
    pub record: Record,
    /// Whether it is selected and within the limit of lines.
    pub print: bool,
}

/// Counts every record that the filter selects, and decides which of them to print.
pub struct Selection<'t> {
    records: Merged<'t>,
    filter: Filter<'t>,
    tally: Tally<'t>,
    selected: u64,
    limit: u64,
}

impl<'t> Selection<'t> {
    /// Prints at most `limit` of the records that `filter` selects.
    pub fn new(trace: &'t Trace, filter: Filter<'t>, limit: u64) -> Self {
        Self { records: trace.records(), filter, tally: Tally::new(trace), selected: 0, limit }
    }

    /// True if no more lines are to be printed.
    pub fn is_full(&self) -> bool {
        self.selected >= self.limit
    }

    /// Selected records beyond the limit.
    pub fn left_out(&self) -> u64 {
        self.selected.saturating_sub(self.limit)
    }

    /// The counts.
    pub fn into_tally(self) -> Tally<'t> {
        self.tally
    }

    fn see(&mut self, record: Record) -> Seen {
        if !self.filter.selects(&record) {
            return Seen { record, print: false };
        }
        self.tally.add(&record);
        let print = !self.is_full();
        self.selected += 1;
        Seen { record, print }
    }
}

impl Iterator for Selection<'_> {
    type Item = Result<Seen, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.records.next()?;
        Some(record.map(|record| self.see(record)))
    }
}
