//! Which actions a fuzzer performs: those of `--only`, without those of `--exclude` and without `Terminating`.
//!
//! Of a pair `X_Step`/`X_Done` the operation `X` is named, or one of its actions.

use omnilink_tla::Spec;
use omnilink_tla::internal::ir::{Action, ActionKind};
use omnilink_tla::internal::suggest::did_you_mean;
use omnilink_tla::spec::SpecAction;

use crate::error::Error;

use super::operations::Operation;

/// The disjunct with which PlusCal translations avoid a deadlock when all processes have ended. Programs do not perform
/// it.
const TERMINATING: &str = "Terminating";

/// Which actions to generate.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Only these; all if empty.
    pub only: Vec<String>,
    /// All but these.
    pub exclude: Vec<String>,
}

impl Choice {
    fn names(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let only = self.only.iter().map(|name| ("--only", name));
        only.chain(self.exclude.iter().map(|name| ("--exclude", name)))
    }
}

/// The remaining actions, and notes on the others.
pub(super) fn choose<'s>(spec: &'s Spec, choice: &Choice) -> Result<(Vec<&'s SpecAction>, Vec<String>), Error> {
    let actions = &spec.actions().actions;
    let known: Vec<&str> = actions.iter().flat_map(|action| names_of(action.name.as_str())).collect();
    if let Some((option, name)) = choice.names().find(|(_, name)| !known.contains(&name.as_str())) {
        let advice = did_you_mean(name, known.iter().copied()).unwrap_or_else(|| list(actions));
        return Err(Error::UnknownAction { option, name: name.clone(), advice });
    }
    let mut notes = Vec::new();
    let is_left = |action: &&SpecAction| {
        let name = action.name.as_str();
        if choice.exclude.iter().any(|excluded| excluded == name) {
            return false;
        }
        if name == TERMINATING && !choice.only.iter().any(|only| only == name) && only_stutters(spec, action) {
            notes.push(format!("`{TERMINATING}` is left out: it only lets a finished algorithm rest"));
            return false;
        }
        true
    };
    Ok((actions.iter().filter(is_left).collect(), notes))
}

/// The remaining operations.
pub(super) fn narrow<'s>(
    spec: &Spec,
    operations: Vec<Operation<'s>>,
    choice: &Choice,
) -> Result<Vec<Operation<'s>>, Error> {
    let is_named = |operation: &Operation<'_>, names: &[String]| {
        let is_it = |name: &String| {
            *name == operation.name || operation.actions.iter().any(|action| action.name.as_str() == name)
        };
        names.iter().any(is_it)
    };
    let is_left = |operation: &Operation<'_>| {
        (choice.only.is_empty() || is_named(operation, &choice.only)) && !is_named(operation, &choice.exclude)
    };
    let left: Vec<_> = operations.into_iter().filter(is_left).collect();
    if left.is_empty() { Err(Error::NothingLeft { advice: list(&spec.actions().actions) }) } else { Ok(left) }
}

/// The names that select an action: its own, and that of its operation.
fn names_of(name: &str) -> Vec<&str> {
    let operation = name.strip_suffix("_Step").or_else(|| name.strip_suffix("_Done"));
    [name].into_iter().chain(operation).collect()
}

fn list(actions: &[SpecAction]) -> String {
    let names: Vec<&str> = actions.iter().map(|action| action.name.as_str()).collect();
    if names.is_empty() { "there is none".to_owned() } else { format!("the actions are {}", names.join(", ")) }
}

/// Whether an action only leaves all variables unchanged.
fn only_stutters(spec: &Spec, action: &SpecAction) -> bool {
    fn stutters(action: &Action) -> bool {
        match &action.kind {
            ActionKind::Unchanged(_) => true,
            ActionKind::And(parts) => {
                let is_condition =
                    |part: &Action| matches!(part.kind, ActionKind::Guard(_) | ActionKind::Condition { .. });
                parts.iter().any(stutters) && parts.iter().all(|part| stutters(part) || is_condition(part))
            }
            _ => false,
        }
    }
    spec.program().definition(action.definition).action.as_ref().is_some_and(stutters)
}
