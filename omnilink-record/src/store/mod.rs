//! Many runs in one file, which can be copied, merged and shared.
//!
//! The file is a SQLite database in its write-ahead mode: what a finished transaction wrote survives a crash of whoever
//! wrote it, and several processes may write at once. A run is one transaction: its `record.json`, and its other files
//! compressed. Its name is a hash of all of these, so the same run is never in a store twice, and merging is adding
//! what is not there yet.

mod contents;
mod schema;

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::directory::RunDirectory;
use crate::error::RecordError;

/// A store of runs.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

/// A run in a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name: a hash of its contents.
    pub name: String,
    /// Its program.
    pub program: String,
    /// How it was run.
    pub mode: String,
    /// Its seed.
    pub seed: u64,
    /// How it ended.
    pub ending: String,
    /// Whether that was a failure.
    pub failed: bool,
    /// When it was added: seconds since 1970.
    pub added: u64,
}

/// What to remove from a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Runs that failed are kept.
    pub failures: bool,
    /// So many of the other runs are kept, the newest.
    pub newest: u64,
}

impl Store {
    /// Opens a store, or makes one.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let failed = |source| RecordError::Store { path: path.to_owned(), source };
        let connection = Connection::open(path).map_err(failed)?;
        schema::prepare(&connection).map_err(failed)?;
        Ok(Self { path: path.to_owned(), connection })
    }

    /// Opens a store that is there.
    pub fn open_existing(path: &Path) -> Result<Self, RecordError> {
        fs::metadata(path).map_err(RecordError::file(path))?;
        Self::open(path)
    }

    fn failed(&self) -> impl FnOnce(rusqlite::Error) -> RecordError + use<> {
        let path = self.path.clone();
        move |source| RecordError::Store { path, source }
    }

    /// Adds the run of a directory, and gives its name.
    pub fn add(&mut self, directory: &RunDirectory) -> Result<String, RecordError> {
        let record = directory.read()?;
        let files = contents::read(directory.path())?;
        let name = contents::name(&files);
        let failed = self.failed();
        let mut insert = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let added = transaction.execute(
                "INSERT OR IGNORE INTO runs (name, program, mode, seed, ending, failed, added)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, unixepoch())",
                params![
                    name,
                    record.plan.program.to_string_lossy(),
                    record.plan.mode.name(),
                    // SQLite's integers have a sign; the bits are the same.
                    record.plan.seed as i64,
                    record.observed.ending.to_string(),
                    record.observed.ending.is_failure(),
                ],
            )?;
            if added > 0 {
                let mut statement =
                    transaction.prepare("INSERT INTO files (run, path, contents) VALUES (?1, ?2, ?3)")?;
                for file in &files {
                    statement.execute(params![name, file.path, file.compressed])?;
                }
            }
            transaction.commit()
        };
        insert().map_err(failed)?;
        Ok(name)
    }

    /// All runs, the oldest first.
    pub fn list(&self) -> Result<Vec<Entry>, RecordError> {
        let list = || -> rusqlite::Result<Vec<Entry>> {
            let mut statement = self
                .connection
                .prepare("SELECT name, program, mode, seed, ending, failed, added FROM runs ORDER BY added, rowid")?;
            let entry = |row: &rusqlite::Row<'_>| {
                Ok(Entry {
                    name: row.get(0)?,
                    program: row.get(1)?,
                    mode: row.get(2)?,
                    seed: row.get::<_, i64>(3)? as u64,
                    ending: row.get(4)?,
                    failed: row.get(5)?,
                    added: row.get::<_, i64>(6)?.max(0) as u64,
                })
            };
            statement.query_map([], entry)?.collect()
        };
        list().map_err(self.failed())
    }

    /// The full name of a run of which the beginning is given.
    fn resolve(&self, beginning: &str) -> Result<String, RecordError> {
        let entries = self.list()?;
        let mut found = entries.iter().filter(|entry| entry.name.starts_with(beginning));
        match (found.next(), found.next()) {
            (Some(entry), None) => Ok(entry.name.clone()),
            (None, _) => Err(RecordError::Usage(format!(
                "{}: has no run {beginning}; see `omnilink store list`",
                self.path.display()
            ))),
            (Some(_), Some(_)) => Err(RecordError::Usage(format!(
                "{}: has several runs {beginning}…; write more of the name",
                self.path.display()
            ))),
        }
    }

    /// The `record.json` of a run, by its name or the beginning of it.
    pub fn show(&self, run: &str) -> Result<String, RecordError> {
        let name = self.resolve(run)?;
        let query = "SELECT contents FROM files WHERE run = ?1 AND path = 'record.json'";
        let found: Option<Vec<u8>> =
            self.connection.query_row(query, [&name], |row| row.get(0)).optional().map_err(self.failed())?;
        let damaged =
            |reason: &str| RecordError::Damaged { path: self.path.clone(), reason: format!("run {name}: {reason}") };
        let bytes = contents::decompress(&found.ok_or_else(|| damaged("has no record.json"))?)
            .map_err(|error| damaged(&error.to_string()))?;
        String::from_utf8(bytes).map_err(|_| damaged("record.json is not text"))
    }

    /// Writes a run into a new directory, as it was.
    pub fn export(&self, run: &str, directory: &Path) -> Result<(), RecordError> {
        let name = self.resolve(run)?;
        fs::create_dir(directory).map_err(RecordError::file(directory))?;
        let read = || -> rusqlite::Result<Vec<(String, Vec<u8>)>> {
            let mut statement = self.connection.prepare("SELECT path, contents FROM files WHERE run = ?1")?;
            statement.query_map([&name], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        for (path, compressed) in read().map_err(self.failed())? {
            contents::write(directory, &path, &compressed).map_err(|reason| RecordError::Damaged {
                path: self.path.clone(),
                reason: format!("run {name}, {path}: {reason}"),
            })?;
        }
        Ok(())
    }

    /// Adds all runs of another store that are not here yet; gives their number.
    pub fn merge(&mut self, other: &Path) -> Result<u64, RecordError> {
        // Checks that it is a store, of a version that we read.
        drop(Self::open_existing(other)?);
        let failed = self.failed();
        let merge = |connection: &mut Connection| -> rusqlite::Result<u64> {
            connection.execute("ATTACH DATABASE ?1 AS other", [other.to_string_lossy()])?;
            let copied = (|| {
                let transaction = connection.transaction()?;
                transaction.execute(
                    "INSERT OR IGNORE INTO main.files SELECT * FROM other.files WHERE run NOT IN (SELECT name FROM main.runs)",
                    [],
                )?;
                let added = transaction.execute("INSERT OR IGNORE INTO main.runs SELECT * FROM other.runs", [])?;
                transaction.commit()?;
                Ok(added as u64)
            })();
            connection.execute("DETACH DATABASE other", [])?;
            copied
        };
        merge(&mut self.connection).map_err(failed)
    }

    /// Removes runs; gives their number.
    pub fn gc(&mut self, keep: Keep) -> Result<u64, RecordError> {
        let failed = self.failed();
        let remove = |connection: &mut Connection| -> rusqlite::Result<u64> {
            let transaction = connection.transaction()?;
            let removed = transaction.execute(
                "DELETE FROM runs WHERE NOT (failed AND ?1) AND name NOT IN
                 (SELECT name FROM runs WHERE NOT (failed AND ?1) ORDER BY added DESC, rowid DESC LIMIT ?2)",
                params![keep.failures, i64::try_from(keep.newest).unwrap_or(i64::MAX)],
            )?;
            transaction.execute("DELETE FROM files WHERE run NOT IN (SELECT name FROM runs)", [])?;
            transaction.commit()?;
            connection.execute("VACUUM", [])?;
            Ok(removed as u64)
        };
        remove(&mut self.connection).map_err(failed)
    }
}
