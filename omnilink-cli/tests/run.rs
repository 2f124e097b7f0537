//! Recording and checking in one loop, as users do it.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use support::{built, omnilink, queue_demo, run, stdout_of};
use tempfile::TempDir;

const COUNTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/run/Counter.tla");
const QUEUE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/queue/Queue.tla");

/// `omnilink run ARGS… -- PROGRAM…` in a directory of its own.
struct Loop {
    scratch: TempDir,
    output: Output,
}

impl Loop {
    fn of(args: &[&str], program: &[&str]) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        // However slow this machine is.
        let mut command = omnilink(["run", "--check-timeout", "10m"]);
        command.current_dir(&scratch).env_remove("RUST_BACKTRACE").args(args).arg("--").args(program);
        let output = command.output().unwrap();
        Self { scratch, output }
    }

    /// Two threads of the demo of a queue.
    fn of_queue(args: &[&str], queue: &str) -> Self {
        let program = [queue_demo(), "--queue", queue, "--threads", "2", "--ops", "20"];
        Self::of(&[&[QUEUE, "--chaos", "--seed", "5"], args].concat(), &program)
    }

    fn said(&self, code: i32) -> String {
        assert_eq!(self.output.status.code(), Some(code), "{:?}", self.output);
        String::from_utf8(self.output.stdout.clone()).unwrap()
    }

    /// What a command that was printed says, started where it was printed.
    fn follow(&self, label: &str) -> (Option<i32>, String) {
        let said = String::from_utf8_lossy(&self.output.stdout);
        let command = said.lines().find_map(|line| line.trim().strip_prefix(label)).unwrap_or_else(|| panic!("{said}"));
        let output = Command::new("sh").arg("-c").arg(command).current_dir(&self.scratch).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn files(&self) -> Vec<String> {
        names(self.scratch.path())
    }
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = entries.collect();
    names.sort();
    names
}

#[test]
fn nothing_is_found_in_a_correct_program_and_nothing_is_left() {
    let found = Loop::of_queue(&["--runs", "3", "-j", "2"], "seg");
    let said = found.said(0);
    assert!(said.starts_with("3 runs (") && said.ends_with(", 120 events: 3 accepted\n"), "{said}");
    assert!(found.files().is_empty(), "{:?}", found.files());
    let kept = Loop::of_queue(&["--runs", "2", "--keep", "-o", "all"], "seg");
    kept.said(0);
    assert_eq!(names(&kept.scratch.path().join("all")), ["run-000001", "run-000002"]);
}

#[test]
fn a_rejected_run_is_explained_and_can_be_repeated_and_checked() {
    let found = Loop::of_queue(&["--shrink", "--counterexample", "why.omni"], "buggy");
    let said = found.said(1);
    assert!(said.contains("rejected: no order of its 40 events in 2 lanes is a behaviour of Queue"), "{said}");
    assert!(said.contains("✗ `elem = Head(queue)` is FALSE") && said.contains(" 1 rejected\n"), "{said}");
    assert_eq!(found.files(), ["omnilink-runs-1", "why.omni"]);
    let runs = found.scratch.path().join("omnilink-runs-1");
    let kept = names(&runs);
    assert_eq!(kept.len(), 1, "only the run that failed is kept");
    let kept = runs.join(&kept[0]).display().to_string();
    assert!(stdout_of(["show", "--summary", &kept]).contains("Enqueue"), "the trace of a run is shown");
    let (code, replayed) = found.follow("replay:");
    assert!(code == Some(0) && replayed.contains("the same run"), "{replayed}");
    let (code, checked) = found.follow("check:");
    assert!(code == Some(1) && checked.contains("rejected: no order of its 40 events"), "{checked}");
}

#[test]
fn a_rejected_run_goes_into_a_store() {
    let found = Loop::of_queue(&["--store", "runs.db"], "buggy");
    found.said(1);
    assert_eq!(found.files(), ["runs.db"]);
    let (code, replayed) = found.follow("replay:");
    assert!(code == Some(0) && replayed.contains("the same run"), "{replayed}");
    let (code, checked) = found.follow("check:");
    assert!(code == Some(1) && checked.contains(" of runs.db: rejected") && checked.contains("cached"), "{checked}");
    let listed = stdout_of(["store", "list", &found.scratch.path().join("runs.db").display().to_string()]);
    let (rejected, others): (Vec<_>, Vec<_>) = listed.lines().partition(|line| line.contains(", rejected /"));
    assert_eq!(rejected.len(), 1, "{listed}");
    assert!(others.iter().all(|line| line.contains(", accepted (without files)")), "{listed}");
}

