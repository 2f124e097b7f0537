//! The tables of a store, and what became of them from version to version.
//!
//! ```text
//!  campaigns ◄── runs ◄── files         what a run directory holds, compressed: record.json, schedule, stdout, trace/…
//!                  ▲
//!                  ├───── recordings    rr's recording: where it is, or that it is among the files
//!                  └───── verdicts ──► specs ◄── spec_files
//! ```
//!
//! Everything has a name that is the same in every store: a run's is a hash of its contents, a specification's a hash of
//! its files. That is why stores can be merged.

use std::time::Duration;

use rusqlite::{Connection, params};

use super::{Scheduled, contents};
use crate::directory::Record;

/// The version that this program writes. It reads, and brings up to date, all before it.
const VERSION: i64 = 3;
/// How long to wait for another writer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Version 1: runs and their files.
const FIRST: &str = "
    CREATE TABLE runs (
        name TEXT PRIMARY KEY,
        program TEXT NOT NULL,
        mode TEXT NOT NULL,
        seed INTEGER NOT NULL,
        ending TEXT NOT NULL,
        failed INTEGER NOT NULL,
        added INTEGER NOT NULL            -- seconds since 1970
    );
    CREATE TABLE files (
        run TEXT NOT NULL,
        path TEXT NOT NULL,
        contents BLOB NOT NULL,           -- zstd
        PRIMARY KEY (run, path)
    );
";

/// Version 2: campaigns, verdicts, specifications and recordings; what was in `record.json` alone can be asked for.
const SECOND: &str = "
    ALTER TABLE runs ADD COLUMN campaign TEXT;
    ALTER TABLE runs ADD COLUMN number INTEGER;
    ALTER TABLE runs ADD COLUMN command TEXT NOT NULL DEFAULT '[]';      -- JSON
    ALTER TABLE runs ADD COLUMN environment TEXT NOT NULL DEFAULT '{}';  -- JSON
    ALTER TABLE runs ADD COLUMN program_hash INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN schedule_hash INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN kind TEXT NOT NULL DEFAULT 'passed';
    ALTER TABLE runs ADD COLUMN events INTEGER;
    ALTER TABLE runs ADD COLUMN began INTEGER;                           -- milliseconds since 1970
    ALTER TABLE runs ADD COLUMN milliseconds INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX runs_by_campaign ON runs (campaign, number);
    CREATE TABLE campaigns (
        name TEXT PRIMARY KEY,
        started INTEGER NOT NULL,         -- milliseconds since 1970
        ended INTEGER,
        description TEXT NOT NULL         -- JSON: command, environment, modes, seed, limits, host
    );
    CREATE TABLE specs (
        hash TEXT PRIMARY KEY,
        name TEXT NOT NULL
    );
    CREATE TABLE spec_files (
        spec TEXT NOT NULL,
        path TEXT NOT NULL,
        contents BLOB NOT NULL,           -- zstd
        PRIMARY KEY (spec, path)
    );
    CREATE TABLE verdicts (
        run TEXT NOT NULL,
        spec TEXT NOT NULL,
        manner TEXT NOT NULL,
        build TEXT NOT NULL,
        omnilink TEXT NOT NULL,
        verdict TEXT NOT NULL,
        action TEXT,
        conjunct TEXT,
        file TEXT,
        line INTEGER,
        column INTEGER,
        lanes INTEGER NOT NULL,
        events INTEGER NOT NULL,
        configurations INTEGER NOT NULL,
        seconds REAL NOT NULL,
        judged INTEGER NOT NULL,          -- milliseconds since 1970
        document BLOB NOT NULL,           -- zstd: the report with what surrounds it, an .omni document
        PRIMARY KEY (run, spec, manner, build)
    );
    CREATE TABLE recordings (
        run TEXT PRIMARY KEY,
        rr TEXT NOT NULL,
        path TEXT                         -- where it is, unless it is among the files
    );
";

/// Version 3: what the chaos scheduler did in a run, so that it is known of runs whose files are not there.
const THIRD: &str = "
    ALTER TABLE runs ADD COLUMN strategy TEXT;                           -- NULL if it was another scheduler's
    ALTER TABLE runs ADD COLUMN threads INTEGER;
    ALTER TABLE runs ADD COLUMN points INTEGER;
    ALTER TABLE runs ADD COLUMN decisions INTEGER;
    ALTER TABLE runs ADD COLUMN switches INTEGER;
";

/// Makes the tables of a new store, brings an old one up to date; fails on a store of a later version.
pub fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    match version(connection)? {
        VERSION => Ok(()),
        0..VERSION => bring_up_to_date(connection),
        other => Err(rusqlite::Error::ToSqlConversionFailure(
            format!("the store has version {other}, this program reads versions up to {VERSION}").into(),
        )),
    }
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn bring_up_to_date(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    // Another process may have done it while we waited for our turn.
    let found = version(&transaction)?;
    if found < 1 {
        transaction.execute_batch(FIRST)?;
    }
    if found < 2 {
        transaction.execute_batch(SECOND)?;
    }
    if found < 3 {
        transaction.execute_batch(THIRD)?;
        fill_in(&transaction)?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// Takes what later versions have columns for from the records of the runs. One that cannot be read is left as it is.
fn fill_in(connection: &Connection) -> rusqlite::Result<()> {
    let mut records = connection.prepare("SELECT run, contents FROM files WHERE path = 'record.json'")?;
    let mut update = connection.prepare(
        "UPDATE runs SET command = ?2, environment = ?3, program_hash = ?4, schedule_hash = ?5, kind = ?6,
         milliseconds = ?7, strategy = ?8, threads = ?9, points = ?10, decisions = ?11, switches = ?12 WHERE name = ?1",
    )?;
    let rows = records.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?)))?;
    for row in rows {
        let (run, compressed) = row?;
        let json = contents::decompress(&compressed).ok().and_then(|json| String::from_utf8(json).ok());
        let Some(record) = json.and_then(|json| serde_json::from_str::<Record>(&json).ok()) else { continue };
        let Record { plan, program, observed, milliseconds, .. } = &record;
        let scheduled = Scheduled::of(&record);
        let number = |of: fn(&Scheduled) -> u64| scheduled.as_ref().map(|scheduled| of(scheduled) as i64);
        update.execute(params![
            run,
            plan.command_line(),
            plan.environment.to_json(),
            program.program_hash as i64,
            observed.schedule_hash as i64,
            observed.ending.kind(),
            *milliseconds as i64,
            scheduled.as_ref().map(|scheduled| &scheduled.strategy),
            number(|scheduled| scheduled.threads),
            number(|scheduled| scheduled.points),
            number(|scheduled| scheduled.decisions),
            number(|scheduled| scheduled.switches),
        ])?;
    }
    Ok(())
}
