//! Which actions of a specification were recorded, and which never.
//!
//! An action that no run ever takes says nothing about the program: the fuzzer does not call it, or never in a state that
//! allows it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use omnilink_tla::Spec;

use crate::history::{Act, History};
use crate::vocabulary::is_rule;

/// The names that the events of a trace may have: the actions of the next-state relation, where `X` stands for `X_Step`
/// and `X_Done`.
pub fn actions(spec: &Spec) -> BTreeSet<String> {
    let names = spec.actions().actions.iter().map(|action| action.name.as_str()).filter(|name| !is_rule(name));
    let has = |name: String| spec.action(&name).is_some();
    let is_pair = |whole: &&str| has(format!("{whole}_Step")) && has(format!("{whole}_Done"));
    let recorded = names.map(|name| {
        let whole = name.strip_suffix("_Step").or_else(|| name.strip_suffix("_Done"));
        whole.filter(is_pair).unwrap_or(name).to_owned()
    });
    recorded.collect()
}

/// How many events of a history are each action. Events that may be one of several count for none.
pub fn recorded(spec: &Spec, history: &History) -> BTreeMap<String, u64> {
    let mut counts: HashMap<Act, u64> = HashMap::new();
    for (_, event) in history.events() {
        if let [choice] = history.choices(event) {
            *counts.entry(choice.act).or_default() += 1;
        }
    }
    let named = counts.into_iter().map(|(act, count)| (act.name(spec).to_owned(), count));
    named.filter(|(name, _)| !is_rule(name)).collect()
}
