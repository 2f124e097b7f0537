//! `omnilink show` on a run whose every number can be checked by hand.

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::{ENQUEUE, LaneWriter, assert_quiet_when_nobody_reads, error_of, omnilink, queue_run, stdout_of};
use support::{write_run_file, write_run_file_on_clock};
use tempfile::TempDir;

fn queue() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    queue_run(dir.path());
    dir
}

fn show(dir: &Path, options: &[&str]) -> String {
    let mut args = vec!["show", dir.to_str().unwrap()];
    args.extend(options);
    stdout_of(args)
}

/// The lines of events, without times and lanes.
fn calls(dir: &Path, options: &[&str]) -> Vec<String> {
    let text = show(dir, &[&["--events"], options].concat());
    let column = text.lines().next().unwrap().find("call").unwrap();
    text.lines().skip(1).map(|line| line[column..].to_owned()).collect()
}

/// The summary, with the run's place removed.
fn summary(dir: &Path, options: &[&str]) -> Value {
    let text = show(dir, &[&["--summary", "--json"], options].concat());
    let mut lines = text.lines();
    let mut object: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    assert_eq!(lines.next(), None);
    object["summary"].take()
}

#[test]
fn events_then_summary() {
    let dir = queue();
    let text = show(dir.path(), &[]).replace(dir.path().to_str().unwrap(), "RUN");
    // How many bytes a record takes is the encoder's affair.
    let (before, after) = text.split_once("byte ").expect("the notice about unknown arguments names a place");
    let text = format!("{before}byte N{}", after.trim_start_matches(|c: char| c.is_ascii_digit()));
    insta::assert_snapshot!(text);
}

#[test]
fn filters() {
    let dir = queue();
    let cases: [(&[&str], &[&str]); 10] = [
        (&["--thread", "2"], &["Enqueue(9)"]),
        (&["--thread", "consumer", "--limit", "2"], &["DequeueEmpty", "Dequeue(1)"]),
        (&["--action", "DequeueEmpty"], &["DequeueEmpty", "Dequeue(?elem) or DequeueEmpty  pending"]),
        (&["--thread", "producer", "--action", "Enqueue", "--to", "200"], &["Enqueue(1)", "Enqueue(2)"]),
        (&["--to", "0"], &["Enqueue(1)", "DequeueEmpty"]),
        (
            &["--from", "600", "--to", "0.65us"],
            &["Dequeue(?elem) or DequeueEmpty  pending", "Enqueue(?elem)  indeterminate  {omnilink.panic = \"boom\"}"],
        ),
        (
            &["--from", "701"],
            &["Dequeue(?elem) or DequeueEmpty  pending", "thread terminated  {reason = \"finished\"}"],
        ),
        (&["--from", "1ms", "--thread", "producer"], &[]),
        (
            &["--thread", "producer", "--thread", "2", "--action", "Enqueue", "--limit", "3"],
            &["Enqueue(1)", "Enqueue(2)", "Enqueue(9)"],
        ),
        (&["--limit", "0"], &[]),
    ];
    for (options, expected) in cases {
        assert_eq!(calls(dir.path(), options), expected, "{options:?}");
    }
}

