//! `omnilink gen-fuzzer`: what it writes, says and refuses. Whether generated projects build is tested where they are
//! made.

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{omnilink, run, stdout_of};
use tempfile::TempDir;

const QUEUE: &str = "---- MODULE BoundedQueue ----
EXTENDS Naturals, Sequences
VARIABLE queue
Init == queue = <<>>
Enqueue(elem) == Len(queue) < 3 /\\ queue' = Append(queue, elem)
Dequeue(elem) == queue # <<>> /\\ elem = Head(queue) /\\ queue' = Tail(queue)
Next == \\E elem \\in 1..9 : Enqueue(elem) \\/ Dequeue(elem)
====
";

/// A directory with a specification.
fn place(spec: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("BoundedQueue.tla"), spec).unwrap();
    place
}

/// `omnilink gen-fuzzer BoundedQueue.tla ARGS…` there: exit code, standard output, standard error.
fn generate(place: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = omnilink([&["gen-fuzzer", "BoundedQueue.tla"], args].concat());
    let output = command.current_dir(place).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), without_places(&text(output.stdout)), text(output.stderr))
}

/// What is said, without where this program and the checkout are.
fn without_places(said: &str) -> String {
    let said = said.replace(assert_cmd::cargo::cargo_bin!("omnilink").to_str().unwrap(), "omnilink");
    let Some((before, rest)) = said.split_once("is taken from ") else { return said };
    let (place, after) = rest.split_once(' ').unwrap();
    assert!(place.starts_with("../") && place.ends_with("/omnilink"), "{place}");
    format!("{before}is taken from CHECKOUT/omnilink {after}")
}

#[test]
fn a_new_project_of_each_language() {
    for language in ["rust", "cpp"] {
        let place = place(QUEUE);
        let (code, stdout, stderr) = generate(place.path(), &["--lang", language]);
        assert_eq!((code, stderr.as_str()), (Some(0), ""));
        insta::assert_snapshot!(format!("a_new_project_of_{language}"), stdout);
        let project = place.path().join("bounded-queue-fuzzer");
        let sources =
            if language == "rust" { ["src/actions.rs", "src/main.rs"] } else { ["actions.hpp", "fuzzer.cpp"] };
        assert!(sources.iter().all(|file| project.join(file).is_file()));
        assert_eq!(fs::read_to_string(project.join("BoundedQueue.tla")).unwrap(), QUEUE);
    }
}

#[test]
fn constants_of_the_command_line_are_no_files() {
    for language in ["rust", "cpp"] {
        let place = place(&QUEUE.replace("VARIABLE", "CONSTANT Elems\nVARIABLE").replace("1..9", "Elems"));
        let (code, stdout, _) = generate(place.path(), &["--lang", language, "-o", "fuzz", "--const", "Elems = 1..9"]);
        assert_eq!(code, Some(0));
        assert!(!stdout.contains("written    --const"), "{stdout}");
        assert!(stdout.contains("\n  omnilink run BoundedQueue.tla --const 'Elems = 1..9' -- "), "{stdout}");
        let names = fs::read_dir(place.path().join("fuzz")).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.filter(|name| name.to_string_lossy().starts_with("--")).count(), 0);
        // A later change of it is noticed all the same.
        let changed = generate(place.path(), &["--lang", language, "-o", "fuzz", "--const", "Elems = 1..3", "--check"]);
        assert_eq!(changed.0, Some(1), "{}", changed.1);
    }
}

