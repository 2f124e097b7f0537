//! One line on the terminal that says how far an exploration has got.

use std::time::Instant;

use omnilink_tla::explore::Counts;

use crate::status_line::StatusLine;

/// Shows progress on standard error, if that is a terminal.
pub struct Progress {
    line: StatusLine,
    /// When the line was last written, and how many states there were.
    last: (Instant, u64),
}

impl Progress {
    /// Progress that begins now.
    pub fn begin() -> Self {
        Self { line: StatusLine::begin(), last: (Instant::now(), 0) }
    }

    /// Shows how far it got, if that was not just done.
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

    /// Takes the line away.
    pub fn end(mut self) {
        self.line.clear();
    }
}
