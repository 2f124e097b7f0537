//! Runs and their files.

use std::fs;
use std::path::Path;

use rusqlite::{OptionalExtension, Row, Transaction, params};
use serde::Serialize;

use super::{Answer, Store, contents, recordings};
use crate::cause;
use crate::directory::{self, Record, RunDirectory};
use crate::error::RecordError;
use crate::observed::Observed;
use crate::plan::Mode;

/// A run in a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name: a hash of its contents.
    pub name: String,
    /// The campaign that it was made in, if it was.
    pub campaign: Option<String>,
    /// Its number there.
    pub number: Option<u64>,
    /// Its program.
    pub program: String,
    /// How it was run.
    pub mode: String,
    /// Its seed.
    pub seed: u64,
    /// A hash of the program's file.
    pub program_hash: u64,
    /// A hash of its schedule; 0 if it had none.
    pub schedule_hash: u64,
    /// How it ended, and why: see [`cause`].
    pub ending: String,
    /// Which kind of ending that is: `passed`, `failed`, `crashed`, `deadlocked`, `stopped` or `interrupted`.
    pub kind: String,
    /// Whether that was a failure.
    pub failed: bool,
    /// How many calls were recorded, if that is known.
    pub events: Option<u64>,
    /// When it began: milliseconds since 1970, if that is known.
    pub began: Option<u64>,
    /// How long it took.
    pub milliseconds: u64,
    /// When it was added: seconds since 1970.
    pub added: u64,
    /// Whether its files are there: [`Store::gc`] may have removed them.
    pub has_files: bool,
    /// Whether a trace is among them.
    pub has_trace: bool,
    /// The latest verdict about it, whatever the specification.
    pub verdict: Option<Answer>,
    /// What the chaos scheduler did, if it was scheduled by that.
    pub scheduled: Option<Scheduled>,
}

/// What the chaos scheduler did in a run: see [`Observed`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scheduled {
    /// The name of its strategy.
    pub strategy: String,
    /// How many threads there were.
    pub threads: u64,
    /// How many points passed while there was a choice.
    pub points: u64,
    /// How often somebody was chosen.
    pub decisions: u64,
    /// How often that was another thread than before.
    pub switches: u64,
}

impl Scheduled {
    /// What a record says of it.
    pub(super) fn of(record: &Record) -> Option<Self> {
        let Mode::Chaos(strategy) = record.plan.mode else { return None };
        let Observed { threads, points, decisions, switches, .. } = record.observed;
        Some(Self { strategy: strategy.name().to_owned(), threads: threads as u64, points, decisions, switches })
    }
}

/// The place of a run in its campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InCampaign<'a> {
    /// The campaign's name, as [`Store::begin`] gave it.
    pub campaign: &'a str,
    /// The run's number in it.
    pub number: u64,
}

/// Which runs are asked for: those to which everything applies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The program failed.
    pub failed: bool,
    /// The latest verdict is this one.
    pub verdict: Option<Answer>,
    /// It was made in this campaign.
    pub campaign: Option<String>,
}

const COLUMNS: &str = "name, campaign, number, program, mode, seed, program_hash, schedule_hash, ending, kind, failed, \
                       events, began, milliseconds, added, \
                       EXISTS (SELECT 1 FROM files WHERE run = name) AS has_files, \
                       EXISTS (SELECT 1 FROM files WHERE run = name AND path GLOB 'trace/*') AS has_trace, \
                       (SELECT verdict FROM verdicts WHERE run = name ORDER BY judged DESC LIMIT 1) AS latest, \
                       strategy, threads, points, decisions, switches";

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    // SQLite's integers have a sign; the bits are the same.
    let number = |column| row.get::<_, i64>(column).map(|value| value as u64);
    let maybe = |column| row.get::<_, Option<i64>>(column).map(|value| value.map(|value| value as u64));
    let scheduled = match row.get(18)? {
        Some(strategy) => Some(Scheduled {
            strategy,
            threads: number(19)?,
            points: number(20)?,
            decisions: number(21)?,
            switches: number(22)?,
        }),
        None => None,
    };
    Ok(Entry {
        scheduled,
        name: row.get(0)?,
        campaign: row.get(1)?,
        number: maybe(2)?,
        program: row.get(3)?,
        mode: row.get(4)?,
        seed: number(5)?,
        program_hash: number(6)?,
        schedule_hash: number(7)?,
        ending: row.get(8)?,
        kind: row.get(9)?,
        failed: row.get(10)?,
        events: maybe(11)?,
        began: maybe(12)?,
        milliseconds: number(13)?,
        added: number(14)?,
        has_files: row.get(15)?,
        has_trace: row.get(16)?,
        verdict: row.get(17)?,
    })
}

