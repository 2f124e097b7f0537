//! The one pass over a trace: what is counted, and what is printed.

use omnilink_trace::{Merged, Record, Trace, TraceError};

use super::filter::Filter;
use super::tally::Tally;

/// A record of the trace, and what is to be done with it.
pub struct Seen {
    /// The record.
    pub record: Record,
    /// True if it was selected and there is room for its line.
    pub print: bool,
}

/// Counts every record that the filter selects, and says which of them to print.
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

    /// Selected records that found no room.
    pub fn left_out(&self) -> u64 {
        self.selected.saturating_sub(self.limit)
    }

    /// All that was counted.
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
