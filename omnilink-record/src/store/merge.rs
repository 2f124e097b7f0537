//! One store of several.
//!
//! All rows have names that are the same everywhere, so merging is adding rows that are missing. Where both stores know
//! the same thing, what is known for good wins: an ending of a campaign, a packed recording, a final verdict.

use std::fs;
use std::path::Path;

use super::Store;
use crate::error::RecordError;

/// How much a merge has added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Merged {
    /// Campaigns.
    pub campaigns: u64,
    /// Runs.
    pub runs: u64,
    /// Verdicts.
    pub verdicts: u64,
}

impl Store {
    /// Adds all of another store that is not here yet.
    pub fn merge(&mut self, other: &Path) -> Result<Merged, RecordError> {
        // Checks that it is a store, and brings it up to date.
        drop(Self::open_existing(other)?);
        if is_same_file(&self.path, other) {
            return Ok(Merged::default());
        }
        let other = other.to_string_lossy().into_owned();
        self.ask(|store| store.execute("ATTACH DATABASE ?1 AS other", [other]))?;
        let merged = self.change(|store| {
            let add = |statement: &str| store.execute(statement, []).map(|rows| rows as u64);
            // Before the runs: those that are here have their files, unless these were removed.
            add("INSERT OR IGNORE INTO main.files SELECT * FROM other.files
                 WHERE path GLOB 'rr/*' OR run NOT IN (SELECT run FROM main.files WHERE path = 'record.json')")?;
            add("INSERT OR IGNORE INTO main.specs SELECT * FROM other.specs")?;
            add("INSERT OR IGNORE INTO main.spec_files SELECT * FROM other.spec_files")?;
            add("INSERT INTO main.recordings SELECT * FROM other.recordings WHERE true
                 ON CONFLICT DO UPDATE SET path = NULL WHERE excluded.path IS NULL")?;
            let campaigns = add("INSERT OR IGNORE INTO main.campaigns SELECT * FROM other.campaigns")?;
            add("UPDATE main.campaigns SET ended = theirs.ended FROM other.campaigns AS theirs
                 WHERE theirs.name = campaigns.name AND campaigns.ended IS NULL")?;
            let runs = add("INSERT OR IGNORE INTO main.runs SELECT * FROM other.runs")?;
            add("UPDATE main.runs SET campaign = theirs.campaign, number = theirs.number FROM other.runs AS theirs
                 WHERE theirs.name = runs.name AND runs.campaign IS NULL")?;
            let same_key = "ours.run = theirs.run AND ours.spec = theirs.spec
                            AND ours.manner = theirs.manner AND ours.build = theirs.build";
            let verdicts = add(&format!(
                "INSERT OR REPLACE INTO main.verdicts SELECT * FROM other.verdicts AS theirs WHERE NOT EXISTS
                 (SELECT 1 FROM main.verdicts AS ours WHERE {same_key} AND
                  (ours.verdict NOT IN ('unknown', 'error') OR theirs.verdict IN ('unknown', 'error')))"
            ))?;
            Ok(Merged { campaigns, runs, verdicts })
        });
        self.ask(|store| store.execute("DETACH DATABASE other", []))?;
        merged
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