impl Store {
    /// Adds the run of a directory, and gives its name. A run that is there already stays as it is.
    pub fn add(&mut self, directory: &RunDirectory, place: Option<InCampaign<'_>>) -> Result<String, RecordError> {
        let record = directory.read()?;
        let files = contents::read(directory)?;
        let name = contents::name(&files);
        let ending = cause::of_run(&record, directory);
        self.change(|store| {
            recordings::insert(store, &name, directory, &record.plan.rr)?;
            if insert(store, &name, &record, &ending, place)? {
                let mut statement = store.prepare("INSERT INTO files (run, path, contents) VALUES (?1, ?2, ?3)")?;
                for file in &files {
                    statement.execute(params![name, file.path, file.compressed])?;
                }
            }
            Ok(())
        })?;
        Ok(name)
    }

    /// Adds the run of a directory without its files: it is counted, and can be made again from its seed. Gives its
    /// name.
    pub fn count(&mut self, directory: &RunDirectory, place: Option<InCampaign<'_>>) -> Result<String, RecordError> {
        let record = directory.read()?;
        let name = contents::name(&contents::read(directory)?);
        let ending = cause::of_run(&record, directory);
        self.change(|store| insert(store, &name, &record, &ending, place))?;
        Ok(name)
    }

    /// The runs that are asked for, the oldest first.
    pub fn list(&self, filter: &Filter) -> Result<Vec<Entry>, RecordError> {
        let Filter { failed, verdict, campaign } = filter;
        self.ask(|store| {
            let mut query = store.prepare(&format!(
                "SELECT {COLUMNS} FROM runs WHERE (failed OR NOT ?1) AND (latest = ?2 OR ?2 IS NULL)
                 AND (campaign = ?3 OR ?3 IS NULL) ORDER BY added, rowid"
            ))?;
            query.query_map(params![failed, verdict, campaign], entry)?.collect()
        })
    }

    /// A run, by its name or the beginning of it.
    pub fn run(&self, run: &str) -> Result<Entry, RecordError> {
        let name = self.find_run(run)?;
        self.ask(|store| store.query_row(&format!("SELECT {COLUMNS} FROM runs WHERE name = ?1"), [&name], entry))
    }

    /// The full name of a run of which the beginning is given.
    pub fn find_run(&self, beginning: &str) -> Result<String, RecordError> {
        self.find("run", "runs", beginning)
    }

    /// The full name of a run that has its files.
    fn find_whole(&self, beginning: &str) -> Result<String, RecordError> {
        let Entry { name, has_files, seed, .. } = self.run(beginning)?;
        match has_files {
            true => Ok(name),
            false => Err(RecordError::Usage(format!(
                "{}: the files of run {name} (seed {seed}) were removed by `omnilink store gc`; a store that was \
                 merged into this one may still have them",
                self.path.display()
            ))),
        }
    }

    /// The full name of something in a table, of which the beginning is given.
    pub(super) fn find(&self, kind: &str, table: &str, beginning: &str) -> Result<String, RecordError> {
        let found: Vec<String> = self.ask(|store| {
            let mut query =
                store.prepare(&format!("SELECT name FROM {table} WHERE substr(name, 1, length(?1)) = ?1 LIMIT 2"))?;
            query.query_map([beginning], |row| row.get(0))?.collect()
        })?;
        let path = self.path.display();
        match found.as_slice() {
            [name] => Ok(name.clone()),
            [] => {
                Err(RecordError::Usage(format!("{path}: has no {kind} {beginning}; see `omnilink store list {path}`")))
            }
            _ => Err(RecordError::Usage(format!("{path}: has several {kind}s {beginning}…; write more of the name"))),
        }
    }

