//! What is said about passes that prove little, wherever they are told.

mod support;

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use support::{DEQUEUE, Details, ENQUEUE, LaneWriter, built, omnilink, run, stdout_of, write_run_file};
use tempfile::TempDir;

const COUNTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/run/Counter.tla");
const FIFO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/check/Fifo.tla");
const QUEUE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/queue/Queue.tla");

fn forgetful() -> String {
    built().join("examples/forgetful").display().to_string()
}

/// `omnilink run Counter.tla --chaos ARGS… -- PROGRAM…` in a new directory.
fn looped(args: &[&str], program: &[&str]) -> (TempDir, Output) {
    let scratch = tempfile::tempdir().unwrap();
    let mut command = omnilink([&["run", COUNTER, "--chaos", "--runs", "3"], args].concat());
    let output = command.arg("--").args(program).current_dir(&scratch).output().unwrap();
    (scratch, output)
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn kinds(details: &Value) -> Vec<(&str, bool)> {
    let kind = |note: &'_ Value| note["kind"].as_str().map(str::len);
    assert!(details.as_array().unwrap().iter().all(|note| kind(note).is_some()), "{details}");
    let notes = details.as_array().unwrap().iter();
    notes.map(|note| (note["kind"].as_str().unwrap(), note["weakens"].as_bool().unwrap())).collect()
}

#[test]
fn calls_that_are_never_ended_are_no_pass_wherever_that_is_told() {
    let (scratch, output) = looped(&["--store", "runs.db"], &[&forgetful()]);
    let (said, complained) = texts(&output);
    assert_eq!(output.status.code(), Some(2), "{said}{complained}");
    for expected in [
        "warning: in 3 of 3 runs: this pass proves little: none of its calls has to have happened (all 10 indeterminate)",
        "warning: in 3 of 3 runs: 10 calls were left without being ended: Increment 10",
        "warning: in 3 of 3 runs: actions never recorded: Reset",
        "error: nothing was checked",
    ] {
        assert!(said.contains(expected), "{expected} is not in\n{said}");
    }
    assert!(complained.contains("warning: run 1: this pass proves little"), "it is said at once: {complained}");

    let store = scratch.path().join("runs.db").display().to_string();
    let report: Value = serde_json::from_str(&stdout_of(["report", &store, "--json"])).unwrap();
    let campaign = &report["campaigns"][0];
    let told = kinds(&campaign["notes"]);
    assert_eq!(told, [("no_call_counts", true), ("calls_without_end", true), ("actions_never_recorded", true)]);
    assert_eq!((&campaign["notes"][0]["runs"], &campaign["notes"][0]["of"]), (&Value::from(3), &Value::from(3)));
    assert_eq!(campaign["nothing_checked"], true);
    let pages = scratch.path().join("report");
    stdout_of(["report", &store, "-o", pages.to_str().unwrap()]);
    for page in ["index.html", "index.md"] {
        let page = fs::read_to_string(pages.join(page)).unwrap();
        assert!(page.contains("this pass proves little"), "{page}");
    }
    let listed = stdout_of(["store", "list", &store, "--json"]);
    let run: Value = serde_json::from_str(listed.lines().next().unwrap()).unwrap();
    let shown = stdout_of(["store", "show", &store, run["name"].as_str().unwrap()]);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(kinds(&shown["verdicts"][0]["note_details"]), told, "the files are gone, the notes are not");

    let (_scratch, output) = looped(&["--json"], &[&forgetful()]);
    let json: Value = serde_json::from_str(&texts(&output).0).unwrap();
    assert_eq!(kinds(&json["summary"]["notes"]), told);
    assert_eq!(json["summary"]["never_recorded"], serde_json::json!(["Reset"]));
}

#[test]
fn runs_without_events_are_no_pass() {
    let (scratch, output) = looped(&["--keep", "-o", "runs"], &[&forgetful(), "silent"]);
    let (said, _) = texts(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("warning: in 3 of 3 runs: it has no events, so nothing was checked"), "{said}");
    let kept = scratch.path().join("runs/run-000001");
    let checked = stdout_of(["check", COUNTER, kept.to_str().unwrap()]);
    assert!(checked.contains("accepted: an order of its 0 events") && checked.contains("warning: it has no events"));
}

#[test]
fn wrong_use_of_the_program_is_no_finding() {
    for args in [&[][..], &["--store", "runs.db"]] {
        let (scratch, output) = looped(args, &[&forgetful(), "edned"]);
        let (said, complained) = texts(&output);
        assert_eq!((output.status.code(), &*said), (Some(2), ""), "{complained}");
        assert!(complained.contains("exit code 2, before it recorded anything\n  | forgetful: no such option: edned"));
        let left: Vec<_> = fs::read_dir(&scratch).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left.len(), args.len() / 2, "{left:?}");
        if !args.is_empty() {
            let store = scratch.path().join("runs.db").display().to_string();
            assert_eq!(stdout_of(["store", "list", &store]), "");
        }
    }
}

