//! What people are told about text that is not TLA+. Every message is reviewed as a snapshot.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::corpus::parse;

/// The messages about all texts of a file, which are separated by blank lines. What is no whole module is put into one.
fn messages(cases: &Path, whole_modules: bool) -> String {
    let cases = fs::read_to_string(cases).expect("the cases can be read");
    let mut messages = String::new();
    for case in cases.trim_end().split("\n\n") {
        let text = if whole_modules { format!("{case}\n") } else { format!("---- MODULE M ----\n{case}\n====\n") };
        let Err(message) = parse(&text) else { panic!("this should be an error:\n{case}") };
        writeln!(messages, "{case}\n{message}\n").expect("writing to a string does not fail");
    }
    messages
}

#[test]
fn messages_are_as_reviewed() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/syntax_errors");
    for theme in ["characters", "precedence", "expressions", "lists", "definitions", "modules"] {
        let messages = messages(&directory.join(theme).with_extension("txt"), theme == "modules");
        insta::assert_snapshot!(theme, messages);
    }
}
