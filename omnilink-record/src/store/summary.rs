//! What campaigns came to.

use std::collections::BTreeMap;

use rusqlite::Row;
use serde::Serialize;

use super::{Failing, Store};
use crate::error::RecordError;

/// How many of what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Runs.
    pub runs: u64,
    /// Calls that they recorded.
    pub events: u64,
    /// How long they took together.
    pub milliseconds: u64,
    /// Runs by the kind of their ending: see [`Entry::kind`](super::Entry::kind).
    pub endings: BTreeMap<String, u64>,
    /// Runs by their latest verdict; those without one are not counted.
    pub verdicts: BTreeMap<String, u64>,
}

/// Runs that failed in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Alike {
    /// The way.
    pub cause: Cause,
    /// How many.
    pub runs: u64,
    /// The first of them.
    pub first: First,
}

/// In which way runs failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The program ended so: the kind, and in words.
    Ending(String, String),
    /// A formula of a specification, given by its hash, said no.
    Formula(String, Failing),
}

/// A run that was the first of some.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct First {
    /// Its name.
    pub run: String,
    /// Its campaign, if it has one.
    pub campaign: Option<String>,
    /// How long after the campaign's start it had ended, in milliseconds.
    pub after: Option<u64>,
}

/// A run's name, its campaign and how long after its start the earliest of the group had ended. (Where a query has one
/// MIN, SQLite takes its other columns from the row that has the smallest value.)
const FIRST: &str = "runs.name, runs.campaign, MIN(runs.began + runs.milliseconds) - campaigns.started";
const CAMPAIGNS: &str = "LEFT JOIN campaigns ON campaigns.name = runs.campaign";
/// The latest verdict about each run and specification.
const LATEST: &str = "(SELECT *, MAX(judged) FROM verdicts GROUP BY run, spec) AS latest";

fn first(row: &Row<'_>, at: usize) -> rusqlite::Result<First> {
    let after: Option<i64> = row.get(at + 2)?;
    Ok(First { run: row.get(at)?, campaign: row.get(at + 1)?, after: after.map(|after| after.max(0) as u64) })
}

impl Store {
    /// What a campaign came to, or all runs.
    pub fn totals(&self, campaign: Option<&str>) -> Result<Totals, RecordError> {
        self.ask(|store| {
            let mut totals = Totals::default();
            let mut query = store.prepare(
                "SELECT kind, COUNT(*), SUM(events), SUM(milliseconds) FROM runs
                 WHERE campaign = ?1 OR ?1 IS NULL GROUP BY kind",
            )?;
            let mut rows = query.query([campaign])?;
            while let Some(row) = rows.next()? {
                let count = row.get::<_, i64>(1)? as u64;
                totals.runs += count;
                totals.events += row.get::<_, Option<i64>>(2)?.unwrap_or(0) as u64;
                totals.milliseconds += row.get::<_, i64>(3)? as u64;
                totals.endings.insert(row.get(0)?, count);
            }
            let mut query = store.prepare(
                "SELECT verdict, COUNT(*) FROM
                 (SELECT verdict, MAX(judged) FROM verdicts JOIN runs ON run = name
                  WHERE campaign = ?1 OR ?1 IS NULL GROUP BY run) GROUP BY verdict",
            )?;
            let mut rows = query.query([campaign])?;
            while let Some(row) = rows.next()? {
                totals.verdicts.insert(row.get(0)?, row.get::<_, i64>(1)? as u64);
            }
            Ok(totals)
        })
    }

    /// The failures of a campaign, or of all runs, those that are alike together; the most frequent first.
    ///
    /// A run may be in two: it crashed, and what it did until then is not allowed.
    pub fn failures(&self, campaign: Option<&str>) -> Result<Vec<Alike>, RecordError> {
        let mut all: Vec<Alike> = self.ask(|store| {
            let mut query = store.prepare(&format!(
                "SELECT kind, ending, COUNT(*), {FIRST} FROM runs {CAMPAIGNS}
                 WHERE failed AND (campaign = ?1 OR ?1 IS NULL) GROUP BY kind, ending"
            ))?;
            let alike = |row: &Row<'_>| {
                let cause = Cause::Ending(row.get(0)?, row.get(1)?);
                Ok(Alike { cause, runs: row.get::<_, i64>(2)? as u64, first: first(row, 3)? })
            };
            query.query_map([campaign], alike)?.collect()
        })?;
        let formulas: Vec<Alike> = self.ask(|store| {
            let mut query = store.prepare(&format!(
                "SELECT spec, action, conjunct, file, line, column, COUNT(*), {FIRST}
                 FROM {LATEST} JOIN runs ON runs.name = latest.run {CAMPAIGNS}
                 WHERE verdict IN ('rejected', 'violated') AND action IS NOT NULL AND (campaign = ?1 OR ?1 IS NULL)
                 GROUP BY spec, action, conjunct, file, line, column"
            ))?;
            let alike = |row: &Row<'_>| {
                let place = match row.get::<_, Option<String>>(3)? {
                    Some(file) => Some((file, row.get(4)?, row.get(5)?)),
                    None => None,
                };
                let failing = Failing { action: row.get(1)?, conjunct: row.get(2)?, place };
                let cause = Cause::Formula(row.get(0)?, failing);
                Ok(Alike { cause, runs: row.get::<_, i64>(6)? as u64, first: first(row, 7)? })
            };
            query.query_map([campaign], alike)?.collect()
        })?;
        all.extend(formulas);
        all.sort_by_key(|alike| std::cmp::Reverse(alike.runs));
        Ok(all)
    }

    /// The first run of a campaign that failed or does not conform.
    pub fn first_failure(&self, campaign: &str) -> Result<Option<First>, RecordError> {
        self.ask(|store| {
            let mut query = store.prepare(&format!(
                "SELECT {FIRST} FROM runs {CAMPAIGNS} WHERE campaign = ?1 AND
                 (failed OR runs.name IN (SELECT run FROM {LATEST} WHERE verdict IN ('rejected', 'violated')))
                 HAVING COUNT(*) > 0"
            ))?;
            query.query_map([campaign], |row| first(row, 0))?.next().transpose()
        })
    }
}
