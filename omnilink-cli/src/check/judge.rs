//! Saving verdicts in a store, and loading them.

use omnilink_check::report::counterexample::Counterexample;
use omnilink_check::report::{Report, Verdict, name_of};
use omnilink_record::store::{self, Answer, Key, Statistics, Store};
use serde_json::json;

use super::job::{Job, Outcome};
use crate::alike::cause::failing;
use crate::failure::Failure;

/// Saves the verdicts of one job in a store.
pub struct Judge {
    key: Key,
}

impl Judge {
    /// For a job; its specification is saved in the store, too.
    pub fn begin(store: &mut Store, job: &Job<'_>) -> Result<Self, Failure> {
        let key = job.key();
        let files = job.spec.sources().files().map(|file| {
            let name = file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, &*file.text)
        });
        store.add_spec(&key.spec, &name_of(job.path), files)?;
        Ok(Self { key })
    }

    /// Saves the verdict on a run in the store that contains the run.
    pub fn enter(&self, store: &mut Store, run: &str, outcome: &Outcome) -> Result<(), Failure> {
        let Outcome { report, counterexample, .. } = outcome;
        let mut document = match counterexample {
            Some(counterexample) => json!(counterexample),
            None => json!(report),
        };
        // The path at which the trace was checked no longer exists.
        let shown = if counterexample.is_some() { &mut document["report"] } else { &mut document };
        shown["trace"] = json!(format!("run {run}"));
        let found = &report.statistics;
        let verdict = store::Verdict {
            run: run.to_owned(),
            key: self.key.clone(),
            omnilink: env!("CARGO_PKG_VERSION").to_owned(),
            answer: answer(report),
            failing: failing(report),
            statistics: Statistics {
                lanes: found.lanes,
                events: found.events,
                configurations: found.configurations,
                seconds: found.seconds,
            },
            judged: store::now(),
        };
        Ok(store.judge(&verdict, document.to_string().as_bytes())?)
    }

    /// The saved verdict on a run with the same key, if it is final and the inputs that the specification read are
    /// unchanged.
    pub fn known(&self, store: &Store, run: &str) -> Result<Option<Outcome>, Failure> {
        let Some(document) = self.document(store, run)? else { return Ok(None) };
        let known = match serde_json::from_slice::<Counterexample>(&document) {
            Ok(counterexample) => {
                let report = counterexample.report.clone();
                Some(Outcome { report, cached: true, counterexample: Some(Box::new(counterexample)) })
            }
            // A verdict that cannot be read is treated as missing.
            Err(_) => serde_json::from_slice::<Report>(&document).ok().map(|report| Outcome {
                report,
                cached: true,
                counterexample: None,
            }),
        };
        Ok(known.filter(|known| known.report.still_holds()))
    }

    fn document(&self, store: &Store, run: &str) -> Result<Option<Vec<u8>>, Failure> {
        match store.verdict(run, &self.key)? {
            Some(verdict) if verdict.answer.is_final() => Ok(store.document(run, &self.key)?),
            _ => Ok(None),
        }
    }
}

fn answer(report: &Report) -> Answer {
    match report.verdict {
        Verdict::Accepted if report.violation.is_some() => Answer::Violated,
        Verdict::Accepted => Answer::Accepted,
        Verdict::Rejected => Answer::Rejected,
        Verdict::Unknown { .. } => Answer::Unknown,
        Verdict::Error { .. } => Answer::Error,
    }
}
