//! The steps of one action, one by one: only those that are asked for are made.
//!
//! [`Spec::step`] returns a list. This is for a search over many states: it decides by the
//! fingerprint whether to make a state, and gets the failure of a branch even if another led to a step.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::explain::Part;
use super::step::{ActionId, Candidate};
use super::{Spec, State};
use crate::diagnostic::TlaError;
use crate::eval::{Argument, Context, Disjunct, Failure, Found, Manner, Moment};
use crate::ir::{Definition, Level};
use crate::value::Value;

impl Spec {
    /// Visits the states that an action with these arguments leads to from a state; the same state perhaps more than once.
    /// What [`Spec::step`] says about arguments and steps holds here, too.
    ///
    /// # Errors
    /// The first failure of a branch, after all others were visited. [`Spec::failed`] makes a report of it.
    ///
    /// # Panics
    /// If there are fewer or more arguments than the action has parameters.
    pub fn visit_steps(
        &self,
        state: &State,
        action: ActionId,
        args: &[Option<Value>],
        visit: &mut dyn FnMut(Candidate<'_>) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        self.visit_disjuncts(state, action, args, Manner::default(), |_, _, candidate| Ok(visit(candidate)))
    }

    /// The same, with what is known about the arguments after each step: a value, or a set of which all elements lead there.
    ///
    /// # Errors
    /// The first failure of a branch, after all others were visited.
    ///
    /// # Panics
    /// If there are fewer or more arguments than the action has parameters.
    pub fn visit_steps_with_arguments(
        &self,
        state: &State,
        action: ActionId,
        args: &[Option<Value>],
        visit: &mut dyn FnMut(Vec<Argument>, Candidate<'_>) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let manner = Manner { report_arguments: true, ..Manner::default() };
        self.visit_disjuncts(state, action, args, manner, |_, found, candidate| {
            Ok(visit(self.evaluator().known_arguments(found, args)?, candidate))
        })
    }

    /// [`Spec::visit_steps`] in some manner, with the disjunct of `Next` that led to each state, and what was found.
    pub(super) fn visit_disjuncts(
        &self,
        state: &State,
        action: ActionId,
        args: &[Option<Value>],
        manner: Manner<'_>,
        mut visit: impl FnMut(usize, &Found<'_>, Candidate<'_>) -> Result<ControlFlow<()>, Failure>,
    ) -> Result<(), Failure> {
        let spec_action = &self.actions.actions[action.0];
        assert_eq!(args.len(), spec_action.params.len(), "{} has other parameters", spec_action.name);
        let Some((_, next)) = &self.program.next else {
            return Err(Failure::unplaced("there is no next-state relation"));
        };
        let failed = RefCell::new(None);
        let manner = Manner { tolerate: Some(&failed), ..manner };
        let moment = Moment::state(state.values());
        let mut stop = false;
        for (at, disjunct) in spec_action.disjuncts.iter().enumerate() {
            let disjunct = Disjunct { position: &disjunct.position, args };
            let run = self.evaluator().run_route(next, disjunct, Context::of(&moment), manner, &mut |found| {
                let candidate = self.candidate(&found).map_err(|failure| failure.located(spec_action.span))?;
                let flow = visit(at, &found, candidate)?;
                stop = flow.is_break();
                Ok(flow)
            });
            if let Err(failure) = run {
                failed.borrow_mut().get_or_insert(failure);
            }
            if stop {
                return Ok(());
            }
        }
        failed.into_inner().map_or(Ok(()), Err)
    }

    /// A failure with its place in the specification.
    pub fn failed(&self, failure: Failure) -> Box<TlaError> {
        self.error(failure)
    }

    /// Whether an operator of the specification, of one parameter, is true of a step and an argument.
    ///
    /// # Errors
    /// If there is no such operator, or if it cannot be evaluated or is no formula.
    pub fn holds_of(&self, operator: &str, argument: &Value, from: &State, to: &State) -> Result<bool, Failure> {
        let Some(definition) = self.operator_of_one(operator) else {
            return Err(Failure::unplaced(format!("no operator of one parameter is named `{operator}`")));
        };
        let moment = Moment::step(from.values(), to.values());
        let holds = self.evaluator().holds_of(&definition.body, argument.clone(), Context::of(&moment));
        holds.map_err(|failure| failure.located(definition.span))
    }

    /// What such an operator is of a step and an argument, and if that is not TRUE, why. `None` if there is no such operator.
    pub fn explain_of(&self, operator: &str, argument: &Value, from: &State, to: &State) -> Option<Part> {
        let definition = self.operator_of_one(operator)?;
        let moment = Moment::step(from.values(), to.values());
        Some(self.evaluator().explain_of(&definition.body, argument.clone(), Context::of(&moment)))
    }

    fn operator_of_one(&self, name: &str) -> Option<&Definition> {
        let named = self.program.definitions.iter().find(|definition| definition.name.as_str() == name);
        named.filter(|found| found.params.len() == 1 && found.level <= Level::Action)
    }
}