#[test]
fn a_program_that_only_starts_another_is_told_at_the_first_run() {
    let program = forgetful();
    let command = format!("{program} ended; true");
    let cases: [(&[&str], String); 3] = [
        (&["env", "A=1", &program, "ended"], format!("hint: write `--env A=1 -- {program} ended`")),
        (&["nice", &program, "ended"], format!("hint: write `-- {program} ended`")),
        (&["sh", "-c", &command], format!("hint: write `-- {program} ended`")),
    ];
    for (words, hint) in cases {
        let (scratch, output) = looped(&[], words);
        let (said, complained) = texts(&output);
        assert_eq!((output.status.code(), &*said), (Some(2), ""), "{words:?}: {complained}");
        let before = complained.split("seed ").next().unwrap();
        assert!(before.starts_with("warning: ") && before.contains("scheduled"), "before the first run: {complained}");
        assert!(complained.contains("only started the program that recorded") && complained.contains(&hint));
        assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
        let free = omnilink([&["run", COUNTER, "--free", "--runs", "1", "--"], words].concat())
            .current_dir(&scratch)
            .output()
            .unwrap();
        assert_ne!(free.status.code(), Some(2), "without a scheduler it is no matter: {free:?}");
    }
    // One that starts helpers and records by itself is left alone.
    let (_scratch, output) = looped(&["--json"], &[&program, "ended", "atomic", "helper"]);
    let (said, complained) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{complained}");
    let json: Value = serde_json::from_str(&said).unwrap();
    assert!(kinds(&json["summary"]["notes"]).contains(&("recorder", false)), "{json}");
}

/// A run whose header names `Queue`.
fn written(directory: &Path, write: impl FnOnce(&mut LaneWriter)) -> String {
    let mut lane = LaneWriter::new(0, "first");
    write(&mut lane);
    lane.write(directory);
    LaneWriter::new(1, "second").call(ENQUEUE, (2000, 2010), Some(7)).write(directory);
    write_run_file(directory, 2);
    directory.display().to_string()
}

fn noted(spec: &str, trace: &str) -> Vec<(String, bool)> {
    let json: Value = serde_json::from_str(&stdout_of(["check", spec, trace, "--json", "--no-cache"])).unwrap();
    let details = kinds(&json["note_details"]).into_iter().map(|(kind, weakens)| (kind.to_owned(), weakens)).collect();
    let texts = json["notes"].as_array().unwrap();
    assert_eq!(texts.len(), json["note_details"].as_array().unwrap().len());
    assert!(texts.iter().all(Value::is_string), "as it was before there were details");
    details
}

