//! The content of a report.

use std::collections::BTreeMap;

use omnilink_check::boxes::Boxes;
use omnilink_check::coverage::Coverage;
use omnilink_record::store::{Description, Totals};
use serde::Serialize;

use crate::alike::cause::Cause;
use crate::alike::rate::Rate;
use crate::notes::Common;

/// The campaigns of a store, or the selected ones.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The version of OmniLink.
    pub omnilink: &'static str,
    /// When it was made: milliseconds since 1970.
    pub made: u64,
    /// The store's file.
    pub store: String,
    /// The campaigns, the oldest first; last, if there are any, the runs that belong to none.
    pub campaigns: Vec<Campaign>,
}

/// A campaign, and its results.
#[derive(Debug, Serialize)]
pub struct Campaign {
    /// Its name; none for runs that belong to no campaign.
    pub name: Option<String>,
    /// Its title: the program and its arguments.
    pub title: String,
    /// Its options.
    pub description: Option<Description>,
    /// When it started: milliseconds since 1970.
    pub started: Option<u64>,
    /// When it ended; not set if it is running or was killed.
    pub ended: Option<u64>,
    /// The numbers of runs, by ending and verdict.
    pub totals: Totals,
    /// Runs without a verdict.
    pub unchecked: u64,
    /// Runs whose files are in the store.
    pub with_files: u64,
    /// The run that failed first.
    pub first_failure: Option<FirstFailure>,
    /// Its failures, grouped by cause; the most frequent first.
    pub failures: Vec<Failure>,
    /// Runs that were not decided, by the reason; the most frequent first.
    pub undecided: Vec<Undecided>,
    /// The notes.
    pub notes: Vec<Noted>,
    /// Whether runs were checked, and none of them has a call that must have happened.
    pub nothing_checked: bool,
    /// The cost of checking.
    pub checking: Checking,
    /// The coverage of each specification.
    pub coverage: Vec<SpecCoverage>,
    /// How the runs were scheduled.
    pub schedules: Schedules,
    /// The timeboxes of the calls, by the unit that times are in: runs by different schedulers have different clocks.
    pub boxes: Vec<MeasuredBoxes>,
    /// Runs whose traces cannot be read.
    pub unreadable: u64,
}

/// The run that failed first.
#[derive(Debug, Serialize)]
pub struct FirstFailure {
    /// Its name.
    pub run: String,
    /// Its number in the campaign.
    pub number: Option<u64>,
    /// The number of runs that had ended by then, including this one.
    pub runs: u64,
    /// How long after the campaign's start it had ended, in milliseconds.
    pub after: Option<u64>,
}

/// Runs that failed in the same way.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// The way; the most frequent one, if there are several.
    pub cause: Cause,
    /// How many.
    pub count: u64,
    /// The failure rate, with a confidence interval.
    pub rate: Rate,
    /// The other ways in which some of them failed: see [`crate::alike::groups`].
    pub also: Vec<Also>,
    /// The first few of them, the first one first.
    pub runs: Vec<FailingRun>,
    /// The explanation of the first run, as `omnilink check` prints it, or what each thread waited for.
    pub explanation: Option<String>,
    /// The last lines of its standard error.
    pub stderr: Vec<String>,
}

/// Another way in which some of the runs of a group failed.
#[derive(Debug, Serialize)]
pub struct Also {
    /// The way.
    pub cause: Cause,
    /// How many runs.
    pub count: u64,
}

/// A run that failed.
#[derive(Debug, Serialize)]
pub struct FailingRun {
    /// Its name.
    pub run: String,
    /// Its number in the campaign.
    pub number: Option<u64>,
    /// How it was run.
    pub mode: String,
    /// Its seed.
    pub seed: u64,
    /// How the program ended.
    pub ending: String,
    /// The counterexample, beside the page.
    pub counterexample: Option<String>,
    /// The command that replays it; `None` if it is not repeatable or its files are not stored.
    pub replay: Option<String>,
    /// The command that starts gdb at the failure; `None` if it cannot be replayed.
    pub debug: Option<String>,
    /// The command that exports it from the store; `None` if its files are not stored.
    pub export: Option<String>,
}

