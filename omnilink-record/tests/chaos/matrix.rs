//! Programs of all kinds, each run twice with every seed: the same run, or a note that says why it may not be.

use std::path::{Path, PathBuf};
use std::process::Command;

use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::observed::WITHOUT_POINTS;
use omnilink_record::{Ending, Observed, Plan};

use crate::subjects::{compile, fuzzer, plan, run, source, subject};

/// A program with its arguments.
struct Program {
    file: PathBuf,
    arguments: Vec<String>,
}

impl Program {
    fn plan(&self, seed: u64) -> Plan {
        let mut plan = plan(&self.file, StrategyKind::RandomWalk, seed);
        plan.arguments.clone_from(&self.arguments);
        plan
    }
}

impl From<PathBuf> for Program {
    fn from(file: PathBuf) -> Self {
        Self { file, arguments: Vec::new() }
    }
}

/// What the seed decides of a run.
fn essence(observed: &Observed) -> (&Ending, u64, u64, u64, u64) {
    let Observed { ending, schedule_hash, points, decisions, switches, .. } = observed;
    (ending, *schedule_hash, *points, *decisions, *switches)
}

/// Whether something is noted that may make runs differ. Code without points does not.
fn is_noted(observed: &Observed) -> bool {
    observed.notes.iter().any(|note| !note.contains(WITHOUT_POINTS))
}

/// Runs a correct program with seeds from 1 on, twice with each. Says what went wrong first.
fn repeats(program: &Program, seeds: u64) -> Result<(), String> {
    for seed in 1..=seeds {
        let [first, second] = [(); 2].map(|()| run(&program.plan(seed)));
        let (first, second) = (first.map_err(|error| error.to_string())?, second.map_err(|error| error.to_string())?);
        if let Some(failed) = [&first, &second].into_iter().find(|observed| observed.ending != Ending::Exited(0)) {
            return Err(format!("seed {seed}: {}: {:?}", failed.ending, failed.notes));
        }
        if essence(&first) != essence(&second) && !is_noted(&first) && !is_noted(&second) {
            return Err(format!("seed {seed}: {first:?}\n{second:?}"));
        }
    }
    Ok(())
}

/// How many seeds: a few with all other tests, more when asked.
const FEW: u64 = 3;
const MANY: u64 = 20;

/// A subject, compiled in this way, with a name.
fn written(name: &str, flags: &[&str]) -> (String, Program) {
    (format!("{name} {flags:?}"), compile(name, flags).into())
}

fn of_threads() -> Vec<(String, Program)> {
    let crowd = Program { file: compile("allocating", &[]), arguments: vec!["200".to_owned()] };
    vec![
        written("cancelled", &[]),
        written("changed_user", &[]),
        written("signals", &[]),
        written("timers_of_all_kinds", &[]),
        written("openmp", &["-fopenmp"]),
        written("cpp20", &["-std=c++20"]),
        written("coroutines", &["-std=c++20"]),
        ("200 threads".to_owned(), crowd),
    ]
}

fn however_built() -> Vec<(String, Program)> {
    let ways: [&[&str]; 11] = [
        &["-O0"],
        &["-O1"],
        &["-O2"],
        &["-O3"],
        &["-static"],
        &["-no-pie"],
        &["-s"],
        &["-static", "-s"],
        &["-fsanitize=thread"],
        &["-fsanitize=address"],
        &["-fsanitize=undefined"],
    ];
    let mut programs: Vec<_> = ways.iter().map(|flags| written("allocating", flags)).collect();
    if has_library("jemalloc") {
        programs.push(written("allocating", &["-Wl,--no-as-needed", "-ljemalloc"]));
    } else {
        eprintln!("jemalloc is not installed: programs with it are not tested (Debian: libjemalloc-dev)");
    }
    programs
}

fn of_rust() -> Vec<(String, Program)> {
    ["tokio_tasks", "rayon_sums"].map(|name| (name.to_owned(), fuzzer(name).into())).into()
}

/// Whether the linker finds a library.
fn has_library(name: &str) -> bool {
    let linked = Command::new("g++")
        .args(["-shared", "-o", "/dev/null", "-x", "c++", "/dev/null", &format!("-l{name}")])
        .stderr(std::process::Stdio::null())
        .status();
    linked.is_ok_and(|status| status.success())
}

fn assert_all_repeat(programs: Vec<(String, Program)>, seeds: u64) {
    let results =
        programs.iter().map(|(name, program)| repeats(program, seeds).map_err(|error| format!("{name}: {error}")));
    let failures: Vec<String> = results.filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn threads_of_all_kinds_repeat() {
    assert_all_repeat(of_threads(), FEW);
}

#[test]
fn programs_repeat_however_they_were_built() {
    assert_all_repeat(however_built(), FEW);
}

#[test]
fn asynchronous_and_parallel_programs_repeat() {
    assert_all_repeat(of_rust(), FEW);
}

/// Interpreters and virtual machines run, whatever they do inside.
#[test]
fn opaque_programs_run() {
    assert_all_repeat(opaque(), 1);
}

fn opaque() -> Vec<(String, Program)> {
    let mut programs = Vec::new();
    // The interpreter itself, not a script that finds it.
    match output("python3", &["-c", "import os, sys; print(os.path.realpath(sys.executable))"]) {
        Some(file) => {
            let script = source("opaque.py").to_str().unwrap().to_owned();
            programs.push(("Python".to_owned(), Program { file: file.into(), arguments: vec![script] }));
        }
        None => eprintln!("Python is not installed: programs in it are not tested"),
    }
    let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("classes");
    let (classes, java) = (classes.to_str().unwrap(), source("Opaque.java"));
    match (
        output("javac", &["-d", classes, java.to_str().unwrap()]),
        output("sh", &["-c", "readlink -f $(command -v java)"]),
    ) {
        (Some(_), Some(file)) => {
            let arguments = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classes, "Opaque"];
            let arguments = arguments.map(str::to_owned).into();
            programs.push(("Java".to_owned(), Program { file: file.into(), arguments }));
        }
        _ => eprintln!("a JDK is not installed: programs in Java are not tested"),
    }
    programs
}

/// What a program says, if it is there and ends well.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// When the kernel delivers what was sent over TCP is not up to the seed.
#[test]
#[ignore = "runs with TCP connections may differ, and have no note yet"]
fn programs_with_connections_repeat() {
    assert_all_repeat(vec![written("sockets", &[])], FEW);
}

#[test]
#[ignore = "takes minutes: scripts/check-determinism.sh"]
fn programs_of_all_kinds_repeat() {
    let known = [subject("locks"), subject("children")].map(|file| (file.display().to_string(), file.into()));
    let programs = of_threads().into_iter().chain(however_built()).chain(of_rust()).chain(opaque()).chain(known);
    assert_all_repeat(programs.collect(), MANY);
}
