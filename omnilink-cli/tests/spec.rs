//! `omnilink spec` on small specifications.

mod support;

use serde_json::{Value, json};
use support::{assert_quiet_when_nobody_reads, error_of, stdout_of};

/// The path of a specification among the tests' data.
const BUFFER: &str = "tests/data/specs/Buffer.tla";

fn report(options: &[&str]) -> Value {
    let text = stdout_of([&["spec", BUFFER, "--json"], options].concat());
    serde_json::from_str(&text).unwrap()
}

#[test]
fn everything_that_a_specification_consists_of() {
    insta::assert_snapshot!(stdout_of(["spec", BUFFER]));
}

#[test]
fn json_has_names_places_and_pieces_of_source() {
    let report = report(&[]);
    assert_eq!(report["module"], "Buffer");
    assert_eq!(report["variables"], json!(["buffer", "puts"]));
    assert_eq!(
        report["constants"],
        json!([
            {"name": "Elems", "arity": 0, "given": "{1, 2}"},
            {"name": "Capacity", "arity": 0, "given": "2"},
            {"name": "Better", "arity": 2, "given": ">"},
        ])
    );
    assert_eq!(report["next"], "Next");
    let names: Vec<_> = report["actions"].as_array().unwrap().iter().map(|action| &action["name"]).collect();
    assert_eq!(names, ["Put", "Take", "PutFull", "Reset"]);
    let take = &report["actions"][1];
    assert_eq!(take["params"], json!(["elem"]));
    assert_eq!(take["at"], json!({"file": BUFFER, "line": 22, "column": 1}));
    assert_eq!(
        take["paths"][1],
        json!({
            "call": "Take(elem)",
            "at": {"file": BUFFER, "line": 35, "column": 34},
            "quantifiers": ["\\E elem \\in Elems"],
            "guards": [{"condition": "Len(buffer) < Capacity", "holds": false}],
            "args": [{"param": "elem", "passed": "elem", "bound": "Elems"}],
        })
    );
    assert_eq!(report["nameless"][0]["formula"], "/\\ puts = 3 /\\ puts' = 0 /\\ buffer' = <<>>");
    assert_eq!(report["nameless"][1]["stutters"], true);
    assert_eq!(report["invariants"], json!(["TypeOK"]));
    assert_eq!(report["constraints"], json!(["Small"]));
    assert_eq!(report["warnings"], json!([]));
}

#[test]
fn constants_of_the_command_line_win() {
    let report = report(&["--const", "Capacity = 1 + 4", "--const", "Better <- Worse"]);
    assert_eq!(report["constants"][1]["given"], "1 + 4");
    assert_eq!(report["constants"][2]["given"], "Worse");
}

#[test]
fn another_next_state_relation() {
    let report = report(&["--next", "ClientNext"]);
    assert_eq!(report["next"], "ClientNext");
    assert_eq!(report["actions"].as_array().unwrap().len(), 3);
    assert_eq!(report["nameless"], json!([]));
}

#[test]
fn constants_without_a_value_are_no_error_until_they_are_needed() {
    let dir = tempfile::tempdir().unwrap();
    let spec = dir.path().join("Buffer.tla");
    std::fs::copy(BUFFER, &spec).unwrap();
    let spec = spec.to_str().unwrap();
    let text = stdout_of(["spec", spec, "--const", "Elems = {1}"]);
    assert!(text.contains("Elems = {1}\n"), "{text}");
    assert!(text.contains("Capacity not given: --const 'Capacity = …'"), "{text}");
    let text = error_of(["explore", spec, "--const", "Elems = {1}"]);
    assert!(text.contains("the constant Capacity has no value") && text.contains("--const 'Capacity = …'"), "{text}");
}

#[test]
fn mistakes_are_shown_where_they_are() {
    insta::assert_snapshot!(error_of(["spec", "tests/data/specs/Misspelt.tla"]));
}

#[test]
fn what_cannot_be_found_is_named() {
    let cases: [(&[&str], &str); 4] = [
        (&["no-such.tla"], "no-such.tla"),
        (&[BUFFER, "--cfg", "no-such.cfg"], "no-such.cfg"),
        (&[BUFFER, "--next", "Nxet"], "Nxet"),
        (&[BUFFER, "--const", "Capacity = "], "Capacity"),
    ];
    for (args, named) in cases {
        let text = error_of([&["spec"], args].concat());
        assert!(text.contains(named), "{args:?}: {text}");
    }
    let text = error_of(["spec", BUFFER, "--next", "ClientNxt"]);
    assert!(text.contains("did you mean `ClientNext`?"), "{text}");
}

#[test]
fn help_has_examples() {
    for verb in ["spec", "explore"] {
        let text = stdout_of([verb, "--help"]);
        assert!(text.contains(&format!("Examples:\n  omnilink {verb} Queue.tla")), "{text}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    assert_quiet_when_nobody_reads(&["spec", BUFFER], 0);
}
