//! What operators are given for their parameters.

use std::sync::Arc;

use super::{Lowerer, MISTAKE};
use crate::builtin::LAZY;
use crate::compile::context::Entity;
use crate::compile::resolve::{Meaning, Prefix, without_parens};
use crate::compile::scope::{LocalKind, LocalName};
use crate::diagnostic::Diagnostic;
use crate::ir::{Arg, DefinitionId, Expr, ExprKind, Lambda, Local, OperatorArg};
use crate::source::Span;
use crate::suggest::count;
use crate::syntax::ast::{self, Ident};

impl<'a> Lowerer<'_, 'a> {
    /// The arguments of a definition or of a bound operator, whose number is right.
    pub(in crate::compile) fn args(
        &mut self,
        arities: &[usize],
        args: impl IntoIterator<Item = &'a ast::Expr>,
        callee: Option<DefinitionId>,
    ) -> Box<[Arg]> {
        let arg = |(expr, arity): (&'a ast::Expr, &usize)| match arity {
            0 => self.value_arg(expr, callee),
            _ => Arg::Operator(self.operator_arg(expr, *arity)),
        };
        args.into_iter().zip(arities).map(arg).collect()
    }

    /// The arguments of a native, which evaluates all of them.
    pub(super) fn native_args(&mut self, arities: &[usize], args: &'a [ast::Expr]) -> Box<[Arg]> {
        let arg = |(expr, arity): (&'a ast::Expr, &usize)| match arity {
            0 => Arg::Eager(self.expr(expr)),
            &LAZY => Arg::Operator(self.delayed(expr)),
            _ => Arg::Operator(self.operator_arg(expr, *arity)),
        };
        args.iter().zip(arities).map(arg).collect()
    }

    /// An expression as an operator, whose argument does not matter.
    fn delayed(&mut self, expr: &'a ast::Expr) -> OperatorArg {
        self.frames.push();
        let body = self.expr(expr);
        self.frames.pop();
        OperatorArg::Lambda(Arc::new(Lambda { arity: 1, body, action: None }))
    }

    fn value_arg(&mut self, expr: &'a ast::Expr, callee: Option<DefinitionId>) -> Arg {
        let expr = self.expr(expr);
        if self.costs_nothing(&expr, callee) { Arg::Eager(expr) } else { Arg::Lazy { expr, keep: true, action: None } }
    }

    /// Whether it may be evaluated before the call: it cannot fail, and it means the same wherever the operator uses
    /// it.
    pub(in crate::compile) fn costs_nothing(&self, expr: &Expr, callee: Option<DefinitionId>) -> bool {
        match &expr.kind {
            ExprKind::Value(_) => true,
            ExprKind::Local(local) => self.is_value(*local),
            ExprKind::Variable(_) => callee.is_some_and(|callee| self.facts.get(callee).steadfast),
            _ => false,
        }
    }

    /// Whether a bound name is a value, rather than an argument or definition that may not have been evaluated. (What
    /// is in a frame of its own without a name is `@`.)
    pub(in crate::compile) fn is_value(&self, local: Local) -> bool {
        match self.local_at(local) {
            Some(name) => matches!(name.kind, LocalKind::Bound),
            None => local.depth as usize + 1 < self.frames.len(),
        }
    }

    /// The bound name that is found there.
    pub(in crate::compile) fn local_at(&self, local: Local) -> Option<LocalName<'a>> {
        let in_frame = |name: &&LocalName<'a>| !matches!(name.kind, LocalKind::Entity(_));
        let mut names = self.view.locals.iter().filter(in_frame);
        names.find(|name| name.seen_from(self.frames.len()) == local).copied()
    }

    /// What a definition of an instance is given for a parameter of the instance.
    pub(in crate::compile) fn prefix_arg(&mut self, given: &Prefix<'a>, span: Span) -> Arg {
        let (local, arity) = match given {
            Prefix::Given { expr, arity, view } => {
                let (expr, arity) = (*expr, *arity);
                return self.seen_by((**view).clone(), |this| match arity {
                    0 => this.value_arg(expr, None),
                    _ => Arg::Operator(this.operator_arg(expr, arity)),
                });
            }
            Prefix::Outer { index, arity } => {
                (Local { depth: self.frames.len() as u32 - 1, index: *index as u32 }, *arity)
            }
            Prefix::Captured(local) => (local.seen_from(self.frames.len()), local.arity()),
        };
        if arity > 0 {
            return Arg::Operator(OperatorArg::Local(local));
        }
        let expr = Expr { span, kind: ExprKind::Local(local) };
        if self.is_value(local) { Arg::Eager(expr) } else { Arg::Lazy { expr, keep: true, action: None } }
    }

    /// An operator where one is expected: `+`, `Op`, `I!Op`, or a `LAMBDA`.
    pub(in crate::compile) fn operator_arg(&mut self, expr: &'a ast::Expr, arity: usize) -> OperatorArg {
        let expr = without_parens(expr);
        match &*expr.kind {
            ast::ExprKind::Lambda { params, .. } => {
                if params.len() != arity {
                    self.wrong_operator(expr.span, "this LAMBDA", params.len(), arity);
                }
                OperatorArg::Lambda(self.lambda(expr))
            }
            ast::ExprKind::Name { path, name } => match self.meaning(path, *name) {
                Some(meaning) => self.operator_meaning(meaning, *name, arity),
                None => mistaken_operator(expr.span, arity),
            },
            _ => {
                self.expr(expr);
                let message = format!("an operator with {} is expected, not a value", count(arity, "parameter"));
                self.compiler
                    .report(Diagnostic::error(message).at(expr.span).hint("write a LAMBDA or the name of one"));
                mistaken_operator(expr.span, arity)
            }
        }
    }

    fn operator_meaning(&mut self, meaning: Meaning<'a>, name: Ident, arity: usize) -> OperatorArg {
        let found = match &meaning {
            Meaning::Local(local) => local.arity(),
            Meaning::Builtin(operator) => operator.arity(),
            Meaning::Substituted(expr, view) => {
                let (expr, view) = (*expr, (**view).clone());
                return self.seen_by(view, |this| this.operator_arg(expr, arity));
            }
            Meaning::Entity(entity, _) => match entity {
                Entity::Definition(draft) => self.compiler.drafts[draft.0 as usize].params.len(),
                Entity::Native(native) => native.params.len(),
                Entity::Constant(constant) => self.compiler.constants[*constant as usize].arity,
                _ => 0,
            },
        };
        if found != arity {
            self.wrong_operator(name.span, &format!("`{}`", name.name), found, arity);
            return mistaken_operator(name.span, arity);
        }
        match meaning {
            Meaning::Local(local) => OperatorArg::Local(local.seen_from(self.frames.len())),
            Meaning::Entity(Entity::Native(native), _) => OperatorArg::Native(native),
            Meaning::Entity(Entity::Definition(draft), prefix) => {
                let (id, arities) = self.compiler.reach(draft);
                if prefix.is_empty() {
                    return OperatorArg::Definition(id);
                }
                self.eta(name.span, arity, |this, own| {
                    let mut args: Vec<Arg> = prefix.iter().map(|given| this.prefix_arg(given, name.span)).collect();
                    args.extend(own.into_iter().zip(arities).map(|(expr, arity)| match (arity, &expr.kind) {
                        (1.., ExprKind::Local(local)) => Arg::Operator(OperatorArg::Local(*local)),
                        _ => Arg::Lazy { expr, keep: true, action: None },
                    }));
                    ExprKind::Call(id, args.into())
                })
            }
            Meaning::Builtin(operator) => self.eta(name.span, arity, |_, args| operator.node(args)),
            Meaning::Entity(..) => self.eta(name.span, arity, |_, _| ExprKind::UnassignedConstant(name.name)),
            Meaning::Substituted(..) => unreachable!("what was substituted has been looked at"),
        }
    }

    /// `LAMBDA x, y : …` made from what the parameters become.
    fn eta(&mut self, span: Span, arity: usize, body: impl FnOnce(&mut Self, Vec<Expr>) -> ExprKind) -> OperatorArg {
        self.frames.push();
        let args =
            (0..arity as u32).map(|index| Expr { span, kind: ExprKind::Local(Local { depth: 0, index }) }).collect();
        let kind = body(self, args);
        self.frames.pop();
        OperatorArg::Lambda(Arc::new(Lambda { arity, body: Expr { span, kind }, action: None }))
    }

    fn wrong_operator(&mut self, span: Span, what: &str, found: usize, expected: usize) {
        let expected = count(expected, "parameter");
        let message = format!("an operator with {expected} is expected, but {what} has {}", count(found, "parameter"));
        self.compiler.report(Diagnostic::error(message).at(span));
    }
}

fn mistaken_operator(span: Span, arity: usize) -> OperatorArg {
    OperatorArg::Lambda(Arc::new(Lambda { arity, body: Expr { span, kind: MISTAKE }, action: None }))
}
