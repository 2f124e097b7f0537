//! Stores, as users work with them: campaigns, verdicts, taking runs out, rr's recordings, and what a killed recorder leaves.

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;
use support::{error_of, omnilink, queue_demo, run, stdout_of};
use tempfile::TempDir;

const QUEUE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/queue/Queue.tla");

/// A directory with a store.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn store(&self) -> String {
        self.at("runs.db")
    }

    fn list(&self, filter: &[&str]) -> Vec<Value> {
        let store = self.store();
        let args = [&["store", "list", &store, "--json"], filter].concat();
        stdout_of(args).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn names(&self, filter: &[&str]) -> Vec<String> {
        self.list(filter).iter().map(|run| run["name"].as_str().unwrap().to_owned()).collect()
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// A store with a campaign of ten runs, the last of which is rejected; they were checked when they were made.
fn with_rejected_run() -> (Place, String) {
    let place = Place::new();
    let program = [queue_demo(), "--queue", "buggy", "--threads", "2", "--ops", "20"];
    let store = place.store();
    let args = [&["run", QUEUE, "--chaos", "--seed", "5", "--keep", "--store", &store, "--"], &program[..]].concat();
    assert_eq!(run(args).status.code(), Some(1));
    let name = place.names(&["--verdict", "rejected"]).remove(0);
    (place, name)
}

#[test]
fn campaigns_runs_and_verdicts_are_listed() {
    let (place, rejected) = with_rejected_run();
    let store = place.store();
    let all = place.list(&[]).len();
    assert_eq!(place.names(&["--verdict", "rejected"]), [&*rejected]);
    assert_eq!(place.list(&["--verdict", "accepted"]).len(), all - 1);
    assert!(place.list(&["--failed"]).is_empty(), "the program itself ended well");
    stdout_of(["record", "--free", "--runs", "2", "--store", &store, "true"]);
    assert_eq!(run(["record", "--free", "--runs", "3", "--store", &store, "false"]).status.code(), Some(1));
    assert_eq!(place.list(&["--failed"]).len(), 3);
    let campaigns = stdout_of(["store", "list", &store, "--campaigns", "--json"]);
    let campaigns: Vec<Value> = campaigns.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        campaigns.iter().map(|it| it["totals"]["runs"].as_u64().unwrap()).collect::<Vec<_>>(),
        [all as u64, 2, 3]
    );
    assert!(campaigns.iter().all(|it| it["campaign"]["ended"].is_u64()), "{campaigns:?}");
    assert_eq!(campaigns[0]["first_failure"]["run"], *rejected);
    assert_eq!(campaigns[0]["totals"]["verdicts"]["rejected"], 1);
    assert_eq!(campaigns[1]["first_failure"], Value::Null);
    let last = campaigns[2]["campaign"]["name"].as_str().unwrap();
    assert_eq!(place.list(&["--campaign", &last[..8]]).len(), 3);
    let text = stdout_of(["store", "list", &store, "--campaigns"]);
    assert!(text.contains("3 runs, 0 events, 3 failed /"), "{text}");

    let shown: Value = serde_json::from_str(&stdout_of(["store", "show", &store, &rejected])).unwrap();
    let verdict = &shown["verdicts"][0];
    assert_eq!((&verdict["answer"], &verdict["spec_name"]), (&"rejected".into(), &"Queue".into()));
    assert_eq!(verdict["failing"]["action"], "Dequeue");
    assert_eq!(verdict["failing"]["conjunct"], "elem = Head(queue)");
    assert_eq!(verdict["failing"]["place"][0], "Queue.tla");
    stdout_of(["store", "show", &store, &rejected, "--spec", &place.at("spec")]);
    assert_eq!(fs::read(place.at("spec/Queue.tla")).unwrap(), fs::read(QUEUE).unwrap());
    stdout_of(["store", "show", &store, &rejected, "--counterexample", &place.at("why.omni")]);
    let document: Value = serde_json::from_slice(&fs::read(place.at("why.omni")).unwrap()).unwrap();
    assert_eq!(document["report"]["verdict"], "rejected");
    let correct = [queue_demo(), "--threads", "2", "--ops", "20"];
    stdout_of([&["run", QUEUE, "--chaos", "--runs", "1", "--store", &store, "--"], &correct[..]].concat());
    let passed = place.names(&["--verdict", "accepted"]).pop().unwrap();
    let error = error_of(["store", "show", &store, &passed, "--counterexample", &place.at("no.omni")]);
    assert!(error.contains("there is no counterexample"), "{error}");
}

#[test]
fn runs_of_a_store_are_checked_once() {
    let place = Place::new();
    let store = place.store();
    let program = [queue_demo(), "--threads", "2", "--ops", "20"];
    stdout_of([&["record", "--chaos", "--runs", "3", "--seed", "1", "--store", &store, "--"], &program[..]].concat());
    stdout_of(["record", "--free", "--runs", "1", "--store", &store, "true"]);
    let check = |args: &[&str]| {
        let output = omnilink([&["check", QUEUE, "--verbose", "--store", &store], args].concat())
            .env("XDG_CACHE_HOME", place.at("cache"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        (said, String::from_utf8(output.stderr).unwrap())
    };
    let (said, notes) = check(&[]);
    assert_eq!(said.matches(": accepted").count(), 3, "{said}");
    assert_eq!(said.matches("cached").count(), 0, "{said}");
    assert!(notes.contains("1 runs have no trace"), "{notes}");
    fs::remove_dir_all(place.at("cache")).unwrap();
    assert_eq!(check(&[]).0.matches("cached").count(), 3, "the store itself knows");
    assert_eq!(check(&["--no-cache"]).0.matches("cached").count(), 0);
    assert_eq!(check(&["--actions-only"]).0.matches("cached").count(), 0, "another manner of checking");
    let name = &place.names(&["--verdict", "accepted"])[0];
    let (said, _) = check(&[&name[..10]]);
    assert!(said.starts_with(&format!("run {name} of {store}: accepted")) && said.lines().count() == 1, "{said}");
    let without = place.names(&[]).pop().unwrap();
    assert!(error_of(["check", QUEUE, "--store", &store, &without]).contains("has no trace"));
    assert!(error_of(["check", QUEUE, "--store", &store, "zzz"]).contains("has no run zzz"));
}

#[test]
fn a_run_is_taken_out_checked_and_replayed_elsewhere() {
    let (place, rejected) = with_rejected_run();
    let store = place.store();
    assert!(stdout_of(["replay", "--store", &store, &rejected]).contains("the same run"));
    let file = place.at("found.run.tar.zst");
    stdout_of(["store", "export", &store, &rejected[..8], "-o", &file]);
    fs::rename(&store, place.at("gone.db")).unwrap();
    assert!(stdout_of(["replay", &file]).contains("the same run"));
    let checked = run(["check", QUEUE, &file]);
    assert_eq!(checked.status.code(), Some(1), "{checked:?}");
    assert!(stdout_of(["show", "--summary", &file]).contains("specification Queue"));
    // Into a directory and back, it is the same run.
    stdout_of(["unpack", &file, "-o", &place.at("unpacked")]);
    assert!(stdout_of(["replay", &place.at("unpacked")]).contains("the same run"));
    stdout_of(["pack", &place.at("unpacked")]);
    stdout_of(["store", "add", &store, &place.at("unpacked.tar.zst"), &file]);
    assert_eq!(place.names(&[]), [rejected]);
}

/// Not rr: a script that takes rr's command lines and executes the program.
const STAND_IN: &str = r#"#!/bin/sh
case $1 in
--version) echo "stand-in for rr"; exit 0;;
pack) echo complete > "$2/mmap_pack_0"; exit 0;;
esac
mkdir -p "$_RR_TRACE_DIR/program-0"
echo "$@" > "$_RR_TRACE_DIR/program-0/command"
while [ "$1" != -- ] && [ "$1" != true ]; do shift; done
[ "$1" = -- ] && shift
exec "$@"
"#;

#[test]
fn recordings_stay_beside_the_store_or_are_packed_into_it() {
    let place = Place::new();
    let (store, rr) = (place.store(), place.at("rr"));
    fs::write(&rr, STAND_IN).unwrap();
    fs::set_permissions(&rr, fs::Permissions::from_mode(0o755)).unwrap();
    let record = |more: &[&str]| {
        let first = ["record", "--rr-chaos", "--rr-bin", &rr, "--rr-arg=-W", "--runs", "1", "--store", &store];
        stdout_of([&first, more, &["--", "/bin/true"]].concat());
        let name = place.names(&[]).pop().unwrap();
        let shown: Value = serde_json::from_str(&stdout_of(["store", "show", &store, &name])).unwrap();
        assert_eq!(shown["recording"]["rr"], "stand-in for rr");
        (name, shown["recording"]["path"].as_str().map(PathBuf::from))
    };
    let (name, path) = record(&[]);
    let path = path.unwrap();
    assert_eq!(path, Path::new(&store).with_extension("db.rr").join(&name));
    let command = fs::read_to_string(path.join("program-0/command")).unwrap();
    assert_eq!(command, "record --chaos -W -- /bin/true\n");
    let without = run(["store", "export", &store, &name, "-o", &place.at("without")]);
    assert!(String::from_utf8(without.stderr).unwrap().contains("--pack-rr takes it along"));
    stdout_of(["store", "export", &store, &name, "--pack-rr", "-o", &place.at("with")]);
    assert!(Path::new(&place.at("with/rr/program-0/mmap_pack_0")).exists());
    let (name, path) = record(&["--rr-pack"]);
    assert_eq!(path, None);
    stdout_of(["store", "export", &store, &name, "-o", &place.at("packed")]);
    assert!(Path::new(&place.at("packed/rr/program-0/mmap_pack_0")).exists());
    stdout_of(["store", "gc", &store, "--keep-newest", "0"]);
    assert_eq!(fs::read_dir(Path::new(&store).with_extension("db.rr")).unwrap().count(), 0);
}

#[test]
fn several_processes_record_into_one_store() {
    let place = Place::new();
    let store = place.store();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| stdout_of(["record", "--free", "--runs", "5", "--store", &store, "true"]));
        }
    });
    assert_eq!(place.list(&[]).len(), 15);
    assert_eq!(place.files(), ["runs.db"]);
}

