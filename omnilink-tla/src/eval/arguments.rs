//! What a run determines about arguments that were not recorded.
//!
//! An argument on which nothing depended can be anything that its quantifier allows. That holds for each argument separately only
//! if no two depend on each other: `X(y, y)` and `X(y, y + 1)` are *entangled*, and every value of `y` is tried.

use super::action::{Found, Progress, Runner};
use super::env::{Binding, Unknown, UnknownId};
use super::expr::at;
use super::solve::{as_unknown, unknowns};
use super::{Evaluator, Failure};
use crate::value::Value;

/// What is known about an argument after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Its value.
    Value(Value),
    /// It can be any element of this set.
    Of(Value),
    /// It is an operator, which has no value.
    Operator,
}

impl Runner<'_> {
    /// An unknown value that several arguments depend on, if there is one.
    pub(super) fn entangled<'a>(&self, progress: &Progress<'a>) -> Option<&'a Unknown<'a>> {
        let mut alone: Vec<UnknownId> = Vec::new();
        for binding in progress.parameters?.bindings {
            let Binding::Lazy(lazy) = binding else { continue };
            if let Some(unknown) = as_unknown(lazy.expr, lazy.env) {
                if alone.contains(&unknown.id) {
                    return Some(unknown);
                }
                alone.push(unknown.id);
                continue;
            }
            let evaluated = self.evaluator.eval(lazy.expr, lazy.env, progress.cx);
            if let Some(id) = evaluated.err().and_then(|failure| failure.needs()) {
                return unknowns(progress.unknowns).find(|unknown| unknown.id == id);
            }
        }
        None
    }
}

impl Evaluator<'_> {
    /// The arguments that an action was run with, of which none is entangled with another.
    pub fn known_arguments(&self, found: &Found<'_>, recorded: &[Option<Value>]) -> Result<Vec<Argument>, Failure> {
        let bindings = found.parameters.map_or(&[][..], |parameters| parameters.bindings);
        let known = |(binding, recorded): (&Binding<'_>, &Option<Value>)| {
            if let (Some(value), _) | (None, Binding::Value(value)) = (recorded, binding) {
                return Ok(Argument::Value(value.clone()));
            }
            let Binding::Lazy(lazy) = binding else { return Ok(Argument::Operator) };
            if let Some(unknown) = as_unknown(lazy.expr, lazy.env) {
                return Ok(Argument::Of(unknown.bound.clone().own()));
            }
            let value = self.eval(lazy.expr, lazy.env, found.context)?;
            value.own().normalize().map(Argument::Value).map_err(|error| at(error, lazy.expr.span))
        };
        bindings.iter().zip(recorded).map(known).collect()
    }
}
