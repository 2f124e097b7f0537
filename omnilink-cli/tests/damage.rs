//! What `omnilink` says about files that are damaged, or no traces at all.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use omnilink_trace::layout;
use support::{DEQUEUE, ENQUEUE, LaneWriter, error_of, run, stdout_of, write_run_file};
use tempfile::TempDir;

/// A run of one lane with three events, and where the second begins.
struct Victim {
    dir: TempDir,
    lane: PathBuf,
    second: usize,
}

impl Victim {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = LaneWriter::new(0, "worker");
        writer.call(ENQUEUE, (1000, 1100), Some(1));
        let second = writer.offset();
        writer.call(DEQUEUE, (1200, 1300), Some(1)).call(ENQUEUE, (1400, 1500), Some(2));
        let lane = writer.write(dir.path());
        write_run_file(dir.path(), 1);
        Self { dir, lane, second }
    }

    /// Changes the lane's bytes.
    fn damage(&self, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = fs::read(&self.lane).unwrap();
        change(&mut bytes);
        fs::write(&self.lane, bytes).unwrap();
    }

    fn path(&self) -> &str {
        self.dir.path().to_str().unwrap()
    }
}

/// What is said, with the place of the files removed.
fn complaint(path: &str, place: &Path) -> String {
    error_of(["show", path]).replace(place.to_str().unwrap(), "DIR")
}

#[test]
fn a_path_that_does_not_exist() {
    insta::assert_snapshot!(error_of(["show", "no-such-run"]));
}

#[test]
fn a_directory_without_traces() {
    let dir = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(complaint(dir.path().to_str().unwrap(), dir.path()));
}

#[test]
fn a_file_that_is_not_a_trace() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("notes.txt");
    fs::write(&file, "Remember the milk.\n").unwrap();
    insta::assert_snapshot!(complaint(file.to_str().unwrap(), dir.path()));
}

#[test]
fn a_newer_version() {
    let victim = Victim::new();
    victim.damage(|bytes| bytes[layout::VERSION_AT] = 2);
    insta::assert_snapshot!(complaint(victim.path(), victim.dir.path()));
}

#[test]
fn a_line_that_is_not_an_event() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("history.jsonl");
    fs::write(
        &file,
        "{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"A\"}\n{\"thread\":0,\"start\":9,\"end\":4,\"op\":\"A\"}\n",
    )
    .unwrap();
    insta::assert_snapshot!(complaint(file.to_str().unwrap(), dir.path()));
}

#[test]
fn corruption_is_an_error_unless_recovered() {
    let victim = Victim::new();
    // 0xc1 is the one byte that MessagePack never uses.
    victim.damage(|bytes| bytes[victim.second] = 0xc1);
    let text = error_of(["show", victim.path()]);
    let place = format!("{}: byte {}: ", victim.lane.display(), victim.second);
    assert!(text.starts_with(&format!("error: {place}")), "{text}");
    assert!(text.contains("\nhint: ") && text.contains("--recover"), "{text}");

    let text = stdout_of(["show", victim.path(), "--recover"]);
    assert!(text.contains("Enqueue(1)") && !text.contains("Dequeue(1)"), "{text}");
    assert!(text.contains(&place), "the notice names the place: {text}");
    assert!(text.contains("incomplete lanes"), "{text}");
    assert!(text.contains("lane 0 worker stopped at"), "{text}");
}

#[test]
fn a_torn_tail_is_cut_and_reported() {
    let victim = Victim::new();
    victim.damage(|bytes| bytes.truncate(bytes.len() - 2));
    for recover in [&[][..], &["--recover"]] {
        let args = [&["show", victim.path()], recover].concat();
        let text = stdout_of(args);
        assert!(text.contains("Dequeue(1)") && !text.contains("Enqueue(2)"), "{text}");
        assert!(text.contains("the file was cut off here"), "{text}");
        assert!(text.contains("lane 0 worker stopped at"), "{text}");
    }
}

#[test]
fn recording_that_stopped_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    LaneWriter::new(0, "worker").call(ENQUEUE, (1000, 1100), Some(1)).stopped(1250).write(dir.path());
    write_run_file(dir.path(), 1);
    let text = stdout_of(["show", "--summary", dir.path().to_str().unwrap()]);
    assert!(text.contains("lane 0 worker stopped at 250 ns: no space was left"), "{text}");
}

#[test]
fn wrong_usage_is_an_error_too() {
    for args in [&["show"][..], &["show", "run", "--events", "--summary"], &["frobnicate"], &[]] {
        assert_eq!(run(args).status.code(), Some(2), "{args:?}");
    }
}