/// Starts campaigns and kills each when it has told of so many runs. All that was told is in the store.
#[test]
fn what_was_told_is_there_whenever_the_recorder_is_killed() {
    const CAMPAIGNS: usize = 100;
    let place = Place::new();
    let mut told: Vec<String> = Vec::new();
    for campaign in 0..CAMPAIGNS {
        let mut recorder = Command::new(assert_cmd::cargo::cargo_bin!("omnilink"))
            .args(["record", "--free", "--runs", "1000", "--store", &place.store(), "false"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        for line in BufReader::new(recorder.stderr.take().unwrap()).lines().take(1 + campaign % 4) {
            let line = line.unwrap();
            let name = line.split(" run ").nth(1).unwrap_or_else(|| panic!("{line}")).split(' ').next().unwrap();
            told.push(name.to_owned());
        }
        recorder.kill().unwrap();
        recorder.wait().unwrap();
        // Looking at all of it each time would take longer than recording.
        if campaign % 10 == 9 {
            let listed = place.names(&["--failed"]);
            let lost: Vec<_> = told.iter().filter(|name| !listed.contains(name)).collect();
            assert!(lost.is_empty(), "{lost:?}");
        }
    }
    assert!(told.len() >= CAMPAIGNS);
    // The next recorder tidies up.
    stdout_of(["record", "--free", "--runs", "1", "--store", &place.store(), "true"]);
    assert_eq!(place.files(), ["runs.db"]);
}
