//! Recording, replaying and keeping runs, as users do it.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use support::{error_of, omnilink, run, stdout_of};

/// Compiles a program that deadlocks under most seeds and records nothing.
fn deadlocking_program(directory: &Path) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../omnilink-record/tests/subjects/lock_order.cpp");
    let program = directory.join("lock_order");
    let status = Command::new("g++").args(["-O1", "-pthread", "-o"]).arg(&program).arg(source).status().unwrap();
    assert!(status.success());
    program.display().to_string()
}

#[test]
fn a_failure_is_found_and_replayed_elsewhere() {
    let scratch = tempfile::tempdir().unwrap();
    let program = deadlocking_program(scratch.path());
    let runs = scratch.path().join("runs").display().to_string();
    let recorded = run(["record", "--chaos", "--until-failure", "--seed", "5", "-o", &runs, "--", &program]);
    assert_eq!(recorded.status.code(), Some(1), "{recorded:?}");
    let said = String::from_utf8(recorded.stdout).unwrap();
    assert!(said.contains("1 deadlocked") && said.contains("seed 5, in "), "{said}");
    // The last run is the one that failed.
    let mut directories: Vec<_> = fs::read_dir(&runs).unwrap().map(|entry| entry.unwrap().path()).collect();
    directories.sort();
    let failed = directories.pop().unwrap();
    let replayed = omnilink(["replay", &failed.display().to_string()])
        .env_clear()
        .env("SOMETHING", "else")
        .current_dir("/")
        .output()
        .unwrap();
    let said = String::from_utf8(replayed.stdout).unwrap();
    assert!(replayed.status.success(), "{said}");
    assert!(
        said.starts_with("deadlock after ") && said.contains("transfer(") && said.contains("the same run"),
        "{said}"
    );
}

#[test]
fn one_run_of_a_campaign_can_be_made_by_itself() {
    let scratch = tempfile::tempdir().unwrap();
    let record = |name: &str, amount: &[&str]| {
        let runs = scratch.path().join(name);
        let place = ["-o", runs.to_str().unwrap(), "true"];
        stdout_of([&["record", "--chaos", "--seed", "7"], amount, &place].concat());
        runs
    };
    let (all, one) = (record("all", &["--runs", "3"]), record("one", &["--first", "3", "--runs", "1"]));
    assert_eq!(fs::read_dir(&one).unwrap().count(), 1);
    let schedule = |runs: &Path| fs::read(runs.join("run-000003/schedule")).unwrap();
    assert_eq!(schedule(&one), schedule(&all));
    assert!(error_of(["record", "--first", "3", "true"]).contains("--seed"));
}

#[test]
fn a_program_that_is_rebuilt_meanwhile_ends_the_campaign() {
    let scratch = tempfile::tempdir().unwrap();
    let program = scratch.path().join("replaces-itself");
    fs::write(&program, "#!/bin/sh\ncp \"$0\" \"$0.new\" && mv \"$0.new\" \"$0\"\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let runs = scratch.path().join("runs").display().to_string();
    let error = error_of(["record", "--free", "--runs", "3", "-o", &runs, program.to_str().unwrap()]);
    assert!(error.contains("was changed during the campaign"), "{error}");
}

#[test]
fn runs_can_be_kept_in_a_store() {
    let scratch = tempfile::tempdir().unwrap();
    let store = scratch.path().join("runs.db").display().to_string();
    let said = stdout_of(["record", "--chaos", "--runs", "3", "-j", "2", "--store", &store, "true"]);
    assert!(said.contains("3 runs") && said.contains(&format!("in {store}")), "{said}");
    let listed = stdout_of(["store", "list", &store]);
    assert_eq!(listed.lines().count(), 3, "{listed}");
    let name = &listed[..16];
    let exported = scratch.path().join("exported").display().to_string();
    assert!(stdout_of(["store", "show", &store, name]).contains("\"schedule_hash\""));
    stdout_of(["store", "export", &store, name, "-o", &exported]);
    assert!(stdout_of(["replay", &exported]).contains("the same run"));
    let merged = scratch.path().join("merged.db").display().to_string();
    stdout_of(["store", "merge", &merged, &store, &store]);
    assert_eq!(stdout_of(["store", "list", &merged]), listed);
    stdout_of(["store", "gc", &merged, "--keep-failed"]);
    assert!(error_of(["store", "export", &merged, name]).contains("were removed"));
    let left: Vec<_> = fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".omnilink")), "{left:?}");
}