#[test]
fn what_is_odd_about_a_trace_is_said_with_its_kind() {
    let has = |notes: &[(String, bool)], kind: &str| notes.iter().any(|note| *note == (kind.to_owned(), true));
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| {
        let path = place.path().join(name);
        fs::create_dir(&path).unwrap();
        path
    };
    let plain = written(&at("plain"), |lane| {
        lane.call(ENQUEUE, (1000, 1100), Some(1)).call(DEQUEUE, (1200, 1300), Some(1));
    });
    assert_eq!(noted(QUEUE, &plain), [("actions_never_recorded".to_owned(), true)]);
    assert!(has(&noted(FIFO, &plain), "other_specification"));
    // A module that the specification is made of will do.
    let above = place.path().join("Above.tla");
    fs::copy(QUEUE, place.path().join("Queue.tla")).unwrap();
    fs::write(&above, "---- MODULE Above ----\nEXTENDS Queue\n====\n").unwrap();
    assert!(!has(&noted(above.to_str().unwrap(), &plain), "other_specification"));

    let late = written(&at("late"), |lane| {
        lane.call(ENQUEUE, (1000, 1100), Some(1)).terminated(1150, &[]).call(ENQUEUE, (1200, 1300), Some(2));
    });
    assert!(has(&noted(QUEUE, &late), "events_after_end"));

    let indeterminate = omnilink_trace::layout::OUTCOME_INDETERMINATE;
    let left = written(&at("left"), |lane| {
        let meta = &[(omnilink_trace::layout::META_DROPPED, "dropped before it ended")];
        lane.call_with(DEQUEUE, (1000, 1100), Some(7), Details { outcome: indeterminate, meta });
    });
    let notes = noted(QUEUE, &left);
    assert!(has(&notes, "actions_without_end") && has(&notes, "calls_without_end"), "{notes:?}");
    assert!(!has(&notes, "no_call_counts"), "{notes:?}");
    // A panic is told, and is no mistake of the instrumentation.
    let panicked = written(&at("panicked"), |lane| {
        lane.call_with(ENQUEUE, (1000, 1100), Some(7), Details { outcome: indeterminate, meta: &[] });
    });
    let notes = noted(QUEUE, &panicked);
    assert!(notes.contains(&("indeterminate".to_owned(), false)) && !has(&notes, "calls_without_end"), "{notes:?}");

    // Calls of which it is not known what they are; one that never ended need not be anything.
    let unnamed = place.path().join("unnamed.jsonl");
    fs::write(&unnamed, "{\"thread\":0,\"start\":1,\"end\":2}\n").unwrap();
    assert!(has(&noted(QUEUE, unnamed.to_str().unwrap()), "unknown_actions"));
    fs::write(&unnamed, "{\"thread\":0,\"start\":1,\"end\":null}\n").unwrap();
    assert!(!has(&noted(QUEUE, unnamed.to_str().unwrap()), "unknown_actions"));
    fs::write(&unnamed, "{\"thread\":0,\"start\":1,\"end\":2,\"ops\":[\"DequeueEmpty\"],\"args\":{}}\n").unwrap();
    assert!(!has(&noted(QUEUE, unnamed.to_str().unwrap()), "unknown_actions"));
}

#[test]
fn several_traces_and_junit_tell_notes_of_accepted_ones_and_so_does_what_the_recorder_noted() {
    let (scratch, output) = looped(&["--keep", "-o", "runs"], &[&forgetful(), "ended", "atomic"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let runs = scratch.path().join("runs");
    let record = runs.join("run-000002/record.json");
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replace("\"notes\": []", "\"notes\": [\"it reads <the weather>\"]")).unwrap();
    let junit = scratch.path().join("junit.xml").display().to_string();
    for _ in 0..2 {
        // The second time the verdicts are known already.
        let mut command = omnilink(["check", COUNTER, runs.to_str().unwrap(), "--junit", &junit]);
        let output = command.env("XDG_CACHE_HOME", scratch.path().join("cache")).output().unwrap();
        let said = texts(&output).0;
        assert!(said.contains("3 traces: 3 accepted\n"), "{said}");
        assert!(said.contains("warning: in 3 of 3 traces: actions never recorded: Reset\n"), "{said}");
        assert!(said.contains("note: in 1 of 3 traces: it reads <the weather>\n"), "{said}");
        let xml = fs::read_to_string(&junit).unwrap();
        assert_eq!(xml.matches("warning (actions_never_recorded): actions never recorded: Reset").count(), 3, "{xml}");
        assert_eq!(xml.matches("note (recorder): it reads &lt;the weather&gt;").count(), 1, "{xml}");
    }
    let one = run(["check", COUNTER, runs.join("run-000002").to_str().unwrap()]);
    assert!(texts(&one).0.contains("  note: it reads <the weather>"), "{one:?}");
}
