//! A race shows wherever the program's own code comes from, and what has no points is told.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::{Ending, Observed, Plan};

use crate::subjects::{compile, plan, run, source, subject};

pub const SEEDS: u64 = 20;
/// How many of the seeds must at least find a race that a single preemption shows: half of those that find the same in
/// code that is described, which is about 10 for these subjects. In code without points none finds it.
const MANY: usize = 5;

/// What code is compiled with that has no unwind tables.
pub const UNDESCRIBED: [&str; 3] = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-fno-exceptions"];

/// The runs with all seeds that found the bug, and all that is noted about any.
fn found(plan_of: impl Fn(u64) -> Plan) -> (usize, Vec<String>) {
    let mut notes = Vec::new();
    let mut found = 0;
    for seed in 1..=SEEDS {
        let plan = plan_of(seed);
        let observed = run(&plan).unwrap();
        match &observed.ending {
            Ending::Exited(0) => {}
            Ending::Exited(42) => found += 1,
            ending => panic!("{:?}, seed {seed}: {ending}: {:?}", plan.command(), observed.notes),
        }
        notes.extend(observed.notes);
    }
    notes.sort();
    notes.dedup();
    (found, notes)
}

pub fn with_arguments(program: &Path, arguments: &[&str]) -> (usize, Vec<String>) {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    found(|seed| Plan { arguments: arguments.clone(), ..plan(program, StrategyKind::RandomWalk, seed) })
}

/// All found, nothing noted.
fn assert_found(what: &str, (found, notes): (usize, Vec<String>)) {
    assert!(found >= MANY, "{what}: {found} of {SEEDS}");
    assert_eq!(notes, Vec::<String>::new(), "{what}");
}

/// Runs a tool that belongs to the compiler.
pub fn tool(name: &str, arguments: &[&str]) {
    let status = Command::new(name).args(arguments).status();
    assert!(status.as_ref().is_ok_and(std::process::ExitStatus::success), "{name} {arguments:?}: {status:?}");
}

/// A directory of its own with a library, and the library's file.
fn library(directory: &Path, flags: &[&str]) -> PathBuf {
    let library = directory.join("libracy.so");
    let source = source("racy_library.cpp");
    let always = ["-O2", "-shared", "-fPIC", "-o", library.to_str().unwrap(), source.to_str().unwrap()];
    tool("g++", &[&always[..], flags].concat());
    library
}

/// The program that uses a library, built beside it in one of the usual ways.
fn user(directory: &Path, flags: &[&str]) -> PathBuf {
    let program = directory.join("program");
    let (source, place) = (source("library_user.cpp"), format!("-L{}", directory.display()));
    let always = ["-O2", "-pthread", "-o", program.to_str().unwrap(), source.to_str().unwrap(), &place, "-lracy"];
    tool("g++", &[&always[..], flags].concat());
    program
}

#[test]
fn own_libraries_have_points() {
    let scratch = tempfile::tempdir().unwrap();
    for (number, flags) in [&[][..], &UNDESCRIBED, &["-s"], &["-O0"]].into_iter().enumerate() {
        let directory = scratch.path().join(number.to_string());
        fs::create_dir(&directory).unwrap();
        let library = library(&directory, flags);
        let program = user(&directory, &["-Wl,-rpath,$ORIGIN"]);
        assert_found(&format!("beside the program, {flags:?}"), with_arguments(&program, &[]));
        let program = user(&directory, &[]);
        let by_variable = |seed| {
            let mut plan = plan(&program, StrategyKind::RandomWalk, seed);
            plan.environment.set("LD_LIBRARY_PATH", directory.to_str().unwrap());
            plan
        };
        assert_found(&format!("LD_LIBRARY_PATH, {flags:?}"), found(by_variable));
        let opened = with_arguments(&subject("library_opener"), &[library.to_str().unwrap()]);
        assert_found(&format!("dlopen, {flags:?}"), opened);
    }
}

#[test]
fn functions_have_points_without_unwind_tables() {
    let ways = [&["-O0"][..], &["-O1"], &["-O2"], &["-O3"], &["-static"], &["-no-pie"], &["-s"], &["-s", "-no-pie"]];
    for flags in ways {
        let (described, _) = with_arguments(&compile("racy_counter", flags), &[]);
        let program = compile("racy_counter", &[&UNDESCRIBED[..], flags].concat());
        let (found, notes) = with_arguments(&program, &[]);
        assert!(found > 0 && found * 2 >= described, "{flags:?}: {found} of {SEEDS}, {described} with unwind tables");
        assert_eq!(notes, Vec::<String>::new(), "{flags:?}");
    }
}

