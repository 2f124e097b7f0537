//! Constants without a given value: inferred from what was recorded.
//!
//! If the next-state relation takes an argument from a bare constant, `\E key \in Keys : Insert(key)`, then the values
//! recorded for it are what the constant must contain at least. Where it is used for nothing else, no other elements are needed.

use std::collections::{BTreeMap, BTreeSet};

use omnilink_tla::internal::analysis::{Beginning, ConstantExtension};
use omnilink_tla::internal::ir::{Constant, ConstantValue};
use omnilink_tla::source::Span;
use omnilink_tla::{Spec, Value};
use omnilink_trace::{Record, Trace, Value as Recorded};

use crate::error::CheckError;
use crate::rules::Rules;

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
    /// Where a verdict may depend on it.
    pub used: Uses,
    /// By action: what its calls take from it.
    pub taken: BTreeMap<String, Taken>,
}

/// Where it may make a difference that a constant has other elements than those recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    /// In the initial predicate, in recorded actions and on the way to them, or in users' rules for events.
    pub behaviour: Vec<String>,
    /// In constraints.
    pub constraints: Vec<String>,
    /// In invariants.
    pub invariants: Vec<String>,
}

/// What calls of an action take from a constant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taken {
    /// The parameters whose values are taken from it, on some way to the action.
    pub params: BTreeSet<String>,
    /// Some way to it takes a value from it that it passes for no parameter: it matters which others there are, or whether
    /// there is one.
    pub silently: bool,
}

impl Inferred {
    /// As it is given to a specification: `Keys = {1, 2}`.
    pub fn assignment(&self) -> String {
        let values: Vec<String> = self.values.iter().map(Recorded::to_string).collect();
        format!("{} = {{{}}}", self.name, values.join(", "))
    }

    /// Where a larger constant may allow less, so that an order for this one need not be one for that. Where it makes no
    /// difference to the behaviour, an order for a set that is not empty is one for every larger set, as far as that can be evaluated:
    /// see [`Spec::extension_effects`].
    pub fn decides_acceptance(&self, constrained: bool) -> Vec<String> {
        if self.values.is_empty() {
            return self.also_used.clone();
        }
        let constraints = self.used.constraints.iter().filter(|_| constrained);
        self.used.behaviour.iter().chain(constraints).cloned().collect()
    }
}

