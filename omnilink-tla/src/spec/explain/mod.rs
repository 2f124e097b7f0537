//! Why an action could not happen in a state.
//!
//! The work is done in [`crate::eval`]; here its result is put together over all disjuncts that call the action, and made readable
//! (`text`).

mod text;

pub use crate::eval::{Outcome, Part, Role, Valued};

use super::{ActionId, Spec, State, Step};
use crate::diagnostic::{Diagnostic, TlaError};
use crate::eval::{Context, Disjunct, Moment};
use crate::source::Sources;
use crate::symbol::Symbol;
use crate::value::Value;

/// What an action with arguments is in a state, and why. Its [`Display`](std::fmt::Display) is for people:
///
/// ```text
/// Enqueue(3) cannot happen here
/// ✗ Enqueue(e)  (Queue.tla:18:31)
///   ✓ e = 3 is in Elems  [Elems = {1, 2, 3}]
///   ✗ /\ Len(q) < Capacity  [Len(q) = 2, Capacity = 2, q = <<1, 2>>]
///   · /\ q' = Append(q, elem)
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The action's name.
    pub action: Symbol,
    /// Its parameters with the recorded arguments; `None` for one that was not recorded.
    pub args: Vec<(Symbol, Option<Value>)>,
    /// The steps that it can take; none if it cannot happen.
    pub steps: Vec<Step>,
    /// Why they could not be found, if something could not be evaluated.
    pub failure: Option<Diagnostic>,
    /// The disjuncts of the next-state relation that call it.
    pub disjuncts: Vec<Part>,
    /// The files that the parts' spans point into.
    pub sources: Sources,
}

impl Explanation {
    /// Whether the action can happen.
    pub fn outcome(&self) -> Outcome {
        match (Outcome::of_any(&self.disjuncts), &self.failure) {
            _ if !self.steps.is_empty() => Outcome::True,
            // All that has to hold does, but that is not enough to make a state.
            (Outcome::True, Some(failure)) => Outcome::Failed(Box::new(failure.clone())),
            (outcome, _) => outcome,
        }
    }
}

impl Spec {
    /// Explains why an action could not happen in a state with these arguments, in the order of its parameters: a tree
    /// of what has to hold in each disjunct of the next-state relation that calls it, down to the conditions that are
    /// false, with the values that make them so. If it can happen after all, the explanation has the steps.
    ///
    /// # Errors
    /// If there is no next-state relation. What cannot be evaluated is part of the explanation.
    ///
    /// # Panics
    /// If there are fewer or more arguments than the action has parameters.
    pub fn explain(
        &self,
        state: &State,
        action: ActionId,
        args: &[Option<Value>],
    ) -> Result<Explanation, Box<TlaError>> {
        let spec_action = &self.actions.actions[action.0];
        assert_eq!(args.len(), spec_action.params.len(), "{} has other parameters", spec_action.name);
        let Some((_, next)) = &self.program.next else { return Err(self.missing("next-state relation", "Next")) };
        let evaluator = self.evaluator();
        let moment = Moment::state(state.values());
        let explain = |position| evaluator.explain_disjunct(next, Disjunct { position, args }, Context::of(&moment));
        let (steps, failure) = match self.step(state, action, args) {
            Ok(steps) => (steps, None),
            Err(error) => (Vec::new(), error.diagnostics.into_iter().next()),
        };
        Ok(Explanation {
            action: spec_action.name,
            args: spec_action.params.iter().copied().zip(args.iter().cloned()).collect(),
            steps,
            failure,
            disjuncts: spec_action.disjuncts.iter().map(|disjunct| explain(&disjunct.position)).collect(),
            sources: self.sources().clone(),
        })
    }
}