#[test]
fn the_summary_has_the_numbers_of_the_trace() {
    let dir = queue();
    let summary = summary(dir.path(), &[]);
    assert_eq!(summary["spec"], "Queue");
    assert_eq!(summary["next"], "Next");
    assert_eq!(summary["seed"], 7);
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["events"], 8);
    assert_eq!(summary["duration"], 700);
    assert_eq!(summary["terminations"], 1);
    assert_eq!(summary["outcomes"], json!({"done": 5, "aborted": 1, "indeterminate": 1, "pending": 1}));
    assert_eq!(summary["overlap"], json!({"mean": 1010.0 / 700.0, "max": 3}));
    let lanes: Vec<_> =
        summary["lanes"].as_array().unwrap().iter().map(|lane| (&lane["name"], &lane["events"])).collect();
    assert_eq!(lanes, [(&json!("producer"), &json!(3)), (&json!("consumer"), &json!(4)), (&json!(""), &json!(1))]);
    assert_eq!(
        summary["actions"],
        json!([
            {"action": "Enqueue(elem)", "events": 4, "done": 3, "aborted": 0, "indeterminate": 1, "pending": 0,
             "mean_width": 127, "max_width": 300},
            {"action": "Dequeue(elem)", "events": 2, "done": 1, "aborted": 1, "indeterminate": 0, "pending": 0,
             "mean_width": 125, "max_width": 200},
            {"action": "Dequeue(elem) or DequeueEmpty", "events": 1, "done": 0, "aborted": 0, "indeterminate": 0,
             "pending": 1, "mean_width": null, "max_width": null},
            {"action": "DequeueEmpty", "events": 1, "done": 1, "aborted": 0, "indeterminate": 0, "pending": 0,
             "mean_width": 50, "max_width": 50},
        ])
    );
    assert_eq!(
        summary["unknown_arguments"],
        json!([
            {"action": "Enqueue(elem)", "parameter": "elem", "events": 1},
            {"action": "Dequeue(elem) or DequeueEmpty", "parameter": "elem", "events": 1},
        ])
    );
    let widest: Vec<_> =
        summary["widest"].as_array().unwrap().iter().map(|row| row["call"].as_str().unwrap()).collect();
    assert_eq!(widest, ["Enqueue(2)", "Dequeue(1)", "Enqueue(1)", "Enqueue(?elem)", "DequeueEmpty"]);
    assert_eq!(
        summary["never_ended"],
        json!([{"call": "Dequeue(?elem) or DequeueEmpty", "lane": 1, "index": 3, "at": 500, "width": null}])
    );
}

#[test]
fn the_summary_is_of_what_was_selected() {
    let dir = queue();
    let summary = summary(dir.path(), &["--action", "Enqueue", "--thread", "producer"]);
    assert_eq!(summary["filtered"], true);
    assert_eq!(summary["events"], 3);
    assert_eq!(summary["overlap"], json!({"mean": 500.0 / 700.0, "max": 1}));
}

#[test]
fn times_follow_the_clock() {
    let dir = tempfile::tempdir().unwrap();
    LaneWriter::on_clock("tsc", 0, "")
        .call(ENQUEUE, (1000, 1100), Some(1))
        .call(ENQUEUE, (2000, 2500), Some(2))
        .write(dir.path());
    write_run_file_on_clock(dir.path(), "tsc", 2_000_000_000, 1);
    let text = show(dir.path(), &["--events"]);
    let boxes: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split_whitespace().take(2).collect()).collect();
    assert_eq!(boxes, [["0", "50"], ["500", "750"]]);
    assert_eq!(summary(dir.path(), &[])["actions"][0]["mean_width"], 150);
}

#[test]
fn several_traces_are_shown_one_after_the_other() {
    let (a, b) = (queue(), queue());
    let (a, b) = (a.path().to_str().unwrap(), b.path().to_str().unwrap());
    let text = stdout_of(["show", "--summary", a, b]);
    assert!(text.find(a).unwrap() < text.find(b).unwrap());
    let output = omnilink(["show", "--summary", "no-such-run", b]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stdout).unwrap().contains(b), "the readable one is shown");
}

#[test]
fn names_that_the_trace_does_not_have_are_errors() {
    let dir = queue();
    let run = dir.path().to_str().unwrap();
    let text = error_of(["show", run, "--thread", "produzer"]);
    assert_eq!(text, "error: the trace has no thread `produzer`\nhint: its threads are 0 producer, 1 consumer, 2\n");
    let text = error_of(["show", run, "--action", "enqueue"]);
    assert_eq!(
        text,
        "error: the trace has no action `enqueue`\nhint: its actions are Enqueue, Dequeue, DequeueEmpty\n"
    );
    let text = error_of(["show", run, "--from", "5m"]);
    assert!(text.contains("such as 250ns or 1.5ms"), "{text}");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let dir = tempfile::tempdir().unwrap();
    let mut lane = LaneWriter::new(0, "");
    (0..50_000).for_each(|i| {
        lane.call(ENQUEUE, (2 * i, 2 * i + 1), Some(i as i64));
    });
    lane.write(dir.path());
    write_run_file(dir.path(), 1);
    for options in [&["--events"][..], &["--json"], &[]] {
        assert_quiet_when_nobody_reads(&[&["show", dir.path().to_str().unwrap()], options].concat(), 0);
    }
}
