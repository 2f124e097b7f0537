//! Replaying a run, and looking at where it differs.

mod support;

use std::fs;

use support::replays::recorded;
use support::{run, stdout_of};

#[test]
fn the_first_event_that_differs_is_named() {
    let scratch = tempfile::tempdir().unwrap();
    let runs = recorded(scratch.path(), "2", &[]);
    let replay = || run(["replay", "--trace", &runs[0].display().to_string()]);
    let same = String::from_utf8(replay().stdout).unwrap();
    assert!(same.contains("the same run") && same.contains("the same trace: 90 events in 3 lanes"), "{same}");

    // As if the second thread had done in the first run what it did in the second.
    fs::copy(runs[1].join("trace/00001.lane"), runs[0].join("trace/00001.lane")).unwrap();
    let differs = replay();
    let said = String::from_utf8(differs.stdout).unwrap();
    assert_eq!(differs.status.code(), Some(1), "{said}");
    let difference = said.split_once("not the same trace, from event 1:").unwrap_or_else(|| panic!("{said}")).1;
    let lines: Vec<&str> = difference.lines().map(str::trim).collect();
    assert!(lines[1].starts_with("recorded  ") && lines[2].starts_with("replayed  "), "{said}");
    assert!(lines[1..3].iter().all(|line| line.ends_with(']')), "{said}");
    assert_ne!(lines[1].replace("recorded", ""), lines[2].replace("replayed", ""));
}

#[test]
fn programs_that_record_nothing_have_no_trace_to_compare() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = scratch.path().join("runs").display().to_string();
    stdout_of(["record", "--chaos", "--runs", "1", "-o", &directory, "--", "true"]);
    let replayed = run(["replay", "--trace", &format!("{directory}/run-000001")]);
    assert_eq!(replayed.status.code(), Some(2), "{replayed:?}");
    assert!(String::from_utf8_lossy(&replayed.stderr).contains("nothing was recorded"), "{replayed:?}");
}
