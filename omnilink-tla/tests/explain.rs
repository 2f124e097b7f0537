//! What `Spec::explain` says, on a specification that has every kind of part.

use std::ops::ControlFlow;
use std::path::Path;

use omnilink_tla::spec::{ActionId, Explanation, Outcome, Part, Step};
use omnilink_tla::{Options, Spec, State, TlaError, Value, with_stack};

/// The specification, and its only initial state.
fn explained() -> (Spec, State) {
    let spec = load(Path::new("tests/cases/explain/Explained.tla")).unwrap_or_else(|error| panic!("{error}"));
    let initial = some_states(&spec, 1).remove(0);
    (spec, initial)
}

fn action(spec: &Spec, name: &str) -> ActionId {
    spec.action(name).unwrap_or_else(|| panic!("{name} is an action"))
}

fn explain(spec: &Spec, state: &State, name: &str, args: &[Option<Value>]) -> Explanation {
    spec.explain(state, action(spec, name), args).unwrap()
}

fn int(number: i64) -> Option<Value> {
    Some(Value::from(number))
}

#[test]
fn explanations() {
    let (spec, state) = explained();
    let cases: &[(&str, &[Option<Value>])] = &[
        ("Put", &[int(7)]),
        ("Put", &[int(1)]),
        ("Get", &[int(2)]),
        ("Get", &[None]),
        ("Swap", &[int(1), int(2)]),
        ("Swap", &[int(1), None]),
        ("Pair", &[int(1), int(3)]),
        ("Pair", &[int(1), None]),
        ("Passing", &[int(5)]),
        ("Guarded", &[]),
        ("Otherwise", &[]),
        ("InCase", &[]),
        ("Disjoint", &[]),
        ("Quantified", &[]),
        ("ForAll", &[]),
        ("Nested", &[]),
        ("Negated", &[]),
        ("Counterexample", &[]),
        ("Unwitnessed", &[]),
        ("Waysful", &[]),
        ("Changed", &[]),
        ("Branching", &[]),
        ("Failing", &[]),
        ("Incomplete", &[]),
        ("Infinite", &[None]),
        ("Enabling", &[]),
        ("AfterAll", &[]),
        ("Locally", &[int(3)]),
    ];
    let texts: Vec<_> = cases.iter().map(|(name, args)| explain(&spec, &state, name, args).to_string()).collect();
    insta::assert_snapshot!(texts.join("\n\n"));
}

/// Loads a specification with the configuration beside it.
fn load(path: &Path) -> Result<Spec, Box<TlaError>> {
    Spec::load(path, &Options { config: Options::config_beside(path), ..Options::default() })
}

/// Some states of a specification: the first initial one and what a few steps lead to.
fn some_states(spec: &Spec, most: usize) -> Vec<State> {
    let mut states = Vec::new();
    let first = &mut |state| {
        states.push(state);
        ControlFlow::Break(())
    };
    // Part of the corpus are specifications that cannot be evaluated.
    let _ = spec.init_states(first);
    for at in 0..most {
        let Some(state) = states.get(at).cloned() else { break };
        for (id, _) in actions(spec) {
            for step in every_step(spec, &state, id) {
                if states.len() < most && !states.contains(&step.next) {
                    states.push(step.next);
                }
            }
        }
    }
    states
}

fn actions(spec: &Spec) -> impl Iterator<Item = (ActionId, usize)> {
    spec.actions().actions.iter().enumerate().map(|(at, action)| (ActionId(at), action.params.len()))
}

fn every_step(spec: &Spec, state: &State, id: ActionId) -> Vec<Step> {
    let params = spec.actions().actions[id.0].params.len();
    spec.step(state, id, &vec![None; params]).unwrap_or_default()
}

/// An explanation never disagrees with what a step does.
fn assert_agreement(spec: &Spec, state: &State, id: ActionId, args: &[Option<Value>]) {
    let explanation = spec.explain(state, id, args).unwrap();
    let expected = spec.step(state, id, args).map(|steps| !steps.is_empty());
    let agrees = match (explanation.outcome(), expected) {
        (Outcome::True, Ok(can)) => can,
        (Outcome::False, Ok(can)) => !can,
        (Outcome::Failed(_), Err(_)) => true,
        _ => false,
    };
    assert!(agrees, "{args:?} in {state:?}: {explanation}");
}

#[test]
fn outcomes_agree_with_steps() {
    let (spec, _) = explained();
    let states = some_states(&spec, 40);
    assert!(states.len() > 10, "there is something to explain: {states:?}");
    let values = [None, int(0), int(1), int(2), int(5)];
    for state in &states {
        for (id, params) in actions(&spec) {
            for which in 0..values.len().pow(params as u32) {
                let pick = |param| values[which / values.len().pow(param) % values.len()].clone();
                let args: Vec<_> = (0..params as u32).map(pick).collect();
                assert_agreement(&spec, state, id, &args);
            }
        }
    }
}

#[test]
fn outcomes_agree_with_steps_in_the_corpus() {
    let mut explained = 0;
    for entry in std::fs::read_dir("tests/specs").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "tla") || Options::config_beside(&path).is_none() {
            continue;
        }
        let Ok(spec) = load(&path) else { continue };
        let states = some_states(&spec, 5);
        for state in &states {
            for (id, params) in actions(&spec) {
                assert_agreement(&spec, state, id, &vec![None; params]);
                // What can happen here, tried everywhere: some of it cannot.
                for step in states.iter().flat_map(|other| every_step(&spec, other, id)).take(6) {
                    assert_agreement(&spec, state, id, &step.args);
                    explained += 1;
                }
            }
        }
    }
    assert!(explained > 1000, "{explained}");
}

/// However deep a specification recurses, an explanation can be read, printed and dropped.
#[test]
fn depth_is_bounded() {
    fn depth(part: &Part) -> usize {
        1 + part.parts.iter().map(depth).max().unwrap_or(0)
    }
    let (spec, state) = explained();
    let explanation = with_stack(64 << 20, || explain(&spec, &state, "Recursive", &[])).unwrap();
    assert_eq!(explanation.outcome(), Outcome::False);
    let depth = explanation.disjuncts.iter().map(depth).max().unwrap();
    assert!((20..70).contains(&depth), "{depth}");
}
