//! Packing, unpacking, importing and exporting keep what the trace says.

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{error_of, omnilink, queue_run, stdout_of};

const QUEUE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/queue.jsonl");
const SET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/set.jsonl");

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn events(trace: &str) -> String {
    stdout_of(["show", "--events", trace])
}

#[test]
fn a_packed_run_shows_as_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("run");
    fs::create_dir(&run).unwrap();
    queue_run(&run);
    omnilink(["pack"]).arg(&run).assert().success();
    let packed = dir.path().join("run.tar.zst");
    assert_eq!(events(text(&packed)), events(text(&run)));

    let unpacked = dir.path().join("again");
    omnilink(["unpack", text(&packed), "-o", text(&unpacked)]).assert().success();
    assert_eq!(events(text(&unpacked)), events(text(&run)));

    let renamed = dir.path().join("copy.tar.zst");
    fs::rename(&packed, &renamed).unwrap();
    omnilink(["unpack", text(&renamed)]).assert().success();
    assert_eq!(events(text(&dir.path().join("copy"))), events(text(&run)));
}

#[test]
fn nothing_is_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("run");
    fs::create_dir(&run).unwrap();
    queue_run(&run);
    let packed = dir.path().join("run.tar.zst");
    omnilink(["pack", text(&run), "-o", text(&packed)]).assert().success();
    for args in [&["pack", text(&run)][..], &["unpack", text(&packed)], &["import", QUEUE, "-o", text(&run)]] {
        let error = error_of(args);
        assert!(error.contains("already exists"), "{error}");
    }
}

#[test]
fn an_archive_without_the_usual_name_needs_a_directory() {
    let error = error_of(["unpack", "run.zip"]);
    assert_eq!(error, "error: run.zip: the name does not end with .tar.zst\nhint: name the directory with -o DIR\n");
}

#[test]
fn json_lines_are_shown_as_they_are() {
    let calls = |file| {
        let text = events(file);
        let column = text.lines().next().unwrap().find("call").unwrap();
        text.lines().skip(1).map(|line| line[column..].to_owned()).collect::<Vec<_>>()
    };
    let queue = ["Enqueue(1)", "Dequeue(0)", "Dequeue(1)", "Enqueue(2)", "Dequeue(0)", "Dequeue(2)"];
    assert_eq!(calls(QUEUE), queue);
    let set = [
        "KVInsert(3, 7, 0)",
        "KVContains(3, TRUE)",
        "KVRangeQuery(1, 9, 1)",
        "KVInsertIfAbsent(3, 8, 7)",
        "KVErase(3, 7)",
    ];
    assert_eq!(calls(SET), set);
}

#[test]
fn the_summary_of_json_lines() {
    let summary: Value = serde_json::from_str(&stdout_of(["show", "--summary", "--json", QUEUE])).unwrap();
    let summary = &summary["summary"];
    assert_eq!(summary["events"], 6);
    assert_eq!(summary["lanes"].as_array().unwrap().len(), 2);
    assert_eq!(summary["duration"], 100);
    assert_eq!(summary["overlap"]["max"], 2);
    assert_eq!(summary["overlap"]["mean"], 1.3);
}

#[test]
fn an_imported_run_shows_as_its_source() {
    let dir = tempfile::tempdir().unwrap();
    for (name, file) in [("queue", QUEUE), ("set", SET)] {
        let run = dir.path().join(name);
        omnilink(["import", file, "-o", text(&run)]).assert().success();
        assert!(run.join("run.json").is_file());
        assert_eq!(events(text(&run)), events(file));
    }
}

#[test]
fn an_exported_run_shows_as_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("run");
    fs::create_dir(&run).unwrap();
    queue_run(&run);
    let lines = dir.path().join("run.jsonl");
    omnilink(["export", text(&run), "-o", text(&lines)]).assert().success();
    assert_eq!(fs::read_to_string(&lines).unwrap(), stdout_of(["export", text(&run)]));
    assert_eq!(events(text(&lines)), events(text(&run)));
}

#[test]
fn json_events_are_the_lines_of_the_export() {
    let dir = tempfile::tempdir().unwrap();
    queue_run(dir.path());
    let exported = stdout_of(["export", text(dir.path())]);
    let shown = stdout_of(["show", "--json", "--events", "--action", "Dequeue", text(dir.path())]);
    assert_eq!(shown.lines().count(), 3);
    for line in shown.lines() {
        assert!(exported.lines().any(|other| other == line), "{line}\nis not in\n{exported}");
    }
}

#[test]
fn an_export_that_cannot_be_written_names_the_file() {
    let dir = tempfile::tempdir().unwrap();
    queue_run(dir.path());
    let file = dir.path().join("no-such-directory/run.jsonl");
    let error = error_of(["export", text(dir.path()), "-o", text(&file)]);
    assert!(error.contains(text(&file)), "{error}");
}

/// Upstream's record of one call, as its C++ runtime writes it.
fn write_upstream_call(log: &mut Vec<u8>, action: &str, param: (&str, i64), timebox: (u64, u64)) {
    rmp::encode::write_map_len(log, 2).unwrap();
    rmp::encode::write_str(log, "operation_name").unwrap();
    rmp::encode::write_str(log, action).unwrap();
    rmp::encode::write_str(log, "operation").unwrap();
    rmp::encode::write_map_len(log, 5).unwrap();
    rmp::encode::write_str(log, param.0).unwrap();
    rmp::encode::write_sint(log, param.1).unwrap();
    rmp::encode::write_str(log, "_did_abort").unwrap();
    rmp::encode::write_bool(log, false).unwrap();
    rmp::encode::write_str(log, "_op_start").unwrap();
    rmp::encode::write_uint(log, timebox.0).unwrap();
    rmp::encode::write_str(log, "_op_end").unwrap();
    rmp::encode::write_uint(log, timebox.1).unwrap();
    rmp::encode::write_str(log, "_meta").unwrap();
    rmp::encode::write_map_len(log, 0).unwrap();
}

#[test]
fn upstream_logs_become_a_run() {
    let dir = tempfile::tempdir().unwrap();
    let logs = dir.path().join("logs");
    fs::create_dir(&logs).unwrap();
    for (thread, action, timebox) in [(0, "Enqueue", (10, 40)), (1, "Dequeue", (20, 60))] {
        let mut log = Vec::new();
        write_upstream_call(&mut log, action, ("elem", 7), timebox);
        fs::write(logs.join(format!("thread-{thread}.log")), log).unwrap();
    }
    let run = dir.path().join("run");
    omnilink(["import", text(&logs), "-o", text(&run)]).assert().success();
    let shown = events(text(&run));
    assert_eq!(shown, events(text(&logs)));
    let lines: Vec<Vec<&str>> = shown.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!((lines[0][1], lines[0].last()), ("30", Some(&"Enqueue(7)")));
    assert_eq!((lines[1][0], lines[1][1], lines[1].last()), ("10", "50", Some(&"Dequeue(7)")));
}