#[test]
fn assembler_has_points() {
    let assembler = source("racy_assembler.S");
    for flags in [&[][..], &["-O0"], &["-no-pie"]] {
        let program = compile("assembler_user", &[&[assembler.to_str().unwrap()], flags].concat());
        for which in ["typed", "untyped", "looping", "top-level"] {
            let (found, notes) = with_arguments(&program, &[which]);
            assert!(found >= MANY, "{which}, {flags:?}: {found} of {SEEDS}");
            // The data between the functions, and where the next one jumps to, if that is enough to be spoken of.
            assert!(notes.iter().all(|note| note.contains("code or data")), "{notes:?}");
        }
        // Nobody knows where in its code it jumps to. What is rewritten of it still does what it did.
        with_arguments(&program, &["computing"]);
    }
}

#[test]
fn static_libraries_have_points() {
    let scratch = tempfile::tempdir().unwrap();
    let (object, archive) = (scratch.path().join("racy.o"), scratch.path().join("libracy.a"));
    let (object, source) = (object.to_str().unwrap(), source("racy_library.cpp"));
    tool("g++", &[&["-O2", "-c", source.to_str().unwrap(), "-o", object][..], &UNDESCRIBED].concat());
    tool("ar", &["rcs", archive.to_str().unwrap(), object]);
    assert_found("static library", with_arguments(&user(scratch.path(), &[]), &[]));
}

/// What the user leaves out has no points, and how much of it ran is told. What does not run is not spoken of.
#[test]
fn what_is_left_out_is_told() {
    let scratch = tempfile::tempdir().unwrap();
    let library = library(scratch.path(), &[]);
    let linked = (user(scratch.path(), &["-Wl,-rpath,$ORIGIN"]), vec![]);
    let opener = (subject("library_opener"), vec![library.to_str().unwrap().to_owned()]);
    for (program, arguments) in [linked, opener] {
        let runs = |left_out: &[&str]| {
            found(|seed| Plan {
                arguments: arguments.clone(),
                libraries_left_out: left_out.iter().map(ToString::to_string).collect(),
                ..plan(&program, StrategyKind::RandomWalk, seed)
            })
        };
        let (found, notes) = runs(&["libracy*"]);
        assert_eq!(found, 0, "{}", program.display());
        let [note] = &notes[..] else { panic!("{notes:?}") };
        assert!(
            note.ends_with(" % of the program's own code that ran has no points: libracy.so (--no-chaos-lib)"),
            "{note}"
        );
        assert_found("something else is left out", runs(&["libother*"]));
    }
}

/// Counting what runs is not part of the schedule.
#[test]
fn counting_changes_nothing() {
    for (program, seed) in [("racy_counter", 3), ("locks", 4), ("children", 5), ("signals", 6)] {
        let plain = plan(&subject(program), StrategyKind::RandomWalk, seed);
        let counting = Plan { libraries_left_out: vec!["libother*".to_owned()], ..plain.clone() };
        let essence =
            |observed: Observed| (observed.ending, observed.schedule_hash, observed.points, observed.decisions);
        assert_eq!(essence(run(&plain).unwrap()), essence(run(&counting).unwrap()), "{program}");
    }
}

/// A library that cannot be rewritten does not stop a run, unless it was asked for.
#[test]
fn libraries_that_cannot_be_read_are_told() {
    let scratch = tempfile::tempdir().unwrap();
    let library = library(scratch.path(), &[]);
    let program = user(scratch.path(), &["-Wl,-rpath,$ORIGIN"]);
    // Where its section headers are, and how many.
    let mut bytes = fs::read(&library).unwrap();
    bytes[40..48].fill(0);
    bytes[60..64].fill(0);
    fs::write(&library, bytes).unwrap();
    let (found, notes) = with_arguments(&program, &[]);
    assert_eq!(found, 0);
    let note = "libracy.so has no points: it has no section headers, which tell code from data; whether its code ran \
                is unknown";
    assert_eq!(notes, [note]);
    let named = Plan { libraries: vec!["libracy*".to_owned()], ..plan(&program, StrategyKind::RandomWalk, 1) };
    assert!(run(&named).unwrap_err().to_string().contains("has no section headers"));
}

/// Of a stripped file without unwind tables only what the rest leads to is known to be code.
#[test]
fn unknown_code_is_told() {
    let flags = [&UNDESCRIBED[..], &["-s", "-DCALL_BY_SUM"]].concat();
    let program = compile("hidden_code", &flags);
    let (_, notes) = with_arguments(&program, &[]);
    let [note] = &notes[..] else { panic!("{notes:?}") };
    assert!(note.contains(" of the code loaded from hidden_code"), "{note}");
    assert!(note.contains(" has no points: nothing tells whether these "), "{note}");
    let (_, notes) = with_arguments(&compile("hidden_code", &UNDESCRIBED), &[]);
    assert_eq!(notes, Vec::<String>::new(), "its symbols tell");
}

/// Code made by the program itself is not rewritten.
#[test]
fn made_code_is_told() {
    let (found, notes) = with_arguments(&subject("made_code"), &[]);
    assert_eq!(found, 0);
    assert_eq!(notes, ["memory that the program made executable has no points (code that it made while it ran)"]);
}
