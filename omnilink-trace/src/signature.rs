//! What is known of a call besides its action: which parameters are its results, and which operation it is a call of.
//!
//! A specification does not tell arguments from results: `Dequeue(elem)` is one operator, whoever decides on `elem`. Nor does
//! it tell that `Dequeue(elem)` and `DequeueEmpty` are two outcomes of one call. Whoever records knows both and declares
//! them once per action, in `run.json` or in the header of JSON lines.
//!
//! Declarations go by name, as arguments do. Each says of its own parameters which are results: all others are not. Several
//! declarations of one action have to agree. What none of them mentions is unknown.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::error::Problem;
use crate::event::{Action, NameId, Vocabulary};
use crate::table;

/// What a run declares of one of its actions, as `run.json` has it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Declaration {
    /// Name of the action.
    pub name: String,
    /// The parameters that this declaration is about.
    pub params: Vec<String>,
    /// Those of the parameters that are results. The others are arguments of the call. `None`: nothing is declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<String>>,
    /// The operation that the action is an outcome of. `None`: nothing is declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Places of the program declare the action differently: neither of the two is known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub contradictory: bool,
    /// Unknown keys.
    #[serde(flatten)]
    pub other: Map<String, serde_json::Value>,
}

/// What is known of an action of a trace; see [`Trace::signature`](crate::Trace::signature).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Signature {
    /// Those of its parameters that are results of the call, in the order of the parameters; the others are its arguments. `None` if
    /// the trace does not say so of every parameter.
    pub results: Option<Vec<NameId>>,
    /// The operation that it is an outcome of. Actions with the same operation are outcomes of the same call; an action with the
    /// operation's name is one of them, whether it declares an operation or not. `None` if the trace declares none.
    pub operation: Option<Arc<str>>,
    /// True if places of the recorded program declare the action differently: then neither of the two is known.
    pub contradictory: bool,
}

/// All declarations of a trace, which agree with each other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Declarations {
    actions: HashMap<String, Declared>,
}

/// What is declared of the actions of one name.
#[derive(Debug, Clone, Default)]
struct Declared {
    /// Whether a parameter is a result.
    is_result: HashMap<String, bool>,
    operation: Option<Arc<str>>,
    is_contradictory: bool,
}

impl Declarations {
    /// All of these.
    pub fn of(declarations: &[Declaration]) -> Result<Self, Problem> {
        let mut all = Self::default();
        declarations.iter().try_for_each(|declaration| all.add(declaration)).map(|()| all)
    }

    /// Adds one, unless it contradicts the others.
    pub fn add(&mut self, declaration: &Declaration) -> Result<(), Problem> {
        let Declaration { name, params, results, operation, contradictory, .. } = declaration;
        table::check_params(name, params)?;
        for result in results.iter().flatten() {
            if !params.contains(result) {
                let has = match params.as_slice() {
                    [] => "none".to_owned(),
                    params => format!("`{}`", params.join("`, `")),
                };
                return Err(Problem::Declaration(format!(
                    "`{result}` is declared to be a result of `{name}`, which has no such parameter (it has {has})"
                )));
            }
        }
        let known = self.actions.entry(name.clone()).or_default();
        known.is_contradictory |= contradictory;
        if let Some(results) = results {
            for param in params {
                let is_result = results.contains(param);
                if *known.is_result.entry(param.clone()).or_insert(is_result) != is_result {
                    return Err(Problem::Declaration(format!(
                        "contradictory declarations of `{name}`: one says that its parameter `{param}` is a result, \
                         another that it is not; correct `results`"
                    )));
                }
            }
        }
        let Some(operation) = operation else { return Ok(()) };
        match &known.operation {
            _ if operation.is_empty() => Err(Problem::Declaration(format!("the `operation` of `{name}` has no name"))),
            Some(other) if **other != **operation => Err(Problem::Declaration(format!(
                "contradictory declarations of `{name}`: it is an outcome of the operation `{other}` by one and of \
                 `{operation}` by another; correct `operation`"
            ))),
            Some(_) => Ok(()),
            None => {
                known.operation = Some(operation.as_str().into());
                Ok(())
            }
        }
    }

    /// What is known of the actions of a trace, in their order.
    pub fn signatures(&self, vocabulary: &Vocabulary) -> Vec<Signature> {
        vocabulary.actions().map(|(_, action)| self.signature(action, vocabulary)).collect()
    }

    fn signature(&self, action: &Action, vocabulary: &Vocabulary) -> Signature {
        let known = self.actions.get(&*action.name);
        if known.is_some_and(|known| known.is_contradictory) {
            return Signature { contradictory: true, ..Signature::default() };
        }
        let is_result = |param: NameId| known?.is_result.get(vocabulary.name(param)).copied();
        let results: Option<Vec<_>> =
            action.params.iter().map(|&param| is_result(param).map(|is_result| is_result.then_some(param))).collect();
        Signature {
            results: results.map(|results| results.into_iter().flatten().collect()),
            operation: known.and_then(|known| known.operation.clone()),
            contradictory: false,
        }
    }
}

impl Declaration {
    /// True if it says anything of the action.
    pub(crate) fn says_something(&self) -> bool {
        self.results.is_some() || self.operation.is_some() || self.contradictory
    }
}

/// What is declared of exactly this action, by all declarations together.
pub(crate) fn declared(declarations: &[Declaration], name: &str, params: &[String]) -> Declaration {
    let own = || declarations.iter().filter(|other| other.name == name && other.params == params);
    Declaration {
        name: name.into(),
        params: params.into(),
        results: own().find_map(|declaration| declaration.results.clone()),
        operation: own().find_map(|declaration| declaration.operation.clone()),
        contradictory: own().any(|declaration| declaration.contradictory),
        other: Map::new(),
    }
}
