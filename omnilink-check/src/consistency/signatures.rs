//! What is a result of a call, and which actions are outcomes of one operation: as it was given, and as a trace declares it.
//!
//! `Dequeue(elem)` and `DequeueEmpty` are two outcomes of one operation, and `elem` is a result. A call that is replayed among
//! others has its inputs, and may have any outcome and any results. So both have to be known; neither is guessed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use omnilink_tla::Spec;
use omnilink_tla::internal::suggest::closest;
use omnilink_tla::spec::ActionId;
use omnilink_trace::Trace;

use crate::error::CheckError;

/// What was given, besides what a trace declares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signatures {
    results: BTreeMap<String, Vec<String>>,
    operations: Vec<Vec<String>>,
}

impl Signatures {
    /// Adds the results of an action: `Dequeue=elem`, `Scan=keys,values`, or `Enqueue=` for an action that has none.
    ///
    /// # Errors
    /// If the text is something else, or if the action has results already.
    pub fn add_results(&mut self, text: &str) -> Result<(), String> {
        let Some((action, params)) = text.split_once('=') else {
            return Err(format!(
                "`{text}` has no `=`; write ACTION=PARAMETER,…, or ACTION= for an action without results"
            ));
        };
        let action = action.trim();
        if action.is_empty() {
            return Err(format!("`{text}` names no action; write ACTION=PARAMETER,…"));
        }
        let params = params.trim();
        let params: Vec<String> = if params.is_empty() {
            Vec::new()
        } else {
            params.split(',').map(|param| param.trim().to_owned()).collect()
        };
        if params.iter().any(String::is_empty) {
            return Err(format!("`{text}` has an empty name; separate parameters by one comma"));
        }
        match self.results.insert(action.to_owned(), params) {
            Some(_) => Err(format!("the results of `{action}` are given twice; give them once")),
            None => Ok(()),
        }
    }

    /// Adds an operation by its outcomes, the first of which names it: `Dequeue,DequeueEmpty`.
    ///
    /// # Errors
    /// If the text is something else, or if an action is an outcome of another operation already.
    pub fn add_operation(&mut self, text: &str) -> Result<(), String> {
        let actions: Vec<String> = text.split(',').map(|action| action.trim().to_owned()).collect();
        if actions.iter().any(String::is_empty) {
            return Err(format!("`{text}` has an empty name; write ACTION,ACTION,…"));
        }
        let given = self.operations.iter().flatten().collect::<Vec<_>>();
        let distinct: BTreeSet<_> = actions.iter().collect();
        let twice = actions.iter().find(|action| given.contains(action));
        if let Some(action) = twice.or_else(|| (distinct.len() < actions.len()).then(|| &actions[0])) {
            return Err(format!("`{action}` is an outcome of one operation; name it once"));
        }
        self.operations.push(actions);
        Ok(())
    }

    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty() && self.operations.is_empty()
    }
}

/// An operation of a specification.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    pub name: String,
    /// Its outcomes.
    pub outcomes: Vec<ActionId>,
}

/// The operations of a specification, as far as a trace and what was given tell them.
#[derive(Debug, Default)]
pub(super) struct Operations {
    pub all: Vec<Operation>,
    of_action: HashMap<ActionId, usize>,
    /// By action: whether each of its parameters is a result; none if nobody says so.
    results: HashMap<ActionId, Option<Vec<bool>>>,
    /// Actions that places of the recorded program declare differently, unless their operation was given.
    contradictory: BTreeSet<ActionId>,
    /// Where what was given contradicts the trace.
    pub contradictions: Vec<String>,
}

