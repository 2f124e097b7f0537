//! Recordings of rr.
//!
//! A recording is many times larger than all else of a run, and refers to the files of the machine that it was made on.
//! So it stays where it is, beside the store, and the store says where; unless `rr pack` has made it
//! complete, then it is among the run's files, as `rr/…`, and goes wherever the store goes.

use std::fs;
use std::path::{Path, PathBuf, absolute};

use rusqlite::{OptionalExtension, Transaction, params};
use serde::Serialize;

use super::Store;
use crate::directory::RunDirectory;
use crate::error::RecordError;
use crate::rr::Rr;

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

/// Notes the recording of a run that is added, if it has one.
pub(super) fn insert(store: &Transaction<'_>, run: &str, directory: &RunDirectory, rr: &Rr) -> rusqlite::Result<()> {
    let recordings = directory.recordings();
    if !recordings.is_dir() {
        return Ok(());
    }
    let elsewhere = (!directory.recording_is_packed()).then(|| absolute(&recordings).unwrap_or(recordings));
    put(store, run, &rr.version, elsewhere.as_deref())
}

fn put(store: &Transaction<'_>, run: &str, rr: &str, path: Option<&Path>) -> rusqlite::Result<()> {
    let path = path.map(Path::to_string_lossy);
    store.execute("INSERT OR REPLACE INTO recordings (run, rr, path) VALUES (?1, ?2, ?3)", params![run, rr, path])?;
    Ok(())
}

impl Store {
    /// Where recordings that are not packed are kept: a directory beside the store, one in it for each run.
    pub fn recordings_directory(&self) -> PathBuf {
        recordings_directory(&self.path)
    }

    /// Notes the recording of a run.
    pub fn note_recording(&mut self, recording: &Recording) -> Result<(), RecordError> {
        let Recording { run, rr, path } = recording;
        self.change(|store| put(store, run, rr, path.as_deref()))
    }

    /// Moves the recording of a run that was added, and is not packed, out of its directory, to beside the store.
    pub fn adopt_recording(&mut self, run: &str) -> Result<(), RecordError> {
        let Some(Recording { rr, path: Some(from), .. }) = self.recording(run)? else { return Ok(()) };
        let beside = self.recordings_directory();
        fs::create_dir_all(&beside).map_err(RecordError::file(&beside))?;
        let to = beside.join(run);
        let to = absolute(&to).unwrap_or(to);
        fs::rename(&from, &to).map_err(RecordError::file(&from))?;
        self.note_recording(&Recording { run: run.to_owned(), rr, path: Some(to) })
    }

    /// Brings the recording of a run into the directory that the run was exported to, and makes it complete.
    pub fn export_recording(&self, run: &str, to: &RunDirectory) -> Result<(), RecordError> {
        let name = self.find_run(run)?;
        let Some(Recording { path: Some(from), .. }) = self.recording(&name)? else { return Ok(()) };
        copy(&from, &to.recordings())?;
        to.pack_recording(&to.read()?.plan.rr)
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

/// Copies a directory. Links are left out: rr makes one to its latest recording.
fn copy(from: &Path, to: &Path) -> Result<(), RecordError> {
    fs::create_dir(to).map_err(RecordError::file(to))?;
    for file in RunDirectory::open(from).files()? {
        let (source, target) = (from.join(&file), to.join(&file));
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(RecordError::file(parent))?;
        }
        fs::copy(&source, &target).map_err(RecordError::file(&source))?;
    }
    Ok(())
}

fn recordings_directory(store: &Path) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(".rr");
    PathBuf::from(name)
}
