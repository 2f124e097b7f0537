//! One action at a time against all that `Next` allows: on states of the whole corpus, the two say the same.

mod support;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use omnilink_tla::spec::{ActionId, Step};
use omnilink_tla::{Failure, Options, Spec, State, Value};
use support::reach::{Sample, next_states, sample, sample_of};
use support::{corpus, random::Random};

/// How many states of each case are looked at.
const STATES: usize = 25;
/// How many combinations of arguments are tried in a state for an action, besides those that can happen.
const STRANGE: usize = 6;

fn nexts<'a>(steps: impl IntoIterator<Item = &'a Step>) -> HashSet<&'a State> {
    steps.into_iter().map(|step| &step.next).collect()
}

/// Whether arguments are these, as far as both are known.
fn fit(args: &[Option<Value>], others: &[Option<Value>]) -> bool {
    args.iter().zip(others).all(|pair| !matches!(pair, (Some(arg), Some(other)) if arg != other))
}

/// Running every branch of an action leads where the action does, by branches that it has.
fn branches_differ(spec: &Spec, state: &State, action: ActionId, args: &[Option<Value>]) -> Option<String> {
    let known: HashSet<_> = spec.branches(action).into_iter().map(|branch| branch.span).collect();
    let (mut by_steps, mut by_branches) = (HashSet::new(), HashSet::new());
    let steps = spec.visit_steps(state, action, args, &mut |candidate| {
        by_steps.insert(candidate.state());
        ControlFlow::Continue(())
    });
    let disjuncts = &spec.actions().actions[action.0].disjuncts;
    let mut unknown = false;
    let branches = spec.visit_branches(state, action, args, &mut |taken, candidate| {
        by_branches.insert(candidate.state());
        unknown |=
            taken.iter().any(|span| !known.contains(span) && disjuncts.iter().all(|disjunct| disjunct.span != *span));
    });
    let differ = by_steps != by_branches && steps.is_ok() && branches.is_ok();
    let name = &spec.actions().actions[action.0].name;
    (differ || unknown).then(|| format!("{name} with {args:?}: its branches lead elsewhere, or are not known"))
}

/// A compiled action with known arguments leads where it does otherwise, and as often.
fn compiled_differs(spec: &Spec, state: &State, action: ActionId, args: &[Option<Value>]) -> Option<String> {
    spec.argument_sets(action).filter(|sets| sets.admits(args))?;
    let (mut by_steps, mut by_compiled) = (Vec::new(), Vec::new());
    let steps = spec.visit_steps(state, action, args, &mut |candidate| {
        by_steps.push(candidate.state());
        ControlFlow::Continue(())
    });
    let compiled = spec.compile_action(action);
    let compiled_run = compiled.visit(state, compiled.entry(args), args, |candidate| {
        by_compiled.push(candidate.state());
        ControlFlow::Continue(())
    });
    // Each disjunct leads to all its steps.
    by_steps.truncate(by_steps.len() / spec.actions().actions[action.0].disjuncts.len());
    let name = &spec.actions().actions[action.0].name;
    let differ = steps.is_ok() != compiled_run.is_ok() || by_steps != by_compiled;
    differ.then(|| {
        format!("{name} with {args:?}, compiled: {by_compiled:?}, {compiled_run:?}; else {by_steps:?}, {steps:?}")
    })
}

/// What differs in one state. `pool` has arguments of each action from other states.
fn differences(sample: &Sample, state: &State, pool: &[Vec<Vec<Option<Value>>>], random: &mut Random) -> Vec<String> {
    let Sample { spec, .. } = sample;
    let mut wrong = Vec::new();
    let all = next_states(spec, state).expect("the state's successors were found before");
    let successors = spec.successors(state).unwrap_or_else(|error| panic!("{error}"));
    let named = nexts(&successors);
    if !named.iter().all(|next| all.contains(*next)) {
        wrong.push("an action leads to a state that Next does not lead to".to_owned());
    }
    if spec.actions().nameless.is_empty() && named.len() != all.len() {
        wrong.push(format!("Next leads to {} states, its actions to {}", all.len(), named.len()));
    }
    for (at, action) in spec.actions().actions.iter().enumerate() {
        let id = ActionId(at);
        let possible: Vec<&Step> = successors.iter().filter(|step| step.action == id).collect();
        let mut tried: HashSet<Vec<Option<Value>>> = HashSet::from([vec![None; action.params.len()]]);
        for step in &possible {
            if step.args.iter().any(Option::is_none) {
                wrong.push(format!("{} is possible with arguments that have no value: {:?}", action.name, step.args));
            }
            tried.insert(step.args.clone());
        }
        if !pool[at].is_empty() {
            // Each argument from another call: some of these cannot happen here.
            let strange = |_| {
                let pick = |param: usize| random.pick(&pool[at])[param].clone();
                (0..action.params.len()).map(pick).collect::<Vec<_>>()
            };
            tried.extend((0..STRANGE).map(strange));
        }
        for args in &tried {
            wrong.extend(branches_differ(spec, state, id, args));
            wrong.extend(compiled_differs(spec, state, id, args));
        }
        for args in tried.clone() {
            for param in 0..args.len() {
                let mut open = args.clone();
                open[param] = None;
                tried.insert(open);
            }
        }
        for args in &tried {
            // Next can be evaluated here, so whatever the arguments, this is a yes or a no.
            let found = match spec.step(state, id, args) {
                Ok(found) => found,
                Err(error) => {
                    wrong.push(format!("{} with {args:?}: {error}", action.name));
                    continue;
                }
            };
            let expected = nexts(possible.iter().filter(|step| fit(&step.args, args)).copied());
            let is_possible =
                |step: &Step| possible.iter().any(|one| one.next == step.next && fit(&one.args, &step.args));
            if nexts(&found) != expected || !found.iter().all(|step| fit(&step.args, args) && is_possible(step)) {
                wrong.push(format!("{} with {args:?}: {found:?}, but Next: {expected:?}", action.name));
            }
        }
    }
    wrong
}

