//! The progress line of an exploration.

use std::time::Instant;

use omnilink_tla::explore::Counts;

use crate::status_line::StatusLine;

/// Shows progress on standard error, if that is a terminal.
pub struct Progress {
    line: StatusLine,
    /// The time of the last update, and the number of states then.
    last: (Instant, u64),
}

impl Progress {
    /// Progress that begins now.
    pub fn begin() -> Self {
        Self { line: StatusLine::begin(), last: (Instant::now(), 0) }
    }

    /// Updates the line if it is due.
    pub fn show(&mut self, counts: &Counts) {
        if !self.line.is_due() {
            return;
        }
        let Counts { generated, distinct, queued, depth } = counts;
        let (at, before) = self.last;
        let rate = distinct.saturating_sub(before) as f64 / at.elapsed().as_secs_f64();
        self.line.show(&format!(
            "{distinct} states ({rate:.0}/s), {generated} generated, {queued} in the queue, depth {depth}"
        ));
        self.last = (Instant::now(), *distinct);
    }

    /// Clears the line.
    pub fn end(mut self) {
        self.line.clear();
    }
}