    /// The `record.json` of a run, by its name or the beginning of it.
    pub fn show(&self, run: &str) -> Result<String, RecordError> {
        let name = self.find_whole(run)?;
        let what = format!("run {name}");
        let query = "SELECT contents FROM files WHERE run = ?1 AND path = 'record.json'";
        let found: Option<Vec<u8>> = self.ask(|store| store.query_row(query, [&name], |row| row.get(0)).optional())?;
        let compressed = found.ok_or_else(|| self.damaged(&what, "has no record.json"))?;
        let bytes = contents::decompress(&compressed).map_err(|error| self.damaged(&what, error))?;
        String::from_utf8(bytes).map_err(|_| self.damaged(&what, "record.json is not text"))
    }

    /// Writes a run into a new directory, as it was; a recording that is elsewhere stays there.
    pub fn export(&self, run: &str, directory: &Path) -> Result<(), RecordError> {
        let name = self.find_whole(run)?;
        fs::create_dir(directory).map_err(RecordError::file(directory))?;
        self.write_files(&name, "", directory)
    }

    /// Writes what checking a run takes into a new directory: its trace, and what came of it. False if it has no trace.
    pub fn export_trace(&self, run: &str, directory: &Path) -> Result<bool, RecordError> {
        let name = self.find_whole(run)?;
        if !self.run(&name)?.has_trace {
            return Ok(false);
        }
        let exported = RunDirectory::create(directory)?;
        let record = directory.join(directory::RECORD);
        fs::write(&record, self.show(&name)?).map_err(RecordError::file(&record))?;
        self.write_files(&name, "trace/", &exported.trace())?;
        Ok(true)
    }

    fn write_files(&self, name: &str, prefix: &str, directory: &Path) -> Result<(), RecordError> {
        let files: Vec<(String, Vec<u8>)> = self.ask(|store| {
            let query = "SELECT substr(path, length(?2) + 1), contents FROM files WHERE run = ?1
                         AND substr(path, 1, length(?2)) = ?2";
            let mut query = store.prepare(query)?;
            query.query_map([name, prefix], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })?;
        for (path, compressed) in files {
            contents::write(directory, &path, &compressed)
                .map_err(|reason| self.damaged(&format!("run {name}, {prefix}{path}"), reason))?;
        }
        Ok(())
    }
}

/// Adds a run without its files; false if it is there already.
fn insert(
    store: &Transaction<'_>,
    name: &str,
    record: &Record,
    ending: &str,
    place: Option<InCampaign<'_>>,
) -> rusqlite::Result<bool> {
    let Record { plan, program, observed, events, began, milliseconds, .. } = record;
    let scheduled = Scheduled::of(record);
    let number = |of: fn(&Scheduled) -> u64| scheduled.as_ref().map(|scheduled| of(scheduled) as i64);
    let added = store.execute(
        "INSERT OR IGNORE INTO runs (name, program, mode, seed, ending, failed, added, campaign, number, command,
         environment, program_hash, schedule_hash, kind, events, began, milliseconds, strategy, threads, points,
         decisions, switches)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, unixepoch(), ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
         ?21)",
        params![
            name,
            plan.program.to_string_lossy(),
            plan.mode.name(),
            plan.seed as i64,
            ending,
            observed.ending.is_failure(),
            place.map(|place| place.campaign),
            place.map(|place| place.number as i64),
            plan.command_line(),
            plan.environment.to_json(),
            program.program_hash as i64,
            observed.schedule_hash as i64,
            observed.ending.kind(),
            events.map(|events| events as i64),
            began.map(|began| began as i64),
            *milliseconds as i64,
            scheduled.as_ref().map(|scheduled| &scheduled.strategy),
            number(|scheduled| scheduled.threads),
            number(|scheduled| scheduled.points),
            number(|scheduled| scheduled.decisions),
            number(|scheduled| scheduled.switches),
        ],
    )?;
    Ok(added > 0)
}