/// What differs in all states of a sample.
fn all_differences(sample: &Sample) -> Vec<String> {
    let mut random = Random::new(3);
    let mut pool = vec![Vec::new(); sample.spec.actions().actions.len()];
    for step in sample.states.iter().flat_map(|state| sample.spec.successors(state).unwrap_or_default()) {
        pool[step.action.0].push(step.args);
    }
    let mut wrong = Vec::new();
    for state in &sample.states {
        let found = differences(sample, state, &pool, &mut random);
        wrong.extend(found.into_iter().map(|what| format!("{}: in {state:?}: {what}", sample.name)));
    }
    wrong
}

#[test]
fn steps_of_single_actions_agree_with_next_in_the_corpus() {
    let (mut looked_at, mut wrong) = (0, Vec::new());
    for sample in corpus::cases().iter().filter_map(|case| sample(case, STATES)) {
        looked_at += sample.states.len();
        wrong.extend(all_differences(&sample));
    }
    assert!(looked_at > 1500, "only {looked_at} states");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn arguments_that_are_hard_to_find_are_found() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/steps/Unrecorded.tla");
    let spec = Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let sample = sample_of("Unrecorded", spec, 60);
    let found = sample.spec.actions();
    assert!(found.nameless.is_empty(), "all are named: {:?}", found.nameless);
    assert!(found.actions.len() > 30 && sample.states.len() > 40, "{} actions", found.actions.len());
    let wrong = all_differences(&sample);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn compiled_actions_lead_to_the_same() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/steps/Direct.tla");
    let spec = Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let compiled =
        (0..spec.actions().actions.len()).filter(|&action| spec.argument_sets(ActionId(action)).is_some()).count();
    assert_eq!((compiled, spec.actions().actions.len()), (11, 13), "all but two");
    let sample = sample_of("Direct", spec, 60);
    let wrong = all_differences(&sample);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n\n"));
    assert_eq!(sample.states.len(), 60);
}

/// A branch that fails is reported as it is otherwise, after the others were visited.
#[test]
fn compiled_actions_fail_as_they_do_otherwise() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/steps/Failing.tla");
    let spec = Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut states = Vec::new();
    let found = spec.init_states(&mut |state| {
        states.push(state);
        ControlFlow::Continue(())
    });
    found.unwrap_or_else(|error| panic!("{error}"));
    let mut failures = 0;
    for (at, action) in spec.actions().actions.iter().enumerate() {
        for n in 0..4 {
            let args = vec![Some(Value::Int(n)); action.params.len()];
            let state = &states[0];
            assert_eq!(compiled_differs(&spec, state, ActionId(at), &args), None);
            let failed = spec.visit_steps(state, ActionId(at), &args, &mut |_| ControlFlow::Continue(())).err();
            let compiled = spec.compile_action(ActionId(at));
            let by_compiled = compiled.visit(state, compiled.entry(&args), &args, |_| ControlFlow::Continue(())).err();
            let told = |failure: &Option<Failure>| {
                failure.as_ref().map(|it| (it.to_string(), it.diagnostic().span.map(|span| span.start)))
            };
            failures += usize::from(failed.is_some());
            assert_eq!(told(&by_compiled), told(&failed), "{} of {n}", action.name);
        }
    }
    assert!(failures > 8, "{failures}");
}

/// What is only another name of the whole relation is no action, and what it names can be stepped.
#[test]
fn names_of_the_relation_lead_to_its_actions() {
    for (next, expected) in [
        ("Next == Tick", vec!["Tick"]),
        ("Next == Other\nOther == Tick", vec!["Tick"]),
        ("Next == Add(2)", vec!["Add"]),
        ("Next == Other\nOther == Tick \\/ Add(2)", vec!["Tick", "Add"]),
        ("Next == Other\nOther == Tick \\/ x' = 7", vec!["Tick"]),
        ("Next == Other \\/ Add(2)\nOther == Tick", vec!["Other", "Add"]),
        ("Next == \\E n \\in 1..2 : Other(n)\nOther(n) == Add(n)", vec!["Other"]),
        ("Next == x' = x", vec!["Next"]),
    ] {
        let definitions: Vec<&str> = next.lines().rev().collect();
        let text = format!(
            "---- MODULE Named ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nTick == x' = x + 1\n\
             Add(n) == x' = x + n\n{}\n====\n",
            definitions.join("\n")
        );
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("Named.tla");
        std::fs::write(&path, text).unwrap();
        let spec = Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
        let names: Vec<&str> = spec.actions().actions.iter().map(|action| action.name.as_str()).collect();
        assert_eq!(names, expected, "{next}");
        let sample = sample_of("Named", spec, 3);
        assert_eq!(all_differences(&sample), Vec::<String>::new(), "{next}");
    }
}
