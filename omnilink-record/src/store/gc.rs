//! Making a store smaller.
//!
//! What takes space are files: traces, schedules, output, recordings. They are removed; that a run was made, how it
//! ended and what was found in it stays, so that what a campaign came to is the same as before, and a run of the chaos
//! scheduler can be made again from its seed.

use std::fs;
use std::path::{PathBuf, absolute};

use rusqlite::params;

use super::Store;
use crate::error::RecordError;

/// Which runs keep their files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Those that failed, and those with a verdict that is not `accepted`.
    pub failures: bool,
    /// So many of the others, the newest.
    pub newest: u64,
}

/// Runs that have files and may lose them.
const CANDIDATES: &str = "SELECT name FROM runs WHERE name IN (SELECT run FROM files) AND NOT
    (?1 AND (failed OR name IN (SELECT run FROM verdicts WHERE verdict <> 'accepted')))";

impl Store {
    /// Removes the files of runs; gives the number of these runs.
    pub fn gc(&mut self, keep: Keep) -> Result<u64, RecordError> {
        let newest = i64::try_from(keep.newest).unwrap_or(i64::MAX);
        let (removed, recordings) = self.change(|store| {
            store.execute_batch("CREATE TEMP TABLE doomed (run TEXT PRIMARY KEY)")?;
            let removed = store.execute(
                &format!(
                    "INSERT INTO doomed {CANDIDATES} EXCEPT
                     SELECT name FROM ({CANDIDATES} ORDER BY added DESC, rowid DESC LIMIT ?2)"
                ),
                params![keep.failures, newest],
            )?;
            let mut query = store
                .prepare("SELECT path FROM recordings WHERE path IS NOT NULL AND run IN (SELECT run FROM doomed)")?;
            let recordings: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
            store.execute_batch(
                "DELETE FROM files WHERE run IN (SELECT run FROM doomed);
                 DELETE FROM recordings WHERE run IN (SELECT run FROM doomed);
                 DROP TABLE doomed;",
            )?;
            Ok((removed as u64, recordings))
        })?;
        self.ask(|store| store.execute_batch("VACUUM"))?;
        let beside = self.recordings_directory();
        let beside = absolute(&beside).unwrap_or(beside);
        for recording in recordings.iter().map(PathBuf::from).filter(|path| path.starts_with(&beside)) {
            // Whoever has removed it before has done our work.
            let _ = fs::remove_dir_all(recording);
        }
        Ok(removed)
    }
}