#[test]
fn a_run_that_goes_wrong_by_itself_is_explained_with_its_verdict() {
    let cases: [(&str, &[&str], &str, &str); 5] = [
        ("abort", &[], "killed by SIGABRT", "1 crashed"),
        ("exit", &[], "exit code 7", "1 failed"),
        ("deadlock", &[], "increment", "1 deadlocked"),
        ("panic", &[], "| the sixth increment", "1 failed"),
        ("hang", &["--max-decisions", "3000"], "stopped: it did all the work that --max-decisions allows", "1 stopped"),
    ];
    let program = built().join("examples/misbehaving").display().to_string();
    for (how, args, told, counted) in cases {
        let found = Loop::of(&[&[COUNTER, "--chaos", "--seed", "1"], args].concat(), &[&program, "--how", how]);
        let said = found.said(1);
        for expected in [told, counted, "accepted: an order of its", "actions never recorded: Reset\n"] {
            assert!(said.contains(expected), "{how}: {expected} is not in\n{said}");
        }
        let (code, replayed) = found.follow("replay:");
        assert!(code == Some(0) && replayed.contains("the same run"), "{how}: {replayed}");
        // What the program could not write down any more, the recorder did.
        let (code, checked) = found.follow("check:");
        let went_down = ["abort", "deadlock"].contains(&how);
        assert_eq!((code, checked.contains("  crash: ")), (Some(i32::from(went_down)), went_down), "{how}: {checked}");
        let packed = found.scratch.path().join("packed.run.tar.zst").display().to_string();
        let runs = found.scratch.path().join("omnilink-runs-1");
        stdout_of(["pack", &runs.join(&names(&runs)[0]).display().to_string(), "--output", &packed]);
        assert_eq!(run(["check", COUNTER, &packed]).status.code(), code, "{how}, packed");
    }
}

#[test]
fn a_crash_in_a_store_is_one_whenever_it_is_checked() {
    let program = built().join("examples/misbehaving").display().to_string();
    let found = Loop::of(&[COUNTER, "--chaos", "--seed", "1", "--store", "runs.db"], &[&program, "--how", "abort"]);
    found.said(1);
    let store = found.scratch.path().join("runs.db").display().to_string();
    for cache in [&["--no-cache"][..], &[]] {
        let checked = run([&["check", COUNTER, "--store", &store], cache].concat());
        let said = String::from_utf8_lossy(&checked.stdout);
        assert_eq!((checked.status.code(), said.contains("killed by SIGABRT")), (Some(1), true), "{cache:?}: {said}");
    }
}

#[test]
fn what_can_never_be_checked_ends_the_loop_at_once() {
    let demo = [queue_demo(), "--threads", "2", "--ops", "5"];
    let cases: [(&str, &[&str], &str); 2] = [
        (COUNTER, &demo, "Counter.tla has Increment, Reset"),
        (QUEUE, &["true"], "error: the program recorded nothing"),
    ];
    for (spec, program, expected) in cases {
        let said = Loop::of(&[spec, "--free"], program).said(2);
        assert!(said.contains(expected) && said.contains("\n1 run ("), "{said}");
    }
    for (args, expected) in [
        (["run", "surely-no-such-spec.tla", "--", "true"], "surely-no-such-spec.tla"),
        (["run", QUEUE, "--", "surely-no-such-program"], "no such program in PATH"),
    ] {
        let output = run(args);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(expected), "{output:?}");
    }
}

#[test]
fn runs_that_are_too_hard_are_counted_and_kept() {
    let found = Loop::of_queue(&["--runs", "2", "--max-configs", "1"], "seg");
    let said = found.said(3);
    assert!(said.contains(": 0 accepted, 2 unknown\n2 runs unknown: --max-configs 1 stopped it\n"), "{said}");
    assert!(said.contains("  kept in omnilink-runs-1: "), "{said}");
    assert_eq!(names(&found.scratch.path().join("omnilink-runs-1")).len(), 2);
}

#[test]
fn programs_read_what_was_found() {
    let found = Loop::of_queue(&["--json"], "buggy");
    let json: Value = serde_json::from_str(&found.said(1)).unwrap();
    let (summary, failure) = (&json["summary"], &json["failure"]);
    assert_eq!((&summary["seed"], &summary["rejected"]), (&Value::from(5), &Value::from(1)), "{summary}");
    assert_eq!(failure["report"]["verdict"], "rejected");
    assert_eq!(failure["mode"], "chaos");
    let run = failure["kept"]["directory"].as_str().unwrap();
    assert!(failure["replay"].as_str().unwrap().ends_with(&format!("replay {run}")), "{failure}");
    let quiet = Loop::of_queue(&["--json", "--runs", "1"], "seg");
    let json: Value = serde_json::from_str(&quiet.said(0)).unwrap();
    assert_eq!((&json["summary"]["accepted"], &json["failure"]), (&Value::from(1), &Value::Null), "{json}");
}

