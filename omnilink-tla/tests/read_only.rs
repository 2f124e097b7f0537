//! `Spec::is_read_only` against what actions do: what it calls read-only changes nothing, and it knows the obvious cases.

mod support;

use std::path::Path;

use omnilink_tla::spec::ActionId;
use omnilink_tla::{Options, Spec, Value};
use support::corpus;
use support::reach::{Sample, sample, sample_of};

/// What is called read-only and changes a state. Counts the steps that were called read-only.
fn refuted(sample: &Sample, read_only: &mut usize) -> Vec<String> {
    let spec = &sample.spec;
    let mut wrong = Vec::new();
    for state in &sample.states {
        for step in spec.successors(state).unwrap_or_else(|error| panic!("{error}")) {
            // The fewer arguments are known, the more the answer has to be true of.
            let known = 1 << step.args.len();
            for which in 0..known {
                let keep = |(at, arg): (usize, &Option<Value>)| arg.clone().filter(|_| which >> at & 1 == 1);
                let args: Vec<_> = step.args.iter().enumerate().map(keep).collect();
                if spec.is_read_only(step.action, &args) {
                    *read_only += 1;
                    if step.next != *state {
                        let name = spec.actions().actions[step.action.0].name;
                        wrong.push(format!(
                            "{}: {name} with {args:?} leads from {state:?} to {:?}",
                            sample.name, step.next
                        ));
                    }
                }
            }
        }
    }
    wrong
}

fn read_only() -> Spec {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/steps/ReadOnly.tla");
    Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn what_is_called_read_only_changes_nothing() {
    let mut read_only_steps = 0;
    let made_for_it = sample_of("ReadOnly", read_only(), 20);
    assert!(made_for_it.states.len() > 2, "its states are found");
    let mut wrong = refuted(&made_for_it, &mut read_only_steps);
    for sample in corpus::cases().iter().filter_map(|case| sample(case, 25)) {
        wrong.extend(refuted(&sample, &mut read_only_steps));
    }
    assert!(read_only_steps > 1000, "only {read_only_steps}");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn obvious_cases_are_known() {
    let spec = read_only();
    let (yes, no) = (Some(Value::from(true)), Some(Value::from(false)));
    let (one, text) = (Some(Value::from(1)), |text: &str| Some(Value::from(text)));
    let cases = [
        ("Plain", vec![], true),
        ("Apart", vec![], true),
        ("Through", vec![], true),
        ("Lookup", vec![one.clone(), yes.clone()], true),
        ("Lookup", vec![None, None], true),
        ("Write", vec![one.clone()], false),
        ("IfFlag", vec![yes.clone(), None], true),
        ("IfFlag", vec![no.clone(), None], false),
        ("IfFlag", vec![None, one.clone()], false),
        ("GuardedFlag", vec![yes.clone(), None], true),
        ("GuardedFlag", vec![no.clone(), None], false),
        ("CaseOf", vec![text("get"), None], true),
        ("CaseOf", vec![text("put"), None], false),
        ("CaseOf", vec![text("test"), None], true),
        ("CaseOf", vec![None, None], false),
        ("Branched", vec![None, None, no.clone()], true),
        ("Branched", vec![None, None, yes.clone()], false),
        ("StateDecides", vec![one.clone()], false),
        ("Local", vec![yes.clone()], true),
        ("Local", vec![no.clone()], false),
        ("Passed", vec![yes.clone()], true),
        ("Passed", vec![no.clone()], false),
        ("Quantified", vec![yes], true),
        ("Quantified", vec![no], false),
        ("Anything", vec![None], false),
        ("Countdown", vec![one.clone()], true),
        ("Swapped", vec![], false),
        ("Chance", vec![one.clone()], false),
        ("Level", vec![one.clone()], false),
        ("Compared", vec![None], true),
        ("Named", vec![one.clone()], false),
        ("LetNamed", vec![one.clone()], false),
        ("Equals", vec![None, None], false),
        ("Equals", vec![one.clone(), one.clone()], false),
        ("Set", vec![one.clone(), None], false),
        ("Operator", vec![one], false),
    ];
    let answers = |(name, args, _): &(&str, Vec<Option<Value>>, bool)| {
        let action: ActionId = spec.action(name).unwrap_or_else(|| panic!("{name} is an action"));
        format!("{name} {args:?}: {}", spec.is_read_only(action, args))
    };
    let expected = |(name, args, expected): &(&str, Vec<Option<Value>>, bool)| format!("{name} {args:?}: {expected}");
    assert_eq!(cases.iter().map(answers).collect::<Vec<_>>(), cases.iter().map(expected).collect::<Vec<_>>());
}
