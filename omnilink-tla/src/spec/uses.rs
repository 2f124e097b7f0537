//! Where a specification uses constants without a value, and where it reads from outside of its files.

use std::collections::HashSet;

use super::Spec;
use crate::builtin::{Run, names_outside};
use crate::ir::visit::{Part, arg_parts, parts};
use crate::ir::{Action, ActionKind, DefinitionId, Expr, ExprKind, LetGroup};
use crate::source::Span;

/// Where one begins to look for what is used.
#[derive(Clone, Copy, Debug)]
pub enum Beginning<'a> {
    /// At the initial predicate, the next-state relation and its actions.
    Behaviour,
    /// At the configuration's constraints.
    Constraints,
    /// At the configuration's invariants.
    Invariants,
    /// At an operator.
    Operator(&'a str),
}

fn note_reached(expr: &Expr, constant: &str, uses: &mut Vec<Span>) {
    note_use(expr, constant, uses);
    if matches!(expr.kind, ExprKind::Enabled(_)) {
        uses.push(expr.span);
    }
}

fn note_use(expr: &Expr, constant: &str, uses: &mut Vec<Span>) {
    if matches!(&expr.kind, ExprKind::UnassignedConstant(name) if name.as_str() == constant) {
        uses.push(expr.span);
    }
}

impl Spec {
    /// Where a constant without a value is used in any definition.
    #[doc(hidden)]
    pub fn uses_of_unassigned(&self, constant: &str) -> Vec<Span> {
        let mut uses = Vec::new();
        for definition in &self.program.definitions {
            everywhere(&definition.body, &mut |expr| note_use(expr, constant, &mut uses), &mut |_| {});
        }
        uses
    }

    /// Where a constant without a value is used in what is reached from a beginning. An `ENABLED` counts as a use: whether
    /// there is a step depends on all that it may take.
    #[doc(hidden)]
    pub fn uses_reached(&self, constant: &str, from: &Beginning<'_>) -> Vec<Span> {
        let mut uses = Vec::new();
        let mut open: Vec<DefinitionId> = Vec::new();
        let mut seen = HashSet::new();
        {
            let (mut visit, mut called) = (
                |expr: &Expr| note_reached(expr, constant, &mut uses),
                |id| {
                    if seen.insert(id) {
                        open.push(id)
                    }
                },
            );
            let program = &*self.program;
            match from {
                Beginning::Behaviour => {
                    let next = program.next.as_ref().map(|(_, next)| next);
                    program.init.iter().chain(next).for_each(|action| in_action(action, &mut visit, &mut called));
                    self.actions.actions.iter().for_each(|action| called(action.definition));
                }
                Beginning::Constraints => {
                    let all = program.constraints.iter().chain(&program.action_constraints);
                    all.for_each(|formula| everywhere(&formula.expr, &mut visit, &mut called));
                }
                Beginning::Invariants => {
                    program.invariants.iter().for_each(|formula| everywhere(&formula.expr, &mut visit, &mut called));
                }
                Beginning::Operator(name) => {
                    let named = program.definitions.iter().enumerate().filter(|(_, it)| it.name.as_str() == *name);
                    named.for_each(|(at, _)| called(DefinitionId(at as u32)));
                }
            }
        }
        while let Some(id) = open.pop() {
            let mut visit = |expr: &Expr| note_reached(expr, constant, &mut uses);
            let mut called = |id| {
                if seen.insert(id) {
                    open.push(id)
                }
            };
            everywhere(&self.program.definition(id).body, &mut visit, &mut called);
        }
        uses
    }

    /// Whether TLC may read what is outside of the specification's files: judged by its words, those of comments included. What
    /// our own evaluation reads is noted by the [`World`](crate::World) instead.
    #[doc(hidden)]
    pub fn may_read_outside(&self) -> bool {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut words =
            self.sources().files().filter(|file| file.is_file()).flat_map(|file| file.text.split(|c| !in_word(c)));
        words.any(names_outside)
    }

