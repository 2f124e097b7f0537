//! What becomes of the runs: accepted ones are taken away, all others kept, and the first that failed is told.

use std::path::Path;

use omnilink_check::report::Report;
use omnilink_record::campaign::Finished;
use omnilink_record::directory::RunDirectory;
use omnilink_tla::Spec;

use super::commands::Commands;
use super::examine::{Finding, Judgement};
use super::failing::{Failing, last_lines};
use super::summary::Summary;
use crate::check::job::Outcome;
use crate::failure::Failure;
use crate::record::{Kept, Place};
use crate::status_line::StatusLine;

/// Hears of all runs, one after the other.
pub struct Journal<'a> {
    place: Place,
    /// Accepted runs are kept, too.
    keep: bool,
    commands: Commands<'a>,
    /// Where to write the failing run as a file for viewers.
    counterexample: Option<&'a Path>,
    line: StatusLine,
    summary: Summary,
    failing: Option<Failing>,
}

impl<'a> Journal<'a> {
    /// Of runs that are made in `place`, from seeds derived from `seed`.
    pub fn begin(
        place: Place,
        keep: bool,
        seed: u64,
        commands: Commands<'a>,
        counterexample: Option<&'a Path>,
    ) -> Self {
        let (line, summary) = (StatusLine::begin(), Summary::begin(seed));
        Self { place, keep, commands, counterexample, line, summary, failing: None }
    }

    /// Takes care of a run.
    pub fn add(&mut self, finished: &Finished, finding: Finding) -> Result<(), Failure> {
        let Finding { judgement, outcome } = finding;
        if judgement == Judgement::Interrupted {
            return self.place.discard(finished);
        }
        self.summary.add(&finished.record, outcome.as_ref().map(|outcome| &outcome.report));
        match judgement {
            Judgement::Accepted if !self.keep => self.place.discard(finished)?,
            Judgement::Failed | Judgement::Error if self.failing.is_none() => {
                let stderr = last_lines(&RunDirectory::open(&finished.directory));
                let kept = self.place.keep(finished)?;
                self.summary.kept += 1;
                let report = outcome.map(|outcome| self.tell(outcome, &kept)).transpose()?;
                let failing = Failing::new(finished, judgement, stderr, kept, report, &self.commands);
                self.failing = Some(failing);
            }
            _ => {
                self.place.keep(finished)?;
                self.summary.kept += 1;
            }
        }
        if self.line.is_due() {
            self.line.show(&self.summary.line());
        }
        Ok(())
    }

    /// Names the trace by where it is now, and writes the file for viewers.
    fn tell(&self, mut outcome: Outcome, kept: &Kept) -> Result<Report, Failure> {
        outcome.rename(&kept.to_string());
        if let Some(path) = self.counterexample {
            outcome.write_counterexample(path)?;
        }
        Ok(outcome.report)
    }

    /// There are no more runs.
    pub fn finish(mut self, spec: &Spec) -> Result<(Summary, Option<Failing>, Place), Failure> {
        self.line.clear();
        self.summary.finish(spec);
        if self.summary.kept == 0 {
            self.place.abandon();
        }
        self.place.end()?;
        Ok((self.summary, self.failing, self.place))
    }
}
