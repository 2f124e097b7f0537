//! Where a specification uses what its user should know about.

use std::collections::HashSet;

use super::Spec;
use crate::builtin::{Run, names_outside};
use crate::ir::visit::{Part, parts};
use crate::ir::{DefinitionId, Expr, ExprKind};
use crate::source::Span;

impl Spec {
    /// Where a constant without a value is used.
    pub fn uses_of_unassigned(&self, constant: &str) -> Vec<Span> {
        let mut uses = Vec::new();
        for definition in &self.program.definitions {
            let mut visit = |expr: &Expr| {
                if matches!(&expr.kind, ExprKind::UnassignedConstant(name) if name.as_str() == constant) {
                    uses.push(expr.span);
                }
            };
            everywhere(&definition.body, &mut visit, &mut |_| {});
        }
        uses
    }

    /// Whether TLC may read what is outside of the specification's files: its words tell, those of comments included. What
    /// our own evaluation reads is noted by the [`World`](crate::World) instead.
    pub fn may_read_outside(&self) -> bool {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut words = self.sources().files().flat_map(|file| file.text.split(|c| !in_word(c)));
        words.any(names_outside)
    }

    /// What the next-state relation asks for that no state tells (registers, random numbers, the time), with its places.
    pub fn asked_outside(&self) -> Vec<(&'static str, Span)> {
        let Some((next, _)) = &self.program.next else { return Vec::new() };
        let named = self.program.definitions.iter().position(|definition| definition.name == *next);
        let mut open: Vec<DefinitionId> = named.map(|at| DefinitionId(at as u32)).into_iter().collect();
        open.extend(self.actions.actions.iter().map(|action| action.definition));
        let mut seen: HashSet<DefinitionId> = open.iter().copied().collect();
        let mut asked = Vec::new();
        while let Some(id) = open.pop() {
            let mut visit = |expr: &Expr| {
                if let ExprKind::Native(native, _) = &expr.kind
                    && matches!(native.run, Run::Hosted(_))
                {
                    asked.push((native.name, expr.span));
                }
            };
            let mut called = |id| {
                if seen.insert(id) {
                    open.push(id);
                }
            };
            everywhere(&self.program.definition(id).body, &mut visit, &mut called);
        }
        asked
    }
}

/// Visits an expression and all its parts, and the definitions that they call.
fn everywhere(expr: &Expr, visit: &mut dyn FnMut(&Expr), called: &mut dyn FnMut(DefinitionId)) {
    visit(expr);
    if let ExprKind::Call(id, _) = &expr.kind {
        called(*id);
    }
    parts(expr, &mut |part| match part {
        Part::Here(inner) | Part::Below { expr: inner, .. } => everywhere(inner, visit, called),
        Part::Let { group, body } => {
            group.definitions.iter().for_each(|definition| everywhere(&definition.lambda.body, visit, called));
            everywhere(body, visit, called);
        }
        Part::Definition(id) => called(id),
        Part::Enabled | Part::Local(_) => {}
    });
}
