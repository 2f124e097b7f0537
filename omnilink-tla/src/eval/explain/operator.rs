//! Operators: their arguments, and their bodies in the scope of these.

use super::formula::Wanted;
use super::part::Part;
use super::{Explainer, Scope};
use crate::eval::Failure;
use crate::eval::env::{Binding, Env, Lazy, Operator};
use crate::ir::{Action, Arg, DefinitionId, Expr, Lambda, Local};

/// Which of its two forms an operator is used in.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// It is run, if it can be.
    Action,
    /// It is evaluated.
    Value(Wanted),
}

impl Explainer<'_> {
    /// A definition with arguments.
    pub(super) fn call<'a>(
        &'a self,
        id: DefinitionId,
        args: &'a [Arg],
        form: Form,
        scope: Scope<'a>,
        part: &mut Part,
    ) -> Result<(), Failure> {
        let definition = self.evaluator.program.definition(id);
        let frame = self.evaluator.bind(args, scope.env, scope.cx)?;
        part.values = self.argument_values(args, scope);
        let inner = Env { bindings: &frame, up: None };
        part.adopt(self.body(definition.action.as_ref(), &definition.body, form, scope.within(&inner)));
        Ok(())
    }

    /// A parameter or a `LET` definition with arguments.
    pub(super) fn call_local<'a>(
        &'a self,
        local: Local,
        args: &'a [Arg],
        form: Form,
        scope: Scope<'a>,
        part: &mut Part,
    ) -> Result<(), Failure> {
        match scope.env.find(local) {
            (Binding::Lazy(Lazy { action, expr, env, .. }), _) => {
                part.adopt(self.body(*action, expr, form, scope.within(env)));
            }
            (Binding::Let { definition, .. }, frame) => {
                self.call_lambda(&definition.lambda, frame, args, form, scope, part)?;
            }
            (Binding::Operator(Operator::Lambda(lambda, closure)), _) => {
                self.call_lambda(lambda, closure, args, form, scope, part)?;
            }
            (Binding::Operator(Operator::Definition(id)), _) => self.call(*id, args, form, scope, part)?,
            _ => part.values = self.argument_values(args, scope),
        }
        Ok(())
    }

    fn call_lambda<'a>(
        &'a self,
        lambda: &'a Lambda,
        closure: &'a Env<'a>,
        args: &'a [Arg],
        form: Form,
        scope: Scope<'a>,
        part: &mut Part,
    ) -> Result<(), Failure> {
        let frame = self.evaluator.bind(args, scope.env, scope.cx)?;
        part.values = self.argument_values(args, scope);
        let entered = closure.enter(&frame);
        let env = if args.is_empty() { closure } else { &entered };
        part.adopt(self.body(lambda.action.as_ref(), &lambda.body, form, scope.within(env)));
        Ok(())
    }

    fn body<'a>(&'a self, action: Option<&'a Action>, expr: &'a Expr, form: Form, scope: Scope<'a>) -> Part {
        match (form, action) {
            (Form::Action, Some(action)) => self.action(action, scope),
            (Form::Action, None) => self.formula(expr, Some(true), scope),
            (Form::Value(wanted), _) => self.formula(expr, wanted, scope),
        }
    }
}
