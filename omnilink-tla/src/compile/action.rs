//! From syntax to actions: how TLC reads a formula that is to find states.
//!
//! Conjunctions go from left to right, disjunctions and existential quantifiers branch, `x' = e` and `x' \in S` may
//! assign, and so on through `IF`, `CASE`, `LET`, and definitions. Whatever cannot assign is a condition. TLC lets a
//! condition branch, too, and finds the same state once per true branch; such a one keeps both readings.

use super::builtin_operator::BuiltinOperator;
use super::context::{DraftId, Entity};
use super::lower::Lowerer;
use super::parts::PartCall;
use super::resolve::{Meaning, Prefix, without_parens};
use super::scope::LocalKind;
use crate::diagnostic::Diagnostic;
use crate::ir::{Action, ActionKind, CaseArm, Expr, ExprKind};
use crate::source::Span;
use crate::syntax::ast::{self, Ident};
use crate::value::Value;

/// How many `ENABLED`s may stand inside of each other.
const DEEPEST_ENABLED: usize = 6;

/// How a formula is read as an action.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mode {
    pub finds: Finds,
    /// Whether we are inside a condition that has both readings already.
    in_condition: bool,
}

impl Mode {
    /// The way to find such states.
    pub fn to_find(finds: Finds) -> Self {
        Self { finds, in_condition: false }
    }
}

/// Which states are to be found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Finds {
    /// Next states: `x' = e` assigns.
    #[default]
    Next,
    /// Initial states: `x = e` assigns.
    Initial,
}

