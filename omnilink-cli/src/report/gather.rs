//! Builds the model of a report from the rows and documents of a store.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, absolute};

use omnilink_check::report::Report as Checked;
use omnilink_check::report::counterexample::Counterexample;
use omnilink_record::store::{self, CampaignEntry, Entry, Filter, Store, Totals, Verdict};
use tempfile::TempDir;

use super::failures;
use super::files::{self, Attachment};
use super::measures::{self, Adder};
use super::model::{Campaign, Checking, FirstFailure, Noted, Report};
use super::schedules;
use crate::failure::Failure;
use crate::notes::Gathered;

/// The data besides the rows of runs.
pub struct Known<'a> {
    pub store: &'a Store,
    /// The store's file, as an absolute path.
    pub path: String,
    /// The names of the specifications, by their hashes.
    specs: HashMap<String, String>,
    /// The latest verdict about each run and specification, by run; the oldest first.
    verdicts: HashMap<String, Vec<Verdict>>,
    /// A temporary directory for runs.
    pub scratch: TempDir,
}

/// A verdict with its report.
pub struct Judged<'a> {
    pub verdict: &'a Verdict,
    /// The report; `None` if the document cannot be read.
    pub checked: Option<Checked>,
    /// The document, if it is a counterexample.
    pub counterexample: Option<Vec<u8>>,
}

/// Builds the report of a store, or of one of its campaigns, and its attachments.
pub fn report(store: &Store, campaign: Option<&str>) -> Result<(Report, Vec<Attachment>), Failure> {
    let known = Known::of(store)?;
    let campaign = campaign.map(|name| store.find_campaign(name)).transpose()?;
    let runs = store.list(&Filter { campaign: campaign.clone(), ..Filter::default() })?;
    let mut made = Vec::new();
    let mut attachments = Vec::new();
    let wanted = |entry: &CampaignEntry| campaign.as_ref().is_none_or(|name| *name == entry.name);
    for entry in store.campaigns()?.into_iter().filter(wanted) {
        let its_runs: Vec<&Entry> = runs.iter().filter(|run| run.campaign.as_ref() == Some(&entry.name)).collect();
        made.push(known.campaign(Some(entry), &its_runs, &mut attachments)?);
    }
    let others: Vec<&Entry> = runs.iter().filter(|run| run.campaign.is_none()).collect();
    if !others.is_empty() {
        made.push(known.campaign(None, &others, &mut attachments)?);
    }
    if made.is_empty() {
        return Err(Failure::with_hint(
            format!("{}: there are no campaigns and no runs", store.path().display()),
            "`omnilink run SPEC --store FILE -- PROGRAM` makes some",
        ));
    }
    let (made_at, path) = (store::now(), known.path.clone());
    Ok((Report { omnilink: env!("CARGO_PKG_VERSION"), made: made_at, store: path, campaigns: made }, attachments))
}

impl<'a> Known<'a> {
    fn of(store: &'a Store) -> Result<Self, Failure> {
        let mut verdicts: HashMap<String, Vec<Verdict>> = HashMap::new();
        for verdict in store.verdicts(None)? {
            let of_run = verdicts.entry(verdict.run.clone()).or_default();
            of_run.retain(|older| older.key.spec != verdict.key.spec);
            of_run.push(verdict);
        }
        let path = absolute(store.path()).unwrap_or_else(|_| store.path().to_owned());
        Ok(Self {
            store,
            path: path.display().to_string(),
            specs: store.specs()?.into_iter().map(|spec| (spec.hash, spec.name)).collect(),
            verdicts,
            scratch: tempfile::tempdir().map_err(|error| Failure::new(format!("temporary directory: {error}")))?,
        })
    }

    /// The name of a specification.
    pub fn spec<'s>(&'s self, hash: &'s str) -> &'s str {
        self.specs.get(hash).map_or(hash, String::as_str)
    }

    /// The latest verdict on a run, per specification.
    pub fn verdicts(&self, run: &str) -> &[Verdict] {
        self.verdicts.get(run).map_or(&[], Vec::as_slice)
    }

