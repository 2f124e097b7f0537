//! Expressions that depend on the next state: they must not be evaluated before it is assigned, nor kept for another
//! branch.
//!
//! ```text
//! F(late) == (x' = 1 \/ x' = 2) /\ y' = late          F(x' + 1)
//! ```
//!
//! Parameters that may get such arguments are collected, and the definitions compiled again until no new one is
//! found.

use std::collections::BTreeSet;

use super::action::Finds;
use super::facts::{Free, any_free};
use super::lower::Lowerer;
use super::resolve::{Prefix, without_parens};
use super::scope::LocalKind;
use crate::ir::{ActionKind, Arg, DefinitionId, Expr, Lambda, Level, OperatorArg};
use crate::syntax::ast::{self, Ident};

/// Parameters of definitions, by their place, whose arguments may depend on the state that is being found.
pub(super) type LateParams = BTreeSet<(DefinitionId, usize)>;

impl<'a> Lowerer<'_, 'a> {
    /// Arguments of what is run: a formula among them may be run in its turn.
    pub(super) fn run_args(
        &mut self,
        prefix: &[Prefix<'a>],
        arities: &[usize],
        name: Ident,
        args: impl IntoIterator<Item = &'a ast::Expr>,
        callee: Option<DefinitionId>,
    ) -> Box<[Arg]> {
        let mut given: Vec<Arg> = Vec::new();
        for item in prefix {
            let arg = self.prefix_arg(item, name.span);
            given.push(self.late_arg(arg, None, callee, given.len()));
        }
        for (expr, arity) in args.into_iter().zip(arities) {
            let arg = match arity {
                0 => Arg::Lazy { expr: self.expr(expr), keep: true, action: None },
                _ => Arg::Operator(self.operator_arg(expr, *arity)),
            };
            given.push(self.late_arg(arg, Some(expr), callee, given.len()));
        }
        given.into()
    }

    /// Gives an argument that depends on the state being found its action form, and remembers that the parameter may.
    fn late_arg(&mut self, arg: Arg, syntax: Option<&'a ast::Expr>, callee: Option<DefinitionId>, at: usize) -> Arg {
        let (arg, late) = match arg {
            Arg::Eager(expr) | Arg::Lazy { expr, .. } => {
                if !self.is_found_later(&expr, 0) {
                    let eager = self.costs_nothing(&expr, callee);
                    return if eager { Arg::Eager(expr) } else { Arg::Lazy { expr, keep: true, action: None } };
                }
                let action = syntax.map(|syntax| self.action(syntax));
                let action = action.filter(|action| !matches!(action.kind, ActionKind::Guard(_)));
                (Arg::Lazy { expr, keep: false, action: action.map(Box::new) }, true)
            }
            Arg::Operator(operator) => {
                let (operator, late) = self.run_operator(operator, syntax);
                (Arg::Operator(operator), late)
            }
        };
        if let (true, Some(callee)) = (late, callee) {
            self.compiler.late_params.insert((callee, at));
        }
        arg
    }

    /// An operator that is given to something that is run: it may be run itself.
    fn run_operator(&mut self, operator: OperatorArg, syntax: Option<&'a ast::Expr>) -> (OperatorArg, bool) {
        match operator {
            OperatorArg::Definition(id) => {
                let needed = self.threshold();
                if self.facts.get(id).level < needed {
                    return (OperatorArg::Definition(id), false);
                }
                let id = self.compiler.run_form(id, self.mode.finds);
                self.compiler.all_params_late(id);
                (OperatorArg::Definition(id), true)
            }
            OperatorArg::Lambda(lambda) => {
                let is_late = self.is_found_later(&lambda.body, usize::from(lambda.arity > 0));
                let syntax = syntax.map(without_parens).map(|syntax| &*syntax.kind);
                match (is_late, syntax) {
                    (true, Some(ast::ExprKind::Lambda { params, body })) => {
                        let (body, action) = self.below_params(params, |this| (this.expr(body), this.action(body)));
                        let lambda = Lambda { arity: params.len(), body, action: Some(action) };
                        (OperatorArg::Lambda(lambda.into()), true)
                    }
                    _ => (OperatorArg::Lambda(lambda), is_late),
                }
            }
            OperatorArg::Local(local) => {
                if let Some(name) = self.local_at(local) {
                    self.run_locals.insert((name.frame, name.index));
                }
                let late = self.is_late(Free::Local(local));
                (OperatorArg::Local(local), late)
            }
            OperatorArg::Native(native) => (OperatorArg::Native(native), false),
        }
    }

    /// Whether an expression, which stands below so many frames of its own, may depend on the state that is being
    /// found.
    pub(super) fn is_found_later(&mut self, expr: &Expr, below: usize) -> bool {
        let facts = self.facts;
        self.frames.below(below, |frames| facts.look(expr, frames)).level >= self.threshold()
            || any_free(expr, below as u32, &|found| self.is_late(found))
    }

    /// From this level on, things depend on the state that is being found.
    fn threshold(&self) -> Level {
        match self.mode.finds {
            Finds::Next => Level::Action,
            Finds::Initial => Level::State,
        }
    }

    fn is_late(&self, found: Free) -> bool {
        let Free::Local(local) = found else { return true };
        let frame = self.frames.len() as u32 - 1 - local.depth;
        if frame == 0 {
            return self.running.is_some_and(|id| self.compiler.late_params.contains(&(id, local.index as usize)));
        }
        match self.local_at(local).map(|name| name.kind) {
            Some(LocalKind::Let(_)) => self.later_locals.contains(&(frame, local.index)),
            // What the operators of a `LET` and LAMBDAs are given is not followed.
            Some(LocalKind::Param { .. }) => true,
            Some(LocalKind::Bound | LocalKind::Entity(_)) | None => false,
        }
    }
}
