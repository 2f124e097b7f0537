//! Stores keep what was added, whatever happens to whoever adds.

mod findings;
mod migration;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use omnilink_record::campaign::{Modes, Until};
use omnilink_record::directory::RunDirectory;
use omnilink_record::environment::Environment;
use omnilink_record::rr::Rr;
use omnilink_record::store::{Entry, Filter, Keep, Store};
use omnilink_record::{Campaign, Limits, Mode, Plan};

/// So many runs of a shell script, in a directory.
fn campaign(directory: &Path, count: u64, script: &str) -> Campaign {
    let plan = Plan {
        program: PathBuf::from("/bin/sh"),
        arguments: vec!["-c".to_owned(), script.to_owned()],
        environment: Environment::inherited(),
        working_directory: PathBuf::from("/"),
        seed: 0,
        mode: Mode::Free,
        libraries: Vec::new(),
        libraries_left_out: Vec::new(),
        rr: Rr::default(),
        processors: 1,
        limits: Limits { decisions: 0, wall_clock: Duration::from_secs(60) },
    };
    Campaign {
        plan,
        modes: Modes::Only(Mode::Free),
        seed: 1,
        first: 1,
        vary: false,
        until: Until { runs: Some(count), ..Until::default() },
        jobs: 1,
        directory: directory.to_owned(),
    }
}

/// Makes some runs of a shell script and gives their directories.
fn runs(directory: &Path, count: u64, script: &str) -> Vec<PathBuf> {
    fs::create_dir_all(directory).unwrap();
    let mut directories = Vec::new();
    campaign(directory, count, script)
        .run(&AtomicBool::new(false), &mut |finished, _| directories.push(finished.directory.clone()))
        .unwrap();
    directories
}

fn add_all(store: &Path, runs: &[PathBuf]) -> Vec<String> {
    let mut store = Store::open(store).unwrap();
    runs.iter().map(|run| store.add(&RunDirectory::open(run), None).unwrap()).collect()
}

fn listed(store: &Store) -> Vec<Entry> {
    store.list(&Filter::default()).unwrap()
}

fn names(entries: Vec<Entry>) -> Vec<String> {
    entries.into_iter().map(|entry| entry.name).collect()
}

fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                open.push(entry);
            } else {
                all.insert(entry.strip_prefix(directory).unwrap().to_owned(), fs::read(&entry).unwrap());
            }
        }
    }
    all
}

#[test]
fn what_goes_in_comes_out() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("runs.db");
    let script = "echo $OMNILINK_SEED; echo lane > $OMNILINK_TRACE_DIR/lane; exit 3";
    let runs = runs(&scratch.path().join("runs"), 2, script);
    let names = add_all(&path, &runs);
    assert_eq!(add_all(&path, &runs), names, "the same runs again");
    let store = Store::open_existing(&path).unwrap();
    let listed = listed(&store);
    assert_eq!(listed.iter().map(|entry| &entry.name).collect::<Vec<_>>(), names.iter().collect::<Vec<_>>());
    assert!(listed.iter().all(|entry| entry.failed && entry.ending == "exit code 3" && entry.mode == "free"));
    let exported = scratch.path().join("exported");
    store.export(&names[0][..8], &exported).unwrap();
    assert_eq!(files(&exported), files(&runs[0]));
    assert!(files(&exported).contains_key(Path::new("trace/lane")));
    assert_eq!(store.show(&names[1]).unwrap(), fs::read_to_string(runs[1].join("record.json")).unwrap());
}

#[test]
fn merging_adds_what_is_missing() {
    let scratch = tempfile::tempdir().unwrap();
    let runs = runs(&scratch.path().join("runs"), 5, "echo $OMNILINK_SEED");
    let (one, other) = (scratch.path().join("one.db"), scratch.path().join("other.db"));
    add_all(&one, &runs[..3]);
    add_all(&other, &runs[2..]);
    let mut store = Store::open(&one).unwrap();
    assert_eq!(store.merge(&other).unwrap().runs, 2);
    assert_eq!(store.merge(&other).unwrap().runs, 0);
    assert_eq!(listed(&store).len(), 5);
    for (number, entry) in listed(&store).iter().enumerate() {
        store.export(&entry.name, &scratch.path().join(number.to_string())).unwrap();
    }
    assert!(store.merge(&scratch.path().join("missing.db")).is_err());
}

