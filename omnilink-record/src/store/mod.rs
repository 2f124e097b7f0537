//! Campaigns, their runs and what was found in them, in one file, which can be copied, merged and shared.
//!
//! The file is a SQLite database in its write-ahead mode: what a finished transaction wrote survives a crash of whoever
//! wrote it, and several processes may write at once. A run is one transaction: its `record.json`, and its other files
//! compressed. Its name is a hash of all of these, so the same run is never in a store twice, and merging is adding
//! what is not there yet.
//!
//! - `schema`: the tables, and how old stores are brought up to date. `contents`: a run's files.
//! - [`campaigns`], [`runs`], [`specs`], [`verdicts`], [`recordings`]: what is put in and asked for, one table each, as
//!   plain data.
//! - [`summary`]: what campaigns came to: totals, failures that are alike, the time to the first.
//! - `merge` and [`gc`]: making one store of several, and a smaller one of a large one.
//!
//! A verdict is data to a store: which specification it is about is a hash, what was found is text. Who judges is the
//! caller's business.

pub mod campaigns;
mod contents;
pub mod gc;
mod merge;
pub mod recordings;
pub mod runs;
mod schema;
pub mod specs;
pub mod summary;
pub mod verdicts;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::error::RecordError;

pub use campaigns::{CampaignEntry, Description};
pub use gc::Keep;
pub use merge::Merged;
pub use recordings::Recording;
pub use runs::{Entry, Filter, InCampaign, Scheduled};
pub use specs::SpecEntry;
pub use summary::{Alike, Cause, First, Totals};
pub use verdicts::{Answer, Failing, Key, Statistics, Verdict};

/// A store of runs.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

impl Store {
    /// Opens a store, or makes one.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let failed = |source| RecordError::Store { path: path.to_owned(), source };
        let mut connection = Connection::open(path).map_err(failed)?;
        schema::prepare(&mut connection).map_err(failed)?;
        Ok(Self { path: path.to_owned(), connection })
    }

    /// Opens a store that is there.
    pub fn open_existing(path: &Path) -> Result<Self, RecordError> {
        fs::metadata(path).map_err(RecordError::file(path))?;
        Self::open(path)
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Asks for something.
    fn ask<T>(&self, question: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, RecordError> {
        question(&self.connection).map_err(|source| RecordError::Store { path: self.path.clone(), source })
    }

    /// Changes something, wholly or not at all.
    fn change<T>(&mut self, change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T, RecordError> {
        let attempt = || {
            // One that asks first and writes later could find that another has written in between.
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let changed = change(&transaction)?;
            transaction.commit()?;
            Ok(changed)
        };
        attempt().map_err(|source| RecordError::Store { path: self.path.clone(), source })
    }

    fn damaged(&self, what: &str, reason: impl std::fmt::Display) -> RecordError {
        RecordError::Damaged { path: self.path.clone(), reason: format!("{what}: {reason}") }
    }
}

/// Milliseconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}
