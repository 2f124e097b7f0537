//! The branches of actions, and which of them steps take.

use std::fs;

use omnilink_tla::spec::{BranchKind, Options};
use omnilink_tla::{Spec, State, Value};

const SPEC: &str = r#"---- MODULE Branching ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Deep(n) == \/ /\ n = 0 /\ y' = 1
           \/ /\ n > 0 /\ y' = 2
Put(n) ==
    /\ IF x = 0 THEN x' = n ELSE x' = x
    /\ Deep(n)
Get(n) ==
    /\ x' = n /\ y' = n
    /\ n = 1 \/ n < 9
Pick(n) == UNCHANGED y /\ CASE n = 0 -> x' = 1 [] n = 1 -> x' = 2 [] OTHER -> x' = 3
Plain == UNCHANGED <<x, y>>
Next == \/ \E n \in 0..9 : Put(n) \/ Get(n) \/ Pick(n)
        \/ \E n \in {1} : Get(n)
        \/ Plain
===="#;

fn spec() -> Spec {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("Branching.tla");
    fs::write(&path, SPEC).unwrap();
    Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn initial(spec: &Spec) -> State {
    let mut states = Vec::new();
    spec.init_states(&mut |state| {
        states.push(state);
        std::ops::ControlFlow::Continue(())
    })
    .unwrap();
    states.remove(0)
}

#[test]
fn an_action_has_the_branches_that_are_written() {
    use BranchKind::{Arm, Disjunct, Else, NextDisjunct, Then};
    let spec = spec();
    let cases: [(&str, &[(BranchKind, &str)]); 4] = [
        (
            "Put",
            &[
                (Then, "x' = n"),
                (Else, "x' = x"),
                (Disjunct, "/\\ n = 0 /\\ y' = 1"),
                (Disjunct, "/\\ n > 0 /\\ y' = 2"),
            ],
        ),
        ("Get", &[(NextDisjunct, "Get(n)"), (NextDisjunct, "Get(n)"), (Disjunct, "n = 1"), (Disjunct, "n < 9")]),
        ("Pick", &[(Arm, "x' = 1"), (Arm, "x' = 2"), (Arm, "x' = 3")]),
        ("Plain", &[]),
    ];
    for (action, expected) in cases {
        let branches = spec.branches(spec.action(action).unwrap());
        let found: Vec<_> = branches.iter().map(|branch| (branch.kind, spec.sources().text(branch.span))).collect();
        assert_eq!(found, expected, "{action}");
    }
}

#[test]
fn a_step_takes_the_branches_that_lead_to_it() {
    let spec = spec();
    let cases: [(&str, i64, &[&str]); 7] = [
        ("Put", 0, &["Put(n)", "x' = n", "/\\ n = 0 /\\ y' = 1"]),
        ("Put", 3, &["Put(n)", "x' = n", "/\\ n > 0 /\\ y' = 2"]),
        // On both paths, by both disjuncts, though all variables have their values by then.
        ("Get", 1, &["Get(n)", "n < 9", "n = 1"]),
        ("Get", 3, &["Get(n)", "n < 9"]),
        ("Get", 9, &[]),
        ("Pick", 1, &["Pick(n)", "x' = 2"]),
        ("Pick", 7, &["Pick(n)", "x' = 3"]),
    ];
    let state = initial(&spec);
    for (action, argument, expected) in cases {
        let mut taken = Vec::new();
        let args = [Some(Value::Int(argument))];
        spec.visit_branches(&state, spec.action(action).unwrap(), &args, &mut |branches, _| {
            taken.extend(branches.iter().map(|span| spec.sources().text(*span).to_owned()));
        })
        .unwrap();
        taken.sort();
        taken.dedup();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(taken, expected, "{action}({argument})");
    }
}
