//! Programs of all kinds, each run twice with every seed: the same run, or a note that says why it may not be.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::directory::{Streams, complete};
use omnilink_record::observed::{STARTS_PROCESSES, WITHOUT_POINTS};
use omnilink_record::{Ending, Observed, Plan};

use crate::repetition::lanes;
use crate::subjects::{compile, fuzzer, plan, run_with, source, subject};

/// A program with its arguments.
struct Program {
    file: PathBuf,
    arguments: Vec<String>,
    /// What makes its runs differ, if something does: a note must name it.
    cause: Option<&'static str>,
}

impl Program {
    fn plan(&self, seed: u64) -> Plan {
        let mut plan = plan(&self.file, StrategyKind::RandomWalk, seed);
        plan.arguments.clone_from(&self.arguments);
        plan
    }

    /// Another cause.
    fn differing_by(self, cause: &'static str) -> Self {
        Self { cause: Some(cause), ..self }
    }

    /// Makes a run, and keeps all that the program said and recorded.
    fn run(&self, seed: u64) -> Result<Seen, String> {
        let scratch = tempfile::tempdir().unwrap();
        let [stdout, stderr, trace] = ["stdout", "stderr", "trace"].map(|name| scratch.path().join(name));
        fs::create_dir(&trace).unwrap();
        let streams = Streams {
            stdin: File::open("/dev/null").unwrap(),
            stdout: File::create(&stdout).unwrap(),
            stderr: File::create(&stderr).unwrap(),
            trace: File::open(&trace).unwrap(),
        };
        let mut plan = self.plan(seed);
        complete(&mut plan.environment, plan.mode, seed);
        let observed = run_with(&plan, &streams).map_err(|error| error.to_string())?;
        let said = [stdout, stderr].map(|file| String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned());
        Ok(Seen { observed, said, recorded: lanes(scratch.path()) })
    }
}

impl From<PathBuf> for Program {
    fn from(file: PathBuf) -> Self {
        Self { file, arguments: Vec::new(), cause: None }
    }
}

/// All that can be compared of a run.
struct Seen {
    observed: Observed,
    said: [String; 2],
    recorded: Vec<(String, Vec<u8>)>,
}

impl Seen {
    /// How it differs from another run, if it does.
    fn difference(&self, other: &Self) -> Option<String> {
        let essence = |Observed { ending, schedule_hash, points, decisions, switches, .. }: &Observed| {
            format!("{ending}, hash {schedule_hash}, {points} points, {decisions} decisions, {switches} switches")
        };
        let (this, that) = (essence(&self.observed), essence(&other.observed));
        if this != that {
            return Some(format!("{this} and {that}"));
        }
        if self.said != other.said {
            return Some(format!("it said {:?} and {:?}", self.said, other.said));
        }
        (self.recorded != other.recorded).then(|| "it recorded something else".to_owned())
    }

    /// Whether a note names this. Code without points is no cause of differences.
    fn is_noted(&self, cause: &str) -> bool {
        self.observed.notes.iter().any(|note| note.contains(cause) && !note.contains(WITHOUT_POINTS))
    }
}

/// Runs a correct program with seeds from 1 on, twice with each. Says what went wrong first.
fn repeats(program: &Program, seeds: u64) -> Result<(), String> {
    for seed in 1..=seeds {
        let (first, second) = (program.run(seed)?, program.run(seed)?);
        for Seen { observed, said, .. } in [&first, &second] {
            if observed.ending != Ending::Exited(0) {
                return Err(format!("seed {seed}: {}: {:?}, {said:?}", observed.ending, observed.notes));
            }
        }
        let notes = [&first.observed.notes, &second.observed.notes];
        match (program.cause, first.difference(&second)) {
            (Some(cause), _) if ![&first, &second].iter().all(|seen| seen.is_noted(cause)) => {
                return Err(format!("seed {seed}: {cause:?} is not noted: {notes:?}"));
            }
            (None, Some(difference)) => return Err(format!("seed {seed}: {difference}: {notes:?}")),
            _ => {}
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
    let crowd = Program { arguments: vec!["200".to_owned()], ..compile("allocating", &[]).into() };
    let (sockets, connected) = written("sockets", &[]);
    vec![
        written("cancelled", &[]),
        written("changed_user", &[]),
        written("signals", &[]),
        written("timers_of_all_kinds", &[]),
        written("openmp", &["-fopenmp"]),
        written("cpp20", &["-std=c++20"]),
        written("coroutines", &["-std=c++20"]),
        written("file_times", &[]),
        (sockets, connected.differing_by("it lets the kernel choose a port")),
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
    ["tokio_tasks", "rayon_sums", "recorded_counter"].map(|name| (name.to_owned(), fuzzer(name).into())).into()
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
            programs.push(("Python".to_owned(), Program { arguments: vec![script], ..PathBuf::from(file).into() }));
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
            programs.push(("Java".to_owned(), Program { arguments, ..PathBuf::from(file).into() }));
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

/// What other processes do is not up to the seed, but the program holds still until they have ended: what it does and
/// records is the same.
#[test]
fn programs_that_wait_for_children_repeat() {
    for program in [fuzzer("recorded_children"), subject("children")].map(Program::from) {
        for seed in 1..=FEW {
            let (first, second) = (program.run(seed).unwrap(), program.run(seed).unwrap());
            assert_eq!(first.observed.ending, Ending::Exited(0), "seed {seed}: {:?}", first.observed.notes);
            assert!(first.is_noted(STARTS_PROCESSES), "{:?}", first.observed.notes);
            assert_eq!(first.difference(&second), None, "{}, seed {seed}", program.file.display());
        }
    }
}

/// Whoever is told a port that the kernel chose may do something else the next time, and nobody else.
#[test]
fn ports_are_noted_if_they_are_told() {
    let of = |way: &str| Program { arguments: vec![way.to_owned()], ..subject("asks_for_ports").into() };
    for way in ["client", "accept", "peer", "datagram"] {
        let asking = of(way).differing_by("it asks for a port that the kernel chose");
        repeats(&asking, FEW).unwrap_or_else(|error| panic!("{way}: {error}"));
    }
    for way in ["nothing", "server"] {
        assert_eq!(of(way).run(1).unwrap().observed.notes, Vec::<String>::new(), "{way}");
        repeats(&of(way), FEW).unwrap_or_else(|error| panic!("{way}: {error}"));
    }
}

#[test]
#[ignore = "takes minutes: scripts/check-determinism.sh"]
fn programs_of_all_kinds_repeat() {
    let children = Program::from(subject("children")).differing_by(STARTS_PROCESSES);
    let known = [("locks".to_owned(), subject("locks").into()), ("children".to_owned(), children)];
    let programs = of_threads().into_iter().chain(however_built()).chain(of_rust()).chain(opaque()).chain(known);
    assert_all_repeat(programs.collect(), MANY);
}
