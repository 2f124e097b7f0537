//! Whether a verdict depends on the inferred value of a constant, or on a part of the next-state relation that no event can be.
//!
//! An inferred constant is the set of what was recorded; the user's may have more elements. What is then still true?
//!
//! - **Rejected** stands if all arguments that are taken from the constant were recorded, and if the constant is used for
//!   nothing else, or only so that other elements make no difference to what was recorded: as the domain of functions that are
//!   looked at one recorded argument at a time. [`Spec::extension_effects`] decides that, and says why it is sound. Where an argument was not
//!   recorded, a larger set may allow a call with another value; where the constant is looked at as a whole (its size, what is true
//!   of all its elements), all may be different. Then a rejection says nothing but that this value allows no order: unknown.
//! - **Accepted** stands: it claims that there is an order that the specification allows, and there is, for this value, which
//!   nothing excludes. Where a larger constant may make a difference, the user's value may allow less; a note says so.
//! - **A violated invariant** is a claim about a state. The state is reached for larger sets, too, if these make no difference to the
//!   behaviour, and it violates the invariant if they make none to that. Else: unknown.
//!
//! An event is a disjunct of `Next` that calls its action. A part of `Next` that calls the action in another way (`\A n \in S : Add(n)`,
//! or through an operator of a `LET`) is none, so it is not tried: a rejection of a trace that recorded the action is unknown.

use crate::check::{Checked, Verdict};
use crate::constants::Inferred;
use crate::history::{Act, Choice, History};
use crate::search::Stopped;
use omnilink_tla::Spec;
use omnilink_tla::spec::ActionId;

/// A constant on whose inferred value a verdict may depend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependence {
    /// The constant with its inferred value: `Keys = {1, 2}`.
    pub assignment: String,
    /// Its name.
    pub constant: String,
    /// Why the verdict may depend on it.
    pub because: String,
}

impl Dependence {
    /// Why there is no answer.
    pub fn why(dependences: &[Self], fact: &str) -> String {
        let named: Vec<_> = dependences.iter().map(|it| format!("{}: {}", it.assignment, it.because)).collect();
        format!("{fact} with what was inferred, and other values may change that ({})", named.join("; "))
    }

    /// What to give.
    pub fn advice(&self) -> String {
        let Self { assignment, constant, .. } = self;
        format!(
            "give {constant} all the values that it has, by --const '{assignment}' with more elements if there are more, or in a \
             .cfg; then the answer is definite"
        )
    }
}

/// The constants that may have decided a rejection.
pub fn of_rejection(inferred: &[Inferred], spec: &Spec, history: &History, constrained: bool) -> Vec<Dependence> {
    let dependence = |it: &Inferred| {
        let constraints = it.used.constraints.iter().filter(|_| constrained);
        let places: Vec<&str> = it.used.behaviour.iter().chain(constraints).map(String::as_str).collect();
        let because = elsewhere(&places).or_else(|| unrecorded(it, spec, history))?;
        Some(Dependence { assignment: it.assignment(), constant: it.name.clone(), because })
    };
    inferred.iter().filter_map(dependence).collect()
}

/// The constants that may have decided that an invariant is violated.
pub fn of_violation(inferred: &[Inferred]) -> Vec<Dependence> {
    let dependence = |it: &Inferred| {
        // A behaviour for the empty set need not be one for a larger one: there may be no function from that to what it needs.
        let is_empty = it.values.is_empty() && !it.also_used.is_empty();
        let uses = it.used.behaviour.iter().chain(&it.used.invariants).chain(it.also_used.iter().filter(|_| is_empty));
        let places: Vec<&str> = uses.map(String::as_str).collect();
        Some(Dependence { assignment: it.assignment(), constant: it.name.clone(), because: elsewhere(&places)? })
    };
    inferred.iter().filter_map(dependence).collect()
}

/// A part of the next-state relation that has no name and leads to an action that was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamelessPart {
    /// The formula.
    pub formula: String,
    /// Its file and line.
    pub place: String,
    /// The action.
    pub action: String,
}

impl NamelessPart {
    /// The first one, if there is any.
    pub fn of_rejection(spec: &Spec, history: &History) -> Option<Self> {
        let nameless = &spec.actions().nameless;
        if nameless.iter().all(|part| part.calls.is_empty()) {
            return None;
        }
        let choices = history.timeline.events().flat_map(|(_, event)| history.choices(event));
        choices.flat_map(actions).find_map(|action| {
            let action = &spec.actions().actions[action.0];
            let part = nameless.iter().find(|part| part.calls.contains(&action.definition))?;
            let (path, place) = spec.sources().place(part.span);
            Some(Self {
                formula: spec.sources().one_line(part.span),
                place: format!("{}:{}", path.display(), place.line),
                action: action.name.to_string(),
            })
        })
    }

    /// Why there is no answer.
    pub fn why(&self) -> String {
        let Self { formula, place, action } = self;
        format!(
            "no order is allowed, but a part of the next-state relation that has no name was not tried, and it leads to {action}: \
             `{formula}` ({place})"
        )
    }

    /// What to do.
    pub fn advice(&self) -> String {
        let Self { action, .. } = self;
        format!(
            "call {action} itself in a disjunct of the next-state relation, without a LET operator or \\A around it; or define \
             `Name == …` for that part and record its calls by that name"
        )
    }
}

impl Checked {
    /// The same, but a rejection that an inferred constant or a part of `Next` without a name may have decided is none.
    #[must_use]
    pub fn depending_on(mut self, inferred: &[Inferred], spec: &Spec, history: &History, constrained: bool) -> Self {
        self.verdict = match self.verdict {
            Verdict::Rejected(stuck) if !of_rejection(inferred, spec, history, constrained).is_empty() => {
                Verdict::Unknown { stopped: Stopped::Inferred, stuck }
            }
            Verdict::Rejected(stuck) if NamelessPart::of_rejection(spec, history).is_some() => {
                Verdict::Unknown { stopped: Stopped::Nameless, stuck }
            }
            verdict => verdict,
        };
        self
    }
}

fn elsewhere(places: &[&str]) -> Option<String> {
    (!places.is_empty()).then(|| format!("other elements may make a difference at {}", places.join(", ")))
}

/// That a call of the history has not recorded what it took from the constant.
fn unrecorded(inferred: &Inferred, spec: &Spec, history: &History) -> Option<String> {
    let choices = history.timeline.events().flat_map(|(_, event)| history.choices(event));
    choices.flat_map(|choice| actions(choice).map(move |action| (choice, action))).find_map(|(choice, action)| {
        let name = spec.actions().actions[action.0].name.as_str();
        let taken = inferred.taken.get(name)?;
        let decisive = &spec.actions().actions[choice.act.decisive().0].params;
        let is_known = |param: &String| {
            let at = decisive.iter().position(|other| other.as_str() == param);
            at.and_then(|at| history.args(choice).get(at)).is_some_and(Option::is_some)
        };
        match taken.params.iter().find(|param| !is_known(param)) {
            Some(param) => {
                Some(format!("a call of {} did not record {param}, which is taken from it", choice.act.name(spec)))
            }
            None if taken.silently => {
                Some(format!("a disjunct of Next that calls {name} takes a value from it that is not an argument"))
            }
            None => None,
        }
    })
}

fn actions(choice: &Choice) -> impl Iterator<Item = ActionId> {
    let (first, second) = match choice.act {
        Act::Whole(action) => (action, None),
        Act::Steps { step, done } => (done, Some(step)),
    };
    std::iter::once(first).chain(second)
}
