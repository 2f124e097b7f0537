//! What bound names stand for.

use std::rc::Rc;

use super::kind::Kind;
use crate::ir::{Action, Arg, DefinitionId, Expr, Lambda, LetGroup, Local, OperatorArg};

/// The frames around an expression.
#[derive(Clone, Default)]
pub(super) struct Env<'p>(Option<Rc<Frame<'p>>>);

struct Frame<'p> {
    names: Names<'p>,
    up: Env<'p>,
}

enum Names<'p> {
    Bound(Vec<Binding<'p>>),
    Let(&'p LetGroup),
}

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Binding<'p> {
    Kind(Kind),
    /// An element of the constant that was recorded.
    Element,
    /// An expression, and perhaps its other form.
    Expr(&'p Expr, Option<&'p Action>, Env<'p>),
    /// An operator with parameters, or a definition of a `LET` without.
    Lambda(&'p Lambda, Env<'p>),
    Definition(DefinitionId),
    Native,
}

impl<'p> Env<'p> {
    pub fn enter(&self, names: Vec<Binding<'p>>) -> Self {
        Self(Some(Rc::new(Frame { names: Names::Bound(names), up: self.clone() })))
    }

    pub fn enter_kinds(&self, kind: &Kind, count: usize) -> Self {
        self.enter(vec![Binding::Kind(kind.clone()); count])
    }

    pub fn enter_let(&self, group: &'p LetGroup) -> Self {
        Self(Some(Rc::new(Frame { names: Names::Let(group), up: self.clone() })))
    }

    pub fn find(&self, local: Local) -> Option<Binding<'p>> {
        let mut env = self;
        for _ in 0..local.depth {
            env = &env.0.as_ref()?.up;
        }
        match &env.0.as_ref()?.names {
            Names::Bound(bindings) => bindings.get(local.index as usize).cloned(),
            Names::Let(group) => {
                let definition = group.definitions.get(local.index as usize)?;
                Some(Binding::Lambda(&definition.lambda, env.clone()))
            }
        }
    }

    /// What is given for parameters.
    pub fn bind(&self, args: &'p [Arg]) -> Vec<Binding<'p>> {
        let bind = |arg: &'p Arg| match arg {
            Arg::Eager(expr) => Binding::Expr(expr, None, self.clone()),
            Arg::Lazy { expr, action, .. } => Binding::Expr(expr, action.as_deref(), self.clone()),
            Arg::Operator(OperatorArg::Lambda(lambda)) => Binding::Lambda(lambda, self.clone()),
            Arg::Operator(OperatorArg::Definition(id)) => Binding::Definition(*id),
            Arg::Operator(OperatorArg::Local(local)) => self.find(*local).unwrap_or(Binding::Kind(Kind::Set)),
            Arg::Operator(OperatorArg::Native(_)) => Binding::Native,
        };
        args.iter().map(bind).collect()
    }
}