    /// The report of a verdict.
    pub fn judged<'v>(&self, verdict: &'v Verdict) -> Result<Judged<'v>, Failure> {
        let document = self.store.document(&verdict.run, &verdict.key)?.unwrap_or_default();
        Ok(match serde_json::from_slice::<Counterexample>(&document) {
            Ok(counterexample) => {
                Judged { verdict, checked: Some(counterexample.report), counterexample: Some(document) }
            }
            Err(_) => Judged { verdict, checked: serde_json::from_slice(&document).ok(), counterexample: None },
        })
    }

    fn campaign(
        &self,
        entry: Option<CampaignEntry>,
        runs: &[&Entry],
        attachments: &mut Vec<Attachment>,
    ) -> Result<Campaign, Failure> {
        let (name, started, ended, description) = match entry {
            Some(CampaignEntry { name, started, ended, description }) => {
                (Some(name), Some(started), ended, Some(description))
            }
            None => (None, None, None, None),
        };
        let mut sorter = failures::Sorter::default();
        let mut adder = Adder::default();
        let mut checking = Checking::default();
        let mut notes: BTreeMap<&str, Gathered> = BTreeMap::new();
        for run in runs {
            sorter.add_ending(run);
            let mut boxes = None;
            for verdict in self.verdicts(&run.name) {
                let judged = self.judged(verdict)?;
                checking.add(verdict);
                if let Some(checked) = &judged.checked {
                    notes.entry(self.spec(&verdict.key.spec)).or_default().add(checked);
                }
                sorter.add_verdict(self, run, &judged);
                let measured = judged.checked.as_ref().and_then(|checked| checked.measures.as_ref());
                adder.add_coverage(self.spec(&verdict.key.spec), &verdict.key.spec, measured);
                boxes = measured.map(|measures| measures.boxes.clone()).or(boxes);
            }
            sorter.end(run);
            if boxes.is_some() {
                adder.add_boxes(boxes.as_ref());
            } else if run.has_trace {
                adder.add_boxes(measures::boxes(self.store, run, self.scratch.path())?.as_ref());
            }
        }
        let first_failure = first(sorter.failing(), runs, started);
        let (failures, undecided) = sorter.finish(self, runs.len() as u64, attachments)?;
        let (boxes, unreadable, mut coverage) = adder.finish();
        for spec in &mut coverage {
            spec.files = files::attach_spec(self.store, &spec.spec, &spec.hash, attachments)?;
        }
        Ok(Campaign {
            title: title(description.as_ref().map(|description| &description.command[..])),
            name,
            description,
            started,
            ended,
            totals: totals(runs),
            unchecked: runs.iter().filter(|run| run.verdict.is_none()).count() as u64,
            with_files: runs.iter().filter(|run| run.has_files).count() as u64,
            first_failure,
            failures,
            undecided,
            nothing_checked: !notes.is_empty() && notes.values().all(Gathered::nothing_was_checked),
            notes: notes.iter().flat_map(|(spec, gathered)| noted(spec, gathered)).collect(),
            checking,
            coverage,
            schedules: schedules::of(self.store, runs)?,
            boxes,
            unreadable,
        })
    }
}

/// The notes of the runs that were checked against a specification.
fn noted<'a>(spec: &'a str, gathered: &Gathered) -> impl Iterator<Item = Noted> + use<'a> {
    gathered.all().into_iter().map(move |common| Noted { spec: spec.to_owned(), common })
}

impl Checking {
    fn add(&mut self, verdict: &Verdict) {
        self.verdicts += 1;
        self.configurations += verdict.statistics.configurations;
        self.seconds += verdict.statistics.seconds;
        self.slowest = self.slowest.max(verdict.statistics.seconds);
    }
}

/// The program by its name, with its arguments.
fn title(command: Option<&[String]>) -> String {
    let Some([program, arguments @ ..]) = command else { return "runs without a campaign".to_owned() };
    let name =
        Path::new(program).file_name().map_or_else(|| program.clone(), |name| name.to_string_lossy().into_owned());
    std::iter::once(&name).chain(arguments).map(String::as_str).collect::<Vec<_>>().join(" ")
}

fn totals(runs: &[&Entry]) -> Totals {
    let mut totals = Totals::default();
    for run in runs {
        totals.runs += 1;
        totals.events += run.events.unwrap_or(0);
        totals.milliseconds += run.milliseconds;
        *totals.endings.entry(run.kind.clone()).or_default() += 1;
        if let Some(verdict) = run.verdict {
            *totals.verdicts.entry(verdict.name().to_owned()).or_default() += 1;
        }
    }
    totals
}

/// The first of the runs that failed.
fn first<'e>(failing: impl Iterator<Item = &'e Entry>, runs: &[&Entry], started: Option<u64>) -> Option<FirstFailure> {
    let first = failing.min_by_key(|run| failures::age(run))?;
    Some(FirstFailure {
        run: first.name.clone(),
        number: first.number,
        runs: runs.iter().filter(|run| failures::age(run) <= failures::age(first)).count() as u64,
        after: match (first.began, started) {
            (Some(began), Some(started)) => Some((began + first.milliseconds).saturating_sub(started)),
            _ => None,
        },
    })
}
