//! Keeps or deletes runs: accepted runs are deleted, all others are kept, and the first failed run is printed.

use std::path::Path;

use omnilink_check::report::{Report, text};
use omnilink_record::campaign::Finished;
use omnilink_record::directory::RunDirectory;

use super::commands::Commands;
use super::examine::{Finding, Judgement};
use super::failing::{Failing, last_lines};
use super::groups::{self, Failed};
use super::misuse;
use super::sizes::BySize;
use super::summary::Summary;
use crate::alike::cause::{Cause, Way};
use crate::alike::groups::Groups;
use crate::check::job::{Job, Outcome};
use crate::check::judge::Judge;
use crate::failure::{Failure, complain};
use crate::palette;
use crate::record::{Kept, Place, no_space};
use crate::status_line::StatusLine;

/// Receives all runs, one after the other.
pub struct Journal<'a> {
    place: Place,
    /// Saves verdicts, if the runs are in a store.
    judge: Option<Judge>,
    /// Whether accepted runs are kept, too.
    keep_accepted: bool,
    commands: Commands<'a>,
    /// Where to write the counterexample of the failed run.
    counterexample: Option<&'a Path>,
    line: StatusLine,
    summary: Summary,
    failing: Option<Failing>,
    /// The number of kept runs per cause, with --keep-going.
    examples: Option<usize>,
    groups: Groups<Failed>,
    sizes: BySize,
}

/// The results of all runs.
pub struct Findings {
    /// The counts.
    pub summary: Summary,
    /// The first run that failed, or that could not be checked.
    pub failing: Option<Failing>,
    /// All failures, with --keep-going.
    pub failures: Vec<groups::Failure>,
    /// The failure rates by size.
    pub sizes: BySize,
    /// The location of the runs.
    pub place: Place,
}

impl<'a> Journal<'a> {
    /// A journal of runs in `place`, with seeds derived from `seed`.
    pub fn begin(
        mut place: Place,
        job: &Job<'_>,
        keep_accepted: bool,
        examples: Option<usize>,
        seed: u64,
        commands: Commands<'a>,
        counterexample: Option<&'a Path>,
    ) -> Result<Self, Failure> {
        let judge = place.store().map(|store| Judge::begin(store, job)).transpose()?;
        let (line, summary) = (StatusLine::begin(), Summary::begin(seed));
        let (failing, groups, sizes) = (None, Groups::default(), BySize::default());
        Ok(Self {
            place,
            judge,
            keep_accepted,
            commands,
            counterexample,
            line,
            summary,
            failing,
            examples,
            groups,
            sizes,
        })
    }

    /// Adds a run.
    pub fn add(&mut self, finished: &Finished, finding: Finding) -> Result<(), Failure> {
        let Finding { judgement, outcome } = finding;
        if judgement == Judgement::Interrupted {
            return self.place.discard(finished);
        }
        if judgement == Judgement::NoSpace {
            let kept = self.keep(finished, outcome.as_ref()).ok();
            return Err(no_space::explain(finished, kept.as_ref()));
        }
        if judgement == Judgement::Misuse {
            let misuse = misuse::explain(finished);
            self.place.discard(finished)?;
            return Err(misuse);
        }
        for note in self.summary.add(&finished.record, outcome.as_ref().map(|outcome| &outcome.report)) {
            // A warning is printed early, because the campaign may be long.
            self.line.clear();
            let number = finished.number;
            complain(format_args!("{}", text::note(true, &format!("run {number}: {}", note.text), palette::stderr())));
        }
        self.sizes.add(finished.record.fuzz.as_ref(), judgement == Judgement::Failed);
        match (judgement, self.examples) {
            (Judgement::Accepted, _) if !self.keep_accepted => self.count(finished, outcome.as_ref())?,
            (Judgement::Failed, Some(examples)) => self.sort(finished, outcome, examples)?,
            // A run that cannot be checked ends the loop, even after failures.
            (Judgement::Failed | Judgement::Error, _)
                if self
                    .failing
                    .as_ref()
                    .is_none_or(|first| self.examples.is_some() && first.judgement != Judgement::Error) =>
            {
                self.failing = Some(self.kept(finished, judgement, outcome)?);
            }
            _ => drop(self.keep(finished, outcome.as_ref())?),
        }
        if self.line.is_due() {
            self.line.show(&self.summary.line());
        }
        Ok(())
    }