/// A program that records the first time and then hangs, having left a file that says so.
fn hangs_the_second_time(scratch: &Path) -> String {
    let (script, hanging) = (scratch.join("program"), scratch.join("hanging"));
    let text = format!(
        "#!/bin/sh\nif [ -e {scratch}/once ]; then touch {hanging}; exec sleep 600; fi\n\
         touch {scratch}/once\nexec {} --threads 2 --ops 5\n",
        queue_demo(),
        scratch = scratch.display(),
        hanging = hanging.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    script.display().to_string()
}

#[test]
fn ctrl_c_ends_it_with_what_was_found_so_far() {
    for (before, code, expected) in [(0, 3, "0 runs ("), (1, 0, " events: 1 accepted\n")] {
        let scratch = tempfile::tempdir().unwrap();
        let program = hangs_the_second_time(scratch.path());
        if before == 0 {
            fs::write(scratch.path().join("once"), "").unwrap();
        }
        let child = Command::new(assert_cmd::cargo::cargo_bin!("omnilink"))
            .args(["run", QUEUE, "--free", "--", &program])
            .current_dir(&scratch)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while !scratch.path().join("hanging").exists() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        // SAFETY: signals a child that was not waited for, so the number is still its own.
        assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) }, 0);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(expected), "{said}");
        assert_eq!(names(scratch.path()), ["hanging", "once", "program"], "no run is left");
    }
}

/// The sizes that the kept runs of a loop had, as the fuzz loop wrote them down, and what they were told.
fn sizes(found: &Loop) -> Vec<(Value, String)> {
    let runs = found.scratch.path().join("runs");
    let record = |name: &String| -> Value {
        serde_json::from_slice(&fs::read(runs.join(name).join("record.json")).unwrap()).unwrap()
    };
    let told = |record: &Value| record["plan"]["environment"]["OMNILINK_VARY"].as_str().unwrap_or_default().to_owned();
    names(&runs).iter().map(record).map(|record| (record["fuzz"].clone(), told(&record))).collect()
}

#[test]
fn sizes_that_nobody_gives_are_other_ones_in_every_run_and_the_same_in_a_replay() {
    let args = [QUEUE, "--chaos", "--seed", "5", "--runs", "6", "--keep", "-o", "runs"];
    let found = Loop::of(&args, &[queue_demo(), "--queue", "seg"]);
    found.said(0);
    let varied = sizes(&found);
    for (fuzz, told) in &varied {
        assert_eq!(format!("{}x{}", fuzz["threads"], fuzz["operations"]), *told, "{fuzz}");
        assert_eq!(fuzz["varied"], true, "{fuzz}");
    }
    let distinct: std::collections::BTreeSet<_> = varied.iter().map(|(_, told)| told).collect();
    assert!(distinct.len() > 3, "{distinct:?}");
    let run_2 = found.scratch.path().join("runs/run-000002").display().to_string();
    assert!(stdout_of(["replay", &run_2]).contains("the same run"));
    // What is given is kept, on the command line or in the environment; what is not, varies.
    let given = Loop::of(&args, &[queue_demo(), "--queue", "seg", "--threads", "2"]);
    given.said(0);
    assert!(sizes(&given).iter().all(|(fuzz, _)| fuzz["threads"] == 2 && fuzz["varied"] == true));
    let of_environment = [&args[..], &["--env", "OMNILINK_OPERATIONS=4", "--env", "OMNILINK_THREADS=2"]].concat();
    let given = Loop::of(&of_environment, &[queue_demo(), "--queue", "seg"]);
    given.said(0);
    assert!(sizes(&given).iter().all(|(fuzz, _)| fuzz["operations"] == 4 && fuzz["varied"] == false));
    let none = Loop::of(&[&args[..], &["--no-vary"]].concat(), &[queue_demo(), "--queue", "seg", "--ops", "3"]);
    none.said(0);
    assert!(sizes(&none).iter().all(|(fuzz, told)| fuzz["threads"] == 4 && told.is_empty()));
}

/// The failures that the report of a store has: the ways of each.
fn reported(found: &Loop) -> Vec<usize> {
    let store = found.scratch.path().join("runs.db").display().to_string();
    let report: Value = serde_json::from_str(&stdout_of(["report", &store, "--json"])).unwrap();
    let failures = report["campaigns"][0]["failures"].as_array().unwrap();
    failures.iter().map(|failure| 1 + failure["also"].as_array().unwrap().len()).collect()
}

