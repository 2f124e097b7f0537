//! `omnilink run` in a project: what `omnilink.project` says, as if it had been given.

mod support;

use std::fs;
use std::path::Path;
use std::process::Output;

use support::{omnilink, queue_demo};
use tempfile::TempDir;

const BAG: &str = include_str!("data/Bag.tla");

/// A project of the demo's queue, with further lines in its file.
fn queue(lines: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("examples").join("queue/Queue.tla");
    fs::copy(spec, place.path().join("Queue.tla")).unwrap();
    fs::copy(queue_demo(), place.path().join("demo")).unwrap();
    fs::create_dir_all(place.path().join("below/further")).unwrap();
    fs::write(place.path().join("omnilink.project"), format!("spec: Queue.tla\n{lines}")).unwrap();
    place
}

fn run(directory: &Path, args: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } =
        omnilink([&["run", "--check-timeout", "10m"], args].concat()).current_dir(directory).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap())
}

const FEW: [&str; 6] = ["--runs", "2", "--seed", "5", "--chaos", "--no-vary"];

#[test]
fn it_is_built_and_run_from_anywhere_in_it() {
    let place = queue("build: echo built > built && cp demo program\nprogram: program --threads 2 --ops 5\n");
    for directory in ["", "below", "below/further"] {
        let directory = place.path().join(directory);
        let (code, said) = run(&directory, &FEW);
        assert!(code == Some(0) && said.contains("2 accepted"), "{said}");
        assert!(place.path().join("built").exists(), "in the project's directory");
        fs::remove_file(place.path().join("built")).unwrap();
    }
    let (_, said) = run(&place.path().join("below"), &FEW);
    assert!(said.contains("omnilink.project: omnilink run ../Queue.tla -- ../program --threads 2 --ops 5\n"), "{said}");
}

#[test]
fn what_is_given_wins() {
    let place = queue("build: false\nprogram: no-such-program\n");
    let spec_and_program = ["Queue.tla", "--", "./demo", "--threads", "2", "--ops", "5"];
    let (code, said) = run(place.path(), &[&FEW[..], &spec_and_program].concat());
    assert!(code == Some(0) && said.contains("2 accepted"), "{said}");
    let (code, said) = run(place.path(), &FEW);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("error: the program could not be built: exit status: 1: false\n"), "{said}");
}

#[test]
fn arguments_go_to_the_program() {
    let place = queue("program: demo --threads 2 --ops 20\n");
    for spec in [&[][..], &["Queue.tla"]] {
        let buggy = [&["--runs", "200", "--seed", "5", "--chaos"], spec, &["--", "--queue", "buggy"]].concat();
        let (code, said) = run(place.path(), &buggy);
        assert!(code == Some(1) && said.contains(": rejected: "), "{said}");
    }
}

#[test]
fn mistakes_say_what_to_do() {
    let nothing = tempfile::tempdir().unwrap();
    for (args, expected) in [
        (
            &[][..],
            "error: no specification was given, and neither this directory nor one above it has omnilink.project",
        ),
        (&["--", "--buggy"], "error: no specification was given"),
        (&["Queue.tla"], "hint: omnilink run Queue.tla -- ./program"),
        (&["./demo"], "hint: write the specification before the program: omnilink run Spec.tla -- ./demo"),
    ] {
        let (code, said) = run(nothing.path(), args);
        assert!(code == Some(2) && said.contains(expected), "{args:?}: {said}");
    }
    for (lines, expected) in [
        ("programme: demo\n", "omnilink.project:2: `programme` is no key"),
        ("program: missing\n", "error: the program ./missing is not there\n"),
        ("build: true\nprogram: made/missing\n", "error: the program made/missing is not there after the build\n"),
        ("build: no-such-tool x\nprogram: demo\n", "`no-such-tool` is not installed"),
    ] {
        let place = queue(lines);
        let (code, said) = run(place.path(), &["--runs", "1"]);
        assert!(code == Some(2) && said.contains(expected), "{lines}: {said}");
    }
}

#[test]
fn constants_of_a_generated_fuzzer_are_used_by_every_verb() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("Bag.tla"), BAG).unwrap();
    let generate = |args: &[&str]| {
        let mut command = omnilink([&["gen-fuzzer", "Bag.tla", "--lang", "rust", "-o", "fuzz"], args].concat());
        let output = command.current_dir(&place).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let said = generate(&["--const", "Elems = {1, 2}"]);
    let command = "run Bag.tla --const 'Elems = {1, 2}' -- target/release/bag-fuzzer\n";
    assert!(said.contains(&format!(" {command}")) || said.contains(&format!("omnilink {command}")), "{said}");

    let states = |args: &[&str]| {
        let output = omnilink([&["explore", "--no-deadlock", "fuzz/Bag.tla"], args].concat());
        let output = { output }.current_dir(&place).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        said
    };
    let said = states(&[]);
    assert!(said.contains("distinct states   4\n"), "{said}");
    assert!(said.contains("note: as fuzz/omnilink.project says: fuzz/Bag.tla --const 'Elems = {1, 2}'\n"), "{said}");
    let said = states(&["--const", "Elems = {1, 2, 3}"]);
    assert!(said.contains("distinct states   8\n"), "{said}");
    assert!(!said.contains("note: as"), "{said}");

    // A specification may be below the project.
    let file = place.path().join("fuzz/omnilink.project");
    let text = fs::read_to_string(&file).unwrap();
    fs::create_dir(place.path().join("fuzz/specs")).unwrap();
    fs::copy(place.path().join("Bag.tla"), place.path().join("fuzz/specs/Bag.tla")).unwrap();
    fs::write(&file, text.replace("spec: ", "spec: specs/")).unwrap();
    let output = omnilink(["spec", "fuzz/specs/Bag.tla"]).current_dir(&place).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("note: as fuzz/specs/../omnilink.project says: fuzz/specs/Bag.tla --const "), "{said}");
    fs::write(&file, text).unwrap();

    // The line of the user stays, the constant changes.
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("program: ", "program: elsewhere/")).unwrap();
    generate(&["--const", "Elems = {7}"]);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("const: Elems = {7}\n") && text.contains("program: elsewhere/target"), "{text}");
    assert!(states(&[]).contains("Elems = {7}"));
}

#[test]
fn progress_is_told_where_there_is_no_terminal() {
    let place = queue("program: demo --threads 2 --ops 5\n");
    let mut command = omnilink(["run", "--check-timeout", "10m", "--runs", "20", "--seed", "5", "--chaos"]);
    let output = command.current_dir(&place).env("OMNILINK_PROGRESS", "1ms").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.lines().any(|line| line.starts_with("after ")), "{said}");
}
