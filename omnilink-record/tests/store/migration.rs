//! Stores of earlier versions are brought up to date when they are opened.

use std::fs;
use std::path::Path;

use omnilink_record::directory::RunDirectory;
use omnilink_record::store::{Merged, Store};
use rusqlite::{Connection, params};

use super::{files, listed, runs};

const VERSION_1: &str = "
    CREATE TABLE runs (
        name TEXT PRIMARY KEY,
        program TEXT NOT NULL,
        mode TEXT NOT NULL,
        seed INTEGER NOT NULL,
        ending TEXT NOT NULL,
        failed INTEGER NOT NULL,
        added INTEGER NOT NULL
    );
    CREATE TABLE files (
        run TEXT NOT NULL,
        path TEXT NOT NULL,
        contents BLOB NOT NULL,
        PRIMARY KEY (run, path)
    );
    PRAGMA user_version = 1;
";

/// A run as version 1 had it: its record says neither when it began nor how much it recorded.
fn old_run(run: &Path) {
    let path = run.join("record.json");
    let mut record: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let fields = record.as_object_mut().unwrap();
    assert!(fields.remove("began").is_some() && fields.remove("events").is_some());
    fs::write(path, record.to_string()).unwrap();
}

fn old_store(path: &Path, run: &Path) {
    let store = Connection::open(path).unwrap();
    store.execute_batch(VERSION_1).unwrap();
    let row = "INSERT INTO runs VALUES ('0123456789abcdef', '/bin/sh', 'free', 7, 'exit code 3', 1, 1700000000)";
    store.execute(row, []).unwrap();
    for (path, contents) in files(run) {
        let compressed = zstd::encode_all(contents.as_slice(), 3).unwrap();
        store
            .execute(
                "INSERT INTO files VALUES ('0123456789abcdef', ?1, ?2)",
                params![path.display().to_string(), compressed],
            )
            .unwrap();
    }
}

#[test]
fn version_1_is_brought_up_to_date() {
    let scratch = tempfile::tempdir().unwrap();
    let run = &runs(&scratch.path().join("runs"), 1, "echo $OMNILINK_SEED; exit 3")[0];
    old_run(run);
    let path = scratch.path().join("old.db");
    old_store(&path, run);
    // The second time there is nothing to do.
    for _ in 0..2 {
        let store = Store::open_existing(&path).unwrap();
        let entries = listed(&store);
        assert_eq!(entries.len(), 1);
        let entry = &entries[0];
        assert_eq!((entry.name.as_str(), entry.seed, entry.added), ("0123456789abcdef", 7, 1_700_000_000));
        assert_eq!((entry.kind.as_str(), entry.events, entry.began), ("failed", None, None));
        assert!(entry.program_hash != 0 && entry.failed && entry.has_files && entry.campaign.is_none());
        assert!(store.campaigns().unwrap().is_empty());
        assert_eq!(store.totals(None).unwrap().endings["failed"], 1);
    }
    let store = Store::open(&path).unwrap();
    store.export("0123", &scratch.path().join("exported")).unwrap();
    assert_eq!(files(&scratch.path().join("exported")), files(run));
    // As the source of a merge it is brought up to date, too.
    let untouched = scratch.path().join("untouched.db");
    old_store(&untouched, run);
    let mut new = Store::open(&scratch.path().join("new.db")).unwrap();
    assert_eq!(new.merge(&untouched).unwrap(), Merged { campaigns: 0, runs: 1, verdicts: 0 });
    let tables = Connection::open(new.path()).unwrap();
    let command: String = tables.query_row("SELECT command FROM runs", [], |row| row.get(0)).unwrap();
    assert_eq!(command, r#"["/bin/sh","-c","echo $OMNILINK_SEED; exit 3"]"#);
}

#[test]
fn version_2_learns_what_the_scheduler_did() {
    let scratch = tempfile::tempdir().unwrap();
    let run = &runs(&scratch.path().join("runs"), 1, "true")[0];
    let file = run.join("record.json");
    let mut record: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    record["plan"]["mode"] = serde_json::json!({ "chaos": "pct" });
    record["observed"]["decisions"] = 17.into();
    fs::write(&file, record.to_string()).unwrap();
    let path = scratch.path().join("runs.db");
    let told = || listed(&Store::open(&path).unwrap()).remove(0).scheduled.map(|it| (it.strategy, it.decisions));
    Store::open(&path).unwrap().add(&RunDirectory::open(run), None).unwrap();
    assert_eq!(told(), Some(("pct".to_owned(), 17)));
    let columns = ["strategy", "threads", "points", "decisions", "switches"];
    let drop = columns.map(|column| format!("ALTER TABLE runs DROP COLUMN {column};")).concat();
    let without = Connection::open(&path).unwrap();
    without.execute_batch(&format!("{drop} PRAGMA user_version = 2;")).unwrap();
    assert_eq!(told(), Some(("pct".to_owned(), 17)));
}

#[test]
fn a_later_version_is_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("later.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE runs (name); PRAGMA user_version = 9;").unwrap();
    let error = Store::open(&path).unwrap_err().to_string();
    assert!(error.contains("later.db: the store has version 9, this program reads versions up to 3"), "{error}");
}