impl Operations {
    pub fn new(spec: &Spec, trace: &Trace, given: &Signatures) -> Result<Self, CheckError> {
        let mut operations = Self::default();
        for actions in &given.operations {
            let outcomes =
                actions.iter().map(|name| action(spec, name, "--operation")).collect::<Result<Vec<_>, _>>()?;
            operations.add(actions[0].clone(), outcomes);
        }
        let contradictory = trace.vocabulary().actions().filter(|(id, _)| trace.signature(*id).contradictory);
        let contradictory = contradictory.filter_map(|(_, recorded)| spec.action(&recorded.name));
        operations.contradictory = contradictory.filter(|action| !operations.of_action.contains_key(action)).collect();
        operations.add_declared(spec, trace);
        for (at, spec_action) in spec.actions().actions.iter().enumerate() {
            if !operations.of_action.contains_key(&ActionId(at)) {
                operations.add(spec_action.name.to_string(), vec![ActionId(at)]);
            }
        }
        operations.find_results(spec, trace, given)?;
        Ok(operations)
    }

    fn add(&mut self, name: String, outcomes: Vec<ActionId>) {
        outcomes.iter().for_each(|outcome| _ = self.of_action.insert(*outcome, self.all.len()));
        self.all.push(Operation { name, outcomes });
    }

    /// Adds the operations that a trace declares.
    fn add_declared(&mut self, spec: &Spec, trace: &Trace) {
        let mut declared: BTreeMap<&str, BTreeSet<ActionId>> = BTreeMap::new();
        for (id, recorded) in trace.vocabulary().actions() {
            let Some(name) = trace.signature(id).operation.as_deref() else { continue };
            let outcomes = declared.entry(name).or_default();
            outcomes.extend(spec.action(&recorded.name));
            outcomes.extend(spec.action(name));
        }
        for (name, outcomes) in declared {
            let given = outcomes.iter().filter_map(|outcome| self.of_action.get(outcome).copied()).next();
            match given {
                None if outcomes.is_empty() => {}
                None => self.add(name.to_owned(), outcomes.into_iter().collect()),
                Some(given) => {
                    let given = &self.all[given];
                    if given.outcomes.iter().copied().collect::<BTreeSet<_>>() != outcomes {
                        self.contradictions.push(format!(
                            "--operation gives `{}` other outcomes than the trace declares for `{name}`; the option counts",
                            given.name
                        ));
                    }
                }
            }
        }
    }

    fn find_results(&mut self, spec: &Spec, trace: &Trace, given: &Signatures) -> Result<(), CheckError> {
        for (name, results) in &given.results {
            let id = action(spec, name, "--results")?;
            let params = &spec.actions().actions[id.0].params;
            if let Some(unknown) = results.iter().find(|result| !params.iter().any(|param| param.as_str() == *result)) {
                let has: Vec<_> = params.iter().map(|param| param.as_str()).collect();
                return Err(CheckError::Rule(format!(
                    "--results {name}: {name} has no parameter `{unknown}`; its parameters are {}",
                    if has.is_empty() { "none".to_owned() } else { has.join(", ") }
                )));
            }
            let are_results = params.iter().map(|param| results.iter().any(|result| result == param.as_str()));
            self.results.insert(id, Some(are_results.collect()));
        }
        for (id, recorded) in trace.vocabulary().actions() {
            let (Some(action), Some(results)) = (spec.action(&recorded.name), &trace.signature(id).results) else {
                continue;
            };
            let is_result = |param: &str| results.iter().any(|result| trace.vocabulary().name(*result) == param);
            let params = spec.actions().actions[action.0].params.iter();
            let declared: Vec<bool> = params.map(|param| is_result(param.as_str())).collect();
            match self.results.get(&action) {
                Some(Some(given)) if *given != declared => self.contradictions.push(format!(
                    "--results gives `{}` other results than the trace declares; the option counts",
                    recorded.name
                )),
                Some(_) => {}
                None => _ = self.results.insert(action, Some(declared)),
            }
        }
        for (at, action) in spec.actions().actions.iter().enumerate() {
            let none = action.params.is_empty().then(Vec::new);
            self.results.entry(ActionId(at)).or_insert(none);
        }
        Ok(())
    }

    /// The operation that an action is an outcome of.
    pub fn of(&self, action: ActionId) -> usize {
        self.of_action[&action]
    }

    /// Whether each parameter of an action is a result.
    pub fn results(&self, action: ActionId) -> Option<&[bool]> {
        self.results[&action].as_deref()
    }

