//! Constants that nobody gave: inferred from what was recorded.
//!
//! If the next-state relation takes an argument from a bare constant, `\E key \in Keys : Insert(key)`, then the values
//! recorded for it tell what the constant must contain at least. Where it is used only so, it may as well be no more than that.

use std::collections::{BTreeMap, BTreeSet};

use omnilink_tla::ir::{Constant, ConstantValue};
use omnilink_tla::source::Span;
use omnilink_tla::{Spec, Value};
use omnilink_trace::{Record, Trace, Value as Recorded};

use crate::error::CheckError;

/// A constant that was inferred.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inferred {
    /// Its name.
    pub name: String,
    /// The values that it is the set of.
    pub values: BTreeSet<Recorded>,
    /// Where it is used otherwise than as the set that an argument is taken from: there, its inferred value may change what
    /// the specification means.
    pub also_used: Vec<String>,
}

impl Inferred {
    /// As it is given to a specification: `Keys = {1, 2}`.
    pub fn assignment(&self) -> String {
        let values: Vec<String> = self.values.iter().map(Recorded::to_string).collect();
        format!("{} = {{{}}}", self.name, values.join(", "))
    }
}

/// Infers the constants that have no value from what a trace recorded.
///
/// # Errors
/// If the trace cannot be read.
pub fn infer(spec: &Spec, trace: &Trace) -> Result<Vec<Inferred>, CheckError> {
    let mut places = Places::default();
    for constant in spec.program().constants.iter().filter(|constant| is_missing(constant)) {
        places.find(spec, constant.name.as_str());
    }
    if places.of_param.is_empty() {
        return Ok(Vec::new());
    }
    let mut values: BTreeMap<String, BTreeSet<Recorded>> = BTreeMap::new();
    let vocabulary = trace.vocabulary();
    for record in trace.records() {
        let Record::Event(event) = record? else { continue };
        for &action in event.candidates.as_slice() {
            for arg in &event.args {
                let at = (vocabulary.action(action).name.to_string(), vocabulary.name(arg.param).to_owned());
                for name in places.of_param.get(&at).into_iter().flatten() {
                    values.entry(name.clone()).or_default().extend(arg.value.clone());
                }
            }
        }
    }
    let inferred = places.bounds.into_iter().map(|(name, bounds)| Inferred {
        values: values.remove(&name).unwrap_or_default(),
        also_used: other_uses(spec, &name, &bounds),
        name,
    });
    Ok(inferred.collect())
}

fn is_missing(constant: &Constant) -> bool {
    constant.arity == 0 && matches!(constant.given, ConstantValue::Unassigned)
}

/// Where arguments are taken from constants.
#[derive(Default)]
struct Places {
    /// By the recorded names of action and parameter: the constants.
    of_param: BTreeMap<(String, String), BTreeSet<String>>,
    /// By constant: where it is written as the bound.
    bounds: BTreeMap<String, Vec<Span>>,
}

impl Places {
    fn find(&mut self, spec: &Spec, constant: &str) {
        for action in &spec.actions().actions {
            for path in &action.paths {
                for (param, passed) in action.params.iter().zip(&path.args) {
                    let bound = passed.bound.filter(|bound| spec.sources().text(*bound).trim() == constant);
                    let Some(bound) = bound else { continue };
                    let name = action.name.as_str();
                    for name in [name].into_iter().chain(name.strip_suffix("_Step")).chain(name.strip_suffix("_Done")) {
                        let at = (name.to_owned(), param.to_string());
                        self.of_param.entry(at).or_default().insert(constant.to_owned());
                    }
                    self.bounds.entry(constant.to_owned()).or_default().push(bound);
                }
            }
        }
    }
}

/// Where else a constant is used than at the given bounds.
fn other_uses(spec: &Spec, name: &str, bounds: &[Span]) -> Vec<String> {
    let uses = spec.uses_of_unassigned(name).into_iter().filter(|use_| !bounds.contains(use_));
    let places: BTreeSet<_> = uses
        .map(|use_| {
            let (path, place) = spec.sources().place(use_);
            (path.to_owned(), place.line)
        })
        .collect();
    places.into_iter().map(|(path, line)| format!("{}:{line}", path.display())).collect()
}

/// The names of a specification's model values.
pub fn model_values(spec: &Spec) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for constant in spec.program().constants.iter().filter(|constant| constant.arity == 0) {
        match &constant.given {
            ConstantValue::Value(value) => collect(value, &mut names),
            ConstantValue::Definition(id) => {
                let definition = spec.program().definition(*id);
                if let Ok(value) = spec.constant(definition.name.as_str()) {
                    collect(&value, &mut names);
                }
            }
            ConstantValue::Native(_) | ConstantValue::Unassigned => {}
        }
    }
    names
}

fn collect(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Model(name) => {
            names.insert(name.to_string());
        }
        Value::Tuple(tuple) => tuple.iter().for_each(|element| collect(element, names)),
        Value::Set(set) => set.iter().for_each(|element| collect(&element, names)),
        Value::Function(function) => function.iter().for_each(|(key, value)| {
            collect(&key, names);
            collect(value, names);
        }),
        Value::Bool(_) | Value::Int(_) | Value::Str(_) | Value::Symbolic(_) | Value::Lambda(_) => {}
    }
}
