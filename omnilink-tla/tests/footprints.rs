//! What footprints tell about actions, against the actions themselves: on states of the whole corpus, what they say makes no
//! difference makes none.

mod support;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use omnilink_tla::internal::analysis::{CompiledAction, Entry, Footprint, Refusal, VariableId};
use omnilink_tla::spec::ActionId;
use omnilink_tla::{Options, Spec, State, Value};
use support::reach::{Sample, sample, sample_of};
use support::{corpus, random::Random};

/// How many states of each case in the corpus are looked at.
const STATES: usize = 40;

/// An action with arguments.
struct Call<'s> {
    text: String,
    compiled: &'s CompiledAction<'s>,
    entry: Entry,
    args: Vec<Option<Value>>,
    footprint: Footprint,
}

impl Call<'_> {
    /// Where it leads from a state, unless something cannot be evaluated.
    fn steps(&self, state: &State) -> Option<HashSet<State>> {
        let mut found = HashSet::new();
        let steps = self.compiled.visit(state, self.entry, &self.args, |candidate| {
            found.insert(candidate.state());
            ControlFlow::Continue(())
        });
        steps.ok().map(|()| found)
    }

    /// Where it leads from several.
    fn steps_from(&self, states: &HashSet<State>) -> Option<HashSet<State>> {
        let found: Option<Vec<_>> = states.iter().map(|state| self.steps(state)).collect();
        Some(found?.into_iter().flatten().collect())
    }

    fn refusal(&self, state: &State) -> Option<Entry> {
        self.compiled.refusal(state, self.entry, &self.args)
    }
}

/// How often something was said to make no difference.
#[derive(Default)]
struct Said {
    undisturbed: usize,
    unminding: usize,
    wrong: Vec<String>,
}

impl Said {
    /// Nothing was wrong, and enough was said.
    fn is_right(&self, least: (usize, usize)) {
        let Self { undisturbed, unminding, wrong } = self;
        assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong[..wrong.len().min(9)].join("\n"));
        assert!(*undisturbed > least.0 && *unminding > least.1, "only {undisturbed} and {unminding} cases");
    }
}

/// Calls of all actions, with arguments from the states of a sample.
fn calls<'s>(sample: &Sample, all: &'s [CompiledAction<'s>]) -> Vec<Call<'s>> {
    let spec = &sample.spec;
    let steps = sample.states.iter().flat_map(|state| spec.successors(state).unwrap_or_default());
    let known: HashSet<(usize, Vec<Option<Value>>)> = steps.map(|step| (step.action.0, step.args)).collect();
    let mut known: Vec<_> = known.into_iter().collect();
    known.sort_by_key(|call| format!("{call:?}"));
    let call = |(action, args): (usize, Vec<Option<Value>>)| {
        spec.argument_sets(ActionId(action)).filter(|sets| sets.admits(&args))?;
        let compiled = &all[action];
        let entry = compiled.entry(&args);
        let text = format!("{}{args:?}", spec.actions().actions[action].name);
        Some(Call { text, compiled, entry, footprint: compiled.footprint(entry, &args)?, args })
    };
    known.into_iter().filter_map(call).collect()
}

fn are_filled(state: &State, mut sequences: impl Iterator<Item = VariableId>) -> bool {
    sequences.all(|sequence| state.has_front(sequence))
}

/// Holds what the footprints of two calls say against what they do in a state.
fn compare(one: &Call<'_>, other: &Call<'_>, state: &State, said: &mut Said) {
    let Some(before) = other.steps(state) else { return };
    let here = one.refusal(state);
    let stays = |refusal: &&Refusal| !other.footprint.may_change(refusal) && are_filled(state, refusal.fronts());
    if one.footprint.refusals.iter().filter(|refusal| here == Some(refusal.at)).any(|refusal| stays(&refusal)) {
        said.undisturbed += before.len();
        // It may be refused for something else before that.
        if before.iter().any(|next| one.steps(next).is_some_and(|steps| !steps.is_empty())) {
            said.wrong.push(format!("{} lets {} happen in {state:?}", other.text, one.text));
        }
    }
    if one.footprint.depends_on(&other.footprint) || !are_filled(state, one.footprint.fronts()) {
        return;
    }
    let Some(first) = one.steps(state).filter(|first| !first.is_empty()) else { return };
    let (Some(later), Some(sooner)) = (one.steps_from(&before), other.steps_from(&first)) else {
        said.wrong.push(format!("{} and {} fail in one order in {state:?}", one.text, other.text));
        return;
    };
    said.unminding += before.len();
    if later != sooner {
        said.wrong.push(format!("{} minds that {} comes first in {state:?}", one.text, other.text));
    }
}

/// Compares pairs of calls in every state, so many in each.
fn compare_all(sample: &Sample, pairs: usize, said: &mut Said) {
    let actions = sample.spec.actions().actions.len();
    let compiled: Vec<CompiledAction<'_>> =
        (0..actions).map(|action| sample.spec.compile_action(ActionId(action))).collect();
    let calls = calls(sample, &compiled);
    let mut random = Random::new(11);
    for state in &sample.states {
        for _ in 0..if calls.is_empty() { 0 } else { pairs } {
            compare(random.pick(&calls), random.pick(&calls), state, said);
        }
    }
}

#[test]
fn what_makes_no_difference_makes_none_in_the_corpus() {
    let mut said = Said::default();
    for sample in corpus::cases().iter().filter_map(|case| sample(case, STATES)) {
        compare_all(&sample, 60, &mut said);
    }
    said.is_right((8_000, 9_000));
}

#[test]
fn what_makes_no_difference_makes_none_side_by_side() {
    let mut said = Said::default();
    for name in ["Shelf", "Queue", "CasMap", "Cells", "Choice", "Partial"] {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../omnilink-check/tests/specs").join(format!("{name}.tla"));
        let spec = Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
        compare_all(&sample_of(name, spec, 400), 200, &mut said);
    }
    said.is_right((10_000, 6_000));
}
