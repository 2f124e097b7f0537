//! The specifications that runs were held against: a verdict says little when nobody knows what about.

use rusqlite::params;
use serde::Serialize;

use super::{Store, contents};
use crate::error::RecordError;

/// A specification in a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpecEntry {
    /// The hash of its files, which verdicts name.
    pub hash: String,
    /// What it is called.
    pub name: String,
}

impl Store {
    /// Adds a specification: names and texts of its files, configuration included.
    pub fn add_spec<'a>(
        &mut self,
        hash: &str,
        name: &str,
        files: impl IntoIterator<Item = (String, &'a str)>,
    ) -> Result<(), RecordError> {
        let files = files.into_iter().map(|(path, text)| {
            let compressed = contents::compress(text.as_bytes());
            Ok((path, compressed.map_err(|error| self.damaged("a specification", error))?))
        });
        let files = files.collect::<Result<Vec<_>, RecordError>>()?;
        self.change(|store| {
            store.execute("INSERT OR IGNORE INTO specs (hash, name) VALUES (?1, ?2)", [hash, name])?;
            let mut insert =
                store.prepare("INSERT OR IGNORE INTO spec_files (spec, path, contents) VALUES (?1, ?2, ?3)")?;
            for (path, compressed) in &files {
                insert.execute(params![hash, path, compressed])?;
            }
            Ok(())
        })
    }

    /// All specifications, by name.
    pub fn specs(&self) -> Result<Vec<SpecEntry>, RecordError> {
        self.ask(|store| {
            let mut query = store.prepare("SELECT hash, name FROM specs ORDER BY name, hash")?;
            query.query_map([], |row| Ok(SpecEntry { hash: row.get(0)?, name: row.get(1)? }))?.collect()
        })
    }

    /// The files of a specification: names and texts.
    pub fn spec_files(&self, hash: &str) -> Result<Vec<(String, String)>, RecordError> {
        let files: Vec<(String, Vec<u8>)> = self.ask(|store| {
            let mut query = store.prepare("SELECT path, contents FROM spec_files WHERE spec = ?1 ORDER BY path")?;
            query.query_map([hash], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })?;
        let text = |(path, compressed): (String, Vec<u8>)| {
            let bytes = contents::decompress(&compressed)
                .map_err(|error| self.damaged(&format!("specification {hash}, {path}"), error))?;
            Ok((path, String::from_utf8_lossy(&bytes).into_owned()))
        };
        files.into_iter().map(text).collect()
    }
}