    /// Adds a failed run to its group; keeps it if it is one of the first of the group.
    fn sort(&mut self, finished: &Finished, outcome: Option<Outcome>, examples: usize) -> Result<(), Failure> {
        let directory = RunDirectory::open(&finished.directory);
        let report = outcome.as_ref().map(|outcome| &outcome.report);
        let ending = Cause::of_ending(&finished.record, &directory).map(Way::of);
        let rejected = report.and_then(Cause::of_report).map(|cause| Way::explained(cause, report));
        let mut ways: Vec<Way> = ending.into_iter().chain(rejected).collect();
        if ways.is_empty() {
            ways.extend(report.and_then(Cause::of_crashes).map(Way::of));
        }
        let alike = self.groups.alike(&ways);
        let failing = if alike.iter().filter(|run| run.failing.is_some()).count() < examples {
            let failing = self.kept(finished, Judgement::Failed, outcome)?;
            self.failing.get_or_insert_with(|| failing.clone());
            Some(failing)
        } else {
            self.count(finished, outcome.as_ref())?;
            None
        };
        self.groups.add(ways, Failed::new(finished, failing));
        Ok(())
    }

    /// Keeps a run that will be printed.
    fn kept(
        &mut self,
        finished: &Finished,
        judgement: Judgement,
        outcome: Option<Outcome>,
    ) -> Result<Failing, Failure> {
        let stderr = last_lines(&RunDirectory::open(&finished.directory));
        let kept = self.keep(finished, outcome.as_ref())?;
        let report = outcome.map(|outcome| self.tell(outcome, &kept)).transpose()?;
        Ok(Failing::new(finished, judgement, stderr, kept, report, &self.commands))
    }

    /// Deletes a run; a store keeps its verdict.
    fn count(&mut self, finished: &Finished, outcome: Option<&Outcome>) -> Result<(), Failure> {
        match self.place.count(finished)? {
            Some(name) => self.enter(&name, outcome),
            None => Ok(()),
        }
    }

    /// Keeps a run, with its verdict.
    fn keep(&mut self, finished: &Finished, outcome: Option<&Outcome>) -> Result<Kept, Failure> {
        let kept = self.place.keep(finished)?;
        self.summary.kept += 1;
        if let Kept::Store { name, .. } = &kept {
            self.enter(name, outcome)?;
        }
        Ok(kept)
    }

    /// Saves the verdict in the store, if the run is there.
    fn enter(&mut self, run: &str, outcome: Option<&Outcome>) -> Result<(), Failure> {
        match (&self.judge, self.place.store(), outcome) {
            (Some(judge), Some(store), Some(outcome)) => judge.enter(store, run, outcome),
            _ => Ok(()),
        }
    }

    /// Updates the path of the trace, and writes the counterexample file.
    fn tell(&self, mut outcome: Outcome, kept: &Kept) -> Result<Report, Failure> {
        outcome.rename(&kept.to_string());
        if let Some(path) = self.counterexample.filter(|_| self.failing.is_none()) {
            outcome.write_counterexample(path)?;
        }
        Ok(outcome.report)
    }

    /// Finishes the journal.
    pub fn finish(mut self) -> Result<Findings, Failure> {
        self.line.clear();
        self.summary.finish();
        if self.summary.kept == 0 {
            self.place.abandon();
        }
        self.place.end()?;
        let runs = self.summary.endings.runs;
        let failures = self.groups.finish(runs).into_iter().map(|group| groups::Failure::of(group, runs)).collect();
        let Self { summary, failing, sizes, place, .. } = self;
        Ok(Findings { summary, failing, failures, sizes, place })
    }
}
