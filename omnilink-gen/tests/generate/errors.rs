//! What is wrong with a specification or a choice, as users read it.

use std::fs;

use omnilink_gen::{Choice, read};
use omnilink_tla::{Options, Spec};

/// The message for a module with these definitions.
fn message(definitions: &str, only: &[&str], exclude: &[&str]) -> String {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("S.tla");
    fs::write(&path, format!("---- MODULE S ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\n{definitions}\n====\n"))
        .unwrap();
    let spec = Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let strings = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    let error = read(&spec, &Choice { only: strings(only), exclude: strings(exclude) }).unwrap_err().to_string();
    error.replace(&format!("{}/", place.path().display()), "")
}

#[test]
fn messages() {
    const STEPS: &str = "A_Step(n) == x' = n\nA_Done(n) == x' = 0\nB == x' = 1\n";
    let cases: [(&str, String, &[&str], &[&str]); 11] = [
        ("a_part_without_a_name", "A == x' = 1\nNext == A \\/ (x > 1 /\\ x' = 0)".into(), &[], &[]),
        (
            "several_parts_without_a_name",
            "Next == (\\E n \\in 1..3 : x' = n) \\/ x' = 7 \\/ UNCHANGED x".into(),
            &[],
            &[],
        ),
        ("a_step_without_an_end", format!("{STEPS}Next == B \\/ \\E n \\in Nat : A_Step(n)"), &[], &[]),
        ("an_end_that_does_not_exist", "A_Step(n) == x' = n\nNext == \\E n \\in Nat : A_Step(n)".into(), &[], &[]),
        ("an_end_without_steps", "A_Done(n) == x' = n\nNext == \\E n \\in Nat : A_Done(n)".into(), &[], &[]),
        (
            "unequal_parameters",
            "A_Step(n) == x' = n\nA_Done(m) == x' = 0\nNext == \\E n \\in Nat : A_Step(n) \\/ A_Done(n)".into(),
            &[],
            &[],
        ),
        (
            "an_operation_beside_its_steps",
            format!("{STEPS}A == x' = 3\nNext == A \\/ \\E n \\in Nat : A_Step(n) \\/ A_Done(n)"),
            &[],
            &[],
        ),
        ("an_unknown_name", format!("{STEPS}Enqueue == x' = 2\nNext == B \\/ Enqueue"), &["Enque"], &[]),
        ("a_name_like_no_other", format!("{STEPS}C == x' = 2\nNext == B \\/ C"), &[], &["Frobnicate"]),
        ("nothing_left", format!("{STEPS}C == x' = 2\nNext == B \\/ C"), &[], &["B", "C"]),
        (
            "an_operator_as_parameter",
            "Twice(n) == 2 * n\nA(F(_)) == x' = F(x)\nNext == A(Twice) \\/ UNCHANGED x".into(),
            &[],
            &[],
        ),
    ];
    for (name, definitions, only, exclude) in cases {
        insta::assert_snapshot!(name, message(&definitions, only, exclude));
    }
}

#[test]
fn too_many_parameters() {
    let params: Vec<String> = (1..=65).map(|n| format!("p{n}")).collect();
    let params = params.join(", ");
    let text = message(&format!("A({params}) == x' = p1\nNext == \\E {params} \\in 1..2 : A({params})"), &[], &[]);
    assert!(text.starts_with("error: `A` has 65 parameters, but traces carry at most 64"), "{text}");
}

#[test]
fn without_a_next_state_relation() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("S.tla");
    fs::write(&path, "---- MODULE S ----\nVARIABLE x\nTick == x' = 1\n====\n").unwrap();
    let spec = Spec::load(&path, &Options::default()).unwrap();
    let text = read(&spec, &Choice::default()).unwrap_err().to_string();
    assert_eq!(
        text,
        "error: `S` has no next-state relation\n  = hint: define `Next`, or name another operator with --next"
    );
}

#[test]
fn an_excluded_step_needs_no_end() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("S.tla");
    let text = "---- MODULE S ----\nVARIABLE x\nA_Step == x' = 1\nB == x' = 2\nNext == A_Step \\/ B\n====\n";
    fs::write(&path, text).unwrap();
    let spec = Spec::load(&path, &Options::default()).unwrap();
    let choice = Choice { exclude: vec!["A_Step".to_owned()], ..Choice::default() };
    let names: Vec<String> =
        read(&spec, &choice).unwrap().model.actions.into_iter().map(|action| action.name).collect();
    assert_eq!(names, ["B"]);
}

/// `Bug == FALSE` is a switch that is off: the part of `Next` that calls it needs no name, and a note says so.
#[test]
fn a_part_that_is_false_is_left_out_with_a_note() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("S.tla");
    let text = "---- MODULE S ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nUp(n) == x' = x + n\nOff == FALSE\n\
                Bug(n) == Off\nNext == (\\E n \\in 1..2 : Up(n) \\/ Bug(n)) \\/ FALSE\n====\n";
    fs::write(&path, text).unwrap();
    let spec = Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let reading = read(&spec, &Choice::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(reading.model.actions.iter().map(|action| &*action.name).collect::<Vec<_>>(), ["Up"]);
    let notes: Vec<_> =
        reading.notes.iter().map(|note| note.replace(&format!("{}/", place.path().display()), "")).collect();
    assert_eq!(
        notes,
        [
            "Bug(n) in Next (S.tla:8) is FALSE, so it is never possible: it is left out",
            "FALSE in Next (S.tla:8) is FALSE, so it is never possible: it is left out",
        ]
    );
}
