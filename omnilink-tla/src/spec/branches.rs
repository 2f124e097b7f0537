//! The branches of an action, and which of them a step takes.
//!
//! An action branches where it says `\/`, `IF` or `CASE`, itself or in a definition that it calls, and where the
//! next-state relation has several disjuncts that call it. A branch that no step ever takes was never checked, or can never
//! be taken. (Operators that are passed as arguments are not looked into.)

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::Spec;
use super::State;
use super::step::{ActionId, Candidate};
use crate::eval::{Failure, Manner};
use crate::ir::{Action, ActionKind, DefinitionId, Program};
use crate::source::Span;
use crate::value::Value;

/// A branch of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Branch {
    /// Of what it is a branch.
    pub kind: BranchKind,
    /// The formula; of a path, the call of the action.
    pub span: Span,
}

/// Of what something is a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BranchKind {
    /// Of the next-state relation, several disjuncts of which call the action.
    NextDisjunct,
    /// Of a disjunction.
    Disjunct,
    /// `THEN`
    Then,
    /// `ELSE`
    Else,
    /// An arm of a `CASE`, or its `OTHER`.
    Arm,
}

impl Spec {
    /// The branches of an action, in the order in which they are written: first the disjuncts of `Next` if there are several,
    /// then what it branches into, outer branches before inner ones.
    pub fn branches(&self, action: ActionId) -> Vec<Branch> {
        let action = &self.actions.actions[action.0];
        let mut finder = Finder { program: &self.program, found: Vec::new(), inside: Vec::new() };
        if let [_, _, ..] = &action.disjuncts[..] {
            finder.found.extend(
                action.disjuncts.iter().map(|disjunct| Branch { kind: BranchKind::NextDisjunct, span: disjunct.span }),
            );
        }
        finder.look_into(action.definition);
        finder.found
    }

    /// Visits the states that an action leads to, as [`Spec::visit_steps`] does, each with the branches that lead
    /// there: spans of [`Spec::branches`]. All branches are tried, so a state comes once for every way to it.
    ///
    /// # Errors
    /// The first failure of a branch, after all others were visited.
    ///
    /// # Panics
    /// If there are fewer or more arguments than the action has parameters.
    pub fn visit_branches(
        &self,
        state: &State,
        action: ActionId,
        args: &[Option<Value>],
        visit: &mut dyn FnMut(&[Span], Candidate<'_>),
    ) -> Result<(), Failure> {
        let taken = RefCell::new(Vec::new());
        let manner = Manner { branch_conditions: true, branches: Some(&taken), ..Manner::default() };
        let disjuncts = &self.actions.actions[action.0].disjuncts;
        self.visit_disjuncts(state, action, args, manner, |disjunct, _, candidate| {
            let mut branches = taken.borrow().clone();
            branches.push(disjuncts[disjunct].span);
            visit(&branches, candidate);
            Ok(ControlFlow::Continue(()))
        })
    }
}

struct Finder<'p> {
    program: &'p Program,
    found: Vec<Branch>,
    /// The definitions that were looked into.
    inside: Vec<DefinitionId>,
}

impl Finder<'_> {
    fn look_into(&mut self, id: DefinitionId) {
        if self.inside.contains(&id) {
            return;
        }
        self.inside.push(id);
        if let Some(body) = &self.program.definition(id).action {
            self.walk(body);
        }
    }

    fn branch(&mut self, kind: BranchKind, body: &Action) {
        self.found.push(Branch { kind, span: body.span });
        self.walk(body);
    }

    fn walk(&mut self, action: &Action) {
        match &action.kind {
            ActionKind::And(parts) => parts.iter().for_each(|part| self.walk(part)),
            ActionKind::Or(parts) => parts.iter().for_each(|part| self.branch(BranchKind::Disjunct, part)),
            ActionKind::If(_, then, otherwise) => {
                self.branch(BranchKind::Then, then);
                self.branch(BranchKind::Else, otherwise);
            }
            ActionKind::Case { arms, other } => {
                let bodies = arms.iter().map(|arm| &arm.body).chain(other.as_deref());
                bodies.for_each(|body| self.branch(BranchKind::Arm, body));
            }
            ActionKind::Exists(_, body) | ActionKind::ForAll(_, body) => self.walk(body),
            ActionKind::Let(group, body) => {
                let definitions = group.definitions.iter().filter_map(|definition| definition.lambda.action.as_ref());
                definitions.for_each(|definition| self.walk(definition));
                self.walk(body);
            }
            ActionKind::Condition { branches, .. } => self.walk(branches),
            ActionKind::Call(id, _) => self.look_into(*id),
            ActionKind::CallLocal(..)
            | ActionKind::Equal(..)
            | ActionKind::Member(..)
            | ActionKind::Unchanged(_)
            | ActionKind::Guard(_) => {}
        }
    }
}