/// Infers the constants that have no value from what a trace recorded.
///
/// # Errors
/// If the trace cannot be read.
pub fn infer(spec: &Spec, trace: &Trace, rules: &Rules) -> Result<Vec<Inferred>, CheckError> {
    let mut places = Places::default();
    for constant in spec.program().constants.iter().filter(|constant| is_missing(constant)) {
        places.find(spec, constant.name.as_str());
    }
    if places.of_param.is_empty() {
        return Ok(Vec::new());
    }
    let mut values: BTreeMap<String, BTreeSet<Recorded>> = BTreeMap::new();
    let mut named = Named::default();
    let vocabulary = trace.vocabulary();
    for record in trace.records() {
        let Record::Event(event) = record? else { continue };
        for &action in event.candidates.as_slice() {
            named.actions.insert(vocabulary.action(action).name.to_string());
            for arg in &event.args {
                let at = (vocabulary.action(action).name.to_string(), vocabulary.name(arg.param).to_owned());
                for name in places.of_param.get(&at).into_iter().flatten() {
                    values.entry(name.clone()).or_default().extend(arg.value.clone());
                }
            }
        }
        named.any |= event.candidates.as_slice().is_empty();
    }
    places.look_inside(spec);
    let bounds = std::mem::take(&mut places.bounds);
    let inferred = bounds.into_iter().map(|(name, bounds)| Inferred {
        values: values.remove(&name).unwrap_or_default(),
        also_used: places_of(spec, spec.uses_of_unassigned(&name), &bounds),
        used: uses(spec, &name, &bounds, rules, &named),
        taken: places.taken.remove(&name).unwrap_or_default(),
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
    /// By constant and action: what is taken from it.
    taken: BTreeMap<String, BTreeMap<String, Taken>>,
}

impl Places {
    fn find(&mut self, spec: &Spec, constant: &str) {
        for action in &spec.actions().actions {
            for disjunct in &action.disjuncts {
                for (param, passed) in action.params.iter().zip(&disjunct.args) {
                    let bound = passed.bound.filter(|bound| spec.sources().text(*bound).trim() == constant);
                    let Some(bound) = bound else { continue };
                    let name = action.name.as_str();
                    for name in [name].into_iter().chain(name.strip_suffix("_Step")).chain(name.strip_suffix("_Done")) {
                        let at = (name.to_owned(), param.to_string());
                        self.of_param.entry(at).or_default().insert(constant.to_owned());
                    }
                    self.bounds.entry(constant.to_owned()).or_default().push(bound);
                    self.of_action(constant, name).params.insert(param.to_string());
                }
                let quantified = disjunct.quantifiers.iter().enumerate().flat_map(|(at, quantifier)| {
                    quantifier.bounds.iter().enumerate().map(move |(name, bound)| ((at, name), *bound))
                });
                let is_silent = |(name, bound): ((usize, usize), Span)| {
                    spec.sources().text(bound).trim() == constant
                        && disjunct.args.iter().all(|arg| arg.name != Some(name))
                };
                if quantified.into_iter().any(is_silent) {
                    self.of_action(constant, action.name.as_str()).silently = true;
                }
            }
        }
    }

    /// An action that contains a disjunct of the next-state relation itself, as a part of what it does, takes values from constants there.
    fn look_inside(&mut self, spec: &Spec) {
        for (constant, bounds) in self.bounds.clone() {
            for action in &spec.actions().actions {
                let name = action.name.as_str();
                let uses = spec.uses_reached(&constant, &Beginning::Operator(name));
                if uses.iter().any(|use_| bounds.contains(use_)) {
                    self.of_action(&constant, name).silently = true;
                }
            }
        }
    }

    fn of_action(&mut self, constant: &str, action: &str) -> &mut Taken {
        self.taken.entry(constant.to_owned()).or_default().entry(action.to_owned()).or_default()
    }
}

/// What a trace has events of.
#[derive(Default)]
struct Named {
    /// The actions that it names.
    actions: BTreeSet<String>,
    /// Some events name none and may be any.
    any: bool,
}

impl Named {
    fn has(&self, action: &str) -> bool {
        let of_pair = || action.strip_suffix("_Step").or_else(|| action.strip_suffix("_Done"));
        self.any || self.actions.contains(action) || of_pair().is_some_and(|name| self.actions.contains(name))
    }
}

/// Where a constant is used so that a verdict may depend on its value. Where it is used at all besides its bounds, it is asked
/// whether a larger one would make a difference.
fn uses(spec: &Spec, name: &str, bounds: &[Span], rules: &Rules, named: &Named) -> Uses {
    let operators = rules.also.values().chain(&rules.on_abort).chain(&rules.on_terminate);
    let operators: Vec<&str> = operators.map(String::as_str).collect();
    let used = |from: Beginning<'_>| places_of(spec, spec.uses_reached(name, &from), bounds);
    let (constraints, invariants) = (used(Beginning::Constraints), used(Beginning::Invariants));
    let decides = !used(Beginning::Behaviour).is_empty()
        || operators.iter().any(|operator| !used(Beginning::Operator(operator)).is_empty());
    if !decides {
        // The variables do not depend on it.
        return Uses { behaviour: Vec::new(), constraints, invariants };
    }
    let is_recorded = |action: &str| named.has(action);
    let differences = spec.extension_effects(&ConstantExtension {
        constant: name,
        bounds,
        is_recorded: &is_recorded,
        operators: &operators,
    });
    let places = |difference: Option<Span>| places_of(spec, difference.into_iter().collect(), &[]);
    Uses {
        behaviour: places(differences.behaviour),
        constraints: places(differences.constraints),
        invariants: places(differences.invariants),
    }
}

/// The lines of uses that are not among the given bounds.
fn places_of(spec: &Spec, uses: Vec<Span>, bounds: &[Span]) -> Vec<String> {
    let uses = uses.into_iter().filter(|use_| !bounds.contains(use_));
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
