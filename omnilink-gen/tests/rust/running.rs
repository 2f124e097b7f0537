//! Every project as it is generated, and with all stubs filled in as their comments propose.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use omnilink_gen::Language;
use omnilink_gen::model::Model;
use omnilink_gen::project::File;
use omnilink_trace::{Record, Trace, Value};

use crate::building::{build, checkout, directory, program, put, run};
use crate::specs;

/// Programs for the queue that are written by hand, beside those that are generated.
const QUEUES: [(&str, &str); 2] =
    [("bound", include_str!("programs/bound.rs")), ("unlisted", include_str!("programs/unlisted.rs"))];

#[test]
fn every_project_builds_and_runs() {
    let workspace = directory("projects");
    let mut members = Vec::new();
    for case in specs::all() {
        let name = case.output(None).name;
        let files = case.files(Language::Rust, Some(checkout()));
        files.iter().for_each(|file| put_member(&workspace.join(&name), file));
        let stubs = files.iter().find(|file| file.path.ends_with("main.rs")).unwrap();
        let filled = filled_in(&stubs.text);
        put(&workspace.join(&name).join(format!("src/bin/{name}-filled.rs")), &filled);
        if case.name == "Queue" {
            QUEUES.iter().for_each(|(bin, text)| put(&workspace.join(&name).join(format!("src/bin/{bin}.rs")), text));
        }
        members.push(name);
    }
    put(&workspace.join("Cargo.toml"), &format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n"));
    let built = build(&workspace);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    for case in specs::all() {
        let (model, name) = (case.model(), case.output(None).name);
        says_what_is_unbound(&model, &name);
        records_what_is_bound(&model, &name);
    }
    a_call_may_be_several_actions();
    an_action_that_is_not_listed_is_named();
}

/// Members of a workspace are no workspaces themselves.
fn put_member(directory: &Path, file: &File) {
    put(&directory.join(&file.path), file.text.trim_end_matches("[workspace]\n"));
}

/// The user's file with the code that comments propose in place of the stubs.
fn filled_in(stubs: &str) -> String {
    let mut proposed: Option<String> = None;
    let mut filled = String::new();
    for line in stubs.lines() {
        match (&mut proposed, line.trim_start().strip_prefix("//     ")) {
            (Some(code), Some(proposal)) => *code += &format!("        {proposal}\n"),
            (Some(code), None) if line.trim() == "Err(Unsupported)" => {
                filled += code;
                proposed = None;
            }
            _ => {
                if line.contains("// To bind it, ") {
                    proposed = Some(String::new());
                }
                filled += &line.replace("_cx:", "cx:");
                filled.push('\n');
            }
        }
    }
    filled.replace("mod actions;", "#[path = \"../actions.rs\"]\nmod actions;")
}

fn says_what_is_unbound(model: &Model, name: &str) {
    let place = tempfile::tempdir().unwrap();
    let (code, said) = run(&program(name), place.path(), &["--threads", "2"]);
    assert_eq!(code, Some(3), "{said}");
    let names: Vec<_> = model.actions.iter().map(|action| action.name.as_str()).collect();
    assert!(said.contains(&format!("fuzz: never supported: {}\n", names.join(", "))), "{said}");
    assert!(said.contains("nothing is bound to the system yet"), "{said}");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "a trace was left behind: {said}");
}

/// Every action happens, with all its parameters.
fn records_what_is_bound(model: &Model, name: &str) {
    let place = tempfile::tempdir().unwrap();
    let options = ["--threads", "2", "--ops", "300", "--seed", "7", "--trace-dir", "t"];
    let (code, said) = run(&program(&format!("{name}-filled")), place.path(), &options);
    assert_eq!(code, Some(0), "{said}");
    let trace = Trace::open(place.path().join("t")).unwrap();
    assert_eq!((trace.spec(), trace.next()), (model.spec.as_str(), model.next.as_str()));
    let signature = |name: &str, params: Vec<&str>| format!("{name}({})", params.join(", "));
    let expected: BTreeSet<String> = model
        .actions
        .iter()
        .map(|action| signature(&action.name, action.params.iter().map(|param| param.name.as_str()).collect()))
        .collect();
    let mut recorded = BTreeSet::new();
    for record in trace.records() {
        let Record::Event(event) = record.unwrap() else { continue };
        let [action] = event.candidates.as_slice() else { panic!("{event:?}") };
        assert!(event.args.iter().all(|arg| arg.value.is_some()), "{event:?}");
        let params = event.args.iter().map(|arg| trace.vocabulary().name(arg.param)).collect();
        recorded.insert(signature(&trace.vocabulary().action(*action).name, params));
    }
    assert_eq!(recorded, expected);
}

/// What a queue that only one thread uses gives out is what was put into it, in order.
fn a_call_may_be_several_actions() {
    let place = tempfile::tempdir().unwrap();
    let options = ["--threads", "1", "--ops", "500", "--seed", "3", "--weights", "Dequeue=2", "--trace-dir", "t"];
    let (code, said) = run(&program("bound"), place.path(), &options);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("never supported"), "{said}");
    let trace = Trace::open(place.path().join("t")).unwrap();
    let (mut queue, mut empty) = (std::collections::VecDeque::new(), 0);
    for record in trace.records() {
        let Record::Event(event) = record.unwrap() else { continue };
        let [action] = event.candidates.as_slice() else { panic!("{event:?}") };
        let elem = event.args.first().and_then(|arg| arg.value.clone());
        match (&*trace.vocabulary().action(*action).name, elem) {
            ("Enqueue", Some(elem @ Value::Int(_))) => queue.push_back(elem),
            ("Dequeue", elem) => assert_eq!(elem, queue.pop_front()),
            ("DequeueEmpty", None) => {
                assert!(queue.is_empty());
                empty += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(empty > 10);
}

fn an_action_that_is_not_listed_is_named() {
    let place = tempfile::tempdir().unwrap();
    let (code, said) = run(&program("unlisted"), place.path(), &["--threads", "1", "--trace-dir", "t"]);
    assert_eq!(code, Some(101), "{said}");
    assert!(said.contains("DequeueEmpty was returned, but is not among [Dequeue]"), "{said}");
    assert!(said.contains("add `Name::DequeueEmpty` to `const DEQUEUE`"), "{said}");
}
