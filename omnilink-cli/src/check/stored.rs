//! Checks the runs of a store: each is exported, checked, and its verdict is saved in the store, unless the store
//! has it already.

use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use omnilink_check::search::Progress;
use omnilink_record::store::{Entry, Filter, Store};
use tempfile::TempDir;

use super::job::{Job, Outcome};
use super::judge::Judge;
use crate::failure::{Failure, complain};

/// A store whose runs are checked.
pub struct Stored<'a> {
    store: Mutex<Store>,
    /// The path of the store, as given.
    name: String,
    judge: Judge,
    job: &'a Job<'a>,
    /// A temporary directory for traces.
    scratch: TempDir,
}

impl<'a> Stored<'a> {
    /// Opens a store to check its runs with a job.
    pub fn open(path: &Path, job: &'a Job<'a>) -> Result<Self, Failure> {
        let mut store = Store::open_existing(path)?;
        let judge = Judge::begin(&mut store, job)?;
        let scratch = tempfile::tempdir().map_err(|error| Failure::new(format!("temporary directory: {error}")))?;
        Ok(Self { store: Mutex::new(store), name: path.display().to_string(), judge, job, scratch })
    }

    /// The named runs, or all that have a trace.
    pub fn runs(&self, names: &[String]) -> Result<Vec<String>, Failure> {
        let store = self.store();
        if !names.is_empty() {
            return names.iter().map(|name| Ok(store.find_run(name)?)).collect();
        }
        let (with, without): (Vec<Entry>, Vec<Entry>) =
            store.list(&Filter::default())?.into_iter().partition(|entry| entry.has_trace);
        if !without.is_empty() {
            complain(format_args!("note: {}: {} runs have no trace", self.name, without.len()));
        }
        if with.is_empty() {
            return Err(Failure::with_hint(
                format!("{}: there is no run with a trace", self.name),
                "`omnilink record --store` puts runs of instrumented programs there",
            ));
        }
        Ok(with.into_iter().map(|entry| entry.name).collect())
    }

    /// Checks a run, or loads the saved verdict.
    pub fn check(&self, run: &str, progress: &mut (dyn FnMut(&Progress) + Send)) -> Result<Outcome, Failure> {
        let name = format!("run {run} of {}", self.name);
        if self.job.use_cache
            && self.job.witness.is_none()
            && let Some(mut known) = self.judge.known(&self.store(), run)?
        {
            known.rename(&name);
            return Ok(known);
        }
        let directory = self.scratch.path().join(run);
        if !self.store().export_trace(run, &directory)? {
            return Err(Failure::new(format!("{}: run {run} has no trace", self.name)));
        }
        let mut outcome = self.job.run(&directory, progress);
        fs::remove_dir_all(&directory).map_err(|error| Failure::file(&directory, &error))?;
        outcome.rename(&name);
        // A check that Ctrl-C interrupted has no result to save.
        if !self.job.interrupt.load(Relaxed) {
            self.judge.enter(&mut self.store(), run, &outcome)?;
        }
        Ok(outcome)
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        // An unfinished call was rolled back: the store is consistent after every call.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