    /// Conditions of the next-state relation that say that a variable is equal to something made of itself, `x = x + 1`: what is
    /// meant may be `x' = x + 1`.
    #[doc(hidden)]
    pub fn forgotten_primes(&self) -> Vec<Span> {
        let Some((_, next)) = &self.program.next else { return Vec::new() };
        let mut open = Vec::new();
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let mut visit = |expr: &Expr| {
            if let ExprKind::Equal(left, right) = &expr.kind
                && let ExprKind::Variable(variable) = left.kind
                && !matches!(right.kind, ExprKind::Variable(_))
            {
                let mut mentions = false;
                let mut look = |expr: &Expr| mentions |= matches!(expr.kind, ExprKind::Variable(it) if it == variable);
                everywhere(right, &mut look, &mut |_| {});
                if mentions && !found.contains(&expr.span) {
                    found.push(expr.span);
                }
            }
        };
        in_action(next, &mut visit, &mut |id| open.push(id));
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                let definition = self.program.definition(id);
                match &definition.action {
                    Some(action) => in_action(action, &mut visit, &mut |id| open.push(id)),
                    None => everywhere(&definition.body, &mut visit, &mut |id| open.push(id)),
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// What the next-state relation depends on besides the state (registers, random numbers, the time), with its places.
    #[doc(hidden)]
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
pub(super) fn everywhere(expr: &Expr, visit: &mut dyn FnMut(&Expr), called: &mut dyn FnMut(DefinitionId)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Call(id, _) => called(*id),
        ExprKind::Enabled(action) => in_action(action, visit, called),
        _ => {}
    }
    parts(expr, &mut |part| in_part(part, visit, called));
}

fn in_part(part: Part<'_>, visit: &mut dyn FnMut(&Expr), called: &mut dyn FnMut(DefinitionId)) {
    match part {
        Part::Here(inner) | Part::Below { expr: inner, .. } => everywhere(inner, visit, called),
        Part::Let { group, body } => {
            in_definitions(group, visit, called);
            everywhere(body, visit, called);
        }
        Part::Definition(id) => called(id),
        Part::Enabled | Part::Local(_) => {}
    }
}

/// The same for the definitions of a `LET`.
pub(super) fn in_definitions(group: &LetGroup, visit: &mut dyn FnMut(&Expr), called: &mut dyn FnMut(DefinitionId)) {
    group.definitions.iter().for_each(|definition| everywhere(&definition.lambda.body, visit, called));
}

/// The same for a formula in its other form.
pub(super) fn in_action(action: &Action, visit: &mut dyn FnMut(&Expr), called: &mut dyn FnMut(DefinitionId)) {
    match &action.kind {
        ActionKind::And(parts) | ActionKind::Or(parts) => {
            parts.iter().for_each(|part| in_action(part, visit, called));
        }
        ActionKind::Exists(bounds, body) | ActionKind::ForAll(bounds, body) => {
            bounds.binders.iter().for_each(|binder| everywhere(&binder.set, visit, called));
            in_action(body, visit, called);
        }
        ActionKind::If(condition, then, otherwise) => {
            everywhere(condition, visit, called);
            in_action(then, visit, called);
            in_action(otherwise, visit, called);
        }
        ActionKind::Case { arms, other } => {
            for arm in arms {
                everywhere(&arm.condition, visit, called);
                in_action(&arm.body, visit, called);
            }
            other.iter().for_each(|body| in_action(body, visit, called));
        }
        ActionKind::Let(group, body) => {
            in_definitions(group, visit, called);
            in_action(body, visit, called);
        }
        ActionKind::Call(id, args) => {
            called(*id);
            arg_parts(args, &mut |part| in_part(part, visit, called));
        }
        ActionKind::CallLocal(_, args) => arg_parts(args, &mut |part| in_part(part, visit, called)),
        ActionKind::Equal(left, right) | ActionKind::Member(left, right) => {
            everywhere(left, visit, called);
            everywhere(right, visit, called);
        }
        ActionKind::Unchanged(expr) | ActionKind::Guard(expr) | ActionKind::Condition { test: expr, .. } => {
            everywhere(expr, visit, called);
        }
    }
}
