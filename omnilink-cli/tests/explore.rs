//! `omnilink explore` on small specifications.

mod support;

use serde_json::{Value, json};
use support::{assert_quiet_when_nobody_reads, interrupted, run};

const BUFFER: &str = "tests/data/specs/Buffer.tla";

/// Exit code and standard output, without the time it took.
fn explore(options: &[&str]) -> (Option<i32>, String) {
    let output = run([&["explore", BUFFER], options].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("time"));
    (output.status.code(), lines.collect::<Vec<_>>().join("\n"))
}

fn explore_json(options: &[&str]) -> Value {
    let output = run([&["explore", BUFFER, "--json"], options].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn nothing_wrong() {
    let (code, text) = explore(&[]);
    assert_eq!(code, Some(0), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn an_invariant_is_violated() {
    let (code, text) = explore(&["--cfg", "tests/data/specs/Buffer.violated.cfg"]);
    assert_eq!(code, Some(1), "{text}");
    insta::assert_snapshot!(text);
}

/// A configuration of the buffer with a property, in a file that is there as long as the directory.
fn config_with(property: &str, more: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("property.cfg");
    let text = std::fs::read_to_string("tests/data/specs/Buffer.cfg").unwrap();
    std::fs::write(&config, format!("{text}\nPROPERTY {property}\n{more}")).unwrap();
    let path = config.to_str().unwrap().to_owned();
    (dir, path)
}

#[test]
fn liveness_is_named_as_unchecked_and_is_no_success() {
    let (_dir, config) = config_with("EmptiedAgain", "");
    let (code, text) = explore(&["--cfg", &config]);
    assert_eq!(code, Some(4), "{text}");
    assert!(text.starts_with("Buffer: no error found in what was checked (--safety-only: that is enough)\n"), "{text}");
    let unchecked = "not checked: property EmptiedAgain, a formula with []: []<>(buffer = <<>>) (Buffer.tla:54)\n";
    assert!(text.contains(unchecked), "{text}");
    let report = explore_json(&["--cfg", &config]);
    assert_eq!(report["verdict"], "not_all_checked");
    assert_eq!(report["unchecked"][0]["property"], "EmptiedAgain");

    let (code, text) = explore(&["--cfg", &config, "--safety-only"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("Buffer: no error found\n") && text.contains(unchecked), "{text}");
    // A limit or an error is not hidden by what was not checked, and not by --safety-only.
    let (code, text) = explore(&["--cfg", &config, "--max-states", "3", "--safety-only"]);
    assert_eq!(code, Some(3), "{text}");
    let (code, text) = explore(&["--cfg", "tests/data/specs/Buffer.violated.cfg", "--safety-only"]);
    assert_eq!(code, Some(1), "{text}");
}

#[test]
fn the_step_that_violates_a_property_is_shown() {
    let (_dir, config) = config_with("PutsOnly", "");
    let (code, text) = explore(&["--cfg", &config]);
    assert_eq!(code, Some(1), "{text}");
    insta::assert_snapshot!(text);
    let report = explore_json(&["--cfg", &config]);
    assert_eq!((&report["verdict"], &report["property"]), (&json!("property_violated"), &json!("PutsOnly")));
    assert_eq!((&report["by"], &report["place"]), (&json!("step"), &json!("Buffer.tla:55")));
}

#[test]
fn properties_of_states_and_steps_are_checked() {
    for (property, code) in [("RoomIsKept", 0), ("AlwaysSmall", 0), ("BeginsEmpty", 0), ("BeginsFull", 1)] {
        let (_dir, config) = config_with(property, "");
        let (found, text) = explore(&["--cfg", &config]);
        assert_eq!(found, Some(code), "{property}: {text}");
    }
}

#[test]
fn a_deadlock() {
    let (code, text) = explore(&["--next", "PutForever"]);
    assert_eq!(code, Some(1), "{text}");
    insta::assert_snapshot!(text);
    let (code, text) = explore(&["--next", "PutForever", "--no-deadlock"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("Buffer: no error found\n"), "{text}");
}

#[test]
fn a_forgotten_prime_is_shown_at_the_deadlock() {
    let dir = tempfile::tempdir().unwrap();
    let spec = dir.path().join("Prime.tla");
    let text = "---- MODULE Prime ----\nEXTENDS Naturals\nVARIABLES x, f\nInit == x = 0 /\\ f = <<1>>\n\
                Up == x < 3 /\\ x = x + 1 /\\ f' = f\nSet == f = [f EXCEPT ![1] = 2] /\\ UNCHANGED x\n\
                Same == x = 1 /\\ x' = x /\\ f' = f\nNext == Up \\/ Set \\/ Same\n====\n";
    std::fs::write(&spec, text).unwrap();
    let output = run(["explore", spec.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let shown: Vec<_> = text.lines().filter(|line| line.contains("prime missing")).collect();
    assert_eq!(
        shown,
        [
            "  x = x + 1 (Prime.tla:5) is a condition on one state. Is a prime missing? x' = x + 1 says what follows.",
            "  f = [f EXCEPT ![1] = 2] (Prime.tla:6) is a condition on one state. Is a prime missing? \
             f' = [f EXCEPT ![1] = 2] says what follows.",
        ]
    );
    let output = run(["explore", spec.to_str().unwrap(), "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["forgotten_primes"][0]["place"], "Prime.tla:5");
    let report = explore_json(&["--next", "PutForever"]);
    assert_eq!(report["forgotten_primes"], json!([]));
}

#[test]
fn the_configuration_can_allow_deadlocks() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("calm.cfg");
    let text = std::fs::read_to_string("tests/data/specs/Buffer.cfg").unwrap();
    std::fs::write(&config, text + "CHECK_DEADLOCK FALSE\n").unwrap();
    let (code, text) = explore(&["--cfg", config.to_str().unwrap(), "--next", "PutForever"]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn an_assumption_is_false() {
    let (code, text) = explore(&["--const", "Capacity = 0"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.starts_with("Buffer: assumption SomeRoom is false\n"), "{text}");
}

#[test]
fn an_evaluation_error_comes_with_the_way_to_it() {
    let output = run(["explore", BUFFER, "--next", "PutWrongly"]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("1: initial state\n   /\\ buffer = <<>>\n   /\\ puts = 0\n"), "{text}");
}

#[test]
fn it_stops_after_so_many_states() {
    let report = explore_json(&["--max-states", "3"]);
    assert_eq!((&report["verdict"], &report["distinct"]), (&json!("max_states"), &json!(3)));
    assert!(report["queued"].as_u64().unwrap() > 0, "{report}");
    let (code, text) = explore(&["--max-states", "3"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.starts_with("Buffer: no error found so far, stopped by --max-states\n"), "{text}");
}

#[test]
fn threads_change_nothing() {
    for options in [
        &[][..],
        &["--cfg", "tests/data/specs/Buffer.violated.cfg"],
        &["--next", "PutForever"],
        &["--next", "PutWrongly"],
        &["--max-states", "3"],
    ] {
        assert_eq!(explore(&[options, &["-j", "3"]].concat()), explore(options), "{options:?}");
    }
    let output = run(["explore", BUFFER, "-j", "0"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("from 1 to 1024"), "{output:?}");
}

/// A specification in which two processes are alike, and how it is configured.
fn symmetric(symmetry: &str) -> (Option<i32>, String, String) {
    let dir = tempfile::tempdir().unwrap();
    let spec = dir.path().join("Alike.tla");
    let text = "---- MODULE Alike ----\nEXTENDS TLC\nCONSTANT P\nVARIABLE done\nInit == done = {}\n\
        Finish(p) == p \\notin done /\\ done' = done \\cup {p}\nNext == \\E p \\in P : Finish(p)\n\
        Sym == Permutations(P)\nNumbers == Permutations({1, 2})\nNone == 3\nNotAll == done # P\n====\n";
    std::fs::write(&spec, text).unwrap();
    let config = format!("CONSTANT P = {{p1, p2, p3}}\nINIT Init\nNEXT Next\n{symmetry}\nCHECK_DEADLOCK FALSE\n");
    std::fs::write(dir.path().join("Alike.cfg"), config).unwrap();
    let output = run(["explore", spec.to_str().unwrap()]);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn symmetric_states_are_visited_once() {
    let (code, text, _) = symmetric("");
    assert!(code == Some(0) && text.contains("distinct states   8\n"), "{text}");
    let (code, text, errors) = symmetric("SYMMETRY Sym");
    assert!(code == Some(0) && text.contains("distinct states   4\n") && errors.is_empty(), "{text} {errors}");
    // A counterexample is a behaviour of the specification.
    let (code, text, _) = symmetric("SYMMETRY Sym\nINVARIANT NotAll");
    assert!(code == Some(1) && text.contains("4: Finish(p3)\n * /\\ done = {p1, p2, p3}\n"), "{text}");
    for (wrong, why) in [("Numbers", "is not a function over model values"), ("None", "is not a set of permutations")] {
        let (code, _, errors) = symmetric(&format!("SYMMETRY {wrong}"));
        assert!(code == Some(2) && errors.contains(why) && errors.contains("Permutations(S)"), "{errors}");
    }
}

#[test]
fn json_has_verdict_numbers_and_trace() {
    let report = explore_json(&["--cfg", "tests/data/specs/Buffer.violated.cfg"]);
    assert_eq!((&report["verdict"], &report["invariant"]), (&json!("violated"), &json!("FewPuts")));
    assert!(report["seconds"].is_number(), "{report}");
    let step = |action: Value, buffer: &str, puts: &str, changed: &[&str]| {
        let state = json!({"buffer": buffer, "puts": puts});
        json!({"action": action, "state": state, "changed": changed})
    };
    assert_eq!(
        report["trace"],
        json!([
            step(json!(null), "<<>>", "0", &[]),
            step(json!("Put(1)"), "<<1>>", "1", &["buffer", "puts"]),
            step(json!("Put(1)"), "<<1, 1>>", "2", &["buffer", "puts"]),
        ])
    );
    let report = explore_json(&[]);
    assert_eq!((&report["verdict"], &report["trace"]), (&json!("ok"), &json!([])));
}

#[test]
fn what_the_specification_prints_is_no_result() {
    let output = run(["explore", BUFFER, "--next", "PutLoudly", "--no-deadlock", "--json"]);
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("<<\"putting\", 0>>\n"), "{output:?}");
    serde_json::from_slice::<Value>(&output.stdout).unwrap();
}

#[test]
fn a_closed_pipe_does_not_hide_the_verdict() {
    for (options, code) in [(&[][..], 0), (&["--next", "PutForever"], 1), (&["--next", "PutForever", "--json"], 1)] {
        assert_quiet_when_nobody_reads(&[&["explore", BUFFER], options].concat(), code);
    }
}

#[test]
fn ctrl_c_ends_it_with_what_was_found_so_far() {
    // The specification prints a line per state, so we know when exploration has begun.
    let args = ["explore", BUFFER, "--cfg", "tests/data/specs/Buffer.endless.cfg"];
    let (code, text) = interrupted(&args, "<<\"counting\", 0>>\n");
    assert_eq!(code, Some(130));
    assert!(text.starts_with("Buffer: no error found so far, interrupted\n"), "{text}");
    assert!(text.contains("\n  distinct states   "), "{text}");
}