#[test]
fn the_environment_is_what_was_asked_for() {
    let scratch = tempfile::tempdir().unwrap();
    let runs = scratch.path().join("runs");
    let recorded = omnilink(["record", "--free", "--runs", "1", "--env", "WANTED", "--env", "GIVEN=2", "-o"])
        .arg(&runs)
        .args(["--", "env"])
        .env("WANTED", "1")
        .env("SECRET", "do not tell")
        .output()
        .unwrap();
    assert!(recorded.status.success(), "{recorded:?}");
    let seen = fs::read_to_string(runs.join("run-000001/stdout")).unwrap();
    assert!(seen.contains("WANTED=1\n") && seen.contains("GIVEN=2\n") && !seen.contains("SECRET"), "{seen}");
}

/// Only where the user says so is something else done where rr does not work.
#[test]
fn without_rr_auto_means_the_chaos_scheduler() {
    let scratch = tempfile::tempdir().unwrap();
    let runs = scratch.path().join("runs").display().to_string();
    let recorded = run(["record", "--rr-bin", "surely-no-rr", "--rr-chaos=auto", "--runs", "1", "-o", &runs, "true"]);
    assert!(recorded.status.success(), "{recorded:?}");
    let note = String::from_utf8(recorded.stderr).unwrap();
    assert!(note.starts_with("note: surely-no-rr: ") && note.contains("using the default mode"), "{note}");
    assert!(Path::new(&runs).join("run-000001/record.json").exists());
}

#[test]
fn mistakes_are_told() {
    let scratch = tempfile::tempdir().unwrap();
    let here = scratch.path().display().to_string();
    let cases: [(&[&str], &str); 8] = [
        (&["record", "surely-no-such-program"], "no such program in PATH"),
        (&["record", "./surely-no-such-program"], "No such file"),
        (&["record", "-o", &here, "true"], "exists already"),
        (&["record", "--env", "SURELY_NOT_SET", "true"], "is not set"),
        (&["record", "--rr-chaos", "--rr-bin", "surely-no-rr", "true"], "surely-no-rr"),
        (&["record", "--rr-bin", "surely-no-rr", "--rr-chaos", "true"], "surely-no-rr"),
        (&["replay", &here], "it is not a run directory"),
        (&["store", "list", "surely-no-store.db"], "No such file"),
    ];
    for (arguments, expected) in cases {
        let error = error_of(arguments.iter().copied());
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    let wrong = run(["record", "--for", "soon", "true"]);
    assert!(String::from_utf8(wrong.stderr).unwrap().contains("such as 90s or 1.5h"));
}

/// What begins with a hyphen is an option until the program is named.
#[test]
fn an_option_that_there_is_not_is_no_program() {
    let cases: [(&[&str], &[&str]); 4] = [
        (&["record", "--no-such-option", "--", "true"], &["--no-such-option"]),
        (&["record", "--run", "3", "--", "true"], &["--run", "'--runs'"]),
        (&["record", "-z", "true"], &["-z"]),
        (&["run", "Spec.tla", "--shrin", "--", "true"], &["--shrin", "'--shrink'"]),
    ];
    for (arguments, expected) in cases {
        let said = error_of(arguments);
        let (option, similar) = expected.split_first().unwrap();
        assert!(said.contains(&format!("unexpected argument '{option}'")), "{arguments:?}: {said}");
        assert!(similar.iter().all(|similar| said.contains(similar)), "{arguments:?}: {said}");
    }
}

#[test]
fn a_program_may_begin_with_a_hyphen_and_its_arguments_too() {
    let scratch = tempfile::tempdir().unwrap();
    let program = scratch.path().join("-odd");
    fs::write(&program, "#!/bin/sh\necho \"$@\"\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", scratch.path().display(), std::env::var("PATH").unwrap());
    for (name, command) in
        [("after", &["--", "-odd", "--runs", "7", "--", "-x"][..]), ("bare", &["./-odd", "--runs", "7", "--", "-x"])]
    {
        let recorded = omnilink(["record", "--free", "--runs", "1", "-o", name])
            .args(command)
            .env("PATH", &path)
            .current_dir(&scratch)
            .output()
            .unwrap();
        assert!(recorded.status.success(), "{recorded:?}");
        let seen = fs::read_to_string(scratch.path().join(name).join("run-000001/stdout")).unwrap();
        assert_eq!(seen, "--runs 7 -- -x\n");
    }
}
