//! `omnilink doctor`, `omnilink completions` and `omnilink man-pages`.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;
use support::{omnilink, stdout_of};

/// A program that answers as this shell script does.
fn pretend(dir: &Path, name: &str, script: &str) {
    let file = dir.join(name);
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The finding called `check` of a machine whose `PATH` is only `path`.
fn finding(path: &Path, check: &str) -> Value {
    let output = omnilink(["doctor", "--json"]).env("PATH", path).env_remove("CLASSPATH").output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let groups = report["groups"].as_array().unwrap();
    let mut findings = groups.iter().flat_map(|group| group["findings"].as_array().unwrap());
    findings.find(|finding| finding["check"] == check).unwrap_or_else(|| panic!("no check {check}: {report}")).clone()
}

#[test]
fn every_problem_comes_with_a_remedy() {
    let report: Value = serde_json::from_str(&stdout_of(["doctor", "--json"])).unwrap();
    assert_eq!(report["can_record"], true);
    let mut checks = Vec::new();
    for finding in report["groups"].as_array().unwrap().iter().flat_map(|group| group["findings"].as_array().unwrap()) {
        let all_is_well = finding["status"] == "ok";
        assert_eq!(finding.get("remedy").is_none(), all_is_well, "{finding}");
        assert!(!finding["seen"].as_str().unwrap().is_empty(), "{finding}");
        checks.push(finding["check"].as_str().unwrap().to_owned());
    }
    let expected = [
        "clock",
        "clock skew",
        "trace files",
        "disk space",
        "ptrace",
        "Yama",
        "seccomp",
        "address layout",
        "performance counters",
        "rr",
        "gdb",
        "Java",
        "TLC",
        "g++",
        "clang++",
    ];
    assert_eq!(checks, expected);
}

#[test]
fn text_names_status_and_check_on_each_line() {
    let text = stdout_of(["doctor"]);
    assert!(text.contains("ok       trace files"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours outside of terminals");
}

#[test]
fn a_place_that_cannot_hold_traces_is_essential() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let output = omnilink(["doctor", "--trace-dir"]).arg(file.join("run")).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("missing  trace files"), "{text}");
    assert!(text.contains("OMNILINK_TRACE_DIR"), "{text}");
}

#[test]
fn a_trace_directory_need_not_exist_yet() {
    let dir = tempfile::tempdir().unwrap();
    let new = dir.path().join("new/run");
    omnilink(["doctor", "--trace-dir"]).arg(&new).assert().success();
    assert!(!new.exists());
}

#[test]
fn programs_that_are_not_there_are_missing() {
    let empty = tempfile::tempdir().unwrap();
    for check in ["rr", "gdb", "Java", "TLC", "g++", "clang++"] {
        assert_eq!(finding(empty.path(), check)["status"], "missing", "{check}");
    }
}

#[test]
fn rr_that_cannot_record_is_quoted() {
    let dir = tempfile::tempdir().unwrap();
    pretend(
        dir.path(),
        "rr",
        r#"case $1 in --version) echo "rr version 5.6.0";; *) echo "[FATAL x.cc:1] no counters" >&2; exit 3;; esac"#,
    );
    let rr = finding(dir.path(), "rr");
    assert_eq!(rr["status"], "limited");
    assert_eq!(rr["seen"], "rr version 5.6.0 is installed but cannot record: [FATAL x.cc:1] no counters (exit code 3)");
}

#[test]
fn what_rr_is_known_to_complain_about_has_its_own_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let says = "rr needs /proc/sys/kernel/perf_event_paranoid <= 1, but it is 4.";
    let script = format!(r#"case $1 in --version) echo "rr version 5.6.0";; *) echo "{says}" >&2; exit 1;; esac"#);
    pretend(dir.path(), "rr", &script);
    let rr = finding(dir.path(), "rr");
    assert!(rr["seen"].as_str().unwrap().contains(says), "{rr}");
    assert!(rr["remedy"].as_str().unwrap().contains("sysctl kernel.perf_event_paranoid=1"), "{rr}");
}

#[test]
fn rr_that_records_is_fine() {
    let dir = tempfile::tempdir().unwrap();
    pretend(dir.path(), "rr", r#"case $1 in --version) echo "rr version 5.6.0";; record) exit 0;; *) exit 9;; esac"#);
    assert_eq!(finding(dir.path(), "rr")["seen"], "rr version 5.6.0: records");
}

#[test]
fn a_compiler_older_than_cpp17_is_limited() {
    let dir = tempfile::tempdir().unwrap();
    pretend(
        dir.path(),
        "g++",
        r#"case $1 in --version) echo "g++ 4.8";; *) echo "unrecognized option -std=c++17" >&2; exit 1;; esac"#,
    );
    let compiler = finding(dir.path(), "g++");
    assert_eq!(compiler["status"], "limited");
    assert!(compiler["seen"].as_str().unwrap().contains("unrecognized option"), "{compiler}");
}

#[test]
fn completions_know_the_verbs() {
    for (shell, mark) in
        [("bash", "complete -F _omnilink"), ("zsh", "#compdef omnilink"), ("fish", "complete -c omnilink")]
    {
        let script = stdout_of(["completions", shell]);
        assert!(script.contains(mark), "{shell}");
        for verb in ["show", "pack", "unpack", "import", "export", "doctor"] {
            assert!(script.contains(verb), "{shell}: {verb}");
        }
    }
}

#[test]
fn every_help_has_an_example() {
    for verb in ["show", "pack", "unpack", "import", "export", "doctor", "completions"] {
        let help = stdout_of([verb, "--help"]);
        assert!(help.contains(&format!("  omnilink {verb} ")), "{help}");
    }
    assert!(stdout_of(["--help"]).contains("Exit codes:"));
}

#[test]
fn every_verb_has_a_manual_page() {
    let dir = tempfile::tempdir().unwrap();
    let pages = dir.path().join("man1");
    stdout_of(["man-pages", pages.to_str().unwrap()]);
    let help = stdout_of(["--help"]);
    let verbs = help.split("Commands:\n").nth(1).unwrap().lines().take_while(|line| !line.is_empty());
    // Each verb is followed by its description, which may be on lines of its own.
    let verbs: Vec<_> =
        verbs.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(verbs.len() > 15 && !verbs.contains(&"man-pages"), "{verbs:?}");
    for verb in verbs.into_iter().filter(|&verb| verb != "help") {
        let page = std::fs::read_to_string(pages.join(format!("omnilink-{verb}.1"))).unwrap();
        assert!(page.contains(".SH NAME\n") && page.contains(".SH NOTES\n"), "{verb}: {page}");
        assert!(page.contains(&format!(".TH omnilink-{verb} 1 \" \" \"omnilink ")), "{verb}: {page}");
    }
    let page = std::fs::read_to_string(pages.join("omnilink.1")).unwrap();
    assert!(page.contains("omnilink\\-run(1)") && page.contains("Exit codes:"), "{page}");
}
