//! `PROPERTY`: taken apart into what can be decided state by state and step by step, and the rest.
//!
//! As TLC does it: of the conjuncts, looked for through definitions and instances, a formula about a state alone must hold
//! in initial states, `[]P` in all states, and `[][A]_v` for all steps. So a refinement `I!Spec` has all three. `\A`
//! over a constant set goes through, because it commutes with `[]`. All other temporal formulas are liveness, or would
//! need a liveness checker: they are kept as unchecked, so that nobody takes them for checked.

use super::Compiler;
use super::builtin_operator::BuiltinOperator;
use super::context::{DraftBody, Entity};
use super::facts::Facts;
use super::lower::Lowerer;
use super::resolve::without_parens;
use super::scope::View;
use super::specification::{Seen, boxed};
use crate::config::Named;
use crate::diagnostic::Diagnostic;
use crate::ir::{Expr, ExprKind, Level, Property, Unchecked};
use crate::syntax::ast;

/// Which part of a property is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Initial,
    States,
    Steps,
}

impl<'a> Compiler<'a> {
    /// The parts of the property of that name.
    pub(super) fn property(&mut self, facts: &Facts, name: Named) -> Option<Property> {
        let Some(seen) = self.property_formula(name) else {
            // A name for a value that the configuration gives, and the like.
            let formula = self.named_formula(name)?;
            return Some(Property { initial: Some(formula.expr), ..Property::named(name.name) });
        };
        let mut unchecked = Vec::new();
        let [initial, states, steps] = [Part::Initial, Part::States, Part::Steps].map(|part| {
            unchecked.clear();
            let mut lowerer = Lowerer::new(self, facts, seen.view.clone(), name.name);
            lowerer.property_part(seen.formula, part, &mut unchecked, 0)
        });
        Some(Property { name: name.name, initial, states, steps, unchecked })
    }

    fn property_formula(&mut self, name: Named) -> Option<Seen<'a>> {
        let entity = self.lookup_path(name.name).map(|entity| self.replaced(entity));
        let Some(Entity::Definition(draft)) = entity else { return None };
        let draft = &self.drafts[draft.0 as usize];
        match draft.body {
            DraftBody::Operator(_, formula) if draft.params.is_empty() => {
                let view = View { context: draft.context, order: draft.order, locals: Vec::new() };
                Some(Seen { formula, view })
            }
            _ => None,
        }
    }
}

impl<'a> Lowerer<'_, 'a> {
    /// One part of a property; nothing if it says nothing of that. What is in no part is unchecked.
    fn property_part(
        &mut self,
        formula: &'a ast::Expr,
        part: Part,
        unchecked: &mut Vec<Unchecked>,
        depth: usize,
    ) -> Option<Expr> {
        let conjuncts = self.flatten(BuiltinOperator::And, formula);
        if let [_, _, ..] = conjuncts[..] {
            let parts = conjuncts.into_iter().filter_map(|item| self.property_part(item, part, unchecked, depth + 1));
            let mut parts: Vec<Expr> = parts.collect();
            return match parts.len() {
                0 | 1 => parts.pop(),
                _ => Some(Expr { span: formula.span, kind: ExprKind::And(parts.into()) }),
            };
        }
        let formula = without_parens(conjuncts.into_iter().next().unwrap_or(formula));
        let value = self.expr(formula);
        let level = self.level(&value);
        if level <= Level::State {
            return (part == Part::Initial).then_some(value);
        }
        if let Some(operand) = boxed(formula) {
            let (of, value) = match &*operand.kind {
                ast::ExprKind::Stuttering { stutters: true, .. } => (Part::Steps, self.step_formula(operand)),
                _ => (Part::States, self.expr(operand)),
            };
            let allowed = if of == Part::Steps { Level::Action } else { Level::State };
            if self.level(&value) <= allowed {
                return (part == of).then_some(value);
            }
        } else if let ast::ExprKind::Quantifier { universal: true, bounds, body } = &*formula.kind {
            let mut inner = Vec::new();
            let (bounds, found) = self.bounded(bounds, |this| this.property_part(body, part, &mut inner, depth + 1));
            if bounds.binders.iter().all(|binder| self.level(&binder.set) == Level::Constant) {
                unchecked.append(&mut inner);
                return found.map(|body| Expr { span: formula.span, kind: ExprKind::ForAll(bounds, Box::new(body)) });
            }
        } else if let Some(Seen { formula, view }) = self.defined_formula(formula).filter(|_| depth < 1000) {
            return self.seen_by(view, |this| this.property_part(formula, part, unchecked, depth + 1));
        }
        if level == Level::Action {
            self.compiler.report(
                Diagnostic::error("a property has a conjunct that is an action")
                    .at(formula.span)
                    .label("neither about initial states nor a temporal formula")
                    .hint("write [][A]_vars for what all steps must do"),
            );
        }
        let what = match value.kind {
            ExprKind::Temporal(what) => what,
            _ => "a temporal formula",
        };
        unchecked.push(Unchecked { span: formula.span, what });
        None
    }

    /// `[A]_v`, where it is asked first whether `v` changes: that takes less time, and most steps of a refinement change
    /// nothing that the refined specification knows.
    fn step_formula(&mut self, operand: &'a ast::Expr) -> Expr {
        let span = operand.span;
        let kind = match self.expr(operand).kind {
            ExprKind::Or(parts) => {
                let mut parts = parts.into_vec();
                parts.reverse();
                ExprKind::Or(parts.into())
            }
            kind => kind,
        };
        Expr { span, kind }
    }

    fn level(&mut self, expr: &Expr) -> Level {
        let facts = self.facts;
        facts.look(expr, &mut self.frames).level
    }
}
