//! Small texts about which TLC's parser was asked (`tla2sany.SANY`, version 2.15): what it accepts, and what it rejects.

use std::fs;
use std::path::Path;

use crate::corpus::parse;

fn cases(file: &str) -> Vec<(String, bool)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(file);
    let cases = fs::read_to_string(path).expect("the cases can be read");
    let accepted = |case: &str| parse(&format!("---- MODULE M ----\nEXTENDS Naturals\n{case}\n====\n")).is_ok();
    cases.trim_end().split("\n\n").map(|case| (case.to_owned(), accepted(case))).collect()
}

#[test]
fn what_tlc_accepts_is_accepted() {
    for (case, accepted) in cases("syntax_accepted_by_tlc.txt") {
        assert!(accepted, "{case}");
    }
}

#[test]
fn what_tlc_rejects_is_rejected() {
    for (case, accepted) in cases("syntax_rejected_by_tlc.txt") {
        assert!(!accepted, "{case}");
    }
}

/// Where we differ, on purpose: TLC's lookahead takes `[x \in` for a function; what it finds out about `@`, `<<A, B>>_v`
/// and large numbers later, we say at once.
#[test]
fn differences_are_known() {
    let differences = [
        ("A == [x \\in S]_v", true),
        ("A == [IF : S]", true),
        ("A == @", false),
        ("A == <<B, C>>_v", false),
        ("A == 99999999999999999999", false),
    ];
    for (case, accepted) in differences {
        assert_eq!(parse(&format!("---- MODULE M ----\n{case}\n====\n")).is_ok(), accepted, "{case}");
    }
}
