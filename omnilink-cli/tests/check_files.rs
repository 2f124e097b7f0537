//! What `omnilink check` reads and writes: traces of all kinds, witnesses, counterexamples, JSON, JUnit, verdicts kept.

mod support;

use std::fs;
use std::path::Path;

use omnilink_check::report::counterexample::Counterexample;
use serde_json::{Value, json};
use support::bench::Bench;

const FIFO: &str = "tests/data/check/Fifo.tla";
const ACCEPTED: &str = "tests/data/check/accepted.jsonl";
const REJECTED: &str = "tests/data/check/rejected.jsonl";

#[test]
fn a_witness_has_the_order_and_the_states() {
    let bench = Bench::new();
    let witness = bench.path("witness.json");
    let args = [FIFO, ACCEPTED, "--witness", witness.to_str().unwrap()];
    // The second time the verdict is known, and the order is not.
    for _ in 0..2 {
        let _ = fs::remove_file(&witness);
        assert_eq!(bench.code(&args), 0);
        let document: Value = serde_json::from_slice(&fs::read(&witness).unwrap()).unwrap();
        assert_eq!(document["format"], "omnilink-witness");
        assert_eq!(document["init"], json!({"queue": "<<>>", "enqueued": "0"}));
        let steps = document["steps"].as_array().unwrap();
        let short: Vec<_> = steps.iter().map(|step| (&step["call"], &step["state"]["queue"])).collect();
        assert_eq!(
            json!(short),
            json!([
                ["DequeueEmpty", "<<>>"],
                ["Enqueue(1)", "<<1>>"],
                ["Dequeue(1)", "<<>>"],
                ["Enqueue(2)", "<<2>>"],
                ["Enqueue(3)", "<<2, 3>>"],
                ["Dequeue(2)", "<<3>>"],
            ])
        );
        assert_eq!(
            steps[5],
            json!({"lane": 1, "thread": "consumer", "index": 2, "call": "Dequeue(2)", "action": "Dequeue",
                "args": {"elem": "2"}, "start": 85, "end": 100, "became": "happened",
                "state": {"queue": "<<3>>", "enqueued": "3"}})
        );
    }
}