#[test]
fn again_after_the_specification_changed() {
    let place = place(QUEUE);
    let project = ["--lang", "rust", "-o", "fuzz"];
    generate(place.path(), &[&project[..], &["--only", "Enqueue"]].concat());
    let checked = generate(place.path(), &[&project[..], &["--check"]].concat());
    assert_eq!((checked.0, checked.1.as_str()), (Some(0), "up to date: fuzz\n"));

    let [readme, elsewhere] = ["fuzz/README.md", "README.md"].map(|file| place.path().join(file));
    fs::rename(&readme, &elsewhere).unwrap();
    let checked = generate(place.path(), &[&project[..], &["--check"]].concat());
    assert_eq!((checked.0, checked.1.as_str()), (Some(0), "up to date: fuzz\n"), "README.md was the user's to remove");
    fs::rename(&elsewhere, &readme).unwrap();

    fs::write(place.path().join("BoundedQueue.tla"), QUEUE.replace("1..9", "1..8")).unwrap();
    let (code, stdout, stderr) = generate(place.path(), &[&project[..], &["--check"]].concat());
    assert_eq!(code, Some(1));
    assert_eq!(
        stdout,
        "stale: fuzz/src/actions.rs\nstale: fuzz/BoundedQueue.tla\n\
         Run the same command without --check to bring it up to date.\n"
    );
    assert_eq!(stderr, "note: with the options of the earlier run: --only Enqueue (--forget drops them)\n");
    assert!(!fs::read_to_string(place.path().join("fuzz/BoundedQueue.tla")).unwrap().contains("1..8"));

    let (code, stdout, _) = generate(place.path(), &project);
    assert_eq!(code, Some(0));
    insta::assert_snapshot!(stdout);
    let (_, stdout, _) = generate(place.path(), &[&project[..], &["--forget"]].concat());
    assert!(stdout.contains("actions of Next: Enqueue(elem), Dequeue(elem)\n"), "{stdout}");
}

#[test]
fn json_for_scripts() {
    let place = place(QUEUE);
    let (_, stdout, _) = generate(place.path(), &["--lang", "rust", "--exclude", "Dequeue", "--json"]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["verdict"], "written");
    assert_eq!((&report["spec"], &report["language"]), (&json!("BoundedQueue"), &json!("Rust")));
    assert_eq!(report["actions"], json!(["Enqueue(elem)"]));
    assert_eq!(report["files"][0], json!({"path": "Cargo.toml", "state": "new"}));
    let run = "omnilink run BoundedQueue.tla -- target/release/bounded-queue-fuzzer";
    assert_eq!(
        report["next_commands"],
        json!(["cd bounded-queue-fuzzer", "cargo build --release --target-dir target", run])
    );
    let (code, stdout, stderr) = generate(place.path(), &["--lang", "rust", "--check", "--json"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&report["verdict"], &report["is_new"]), (&json!("checked"), &json!(false)));
    assert_eq!(report["remembered"], json!({"exclude": ["Dequeue"]}));
    assert_eq!(report["files"][0], json!({"path": "Cargo.toml", "state": "kept"}));
}

#[test]
fn refusals_say_what_to_do() {
    let place = place(&QUEUE.replace("Next ==", "Next == (queue = <<>> /\\ queue' = <<0>>) \\/ "));
    fs::create_dir(place.path().join("full")).unwrap();
    fs::write(place.path().join("full/Cargo.toml"), "").unwrap();
    fs::write(place.path().join("Good.tla"), QUEUE.replace("BoundedQueue", "Good")).unwrap();
    let good = |args: &[&str]| {
        let output = omnilink([&["gen-fuzzer", "Good.tla", "--lang", "rust"], args].concat())
            .current_dir(place.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let (code, _, nameless) = generate(place.path(), &["--lang", "rust"]);
    assert_eq!(code, Some(2));
    insta::assert_snapshot!("a_nameless_part", nameless);
    insta::assert_snapshot!("something_else_is_there", good(&["-o", "full"]));
    insta::assert_snapshot!("a_mistyped_action", good(&["--only", "Dequeu,Enqueue"]));
    assert!(good(&["-o", "Good.tla"]).contains("Good.tla"));
    assert_eq!(fs::read_dir(place.path().join("full")).unwrap().count(), 1);
}

#[test]
fn help_shows_examples() {
    let help = stdout_of(["gen-fuzzer", "--help"]);
    assert!(help.contains("omnilink gen-fuzzer Queue.tla --lang cpp -o fuzz"), "{help}");
    assert_eq!(run(["gen-fuzzer", "Queue.tla"]).status.code(), Some(2), "the language has to be chosen");
}
