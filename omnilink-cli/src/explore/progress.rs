//! One line on the terminal that says how far an exploration has got.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use omnilink_tla::explore::Counts;

/// How often the line changes.
const PERIOD: Duration = Duration::from_secs(1);

/// Shows progress on standard error, if that is a terminal.
pub struct Progress {
    /// When the line was last written and how many states there were; `None` if nobody is looking.
    last: Option<(Instant, u64)>,
    shown: bool,
}

impl Progress {
    /// Progress that begins now.
    pub fn begin() -> Self {
        Self { last: stderr().is_terminal().then(|| (Instant::now(), 0)), shown: false }
    }

    /// Shows how far it got, if that was not just done.
    pub fn show(&mut self, counts: &Counts) {
        let Some((at, before)) = self.last else { return };
        let since = at.elapsed();
        if since < PERIOD {
            return;
        }
        let Counts { generated, distinct, queued, depth } = counts;
        let rate = distinct.saturating_sub(before) as f64 / since.as_secs_f64();
        let _ = write!(
            stderr(),
            "\r\x1b[K{distinct} states ({rate:.0}/s), {generated} generated, {queued} in the queue, depth {depth}"
        );
        self.last = Some((Instant::now(), *distinct));
        self.shown = true;
    }

    /// Takes the line away.
    pub fn end(self) {
        if self.shown {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