#[test]
fn one_bug_is_one_group_however_it_shows_and_two_bugs_are_two() {
    // How many groups there are, and how many ways to fail one of them has. Another build has other schedules for a seed, so some
    // seeds are tried until all of it shows; there are never more groups than bugs.
    let cases = [("twice", 1, 2), ("invented", 1, 2), ("newest,invented", 2, 1), ("crash,newest", 2, 1)];
    let program = built().join("examples/faulty_queue").display().to_string();
    for (bugs, groups, most_ways) in cases {
        let shows = |seed: u64| {
            let seed = seed.to_string();
            let args =
                [QUEUE, "--chaos", "--seed", &seed, "--runs", "24", "--keep-going", "--store", "runs.db", "--json"];
            let found = Loop::of(&args, &[&program, "--bugs", bugs, "--threads", "3", "--ops", "15"]);
            let json: Value = serde_json::from_str(&found.said(1)).unwrap();
            let failures = json["failures"].as_array().unwrap();
            let ways: Vec<_> = failures.iter().map(|failure| 1 + failure["also"].as_array().unwrap().len()).collect();
            let titles: Vec<_> = failures.iter().map(|failure| &failure["title"]).collect();
            assert!(failures.len() <= groups, "{bugs}: {titles:?}");
            assert_eq!(reported(&found), ways, "{bugs}, in the report");
            failures.len() == groups && ways.iter().any(|&number| number >= most_ways)
        };
        assert!((7..17).any(shows), "{bugs}");
    }
}

#[test]
fn a_loop_that_goes_on_tells_failures_of_one_cause_together() {
    let program = [queue_demo(), "--queue", "buggy", "--threads", "3", "--ops", "40"];
    let args =
        [QUEUE, "--chaos", "--seed", "5", "--runs", "12", "--keep-going", "--examples", "1", "--store", "runs.db"];
    let found = Loop::of(&args, &program);
    let said = found.said(1);
    assert!(
        said.contains("failure 1: Dequeue of Queue: ") && !said.contains("failure 2: "),
        "one bug, one group:\n{said}"
    );
    assert!(said.contains("\n12 runs (") && said.contains(" of 12 runs, "), "{said}");
    let reason = said.find("a smaller reason: ").unwrap();
    assert!(reason < said.find("The furthest orders place").unwrap(), "{said}");
    let (code, replayed) = found.follow("replay:");
    assert!(code == Some(0) && replayed.contains("the same run"), "{replayed}");
    // The report has the same groups, of all runs, whether their files were kept or not.
    let store = found.scratch.path().join("runs.db").display().to_string();
    let report: Value = serde_json::from_str(&stdout_of(["report", &store, "--json"])).unwrap();
    let failures = report["campaigns"][0]["failures"].as_array().unwrap();
    let rejected = report["campaigns"][0]["totals"]["verdicts"]["rejected"].as_u64().unwrap();
    assert_eq!((failures.len(), failures[0]["count"].as_u64()), (1, Some(rejected)), "{failures:?}");
    assert!(rejected > 1 && failures[0]["rate"]["runs"] == 12, "{failures:?}");
    let json = Loop::of(&[&args[..9], &["--json"]].concat(), &program);
    let json: Value = serde_json::from_str(&json.said(1)).unwrap();
    assert_eq!(json["failures"][0]["rate"]["failed"], rejected, "{}", json["failures"]);
    // One example is kept of each way to fail; ways that later turn out to be one keep theirs.
    let ways = failures[0]["also"].as_array().unwrap().len() + 1;
    assert!(json["failures"][0]["examples"].as_array().unwrap().len() >= ways, "{}", json["failures"]);
    assert!(json["failure"]["number"].is_u64(), "the first one is told as ever");
    let quiet = run(["check", QUEUE, "--store", &store, "--quiet"]);
    let quiet = (quiet.status.code(), String::from_utf8_lossy(&quiet.stdout).into_owned());
    assert!(
        quiet.0 == Some(1) && quiet.1.contains(" failed\n") && quiet.1.contains("× Dequeue of Queue: "),
        "{quiet:?}"
    );
    assert!(!quiet.1.contains("furthest"), "{quiet:?}");
}

#[test]
fn endings_of_one_cause_are_one_group_and_others_are_not() {
    let program = built().join("examples/misbehaving").display().to_string();
    for (how, title) in [
        ("abort", "crashed: killed by SIGABRT"),
        ("exit", "failed: exit code 7"),
        ("panic", "failed: exit code 101: panicked at "),
        ("deadlock", "deadlocked: deadlock in "),
    ] {
        let args = [COUNTER, "--chaos", "--seed", "1", "--runs", "4", "--keep-going"];
        let said = Loop::of(&args, &[&program, "--how", how]).said(1);
        assert!(said.contains(&format!("failure 1: {title}")), "{how}: {said}");
        assert!(!said.contains("failure 2: ") && said.contains(": 4 of 4 runs, 100 % (51 to 100 %)"), "{how}: {said}");
    }
}
