//! `SPECIFICATION Spec`: the initial predicate and the next-state relation in `Init /\ [][Next]_vars /\ …`.
//!
//! As TLC reads it: the conjuncts, looked for through definitions and instances, that say something of a state alone
//! are the initial predicate; `[][Next]_v` gives the next-state relation; other temporal formulas are
//! ignored here.

use super::Compiler;
use super::builtin_operator::BuiltinOperator;
use super::context::{DraftBody, Entity};
use super::facts::Facts;
use super::lower::Lowerer;
use super::resolve::{Meaning, without_parens};
use super::scope::View;
use crate::config::Named;
use crate::diagnostic::Diagnostic;
use crate::ir::Level;
use crate::symbol::Symbol;
use crate::syntax::ast::{self, Expr, ExprKind};

/// A formula, and from where it is seen.
#[derive(Clone, Debug)]
pub(super) struct Seen<'a> {
    pub formula: &'a Expr,
    pub view: View<'a>,
}

/// What a specification is made of.
#[derive(Debug, Default)]
pub(super) struct Specification<'a> {
    /// Conjuncts of the initial predicate.
    pub init: Vec<Seen<'a>>,
    /// The next-state relation.
    pub next: Option<Seen<'a>>,
}

impl<'a> Compiler<'a> {
    /// Takes apart the specification of that name; nothing if there is none, which is reported.
    pub(super) fn decompose(&mut self, facts: &Facts, name: Named) -> Option<Specification<'a>> {
        let Some(Entity::Definition(draft)) = self.lookup_path(name.name).map(|entity| self.replaced(entity)) else {
            self.unknown_named(name, "definition");
            return None;
        };
        let draft = &self.drafts[draft.0 as usize];
        let view = View { context: draft.context, order: draft.order, locals: Vec::new() };
        match draft.body {
            DraftBody::Operator(_, formula) if draft.params.is_empty() => {
                let mut found = Specification::default();
                self.conjunct(facts, Seen { formula, view }, &mut found, 0);
                Some(found)
            }
            _ => {
                let message = format!("`{}` has parameters, or is no formula", name.name);
                self.report(Diagnostic::error(message).at(name.span).label("this cannot be a specification"));
                None
            }
        }
    }

    fn conjunct(&mut self, facts: &Facts, seen: Seen<'a>, found: &mut Specification<'a>, depth: usize) {
        let Seen { formula, view } = seen;
        let mut lowerer = Lowerer::new(self, facts, view.clone(), Symbol::new(""));
        let conjuncts = lowerer.flatten(BuiltinOperator::And, formula);
        if conjuncts.len() > 1 {
            for formula in conjuncts {
                self.conjunct(facts, Seen { formula, view: view.clone() }, found, depth + 1);
            }
            return;
        }
        let formula = without_parens(formula);
        let value = lowerer.expr(formula);
        let level = facts.look(&value, &mut lowerer.frames).level;
        if level <= Level::State {
            found.init.push(Seen { formula, view });
            return;
        }
        if let Some(next) = boxed_action(formula) {
            if found.next.is_some() {
                let message = "the specification has more than one next-state relation";
                self.report(Diagnostic::error(message).at(formula.span).label("this is the second one"));
            }
            found.next = Some(Seen { formula: next, view });
            return;
        }
        if let Some(inner) = lowerer.defined_formula(formula).filter(|_| depth < 1000) {
            return self.conjunct(facts, inner, found, depth + 1);
        }
        if level == Level::Action {
            self.report(
                Diagnostic::error("the specification has a conjunct that is an action")
                    .at(formula.span)
                    .label("neither an initial predicate nor a temporal formula")
                    .hint("write [][Next]_vars for a next-state relation"),
            );
        }
    }
}

impl<'a> Lowerer<'_, 'a> {
    /// What a name without arguments is defined as.
    pub(super) fn defined_formula(&mut self, formula: &'a Expr) -> Option<Seen<'a>> {
        let ExprKind::Name { path, name } = &*formula.kind else { return None };
        match self.meaning(path, *name)? {
            Meaning::Entity(Entity::Definition(draft), prefix) if prefix.is_empty() => {
                let draft = &self.compiler.drafts[draft.0 as usize];
                match draft.body {
                    DraftBody::Operator(_, formula) if draft.params.is_empty() => {
                        let view = View { context: draft.context, order: draft.order, locals: Vec::new() };
                        Some(Seen { formula, view })
                    }
                    _ => None,
                }
            }
            Meaning::Substituted(formula, view) => Some(Seen { formula, view: (*view).clone() }),
            _ => None,
        }
    }
}

/// The action of `[][A]_v`.
fn boxed_action(formula: &Expr) -> Option<&Expr> {
    match &*boxed(formula)?.kind {
        ExprKind::Stuttering { stutters: true, action, .. } => Some(action),
        _ => None,
    }
}

/// The formula of `[]F`.
pub(super) fn boxed(formula: &Expr) -> Option<&Expr> {
    match &*formula.kind {
        ExprKind::Apply { path, op, args } if path.is_empty() && op.name.as_str() == "[]" => {
            args.first().map(without_parens)
        }
        _ => None,
    }
}

/// The name of the operator that a formula applies, if it does nothing else.
pub(super) fn operator_name(formula: &ast::Expr) -> Option<Symbol> {
    match &*without_parens(formula).kind {
        ExprKind::Name { name, .. } | ExprKind::Apply { op: name, .. } => Some(name.name),
        _ => None,
    }
}