/// Runs that were not decided for the same reason.
#[derive(Debug, Serialize)]
pub struct Undecided {
    /// `unknown`, or `error`.
    pub answer: &'static str,
    /// The reason.
    pub why: String,
    /// How many.
    pub count: u64,
    /// The first of them.
    pub run: String,
}

/// A note that runs have in common.
#[derive(Debug, Serialize)]
pub struct Noted {
    /// The specification.
    pub spec: String,
    /// The note.
    #[serde(flatten)]
    pub common: Common,
}

/// The cost of checking.
#[derive(Debug, Default, Serialize)]
pub struct Checking {
    /// How many verdicts there are: the latest about each run and specification.
    pub verdicts: u64,
    /// The number of configurations visited.
    pub configurations: u64,
    /// The total time.
    pub seconds: f64,
    /// The time of the slowest check.
    pub slowest: f64,
}

/// The coverage of a specification.
#[derive(Debug, Serialize)]
pub struct SpecCoverage {
    /// Its name.
    pub spec: String,
    /// The hash of its files.
    pub hash: String,
    /// Its files, beside the page.
    pub files: Vec<String>,
    /// The number of verdicts with coverage.
    pub measured: u64,
    /// The number of verdicts without: older ones, and errors.
    pub unmeasured: u64,
    /// The coverage.
    pub coverage: Coverage,
}

/// How the runs were scheduled.
#[derive(Debug, Default, Serialize)]
pub struct Schedules {
    /// Runs by mode; of the chaos scheduler with the strategy, where that is known.
    pub modes: BTreeMap<String, u64>,
    /// How many seeds there were.
    pub seeds: u64,
    /// Runs under the chaos scheduler.
    pub scheduled: u64,
    /// How many different schedules they had.
    pub distinct: u64,
    /// How long a run took, in milliseconds.
    pub milliseconds: Option<Spread>,
    /// How many calls it recorded.
    pub events: Option<Spread>,
    /// How many threads it had, of runs by the chaos scheduler; likewise the others below.
    pub threads: Option<Spread>,
    /// How many points it passed while there was a choice.
    pub points: Option<Spread>,
    /// The number of scheduling decisions.
    pub decisions: Option<Spread>,
    /// The number of switches to another thread.
    pub switches: Option<Spread>,
    /// Runs by the reason why they may not be repeatable, of those whose files are in the store.
    pub notes: BTreeMap<String, u64>,
}

/// The distribution of some numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// How many there are.
    pub count: u64,
    /// The smallest.
    pub least: u64,
    /// The median.
    pub median: u64,
    /// The largest.
    pub most: u64,
    /// The sum.
    pub total: u64,
}

impl Spread {
    /// The distribution of some numbers; `None` if there are none.
    pub fn of(mut numbers: Vec<u64>) -> Option<Self> {
        numbers.sort_unstable();
        Some(Self {
            count: numbers.len() as u64,
            least: *numbers.first()?,
            median: numbers[numbers.len() / 2],
            most: *numbers.last()?,
            total: numbers.iter().fold(0, |sum: u64, number| sum.saturating_add(*number)),
        })
    }
}

/// The timeboxes of runs.
#[derive(Debug, Serialize)]
pub struct MeasuredBoxes {
    /// How many runs.
    pub runs: u64,
    /// The boxes.
    #[serde(flatten)]
    pub boxes: Boxes,
}

impl Campaign {
    /// Runs with an ending of this kind.
    pub fn ended_as(&self, kind: &str) -> u64 {
        self.totals.endings.get(kind).copied().unwrap_or(0)
    }

    /// The specifications that runs were checked against.
    pub fn specs(&self) -> Vec<&str> {
        self.coverage.iter().map(|spec| spec.spec.as_str()).collect()
    }

    /// Whether there are warnings.
    pub fn is_weakened(&self) -> bool {
        self.notes.iter().any(|noted| noted.common.note.weakens)
    }

    /// A note as text, prefixed with the specification's name if there are several.
    pub fn sentence(&self, noted: &Noted) -> String {
        let sentence = noted.common.sentence("run");
        match self.coverage.len() {
            0 | 1 => sentence,
            _ => format!("{}: {sentence}", noted.spec),
        }
    }

    /// Runs with this verdict.
    pub fn judged(&self, verdict: &str) -> u64 {
        self.totals.verdicts.get(verdict).copied().unwrap_or(0)
    }
}