impl<'a> Lowerer<'_, 'a> {
    /// A formula as an action.
    pub(super) fn action(&mut self, formula: &'a ast::Expr) -> Action {
        let formula = without_parens(formula);
        let kind = self.deeper(formula.span, |this| this.action_kind(formula));
        Action { span: formula.span, kind: kind.unwrap_or_else(|| ActionKind::Guard(boolean(true, formula.span))) }
    }

    /// The operand of `ENABLED`. Compiling it takes time exponential in how deep these are nested.
    pub(super) fn enabled_operand(&mut self, formula: &'a ast::Expr) -> Action {
        if self.enabled_depth == DEEPEST_ENABLED {
            self.compiler.report(Diagnostic::error("ENABLED is nested too deeply").at(formula.span));
            return Action { span: formula.span, kind: ActionKind::Guard(boolean(false, formula.span)) };
        }
        let outer = std::mem::take(&mut self.mode);
        self.enabled_depth += 1;
        let action = self.action(formula);
        self.enabled_depth -= 1;
        self.mode = outer;
        action
    }

    fn action_kind(&mut self, formula: &'a ast::Expr) -> ActionKind {
        let conjuncts = self.flatten(BuiltinOperator::And, formula);
        if conjuncts.len() > 1 {
            return ActionKind::And(conjuncts.into_iter().map(|item| self.action(item)).collect());
        }
        let value = self.expr(formula);
        if self.is_found_later(&value, 0) {
            return self.structure(formula, value);
        }
        let facts = self.facts;
        if !facts.look(&value, &mut self.frames).branches {
            return ActionKind::Guard(value);
        }
        if self.mode.in_condition {
            return self.structure(formula, value);
        }
        self.mode.in_condition = true;
        let span = formula.span;
        let branches = Box::new(Action { span, kind: self.structure(formula, boolean(true, span)) });
        self.mode.in_condition = false;
        ActionKind::Condition { test: value, branches }
    }

    /// Reads a formula by its outermost operator; `value` is what it is as a condition.
    fn structure(&mut self, formula: &'a ast::Expr, value: Expr) -> ActionKind {
        match &*formula.kind {
            ast::ExprKind::Junction { conjunction: false, .. } => self.disjunction(formula),
            ast::ExprKind::Junction { items, .. } => match items.first() {
                Some(only) => self.action(only).kind,
                None => ActionKind::Guard(value),
            },
            ast::ExprKind::Quantifier { universal, bounds, body } => {
                let quantifier = if *universal { ActionKind::ForAll } else { ActionKind::Exists };
                let (bounds, body) = self.bounded(bounds, |this| Box::new(this.action(body)));
                quantifier(bounds, body)
            }
            ast::ExprKind::If { condition, then, otherwise } => {
                let condition = self.expr(condition);
                ActionKind::If(condition, Box::new(self.action(then)), Box::new(self.action(otherwise)))
            }
            ast::ExprKind::Case { arms, other } => {
                let arm = |(condition, body): &'a (ast::Expr, ast::Expr)| CaseArm {
                    condition: self.expr(condition),
                    body: self.action(body),
                };
                let arms = arms.iter().map(arm).collect();
                ActionKind::Case { arms, other: other.as_ref().map(|other| Box::new(self.action(other))) }
            }
            ast::ExprKind::Let { units, body } => self.let_action(units, body),
            ast::ExprKind::Stuttering { stutters, action, subscript } => {
                let action = self.action(action);
                let unchanged = ActionKind::Unchanged(self.expr(subscript));
                let span = subscript.span;
                if *stutters {
                    return ActionKind::Or([action, Action { span, kind: unchanged }].into());
                }
                let unchanged = Expr { span, kind: ExprKind::Unchanged(self.boxed(subscript)) };
                let changed = Expr { span, kind: ExprKind::Not(Box::new(unchanged)) };
                ActionKind::And([action, Action { span, kind: ActionKind::Guard(changed) }].into())
            }
            ast::ExprKind::Name { path, .. } | ast::ExprKind::Apply { path, .. } if self.leads_to_part(path) => {
                self.run_part(formula, value)
            }
            ast::ExprKind::Name { path, name } => match self.meaning(path, *name) {
                Some(meaning) => self.run(meaning, *name, &[], value),
                None => ActionKind::Guard(value),
            },
            ast::ExprKind::Apply { path, op, args } => match self.meaning(path, *op) {
                Some(Meaning::Builtin(operator)) => self.builtin_action(operator, formula, args, value),
                Some(meaning) => self.run(meaning, *op, args, value),
                None => ActionKind::Guard(value),
            },
            _ => ActionKind::Guard(value),
        }
    }

    fn disjunction(&mut self, formula: &'a ast::Expr) -> ActionKind {
        let items = self.flatten(BuiltinOperator::Or, formula);
        ActionKind::Or(items.into_iter().map(|item| self.action(item)).collect())
    }

    fn builtin_action(
        &mut self,
        operator: BuiltinOperator,
        formula: &'a ast::Expr,
        args: &'a [ast::Expr],
        value: Expr,
    ) -> ActionKind {
        match (operator, args) {
            (BuiltinOperator::Or, _) => self.disjunction(formula),
            (BuiltinOperator::Implies, [condition, then]) => {
                let condition = self.expr(condition);
                let otherwise = ActionKind::Guard(boolean(true, formula.span));
                let otherwise = Action { span: formula.span, kind: otherwise };
                ActionKind::If(condition, Box::new(self.action(then)), Box::new(otherwise))
            }
            (BuiltinOperator::Equal, [target, expr]) => match self.target(target) {
                Some(target) => ActionKind::Equal(target, self.expr(expr)),
                None => ActionKind::Guard(value),
            },
            (BuiltinOperator::In, [target, set]) => match self.target(target) {
                Some(target) => ActionKind::Member(target, self.expr(set)),
                None => ActionKind::Guard(value),
            },
            (BuiltinOperator::Unchanged, [expr]) if self.mode.finds == Finds::Next => {
                ActionKind::Unchanged(self.expr(expr))
            }
            _ => ActionKind::Guard(value),
        }
    }

    /// What may turn out to be a variable that is assigned: the variable, a definition of nothing else, or a parameter.
    fn target(&mut self, target: &'a ast::Expr) -> Option<Expr> {
        let Expr { span, kind } = self.expr(target);
        let kind = match kind {
            ExprKind::Prime(inner) => match inner.kind {
                ExprKind::Call(id, ref args) if args.is_empty() => {
                    BuiltinOperator::Prime.node(vec![Expr { span, kind: self.compiler.alias(id)? }])
                }
                ExprKind::Local(local) if !self.is_value(local) => ExprKind::Prime(inner),
                _ => return None,
            },
            ExprKind::Call(id, args) if args.is_empty() => self.compiler.alias(id)?,
            ExprKind::Local(local) if self.is_value(local) => return None,
            kind => kind,
        };
        let assigned = match self.mode.finds {
            Finds::Next => matches!(kind, ExprKind::Primed(_) | ExprKind::Prime(_) | ExprKind::Local(_)),
            Finds::Initial => matches!(kind, ExprKind::Variable(_) | ExprKind::Local(_)),
        };
        assigned.then_some(Expr { span, kind })
    }

    /// An operator met where it is run.
    fn run(&mut self, meaning: Meaning<'a>, name: Ident, args: &'a [ast::Expr], value: Expr) -> ActionKind {
        match meaning {
            Meaning::Local(local) => match local.kind {
                LocalKind::Bound | LocalKind::Entity(_) => ActionKind::Guard(value),
                LocalKind::Param { .. } | LocalKind::Let(_) if local.arity() == args.len() => {
                    self.run_locals.insert((local.frame, local.index));
                    let args = self.run_args(&[], &local.arities(), name, args, None);
                    ActionKind::CallLocal(local.seen_from(self.frames.len()), args)
                }
                LocalKind::Param { .. } | LocalKind::Let(_) => ActionKind::Guard(value),
            },
            Meaning::Entity(Entity::Definition(draft), prefix) => {
                self.run_definition(draft, &prefix, name, args, value)
            }
            Meaning::Substituted(expr, view) if args.is_empty() => {
                self.seen_by((*view).clone(), |this| this.action(expr).kind)
            }
            Meaning::Entity(..) | Meaning::Builtin(_) | Meaning::Substituted(..) => ActionKind::Guard(value),
        }
    }

    /// A part of a definition met where it is run.
    fn run_part(&mut self, formula: &'a ast::Expr, value: Expr) -> ActionKind {
        let (path, name, args): (_, _, &'a [ast::Expr]) = match &*formula.kind {
            ast::ExprKind::Name { path, name } => (path, *name, &[]),
            ast::ExprKind::Apply { path, op, args } => (path, *op, args),
            _ => return ActionKind::Guard(value),
        };
        let Some(Ok(PartCall { draft, prefix, args })) = self.part(path, name, args) else {
            return ActionKind::Guard(value);
        };
        let (id, arities) = self.compiler.reach(draft);
        let id = self.compiler.run_form(id, self.mode.finds);
        ActionKind::Call(id, self.run_args(&prefix, &arities, name, args, Some(id)))
    }

    fn run_definition(
        &mut self,
        draft: DraftId,
        prefix: &[Prefix<'a>],
        name: Ident,
        args: &'a [ast::Expr],
        value: Expr,
    ) -> ActionKind {
        let (id, arities) = self.compiler.reach(draft);
        if arities.len() != args.len() || !self.compiler.has_formula(draft) {
            return ActionKind::Guard(value);
        }
        let id = self.compiler.run_form(id, self.mode.finds);
        ActionKind::Call(id, self.run_args(prefix, &arities, name, args, Some(id)))
    }
}

pub(super) fn boolean(value: bool, span: Span) -> Expr {
    Expr { span, kind: ExprKind::Value(Value::Bool(value)) }
}
