//! What is said while a campaign runs: a line that changes, and one for each of the first runs that went wrong.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use omnilink_record::campaign::{Finished, Tally};

use crate::failure::complain;
use crate::palette::Palette;

/// How often the line changes.
const PERIOD: Duration = Duration::from_millis(500);
/// How many runs that went wrong are told one by one.
const TOLD: u64 = 10;

/// Progress of a campaign on standard error.
pub struct Progress {
    began: Instant,
    /// When the line was last written; `None` if nobody is looking.
    last: Option<Instant>,
    shown: bool,
}

impl Progress {
    /// Progress that begins now.
    pub fn begin() -> Self {
        Self { began: Instant::now(), last: stderr().is_terminal().then(Instant::now), shown: false }
    }

    /// A run has been made.
    pub fn show(&mut self, finished: &Finished, tally: &Tally) {
        if finished.record.observed.ending.is_failure() && tally.failures() <= TOLD {
            self.clear();
            tell(finished);
            if tally.failures() == TOLD {
                complain(format_args!("(further ones are counted but not told)"));
            }
        }
        if self.last.is_some_and(|last| last.elapsed() >= PERIOD) {
            self.clear();
            let _ = write!(stderr(), "{}", self.line(tally));
            self.last = Some(Instant::now());
            self.shown = true;
        }
    }

    /// What it all came to, so far.
    pub fn line(&self, tally: &Tally) -> String {
        let Tally { runs, events, failed, crashed, deadlocked, stopped } = tally;
        let rate = *runs as f64 / self.began.elapsed().as_secs_f64().max(0.001);
        format!(
            "{runs} runs ({rate:.0}/s), {events} events: {failed} failed, {crashed} crashed, {deadlocked} deadlocked, {stopped} stopped"
        )
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

fn tell(finished: &Finished) {
    let Palette { bad, faint, .. } = Palette::stderr();
    let Finished { number, directory, record } = finished;
    complain(format_args!(
        "run {number} ({}, seed {}): {bad}{}{bad:#} {faint}{}{faint:#}",
        record.plan.mode.name(),
        record.plan.seed,
        record.observed.ending,
        directory.display(),
    ));
}
