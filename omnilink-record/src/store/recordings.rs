//! Recordings of rr.
//!
//! A recording is many times larger than all else of a run, and refers to the files of the machine that it was made on.
//! So it stays where it is, beside the store, and the store says where; unless `rr pack` has made it
//! complete, then it is among the run's files, as `rr/…`, and goes wherever the store goes.

use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension, params};
use serde::Serialize;

use super::Store;
use crate::error::RecordError;

/// A recording of rr.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recording {
    /// The run's full name.
    pub run: String,
    /// The rr that made it, as it calls itself.
    pub rr: String,
    /// The directory that it is in; none if it is among the run's files.
    pub path: Option<PathBuf>,
}

impl Store {
    /// Where recordings that are not packed are kept: a directory beside the store, one in it for each run.
    pub fn recordings_directory(&self) -> PathBuf {
        recordings_directory(&self.path)
    }

    /// Notes the recording of a run.
    pub fn note_recording(&mut self, recording: &Recording) -> Result<(), RecordError> {
        let Recording { run, rr, path } = recording;
        let path = path.as_ref().map(|path| path.to_string_lossy());
        let insert = "INSERT OR REPLACE INTO recordings (run, rr, path) VALUES (?1, ?2, ?3)";
        self.change(|store| store.execute(insert, params![run, rr, path]))?;
        Ok(())
    }

    /// The recording of a run, if there is one.
    pub fn recording(&self, run: &str) -> Result<Option<Recording>, RecordError> {
        self.ask(|store| {
            let query = "SELECT run, rr, path FROM recordings WHERE run = ?1";
            let recording = |row: &rusqlite::Row<'_>| {
                let path: Option<String> = row.get(2)?;
                Ok(Recording { run: row.get(0)?, rr: row.get(1)?, path: path.map(PathBuf::from) })
            };
            store.query_row(query, [run], recording).optional()
        })
    }
}

fn recordings_directory(store: &Path) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(".rr");
    PathBuf::from(name)
}
