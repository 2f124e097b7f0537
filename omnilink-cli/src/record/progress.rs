//! The progress of a campaign: a progress line, and a line for each of the first failed runs.

use std::time::Instant;

use omnilink_record::campaign::{Finished, Tally};
use omnilink_record::{Ending, stacks};

use crate::failure::complain;
use crate::palette::{self, Palette};
use crate::record::Kept;
use crate::run::commands::debug;
use crate::shell::line;
use crate::status_line::StatusLine;

/// The maximum number of failed runs that are printed one by one.
const TOLD: u64 = 10;

/// Progress of a campaign on standard error.
pub struct Progress {
    began: Instant,
    line: StatusLine,
    /// Whether the warning that the recording program is not scheduled was printed.
    warned: bool,
}

impl Progress {
    /// Progress that begins now.
    pub fn begin() -> Self {
        Self { began: Instant::now(), line: StatusLine::begin(), warned: false }
    }

    /// Reports a run that was recorded and stored.
    pub fn show(&mut self, finished: &Finished, kept: &Kept, tally: &Tally) {
        if finished.record.observed.ending.is_failure() && tally.failures() <= TOLD {
            self.clear();
            tell(finished, kept, tally.failures() == 1);
            if tally.failures() == TOLD {
                complain(format_args!("(further failed runs are counted but not printed)"));
            }
        }
        if let (Some(command), false) = (&finished.record.outsider, self.warned) {
            self.warned = true;
            self.clear();
            let Palette { warning, .. } = palette::stderr();
            complain(format_args!(
                "{warning}warning:{warning:#} run {}: the program that recorded is not scheduled; write `-- {}`, the program itself",
                finished.number,
                line(command)
            ));
        }
        if self.line.is_due() {
            let text = self.line(tally);
            self.line.show(&text);
        }
    }

    /// The results so far.
    pub fn line(&self, tally: &Tally) -> String {
        let Tally { runs, events, failed, crashed, deadlocked, stopped } = tally;
        let rate = *runs as f64 / self.began.elapsed().as_secs_f64().max(0.001);
        format!(
            "{runs} runs ({rate:.0}/s), {events} events: {failed} failed, {crashed} crashed, {deadlocked} deadlocked, {stopped} stopped"
        )
    }

    /// Clears the line.
    pub fn clear(&mut self) {
        self.line.clear();
    }
}

/// Prints a failed run; for the first one, also the stacks of its threads.
fn tell(finished: &Finished, kept: &Kept, with_stacks: bool) {
    let Palette { bad, faint, .. } = palette::stderr();
    let Finished { number, record, .. } = finished;
    complain(format_args!(
        "run {number} ({}, seed {}): {bad}{}{bad:#} {faint}{kept}{faint:#}",
        record.plan.mode.name(),
        record.plan.seed,
        record.observed.ending,
    ));
    if with_stacks {
        let text = match &record.observed.ending {
            Ending::Deadlocked(threads) => threads.clone(),
            _ => stacks::text(&record.observed.stacks),
        };
        text.lines().for_each(|line| complain(format_args!("  {line}")));
    }
    if let Some(command) = debug(kept, record, None) {
        complain(format_args!("  debug: {command}"));
    }
}
