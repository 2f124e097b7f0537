//! The generated text itself.

use omnilink_gen::Language;
use omnilink_gen::project::{File, Owner};

use crate::specs;

/// The files of all specifications. The copy of the specification is left out.
#[test]
fn files_of_every_specification() {
    for case in specs::all() {
        let files = case.files(Language::Rust, None);
        let sources = files.iter().filter(|file| file.path.starts_with("src"));
        insta::assert_snapshot!(case.name, sources.map(shown).collect::<String>());
    }
}

#[test]
fn what_surrounds_the_sources() {
    let case = specs::all().next().unwrap();
    let files = case.files(Language::Rust, None);
    let others =
        files.iter().filter(|file| !file.path.starts_with("src") && file.path.extension() != Some("tla".as_ref()));
    insta::assert_snapshot!(others.map(shown).collect::<String>());
    let copy = files.iter().find(|file| file.path == std::path::Path::new("Queue.tla")).unwrap();
    assert_eq!(copy.text, std::fs::read_to_string(case.path()).unwrap());
    assert_eq!(copy.owner, Owner::Generator);
}

#[test]
fn the_guide_shows_a_program_that_is_tested() {
    let guide = include_str!("../../../docs/fuzzers.md");
    let shown = guide.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(include_str!("programs/bound.rs").contains(shown));
}

fn shown(file: &File) -> String {
    format!("=== {} ({:?}) ===\n{}\n", file.path.display(), file.owner, file.text)
}
