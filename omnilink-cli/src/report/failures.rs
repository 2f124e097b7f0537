//! The failures of a campaign, grouped by cause.

use std::collections::HashMap;
use std::fs;

use omnilink_check::report::Verdict as Told;
use omnilink_check::report::event_name::EventName;
use omnilink_check::report::text::{self, Style};
use omnilink_record::directory::RunDirectory;
use omnilink_record::store::{Answer, Entry, Verdict};
use omnilink_record::{Ending, Observed, stacks};

use super::files::{self, Attachment};
use super::gather::{Judged, Known};
use super::model::{Also, FailingRun, Failure, Undecided};
use super::schedules::record;
use crate::alike::cause::{Cause, Way};
use crate::alike::groups::{Group, Groups};
use crate::alike::rate::Rate;
use crate::failure::Failure as Refused;
use crate::palette::Palette;
use crate::replay;
use crate::run::failing::last_lines;
use crate::shell::own_command;

/// The maximum number of listed runs per group.
const TOLD: usize = 5;

/// Groups failed runs by cause.
#[derive(Default)]
pub struct Sorter {
    groups: Groups<Entry>,
    /// The ways in which the current run failed.
    ways: Vec<Way>,
    undecided: HashMap<(&'static str, String), (u64, String)>,
}

/// Runs are ordered by the time of their end, if it is known.
pub fn age(run: &Entry) -> (u64, u64) {
    (run.began.map_or(u64::MAX, |began| began.saturating_add(run.milliseconds)), run.number.unwrap_or(u64::MAX))
}

impl Sorter {
    /// Adds the ending of a run.
    pub fn add_ending(&mut self, run: &Entry) {
        if run.failed {
            self.ways.push(Way::of(Cause::Ending { kind: run.kind.clone(), text: run.ending.clone() }));
        }
    }

    /// Adds a report on it.
    pub fn add_verdict(&mut self, known: &Known<'_>, run: &Entry, judged: &Judged<'_>) {
        let spec = known.spec(&judged.verdict.key.spec).to_owned();
        let failing = judged.verdict.failing.clone();
        match judged.verdict.answer {
            Answer::Accepted => {}
            Answer::Rejected => {
                self.ways.push(Way::explained(Cause::Rejected { spec, failing }, judged.checked.as_ref()));
            }
            Answer::Violated => {
                let invariant = failing.map(|failing| failing.action).unwrap_or_default();
                self.ways.push(Way::of(Cause::Violated { spec, invariant }));
            }
            answer @ (Answer::Unknown | Answer::Error) => {
                let why = judged.checked.as_ref().map(|checked| match &checked.verdict {
                    Told::Unknown { why, .. } => why.clone(),
                    Told::Error { message, .. } => message.lines().next().unwrap_or_default().to_owned(),
                    Told::Accepted | Told::Rejected => String::new(),
                });
                let group = self.undecided.entry((answer.name(), why.unwrap_or_default()));
                group.or_insert_with(|| (0, run.name.clone())).0 += 1;
            }
        }
    }

    /// Finishes the current run.
    pub fn end(&mut self, run: &Entry) {
        let ways = std::mem::take(&mut self.ways);
        if !ways.is_empty() {
            self.groups.add(ways, run.clone());
        }
    }

    /// All runs that failed.
    pub fn failing(&self) -> impl Iterator<Item = &Entry> {
        self.groups.runs()
    }

    /// The failures, the most frequent first, among this many runs.
    pub fn finish(
        self,
        known: &Known<'_>,
        runs: u64,
        attachments: &mut Vec<Attachment>,
    ) -> Result<(Vec<Failure>, Vec<Undecided>), Refused> {
        let mut failures = Vec::new();
        for mut group in self.groups.finish(runs) {
            group.runs.sort_by_key(age);
            failures.push(failure(known, group, runs, attachments)?);
        }
        let undecided = self.undecided.into_iter();
        let mut undecided: Vec<_> =
            undecided.map(|((answer, why), (count, run))| Undecided { answer, why, count, run }).collect();
        undecided.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.why.cmp(&other.why)));
        Ok((failures, undecided))
    }
}