#[test]
fn garbage_is_the_files_of_what_did_not_fail() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("runs.db");
    let good = runs(&scratch.path().join("good"), 4, "echo $OMNILINK_SEED");
    let bad = runs(&scratch.path().join("bad"), 2, "echo $OMNILINK_SEED; exit 1");
    let (good, bad) = (add_all(&path, &good), add_all(&path, &bad));
    let mut store = Store::open(&path).unwrap();
    let whole = |store: &Store| names(listed(store).into_iter().filter(|entry| entry.has_files).collect());
    let before = store.totals(None).unwrap();
    assert_eq!(store.gc(Keep { failures: true, newest: 1 }).unwrap(), 3);
    assert_eq!(whole(&store), [&good[3..], &bad].concat());
    assert_eq!(store.gc(Keep { failures: true, newest: 1 }).unwrap(), 0);
    assert_eq!(store.gc(Keep { failures: false, newest: 0 }).unwrap(), 3);
    assert!(whole(&store).is_empty());
    assert_eq!(store.totals(None).unwrap(), before);
    let error = store.export(&good[0], &scratch.path().join("gone")).unwrap_err().to_string();
    assert!(error.contains("omnilink store gc"), "{error}");
}

#[test]
fn unusable_stores_and_names_are_told() {
    let scratch = tempfile::tempdir().unwrap();
    let text = scratch.path().join("text");
    fs::write(&text, "no store, and long enough to be looked at as one, for more than a hundred bytes".repeat(20))
        .unwrap();
    assert!(Store::open(&text).unwrap_err().to_string().contains("not a database"));
    assert!(Store::open_existing(&scratch.path().join("missing")).unwrap_err().to_string().contains("No such file"));
    let store = Store::open(&scratch.path().join("empty.db")).unwrap();
    assert!(store.show("1234").unwrap_err().to_string().contains("has no run 1234"));
}

#[test]
fn several_may_write_at_once() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("runs.db");
    let runs = runs(&scratch.path().join("runs"), 12, "echo $OMNILINK_SEED");
    thread::scope(|scope| {
        for share in runs.chunks(4) {
            scope.spawn(|| add_all(&path, share));
        }
    });
    assert_eq!(listed(&Store::open(&path).unwrap()).len(), 12);
}

/// Set for the process that is to be killed: the store that it adds to, over and over.
const VICTIM: &str = "OMNILINK_TEST_STORE";
const KILLS: usize = 25;

/// Not a test: the process that [`nothing_finished_is_lost`] kills. Notes each run once it has been added.
#[test]
fn victim() {
    let Ok(path) = std::env::var(VICTIM) else { return };
    let path = PathBuf::from(path);
    let template = path.with_file_name("runs/run-000001");
    for number in 0.. {
        let run = path.with_file_name(format!("run {} {number}", std::process::id()));
        fs::create_dir(&run).unwrap();
        fs::copy(template.join("record.json"), run.join("record.json")).unwrap();
        fs::write(run.join("stdout"), format!("{} {number}", std::process::id())).unwrap();
        let name = add_all(&path, &[run]).remove(0);
        fs::write(path.with_file_name(format!("added {name}")), "").unwrap();
    }
}

#[test]
fn nothing_finished_is_lost() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("runs.db");
    runs(&scratch.path().join("runs"), 1, "true");
    let added = || -> Vec<String> {
        let names =
            fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter_map(|name| name.strip_prefix("added ").map(str::to_owned)).collect()
    };
    for _ in 0..KILLS {
        let before = added().len();
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "victim"])
            .env(VICTIM, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while added().len() < before + 2 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        writer.kill().unwrap();
        writer.wait().unwrap();
        let listed = names(listed(&Store::open(&path).unwrap()));
        let lost: Vec<_> = added().into_iter().filter(|name| !listed.contains(name)).collect();
        assert!(lost.is_empty(), "{lost:?}");
    }
    assert!(added().len() >= 2 * KILLS);
}
