//! Verdicts about runs.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;

use super::{Store, contents};
use crate::error::RecordError;

/// What a verdict depends on besides the run: with the same key it need not be found again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Key {
    /// The hash of the specification's files: see [`Store::add_spec`].
    pub spec: String,
    /// The hash of how it was checked: rules, options, limits of the model.
    pub manner: String,
    /// What tells the build of the program that checked from others.
    pub build: String,
}

/// The answer of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The specification allows the run.
    Accepted,
    /// It does not.
    Rejected,
    /// It does, but an invariant is violated on the way.
    Violated,
    /// The search was stopped.
    Unknown,
    /// Something is wrong with the trace or the specification.
    Error,
}

impl Answer {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Accepted, Self::Rejected, Self::Violated, Self::Unknown, Self::Error];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Violated => "violated",
            Self::Unknown => "unknown",
            Self::Error => "error",
        }
    }

    /// True if checking again would not find anything else.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Accepted | Self::Rejected | Self::Violated)
    }
}

impl std::str::FromStr for Answer {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|answer| answer.name() == name).ok_or_else(|| format!("write one of {}", known()))
    }
}

impl ToSql for Answer {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

impl FromSql for Answer {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map_err(|reason: String| FromSqlError::Other(reason.into()))
    }
}

/// Which formula said no.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Failing {
    /// The action that could not happen; the invariant, if one was violated.
    pub action: String,
    /// The conjunct of it that was false, as text.
    pub conjunct: String,
    /// Where that is, if it has a place: file, line and column from 1.
    pub place: Option<(String, u32, u32)>,
}

/// What a check took.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Statistics {
    /// Lanes of the trace.
    pub lanes: u64,
    /// Events of the trace.
    pub events: u64,
    /// Configurations that were looked at.
    pub configurations: u64,
    /// How long it took.
    pub seconds: f64,
}

/// A verdict about a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// The run's full name.
    pub run: String,
    /// What it depends on besides.
    #[serde(flatten)]
    pub key: Key,
    /// The version of OmniLink.
    pub omnilink: String,
    /// The answer.
    pub answer: Answer,
    /// What said no, where something did.
    pub failing: Option<Failing>,
    /// What it took.
    pub statistics: Statistics,
    /// When it was given: milliseconds since 1970.
    pub judged: u64,
}

const COLUMNS: &str = "run, spec, manner, build, omnilink, verdict, action, conjunct, file, line, column, lanes, \
                       events, configurations, seconds, judged";

fn verdict(row: &Row<'_>) -> rusqlite::Result<Verdict> {
    let number = |column| row.get::<_, i64>(column).map(|value| value as u64);
    let place = match row.get::<_, Option<String>>(8)? {
        Some(file) => Some((file, row.get(9)?, row.get(10)?)),
        None => None,
    };
    let failing = match row.get::<_, Option<String>>(6)? {
        Some(action) => Some(Failing { action, conjunct: row.get(7)?, place }),
        None => None,
    };
    Ok(Verdict {
        run: row.get(0)?,
        key: Key { spec: row.get(1)?, manner: row.get(2)?, build: row.get(3)? },
        omnilink: row.get(4)?,
        answer: row.get(5)?,
        failing,
        statistics: Statistics {
            lanes: number(11)?,
            events: number(12)?,
            configurations: number(13)?,
            seconds: row.get(14)?,
        },
        judged: number(15)?,
    })
}

fn find(store: &Connection, run: &str, key: &Key) -> rusqlite::Result<Option<Verdict>> {
    let query = format!("SELECT {COLUMNS} FROM verdicts WHERE run = ?1 AND spec = ?2 AND manner = ?3 AND build = ?4");
    store.query_row(&query, [run, &key.spec, &key.manner, &key.build], verdict).optional()
}

impl Store {
    /// Adds a verdict with its document: the counterexample (`.omni`) if there is one, else the report, both JSON. One
    /// with the same run and key is replaced, unless that is final and this is not.
    pub fn judge(&mut self, verdict: &Verdict, document: &[u8]) -> Result<(), RecordError> {
        let document = contents::compress(document).map_err(|error| self.damaged("a verdict", error))?;
        let Verdict { run, key, omnilink, answer, failing, statistics, judged } = verdict;
        let place = failing.as_ref().and_then(|failing| failing.place.as_ref());
        self.change(|store| {
            if !answer.is_final() && find(store, run, key)?.is_some_and(|found| found.answer.is_final()) {
                return Ok(0);
            }
            store.execute(
                &format!(
                    "INSERT OR REPLACE INTO verdicts ({COLUMNS}, document) VALUES
                     (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)"
                ),
                params![
                    run,
                    key.spec,
                    key.manner,
                    key.build,
                    omnilink,
                    answer,
                    failing.as_ref().map(|failing| &failing.action),
                    failing.as_ref().map(|failing| &failing.conjunct),
                    place.map(|(file, ..)| file),
                    place.map(|(_, line, _)| line),
                    place.map(|(.., column)| column),
                    statistics.lanes as i64,
                    statistics.events as i64,
                    statistics.configurations as i64,
                    statistics.seconds,
                    *judged as i64,
                    document,
                ],
            )
        })?;
        Ok(())
    }

    /// All verdicts about a run, or about all runs; the oldest first.
    pub fn verdicts(&self, run: Option<&str>) -> Result<Vec<Verdict>, RecordError> {
        self.ask(|store| {
            let mut query = store.prepare(&format!(
                "SELECT {COLUMNS} FROM verdicts WHERE run = ?1 OR ?1 IS NULL ORDER BY judged, rowid"
            ))?;
            query.query_map([run], verdict)?.collect()
        })
    }

    /// The verdict about a run with this key.
    pub fn verdict(&self, run: &str, key: &Key) -> Result<Option<Verdict>, RecordError> {
        self.ask(|store| find(store, run, key))
    }

    /// The document of a verdict, as it was given to [`Store::judge`].
    pub fn document(&self, run: &str, key: &Key) -> Result<Option<Vec<u8>>, RecordError> {
        let query = "SELECT document FROM verdicts WHERE run = ?1 AND spec = ?2 AND manner = ?3 AND build = ?4";
        let found: Option<Vec<u8>> = self.ask(|store| {
            store.query_row(query, [run, &key.spec, &key.manner, &key.build], |row| row.get(0)).optional()
        })?;
        let decompressed = found.map(|compressed| contents::decompress(&compressed)).transpose();
        decompressed.map_err(|error| self.damaged(&format!("a verdict about run {run}"), error))
    }
}
