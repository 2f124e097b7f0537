//! What becomes of the runs: accepted ones are taken away, all others kept, and the first that failed is told.

use std::path::Path;

use omnilink_check::report::Report;
use omnilink_record::campaign::Finished;
use omnilink_record::directory::RunDirectory;

use super::commands::Commands;
use super::examine::{Finding, Judgement};
use super::failing::{Failing, last_lines};
use super::misuse;
use super::summary::Summary;
use crate::check::job::{Job, Outcome};
use crate::check::judge::Judge;
use crate::failure::{Failure, complain};
use crate::notes;
use crate::palette::Palette;
use crate::record::{Kept, Place};
use crate::status_line::StatusLine;

/// Hears of all runs, one after the other.
pub struct Journal<'a> {
    place: Place,
    /// Puts verdicts into the store, if the runs go there.
    judge: Option<Judge>,
    /// Accepted runs are kept, too.
    keep_accepted: bool,
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
        mut place: Place,
        job: &Job<'_>,
        keep_accepted: bool,
        seed: u64,
        commands: Commands<'a>,
        counterexample: Option<&'a Path>,
    ) -> Result<Self, Failure> {
        let judge = place.store().map(|store| Judge::begin(store, job)).transpose()?;
        let (line, summary) = (StatusLine::begin(), Summary::begin(seed));
        Ok(Self { place, judge, keep_accepted, commands, counterexample, line, summary, failing: None })
    }

    /// Takes care of a run.
    pub fn add(&mut self, finished: &Finished, finding: Finding) -> Result<(), Failure> {
        let Finding { judgement, outcome } = finding;
        if judgement == Judgement::Interrupted {
            return self.place.discard(finished);
        }
        if judgement == Judgement::Misuse {
            let misuse = misuse::explain(finished);
            self.place.discard(finished)?;
            return Err(misuse);
        }
        for note in self.summary.add(&finished.record, outcome.as_ref().map(|outcome| &outcome.report)) {
            // Whoever waits for the end of a campaign should know early what it is worth.
            self.line.clear();
            let number = finished.number;
            complain(format_args!(
                "{}",
                notes::shown(true, &format!("run {number}: {}", note.text), Palette::stderr())
            ));
        }
        match judgement {
            Judgement::Accepted if !self.keep_accepted => {
                if let Some(name) = self.place.count(finished)? {
                    self.enter(&name, outcome.as_ref())?;
                }
            }
            Judgement::Failed | Judgement::Error if self.failing.is_none() => {
                let stderr = last_lines(&RunDirectory::open(&finished.directory));
                let kept = self.keep(finished, outcome.as_ref())?;
                let report = outcome.map(|outcome| self.tell(outcome, &kept)).transpose()?;
                let failing = Failing::new(finished, judgement, stderr, kept, report, &self.commands);
                self.failing = Some(failing);
            }
            _ => drop(self.keep(finished, outcome.as_ref())?),
        }
        if self.line.is_due() {
            self.line.show(&self.summary.line());
        }
        Ok(())
    }

    /// Keeps a run, with what was found in it.
    fn keep(&mut self, finished: &Finished, outcome: Option<&Outcome>) -> Result<Kept, Failure> {
        let kept = self.place.keep(finished)?;
        self.summary.kept += 1;
        if let Kept::Store { name, .. } = &kept {
            self.enter(name, outcome)?;
        }
        Ok(kept)
    }

    /// Puts what was found in a run into the store, if the run is there.
    fn enter(&mut self, run: &str, outcome: Option<&Outcome>) -> Result<(), Failure> {
        match (&self.judge, self.place.store(), outcome) {
            (Some(judge), Some(store), Some(outcome)) => judge.enter(store, run, outcome),
            _ => Ok(()),
        }
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
    pub fn finish(mut self) -> Result<(Summary, Option<Failing>, Place), Failure> {
        self.line.clear();
        self.summary.finish();
        if self.summary.kept == 0 {
            self.place.abandon();
        }
        self.place.end()?;
        Ok((self.summary, self.failing, self.place))
    }
}
