//! Actions as types: `omnilink/perform.hpp` records what functions say has happened, and says what is not bound yet.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use support::recorded::{all_lines, open};
use support::{Library, compile_cpp};
use tempfile::TempDir;

/// Runs `perform.cpp`, which is compiled once.
fn run(arguments: &[&str], trace: &Path) -> Output {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, program) = PROGRAM.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let program = compile_cpp("perform.cpp", directory.path(), &["-std=c++17"], Library::Static);
        (directory, program)
    });
    Command::new(program).args(arguments).arg("--trace-dir").arg(trace).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_happened_is_recorded_with_all_of_its_values() {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("run");
    let output = run(&["--threads", "2", "--ops", "40", "--seed", "5"], &trace);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert!(errors(&output).starts_with("fuzz: not bound to the system yet: Grow\n"), "{}", errors(&output));

    let trace = open(&trace);
    assert_eq!((trace.spec(), trace.next()), ("Cache", "Step"));
    for (thread, lines) in all_lines(&trace).iter().enumerate() {
        let mut seen = [0; 3];
        for line in lines.iter().filter(|line| !line.starts_with("terminated")) {
            let number = |text: &str| text.parse::<usize>().unwrap() - thread * 1000;
            if let Some(args) = line.strip_prefix("Read(value = \"value ") {
                let (value, key) = args.strip_suffix(") Done").unwrap().split_once("\", key = ").unwrap();
                assert!(value == key && number(key) % 3 != 0, "{line}");
                seen[0] += 1;
            } else if let Some(args) = line.strip_prefix("I!Miss(key = ") {
                assert_eq!(number(args.strip_suffix(", again = TRUE) Done").unwrap()) % 3, 0, "{line}");
                seen[1] += 1;
            } else {
                assert_eq!(line, "Clear() Done");
                seen[2] += 1;
            }
        }
        assert!(seen.iter().all(|&times| times > 0) && seen.iter().sum::<usize>() == 40, "{seen:?}");
    }
}

#[test]
fn without_any_bound_action_nothing_is_recorded() {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("run");
    let output = run(&["unbound"], &trace);
    let message = "fuzz: no action is bound to the system yet, so nothing is recorded: Read, I!Miss, Clear, Grow\n";
    assert_eq!((output.status.code(), &*errors(&output)), (Some(3), message));
    assert!(!trace.exists());

    // What is asked for before is answered as ever.
    for (arguments, code) in [(["unbound", "--list-actions"], 0), (["unbound", "--threads=0"], 2)] {
        assert_eq!(run(&arguments, &trace).status.code(), Some(code), "{arguments:?}");
    }
}