    /// Makes sure that of these operations it is known what their results are, and that their outcomes have the same inputs.
    pub fn validate(&self, spec: &Spec, operations: &BTreeSet<usize>) -> Result<(), CheckError> {
        let outcomes = || operations.iter().flat_map(|operation| &self.all[*operation].outcomes);
        if let Some(action) = outcomes().find(|outcome| self.contradictory.contains(outcome)) {
            let name = spec.actions().actions[action.0].name;
            return Err(CheckError::Rule(format!(
                "places of the recorded program declare `{name}` differently: its results, or the operation that it is an outcome \
                 of; give --operation with all outcomes of the operation, {name} among them, and --results of each"
            )));
        }
        let missing: Vec<ActionId> = outcomes().filter(|outcome| self.results(**outcome).is_none()).copied().collect();
        if !missing.is_empty() {
            let call = |action: &ActionId| {
                let action = &spec.actions().actions[action.0];
                let params: Vec<_> = action.params.iter().map(|param| param.as_str()).collect();
                (action.name.to_string(), params.join(", "))
            };
            let calls: Vec<_> = missing.iter().map(call).collect();
            let named: Vec<_> = calls.iter().map(|(name, params)| format!("{name}({params})")).collect();
            let options: Vec<_> = calls.iter().map(|(name, _)| format!("--results {name}=…")).collect();
            return Err(CheckError::Rule(format!(
                "which parameters are results is not known of {}; give {} with the names of those that are, separated by \
                 commas, and nothing after = if none is",
                named.join(", "),
                options.join(" ")
            )));
        }
        for operation in operations.iter().map(|operation| &self.all[*operation]) {
            let inputs = |outcome: &ActionId| -> BTreeSet<&str> {
                let params = spec.actions().actions[outcome.0].params.iter();
                let results = self.results(*outcome).unwrap_or_default();
                params.zip(results).filter(|(_, is_result)| !**is_result).map(|(param, _)| param.as_str()).collect()
            };
            let first = &operation.outcomes[0];
            if let Some(other) = operation.outcomes.iter().find(|outcome| inputs(outcome) != inputs(first)) {
                let name = |action: &ActionId| spec.actions().actions[action.0].name;
                return Err(CheckError::Rule(format!(
                    "{} and {} are outcomes of one operation and have different inputs; parameters that are not the same in all \
                     outcomes are results: give --results",
                    name(first),
                    name(other)
                )));
            }
        }
        Ok(())
    }
}

fn action(spec: &Spec, name: &str, option: &str) -> Result<ActionId, CheckError> {
    spec.action(name).ok_or_else(|| {
        let known = spec.actions().actions.iter().map(|action| action.name.as_str());
        let meant = closest(name, known.clone()).map(|name| format!("did you mean `{name}`?"));
        let meant = meant.unwrap_or_else(|| format!("its actions are {}", known.collect::<Vec<_>>().join(", ")));
        CheckError::Rule(format!("{option}: the specification has no action `{name}`; {meant}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_is_read_or_refused() {
        let mut given = Signatures::default();
        given.add_results("Dequeue = elem").unwrap();
        given.add_results("Scan=keys, values").unwrap();
        given.add_results("Enqueue=").unwrap();
        given.add_operation("Dequeue, DequeueEmpty").unwrap();
        assert_eq!(given.results["Scan"], ["keys", "values"]);
        assert!(given.results["Enqueue"].is_empty());
        assert_eq!(given.operations, [["Dequeue", "DequeueEmpty"]]);
        for (text, what) in [("Size", "no `=`"), ("=n", "no action"), ("Size=n,,m", "empty"), ("Scan=keys", "twice")] {
            let error = given.add_results(text).unwrap_err();
            assert!(error.contains(what), "{text}: {error}");
        }
        for (text, what) in [("", "empty"), ("A,", "empty"), ("A,A", "once"), ("Other,DequeueEmpty", "`DequeueEmpty`")]
        {
            let error = given.add_operation(text).unwrap_err();
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
