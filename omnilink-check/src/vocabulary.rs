//! Which actions of the specification the names of a trace mean.

use std::collections::HashMap;
use std::sync::Arc;

use omnilink_tla::internal::analysis::ArgumentSets;
use omnilink_tla::spec::{ActionId, SpecAction};
use omnilink_tla::{Spec, Value};
use omnilink_trace::{ActionId as RecordedAction, Candidates, NameId, Vocabulary as Recorded};

use crate::error::Misfit;
use crate::history::Act;
use crate::subject::{ON_ABORT, ON_TERMINATE};

/// What one candidate of an event means.
#[derive(Debug, Clone)]
pub(crate) struct Meaning {
    /// Its name in the trace.
    pub name: String,
    pub act: Act,
    /// The recorded name of each parameter, in the specification's order; none if the trace never mentions it.
    pub params: Vec<Option<NameId>>,
    /// The sets that its arguments are taken from, if the next-state relation allows it in every state.
    argument_sets: Option<Vec<ArgumentSets>>,
}

impl Meaning {
    fn new(spec: &Spec, name: String, act: Act, params: Vec<Option<NameId>>) -> Self {
        let argument_sets = match act {
            Act::Whole(action) => spec.argument_sets(action).map(|sets| vec![sets]),
            Act::Steps { step, done } => [step, done].into_iter().map(|action| spec.argument_sets(action)).collect(),
        };
        Self { name, act, params, argument_sets }
    }

    /// Whether the next-state relation allows it with these arguments in every state.
    pub fn is_unconditional(&self, args: &[Option<Value>]) -> bool {
        self.argument_sets.as_ref().is_some_and(|all| all.iter().all(|sets| sets.admits(args)))
    }
}

/// The meanings that were found so far.
pub(crate) struct Vocabulary {
    of_action: HashMap<RecordedAction, Arc<[Meaning]>>,
    of_any: Option<Arc<[Meaning]>>,
}

impl Vocabulary {
    pub fn new(recorded: &Recorded) -> Self {
        Self { of_action: HashMap::with_capacity(recorded.actions().len()), of_any: None }
    }

    /// What an event with these candidates may stand for.
    pub fn meaning(
        &mut self,
        spec: &Spec,
        recorded: &Recorded,
        candidates: &Candidates,
    ) -> Result<Arc<[Meaning]>, Misfit> {
        match candidates.as_slice() {
            [] => Ok(Arc::clone(self.of_any.get_or_insert_with(|| anything(spec, recorded)))),
            [one] => self.of_one(spec, recorded, *one),
            several => {
                let meanings = several.iter().map(|&one| self.of_one(spec, recorded, one));
                Ok(meanings
                    .collect::<Result<Vec<_>, _>>()?
                    .iter()
                    .flat_map(|meaning| meaning.iter().cloned())
                    .collect())
            }
        }
    }

    fn of_one(&mut self, spec: &Spec, recorded: &Recorded, action: RecordedAction) -> Result<Arc<[Meaning]>, Misfit> {
        if let Some(known) = self.of_action.get(&action) {
            return Ok(Arc::clone(known));
        }
        let meaning: Arc<[Meaning]> = [named(spec, recorded, action)?].into();
        self.of_action.insert(action, Arc::clone(&meaning));
        Ok(meaning)
    }
}

/// What the name of an action means: the action, or the pair `X_Step`, `X_Done`.
fn act(spec: &Spec, name: &str) -> Result<(Act, ActionId), Misfit> {
    if let Some(action) = spec.action(name).filter(|_| !is_rule(name)) {
        return Ok((Act::Whole(action), action));
    }
    let (step_name, done_name) = (format!("{name}_Step"), format!("{name}_Done"));
    let half = |present: &str, missing: &str| Misfit::HalfAPair {
        name: name.to_owned(),
        present: present.to_owned(),
        missing: missing.to_owned(),
    };
    match (spec.action(&step_name), spec.action(&done_name)) {
        (Some(step), Some(done)) => Ok((Act::Steps { step, done }, done)),
        (Some(_), None) => Err(half(&step_name, &done_name)),
        (None, Some(_)) => Err(half(&done_name, &step_name)),
        (None, None) => {
            let names = spec.actions().actions.iter().map(|action| action.name.to_string());
            let known: Vec<String> = names.filter(|name| !is_rule(name)).collect();
            let closest =
                omnilink_tla::internal::suggest::closest(name, known.iter().map(String::as_str)).map(str::to_owned);
            Err(Misfit::UnknownAction { name: name.to_owned(), closest, why: spec.why_no_action(name), known })
        }
    }
}

/// Whether an action is a user's rule, which only the checker asks for.
pub(crate) fn is_rule(name: &str) -> bool {
    [ON_ABORT, ON_TERMINATE].contains(&name)
}

fn named(spec: &Spec, recorded: &Recorded, action: RecordedAction) -> Result<Meaning, Misfit> {
    let recorded_action = recorded.action(action);
    let name = &*recorded_action.name;
    let (act, decisive) = act(spec, name)?;
    let definition = &spec.actions().actions[decisive.0];
    let mismatch = |definition: &SpecAction| {
        let (path, place) = spec.sources().place(definition.span);
        Misfit::Parameters {
            action: name.to_owned(),
            recorded: list(recorded_action.params.iter().map(|param| recorded.name(*param))),
            expected: list(definition.params.iter().map(|param| param.as_str())),
            definition: format!("{} ({}:{})", definition.name, path.display(), place.line),
        }
    };
    let find = |param: &str| recorded_action.params.iter().copied().find(|id| recorded.name(*id) == param);
    let params: Vec<_> = definition.params.iter().map(|param| find(param.as_str())).collect();
    if params.iter().any(Option::is_none) || params.len() != recorded_action.params.len() {
        return Err(mismatch(definition));
    }
    if let Act::Steps { step, .. } = act {
        let step = &spec.actions().actions[step.0];
        if step.params != definition.params {
            return Err(mismatch(step));
        }
    }
    Ok(Meaning::new(spec, name.to_owned(), act, params))
}

/// Any action of the specification, with those arguments that happen to be recorded.
fn anything(spec: &Spec, recorded: &Recorded) -> Arc<[Meaning]> {
    let meaning = |(at, action): (usize, &SpecAction)| {
        let params = action.params.iter().map(|param| recorded.find(param.as_str())).collect();
        Meaning::new(spec, action.name.to_string(), Act::Whole(ActionId(at)), params)
    };
    let actions = spec.actions().actions.iter().enumerate();
    actions.filter(|(_, action)| !is_rule(action.name.as_str())).map(meaning).collect()
}

fn list<'a>(params: impl Iterator<Item = &'a str>) -> String {
    let params: Vec<_> = params.map(|param| format!("`{param}`")).collect();
    match params.as_slice() {
        [] => "no parameters".to_owned(),
        [one] => format!("the parameter {one}"),
        several => format!("the parameters {}", several.join(", ")),
    }
}
