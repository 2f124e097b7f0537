//! A tree, printed and read again, is the same tree.

use crate::corpus::{modules, parse};
use crate::promises::without_spans;

#[test]
fn corpus_prints_as_text_of_the_same_tree() {
    for (path, text) in modules() {
        let tree = parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let printed = tree.to_string();
        let again = parse(&printed).unwrap_or_else(|error| panic!("{}: {error}\n{printed}", path.display()));
        assert_eq!(without_spans(&tree), without_spans(&again), "{}\n{printed}", path.display());
        assert_eq!(printed, again.to_string(), "{}", path.display());
    }
}

#[test]
fn trees_that_differ_are_seen_to_differ() {
    let tree = |expression: &str| {
        let module = parse(&format!("---- MODULE M ----\nA == {expression}\n====")).expect("well-formed");
        without_spans(&module)
    };
    assert_eq!(tree("a +   b"), tree("a + b"));
    assert_eq!(tree("a \\leq b"), tree("a <= b"));
    for other in ["a - b", "b + a", "(a + b)", "a + (b)", "a + b + c"] {
        assert_ne!(tree("a + b"), tree(other), "{other}");
    }
}

/// What follows a list stands where it cannot be taken for a part of its last item, or for another item.
#[test]
fn lists_are_printed_by_columns() {
    let cases = [
        ("A == /\\ a\n     /\\ b", "A == /\\ a\n     /\\ b"),
        ("A == (/\\ a\n      /\\ b) => c", "A == (/\\ a\n      /\\ b\n      ) => c"),
        ("A == /\\ a\n     /\\ b\n  /\\ c", "A == /\\ a\n     /\\ b\n     \\land c"),
        ("A == \\/ /\\ a\n        /\\ b\n  => c", "A == \\/ /\\ a\n        /\\ b\n     => c"),
        ("A == IF /\\ a\n        /\\ b THEN c ELSE d", "A == IF /\\ a\n        /\\ b\n        THEN c ELSE d"),
        ("A == LET x == /\\ a\n    y == b IN - -c", "A == LET x == /\\ a\n         y == b\n     IN - -c"),
    ];
    for (text, expected) in cases {
        let printed = parse(&format!("---- MODULE M ----\n{text}\n====")).expect("well-formed").to_string();
        let body = printed.trim_start_matches("---- MODULE M ----\n").trim_end_matches("\n====\n");
        assert_eq!(body, expected, "{text}");
    }
}
