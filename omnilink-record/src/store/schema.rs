//! The tables of a store.

use std::time::Duration;

use rusqlite::Connection;

/// The version that this program reads and writes.
const VERSION: i64 = 1;
/// How long to wait for another writer.
const PATIENCE: Duration = Duration::from_secs(60);

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS runs (
        name TEXT PRIMARY KEY,
        program TEXT NOT NULL,
        mode TEXT NOT NULL,
        seed INTEGER NOT NULL,
        ending TEXT NOT NULL,
        failed INTEGER NOT NULL,
        added INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS files (
        run TEXT NOT NULL,
        path TEXT NOT NULL,
        contents BLOB NOT NULL,
        PRIMARY KEY (run, path)
    );
";

/// Makes the tables of a new store; fails on a store of another version.
pub fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    match connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))? {
        0 => connection.execute_batch(&format!("BEGIN IMMEDIATE; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;")),
        VERSION => Ok(()),
        other => Err(rusqlite::Error::InvalidColumnName(format!(
            "the store has version {other}, this program reads version {VERSION}"
        ))),
    }
}