#[test]
fn a_counterexample_can_be_read_again() {
    let bench = Bench::new();
    let file = bench.path("why.omni");
    let args = [FIFO, ACCEPTED, REJECTED, "--counterexample", file.to_str().unwrap()];
    // The second time it comes from the cache.
    for _ in 0..2 {
        let _ = fs::remove_file(&file);
        assert_eq!(bench.code(&args), 1);
        let read = Counterexample::read(&file).unwrap();
        assert_eq!(read.report.trace, REJECTED);
        assert_eq!((read.trace_hash.len(), read.spec_hash.len()), (64, 64));
        let stuck = read.report.stuck.as_ref().unwrap();
        assert_eq!((stuck.placed, stuck.events, stuck.configurations), (5, 8, 2));
        let lanes: Vec<_> = read.window.iter().map(|lane| (lane.lane, lane.before, lane.calls.len())).collect();
        assert_eq!(lanes, [(0, 0, 4), (1, 0, 3), (2, 0, 1)]);
    }
    for (name, text, expected) in [
        ("other.omni", r#"{"format":"else","version":1}"#, "`format` is `else`"),
        ("newer.omni", r#"{"format":"omnilink-counterexample","version":2}"#, "format version 2"),
    ] {
        let error = Counterexample::read(Path::new(&bench.file(name, text))).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn json_has_what_the_text_says() {
    let (_, text) = Bench::new().check(&[FIFO, REJECTED, "--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&report["verdict"], &report["spec"], &report["trace"]),
        (&json!("rejected"), &json!("Fifo"), &json!(REJECTED))
    );
    assert_eq!(report["statistics"]["events"], 8);
    let example = &report["stuck"]["groups"][0]["example"];
    assert_eq!(example["state"], json!({"queue": "<<2, 3>>", "enqueued": "3"}));
    let reason = &example["lanes"][1]["next"]["blocked"][0];
    assert_eq!(reason["says"], "`elem = Head(queue)` is FALSE");
    assert_eq!(reason["place"], json!({"file": FIFO, "line": 15, "column": 8}));
    assert_eq!(reason["values"][1], json!({"expression": "Head(queue)", "value": "2"}));
    assert_eq!(example["lanes"][0]["next"]["waits_for"]["call"], "Dequeue(4)");
}

#[test]
fn junit_has_a_case_per_trace() {
    let bench = Bench::new();
    let file = bench.path("report.xml");
    let args = [FIFO, ACCEPTED, REJECTED, "no-such-run", "--junit", file.to_str().unwrap()];
    assert_eq!(bench.code(&args), 1);
    let xml = fs::read_to_string(file).unwrap();
    assert!(xml.contains(r#"<testsuite name="omnilink check Fifo" tests="3" failures="1" errors="1""#), "{xml}");
    assert!(xml.contains(&format!(r#"<testcase classname="Fifo" name="{ACCEPTED}" time=""#)), "{xml}");
    assert!(xml.contains("<failure message=\"no order of the events is a behaviour of the specification\">"), "{xml}");
    assert!(xml.contains("queue = &lt;&lt;2, 3&gt;&gt;"), "{xml}");
    assert!(xml.contains("<error message=\"no-such-run: no such file or directory\">"), "{xml}");
}

#[test]
fn verdicts_are_kept_until_something_changes() {
    let bench = Bench::new();
    let spec = bench.file("Fifo.tla", &fs::read_to_string(FIFO).unwrap());
    let trace = bench.file("trace.jsonl", &fs::read_to_string(REJECTED).unwrap());
    let fresh = bench.check(&[&spec, &trace]);
    let known = |args: &[&str]| {
        let (code, text) = bench.check(&[&[&*spec, &*trace], args].concat());
        let cached = text.contains("(cached: ");
        (code, cached, text.replace("(cached: ", "("))
    };
    assert_eq!(known(&[]), (1, true, fresh.1.clone()), "a verdict that is known is told in full");
    assert_eq!(known(&["--no-cache"]), (1, false, fresh.1.clone()));
    assert!(!known(&["--actions-only"]).1, "another manner of checking");

    fs::write(&trace, fs::read_to_string(ACCEPTED).unwrap()).unwrap();
    assert_eq!((known(&[]).0, known(&[]).1), (0, true), "another trace, checked once and found then");

    fs::write(&spec, fs::read_to_string(FIFO).unwrap().replace("elem = Head(queue)", "elem = Head(queue) + 1"))
        .unwrap();
    let (code, cached, _) = known(&[]);
    assert_eq!((code, cached), (1, false), "another specification");

    for entry in fs::read_dir(bench.path("cache/omnilink/verdicts")).unwrap() {
        fs::write(entry.unwrap().path(), "{").unwrap();
    }
    let (code, cached, _) = known(&[]);
    assert_eq!((code, cached), (1, false), "a file that cannot be read is as good as none");
}

#[test]
fn errors_are_not_kept() {
    let bench = Bench::new();
    let trace = bench.file("typo.jsonl", "{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Enque\",\"elem\":1}\n");
    assert_eq!(bench.code(&[FIFO, &trace]), 2);
    assert!(!bench.path("cache").exists());
}

#[test]
fn runs_packed_runs_directories_and_patterns() {
    let bench = Bench::new();
    let run = bench.path("runs/b/run");
    fs::create_dir_all(&run).unwrap();
    support::LaneWriter::new(0, "main").call(support::ENQUEUE, (1000, 1100), Some(1)).write(&run);
    support::write_run_file(&run, 1);
    let packed = bench.path("runs/c.tar.zst");
    support::stdout_of(["pack", run.to_str().unwrap(), "--output", packed.to_str().unwrap()]);
    bench.file("runs/a.jsonl", &fs::read_to_string(REJECTED).unwrap());
    bench.file("runs/notes.txt", "no trace");
    let verdicts = |argument: &str| {
        let (_, text) = bench.check(&[FIFO, argument, "--json"]);
        let line = |line: &str| {
            let report: Value = serde_json::from_str(line).unwrap();
            format!("{} {}", report["trace"].as_str().unwrap(), report["verdict"].as_str().unwrap())
        };
        text.lines().map(line).collect::<Vec<_>>()
    };
    let all = ["DIR/runs/a.jsonl rejected", "DIR/runs/b/run accepted", "DIR/runs/c.tar.zst accepted"];
    let runs = bench.path("runs");
    let runs = runs.to_str().unwrap();
    assert_eq!(verdicts(runs), all);
    assert_eq!(verdicts(&format!("{runs}/*/run")), all[1..2]);
    assert_eq!(verdicts(&format!("{runs}/[ac].*")), [all[0], all[2]]);
}
