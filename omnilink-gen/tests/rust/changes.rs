//! A specification changes under a project that somebody has worked on.

use std::fs;
use std::path::Path;

use omnilink_gen::project::Fate;
use omnilink_gen::recipe::Recipe;
use omnilink_gen::{Language, Request, generate};

use crate::building::{build, checkout, directory, put};
use crate::specs;

const BOUND: &str = include_str!("programs/bound.rs");

/// The request for a project from a file.
fn request(spec: &Path, directory: &Path, exclude: &[&str]) -> Request {
    Request {
        spec: spec.to_owned(),
        language: Language::Rust,
        directory: Some(directory.to_owned()),
        options: Recipe { exclude: exclude.iter().map(ToString::to_string).collect(), ..Recipe::default() },
        forget: false,
        name: None,
        omnilink: None,
        checkout: Some(checkout()),
    }
}

/// Makes a project of the queue that is bound, changes the specification, generates again, and builds it.
fn rebuild(name: &str, change: impl Fn(&str) -> String) -> String {
    let place = directory(name);
    let _ = fs::remove_dir_all(&place);
    let spec = place.join("Queue.tla");
    let project = place.join("fuzzer");
    let text = fs::read_to_string(specs::all().next().unwrap().path()).unwrap();
    put(&spec, &text);
    generate(&request(&spec, &project, &[])).unwrap().write().unwrap();
    let main = BOUND.replace("#[path = \"../actions.rs\"]\n", "");
    fs::write(project.join("src/main.rs"), &main).unwrap();

    fs::write(&spec, change(&text)).unwrap();
    let again = generate(&request(&spec, &project, &[])).unwrap();
    let fates = again.write().unwrap();
    let fate = |path: &str| fates.iter().find(|(file, _)| file.path == Path::new(path)).unwrap().1;
    assert_eq!((fate("src/actions.rs"), fate("src/main.rs")), (Fate::Changed, Fate::Kept));
    assert_eq!(fs::read_to_string(project.join("src/main.rs")).unwrap(), main);

    let built = build(&project);
    let said = String::from_utf8(built.stderr).unwrap();
    assert!(!built.status.success(), "{said}");
    said
}

#[test]
fn an_action_that_came_is_named_by_the_compiler() {
    let said = rebuild("came", |text| {
        let defined = "Peek(elem) == queue # <<>> /\\ elem = Head(queue) /\\ UNCHANGED queue\n";
        text.replace("Next ==\n", &format!("{defined}Next ==\n    \\/ \\E elem \\in Nat : Peek(elem)\n"))
    });
    assert!(said.contains("not all trait items implemented, missing: `peek`"), "{said}");
}

#[test]
fn an_action_that_went_is_named_by_the_compiler() {
    let said = rebuild("went", |text| text.replace("    \\/ DequeueEmpty\n", ""));
    assert!(said.contains("method `dequeue_empty` is not a member of trait `Fuzzer`"), "{said}");
}

#[test]
fn a_parameter_that_came_is_named_by_the_compiler() {
    let said = rebuild("parameter", |text| {
        text.replace("Enqueue(elem) ==", "Enqueue(elem, priority) ==")
            .replace("Nat : Enqueue(elem)", "Nat : Enqueue(elem, 1)")
    });
    assert!(said.contains("missing field `priority`"), "{said}");
}
