//! The summary of all runs.

use std::collections::BTreeMap;
use std::time::Instant;

use omnilink_check::report::note::Note;
use omnilink_check::report::text::count;
use omnilink_check::report::{Report, Verdict};
use omnilink_record::campaign::Tally;
use omnilink_record::directory::Record;
use serde::Serialize;

use super::examine::Judgement;
use crate::notes::{Common, Gathered};

/// The summary of all runs.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// The seed from which their seeds are derived.
    pub seed: u64,
    /// Their endings: the numbers of runs, of recorded events, and of failures by kind.
    #[serde(flatten)]
    pub endings: Tally,
    /// The number of accepted traces.
    pub accepted: u64,
    /// The number of traces that are rejected or violate an invariant.
    pub rejected: u64,
    /// The number of undecided traces.
    pub unknown: u64,
    /// Why they are undecided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<Undecided>,
    /// The number of traces that could not be checked.
    pub errors: u64,
    /// The number of events per action.
    pub actions: BTreeMap<String, u64>,
    /// The actions of the specification that no run recorded.
    pub never_recorded: Vec<String>,
    /// The notes.
    pub notes: Vec<Common>,
    /// The number of kept runs.
    pub kept: u64,
    /// The total time.
    pub seconds: f64,
    #[serde(skip)]
    gathered: Gathered,
    #[serde(skip)]
    began: Instant,
}

/// Why a number of runs are undecided.
#[derive(Debug, Serialize)]
pub struct Undecided {
    /// Why: the same words as in the report of each run.
    pub why: String,
    /// The number of runs.
    pub runs: u64,
    /// What to try, as the report of the first of them says.
    pub advice: Vec<String>,
}

impl Summary {
    /// An empty summary of runs whose seeds are derived from this one.
    pub fn begin(seed: u64) -> Self {
        Self {
            seed,
            endings: Tally::default(),
            accepted: 0,
            rejected: 0,
            unknown: 0,
            undecided: Vec::new(),
            errors: 0,
            actions: BTreeMap::new(),
            never_recorded: Vec::new(),
            notes: Vec::new(),
            kept: 0,
            seconds: 0.0,
            gathered: Gathered::default(),
            began: Instant::now(),
        }
    }

    /// Adds a run. Returns the warnings that no earlier run had.
    pub fn add<'a>(&mut self, record: &Record, report: Option<&'a Report>) -> Vec<&'a Note> {
        self.endings.add(record);
        let Some(report) = report else { return Vec::new() };
        *match &report.verdict {
            Verdict::Rejected => &mut self.rejected,
            Verdict::Accepted if report.violation.is_some() => &mut self.rejected,
            Verdict::Accepted => &mut self.accepted,
            Verdict::Unknown { why, advice } => {
                match self.undecided.iter_mut().find(|undecided| undecided.why == *why) {
                    Some(undecided) => undecided.runs += 1,
                    None => self.undecided.push(Undecided { why: why.clone(), runs: 1, advice: advice.clone() }),
                }
                &mut self.unknown
            }
            Verdict::Error { .. } => &mut self.errors,
        } += 1;
        for (action, events) in &report.statistics.actions {
            *self.actions.entry(action.clone()).or_default() += events;
        }
        self.gathered.add(report)
    }

    /// Finishes the summary.
    pub fn finish(&mut self) {
        self.seconds = self.began.elapsed().as_secs_f64();
        self.never_recorded = self.gathered.never_recorded();
        self.notes = self.gathered.all();
    }

    /// Whether runs were checked, and none of them has a call that must have happened.
    pub fn proves_nothing(&self) -> bool {
        self.gathered.nothing_was_checked()
    }

    /// The summary in one line.
    pub fn line(&self) -> String {
        let Self { endings, accepted, rejected, unknown, errors, .. } = self;
        let rate = endings.runs as f64 / self.began.elapsed().as_secs_f64().max(0.001);
        let others = [
            (*rejected, "rejected"),
            (*unknown, "unknown"),
            (*errors, "could not be checked"),
            (endings.failed, "failed"),
            (endings.crashed, "crashed"),
            (endings.deadlocked, "deadlocked"),
            (endings.stopped, "stopped"),
        ];
        let others = others.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!(", {number} {what}"));
        let (runs, events) = (count(endings.runs, "run"), count(endings.events, "event"));
        format!("{runs} ({rate:.1}/s), {events}: {accepted} accepted{}", others.collect::<String>())
    }

    /// Why runs are undecided: a line for every reason.
    pub fn undecided_lines(&self) -> impl Iterator<Item = String> {
        self.undecided.iter().map(|Undecided { why, runs, .. }| format!("{} unknown: {why}", count(*runs, "run")))
    }

    /// The exit code.
    pub fn exit_code(&self, worst: Option<Judgement>, allow_unknown: bool) -> u8 {
        match worst {
            Some(Judgement::Error) => 2,
            Some(_) => 1,
            None if self.proves_nothing() => 2,
            None if self.unknown > 0 && !allow_unknown => 3,
            None if self.accepted > 0 => 0,
            None => 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_were_not_decided_are_no_pass_unless_they_may_be() {
        let of = |accepted, unknown| Summary { accepted, unknown, ..Summary::begin(1) };
        let codes = |summary: &Summary| [false, true].map(|allowed| summary.exit_code(None, allowed));
        assert_eq!(codes(&of(19, 1)), [3, 0]);
        assert_eq!(codes(&of(20, 0)), [0, 0]);
        assert_eq!(codes(&of(0, 20)), [3, 3]);
        assert_eq!(of(19, 1).exit_code(Some(Judgement::Failed), false), 1);
    }
}
