//! Two parsers, one tree: ours against `tree-sitter-tlaplus`, which shares no code and no author with it.
//!
//! Both trees are written as one line per unit in the same words, those of the other's grammar. Tabs are expanded
//! first: the other one takes them for one column, TLC and we for up to eight.

mod oracle;
mod ours;

use crate::corpus::{modules, parse};

/// A text without tabs whose characters stand in the columns where TLC sees them.
fn expand_tabs(text: &str) -> String {
    let mut expanded = String::new();
    for line in text.split_inclusive('\n') {
        let mut column = 0;
        for c in line.chars() {
            let width = if c == '\t' { 8 - column % 8 } else { 1 };
            expanded.extend(std::iter::repeat_n(if c == '\t' { ' ' } else { c }, width));
            column += width;
        }
    }
    expanded
}

fn ours(text: &str) -> Vec<String> {
    ours::module(&parse(text).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn both_parsers_see_the_same_trees() {
    let mut units = 0;
    for (path, text) in modules() {
        let text = expand_tabs(&text);
        let (ours, theirs) = (ours(&text), oracle::module(&text));
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "{}", path.display());
        }
        assert_eq!(ours.len(), theirs.len(), "{}", path.display());
        units += ours.len();
    }
    assert!(units > 600, "only {units} units were compared");
}

#[test]
fn differences_are_seen() {
    let module = |body: &str| format!("---- MODULE M ----\nA == {body}\n====\n");
    let pairs = [
        ("a - b - c", "a - (b - c)"),
        ("/\\ a\n     /\\ b", "/\\ a\n       /\\ b"),
        ("\\A x, y \\in S : p", "\\A x \\in S, y \\in S : p"),
        ("{x \\in S : p}", "{p : x \\in S}"),
        ("[f EXCEPT ![1][2] = 3]", "[f EXCEPT ![1, 2] = 3]"),
        ("\\hFF", "\\hFE"),
        ("F(1)", "F[1]"),
    ];
    for (one, other) in pairs {
        assert_eq!(ours(&module(one)), oracle::module(&module(one)), "{one}");
        assert_ne!(ours(&module(one)), oracle::module(&module(other)), "{one} and {other}");
    }
    let tabs = module("\n/\\ a\n/\\\t\\/ b\n\t\\/ c");
    assert_ne!(ours(&tabs), oracle::module(&tabs), "tabs are why texts are expanded first");
    assert_eq!(ours(&tabs), oracle::module(&expand_tabs(&tabs)));
}
