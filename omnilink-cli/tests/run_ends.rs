//! How `omnilink run` ends where something else than the program is wrong, and what continuous integration gets to read.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use support::{built, omnilink, queue_demo};

const QUEUE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/queue/Queue.tla");

/// `omnilink run Queue.tla --chaos ARGS… -- PROGRAM…` in a directory.
fn looped(directory: &Path, args: &[&str], program: &[&str]) -> (Option<i32>, String, String) {
    let mut command = omnilink(["run", QUEUE, "--check-timeout", "10m", "--chaos", "--seed", "7"]);
    texts(&command.current_dir(directory).args(args).arg("--").args(program).output().unwrap())
}

fn texts(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// What a shell does where a file system of this size is mounted at `disk`; none if this user can mount nothing.
fn on_small_disk(scratch: &Path, size: &str, command: &str) -> Option<Output> {
    fs::create_dir_all(scratch.join("disk")).unwrap();
    let mount = format!("mount -t tmpfs -o size={size} tmpfs disk");
    let wrappers: [&[&str]; 2] = [&["-m"], &["-rm"]];
    let inside = |wrapper: &[&str], script: &str| {
        Command::new("unshare").args(wrapper).args(["sh", "-c", script]).current_dir(scratch).output()
    };
    let works = |wrapper: &&&[&str]| inside(wrapper, &mount).is_ok_and(|output| output.status.success());
    let wrapper = wrappers.iter().find(works)?;
    Some(inside(wrapper, &format!("{mount} && cd disk && {command}")).unwrap())
}

#[test]
fn a_full_disk_is_no_failure_of_the_program() {
    let omnilink = assert_cmd::cargo::cargo_bin!("omnilink").display().to_string();
    let program = format!("{} --threads 4 --ops 40", queue_demo());
    // There is room for nothing, for a part of the lanes, and for one run of several.
    for (size, verb) in [("40k", "run"), ("160k", "run"), ("160k", "record"), ("600k", "run")] {
        let scratch = tempfile::tempdir().unwrap();
        let (spec, keep) = if verb == "run" { (QUEUE, "--keep") } else { ("", "") };
        let command = format!(
            "'{omnilink}' {verb} {spec} {keep} --chaos --seed 5 --runs 9 -- {program}; code=$?; ls -d */*; exit $code"
        );
        let Some(output) = on_small_disk(scratch.path(), size, &command) else {
            println!("skipped: this user can mount nothing, not even in a mount namespace of its own (unshare -rm)");
            return;
        };
        let (code, stdout, stderr) = texts(&output);
        assert_eq!(code, Some(2), "{verb} on {size}: {stdout}{stderr}");
        let disk = scratch.path().join("disk");
        let hint = format!("hint: free some space on the file system {} (", disk.display());
        assert!(stderr.contains("error: ") && stderr.contains(&hint), "{verb} on {size}: {stderr}");
        assert!(!stdout.contains(" failed"), "{verb} on {size}: {stdout}");
        let is_kept = stdout.contains("omnilink-runs-1/run-000001");
        assert!(is_kept || size == "40k", "{verb} on {size}: what was recorded is kept: {stdout}");
        // What came before counts.
        assert_eq!(stdout.contains(" accepted\n"), size == "600k", "{verb} on {size}: {stdout}");
    }
}

#[test]
fn a_launcher_that_limits_the_time_is_replaced_by_an_option() {
    let scratch = tempfile::tempdir().unwrap();
    let program = ["timeout", "5", queue_demo(), "--threads", "2", "--ops", "5"];
    let (code, stdout, stderr) = looped(scratch.path(), &["--runs", "2"], &program);
    let instead = format!("write `--timeout 5s -- {} --threads 2 --ops 5`, the program itself", queue_demo());
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    assert_eq!(stderr.matches(&instead).count(), 2, "at once, and when it is refused: {stderr}");
    let words = ["--runs", "1", "--timeout", "5s"];
    let (code, ..) = looped(scratch.path(), &words, &program[2..]);
    assert_eq!(code, Some(0), "what it says works");
}

#[test]
fn a_script_is_refused_with_one_message() {
    let scratch = tempfile::tempdir().unwrap();
    let script = scratch.path().join("python3");
    fs::write(&script, "#!/bin/sh\nexec true\n").unwrap();
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let (code, _, stderr) = looped(scratch.path(), &["--runs", "1"], &[script.to_str().unwrap()]);
    assert!(code == Some(2) && stderr.contains("python3: is a script"), "{stderr}");
    assert!(!stderr.contains("warning"), "{stderr}");
}

/// The JUnit report of a loop, with its exit code.
fn junit(args: &[&str], program: &[&str]) -> (Option<i32>, String) {
    let scratch = tempfile::tempdir().unwrap();
    let (code, stdout, stderr) = looped(scratch.path(), &[args, &["--junit", "report.xml"]].concat(), program);
    let xml = fs::read_to_string(scratch.path().join("report.xml"));
    (code, xml.unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}")))
}

#[test]
fn a_loop_has_a_junit_report() {
    let demo = |queue| [queue_demo(), "--queue", queue, "--threads", "2", "--ops", "20"];
    let (code, xml) = junit(&["--runs", "2"], &demo("seg"));
    assert_eq!(code, Some(0), "{xml}");
    assert!(xml.contains(r#"<testsuite name="omnilink run Queue" tests="1" failures="0" errors="0" "#), "{xml}");
    assert!(xml.contains(r#"name="all runs""#) && xml.contains("2 runs (") && xml.contains(": 2 accepted"), "{xml}");

    let (code, xml) = junit(&[], &demo("buggy"));
    assert_eq!(code, Some(1), "{xml}");
    assert!(xml.contains(r#"tests="2" failures="1" errors="0""#), "{xml}");
    assert!(xml.contains(r#"<failure message="Dequeue of Queue: "#) && xml.contains("  replay:  "), "{xml}");

    let faulty = built().join("examples/faulty_queue").display().to_string();
    let faulty = [&faulty, "--bugs", "crash,newest", "--threads", "3", "--ops", "15"];
    let (code, xml) = junit(&["--runs", "12", "--keep-going"], &faulty);
    assert!(code == Some(1) && xml.contains(r#"tests="3" failures="2" errors="0""#), "{xml}");
    assert!(xml.contains(r#"name="crashed: killed by SIGABRT in "#), "{xml}");

    let (code, xml) = junit(&["--runs", "2", "--max-configs", "1"], &demo("seg"));
    assert!(
        code == Some(3) && xml.contains(r#"<error message="2 runs unknown: --max-configs 1 stopped it">"#),
        "{xml}"
    );
    let (code, xml) = junit(&["--runs", "2"], &[queue_demo(), "--no-such-option"]);
    assert!(code == Some(2) && xml.contains(r#"errors="1""#) && xml.contains("exit code 2, before it"), "{xml}");
}

#[test]
fn failures_are_marked_at_the_formula_that_is_false() {
    let scratch = tempfile::tempdir().unwrap();
    let repository = Path::new(QUEUE).ancestors().nth(3).unwrap();
    let annotated = |queue: &str, args: &[&str]| {
        let mut command = omnilink(["run", QUEUE, "--chaos", "--seed", "7", "--annotate", "github"]);
        command.args(args).args(["--", queue_demo(), "--queue", queue, "--threads", "2", "--ops", "20"]);
        let output = command.env("GITHUB_WORKSPACE", repository).current_dir(&scratch).output().unwrap();
        let (code, _, stderr) = texts(&output);
        let lines = stderr.lines().filter(|line| line.starts_with("::")).map(str::to_owned).collect::<Vec<_>>();
        (code, lines)
    };
    assert_eq!(annotated("seg", &["--runs", "2"]), (Some(0), vec![]));
    let (code, lines) = annotated("buggy", &["--json"]);
    assert!(code == Some(1) && lines.len() == 1, "{lines:?}");
    // Which of the two formulas of Dequeue is false depends on the schedule.
    let place = "::error file=examples/queue/Queue.tla,line=1";
    assert!(lines[0].starts_with(place) && lines[0].contains(",col=8,title=Dequeue of Queue%3A "), "{}", lines[0]);
    assert!(lines[0].contains(": rejected: no order of its 40 events "), "{}", lines[0]);
    let (code, lines) = annotated("seg", &["--runs", "2", "--max-configs", "1"]);
    assert!(code == Some(3) && lines[0].starts_with("::error title=2 runs unknown%3A --max-configs 1 "), "{lines:?}");
}