fn failure(
    known: &Known<'_>,
    group: Group<Entry>,
    all: u64,
    attachments: &mut Vec<Attachment>,
) -> Result<Failure, Refused> {
    let Group { causes, runs } = group;
    let mut told = Vec::new();
    let (mut explanation, mut stderr) = (String::new(), Vec::new());
    for (at, run) in runs.iter().take(TOLD).enumerate() {
        let (mut counterexample, mut event) = (None, None);
        if let Some(judged) = verdict_of(known, &causes, run)? {
            if let (0, Some(checked)) = (at, &judged.checked) {
                let style = Style { palette: Palette::default(), full_state: false };
                let mut text = Vec::new();
                // Writing to memory does not fail.
                let _ = text::write(checked, false, style, &mut text);
                explanation = String::from_utf8_lossy(&text).into_owned();
            }
            event = judged.checked.as_ref().and_then(replay::event);
            let document = judged.counterexample;
            counterexample = document.map(|document| files::attach_counterexample(run, document, attachments));
        }
        if at == 0 && run.failed && run.has_files {
            let (deadlock, last) = last_words(known, run)?;
            (explanation, stderr) = (deadlock.unwrap_or_default() + &explanation, last);
        }
        told.push(failing_run(known, run, counterexample, event));
    }
    let count = runs.len() as u64;
    let explanation = Some(explanation).filter(|text| !text.is_empty());
    let mut ways = causes.into_iter().map(|(cause, count)| Also { cause, count });
    let Also { cause, .. } = ways.next().expect("a group has a cause");
    let (rate, also) = (Rate::of(count, all), ways.collect());
    Ok(Failure { cause, count, rate, also, runs: told, explanation, stderr })
}

/// The verdict that is one of the causes, if any.
fn verdict_of<'k>(known: &'k Known<'_>, causes: &[(Cause, u64)], run: &Entry) -> Result<Option<Judged<'k>>, Refused> {
    let specs: Vec<&str> = causes.iter().filter_map(|(cause, _)| cause.spec()).collect();
    let mut verdicts = known.verdicts(&run.name).iter();
    let is_cause = |verdict: &&Verdict| {
        matches!(verdict.answer, Answer::Rejected | Answer::Violated) && specs.contains(&known.spec(&verdict.key.spec))
    };
    verdicts.find(is_cause).map(|verdict| known.judged(verdict)).transpose()
}

fn failing_run(known: &Known<'_>, run: &Entry, counterexample: Option<String>, event: Option<EventName>) -> FailingRun {
    let command = |words: &[&str]| run.has_files.then(|| own_command(words));
    let name = run.name.as_str();
    let moment = match (run.kind.as_str(), event) {
        ("crashed", _) => "crash".to_owned(),
        ("deadlocked", _) => "deadlock".to_owned(),
        ("stopped", _) => "start".to_owned(),
        (_, Some(event)) => event.to_string(),
        (_, None) => "end".to_owned(),
    };
    FailingRun {
        run: run.name.clone(),
        number: run.number,
        mode: run.mode.clone(),
        seed: run.seed,
        ending: run.ending.clone(),
        counterexample,
        replay: command(&["replay", "--store", &known.path, name]).filter(|_| run.mode != "free"),
        debug: command(&["replay", "--store", &known.path, name, "--until", &moment, "--gdb"])
            .filter(|_| run.mode != "free"),
        export: command(&["store", "export", &known.path, name]),
    }
}

/// The stacks of a run that crashed, deadlocked or was stopped, and the end of its standard error.
fn last_words(known: &Known<'_>, run: &Entry) -> Result<(Option<String>, Vec<String>), Refused> {
    let threads = match record(known.store, &run.name)?.map(|record| record.observed) {
        Some(Observed { ending: Ending::Deadlocked(threads), .. }) => Some(threads),
        Some(Observed { stacks, .. }) if !stacks.is_empty() => Some(stacks::text(&stacks)),
        _ => None,
    };
    let directory = known.scratch.path().join("run");
    known.store.export(&run.name, &directory)?;
    let stderr = last_lines(&RunDirectory::open(&directory));
    fs::remove_dir_all(&directory).map_err(|error| Refused::file(&directory, &error))?;
    Ok((threads, stderr))
}
