//! Flattening a next-state relation.

use std::cell::Cell;
use std::rc::Rc;

use super::super::env::Binding;
use super::super::{Context, Env, Evaluator};
use super::memory::Remembered;
use super::scope::Scope;
use super::table::Room;
use super::{Node, Rest};
use crate::ir::{Action, ActionKind, Arg, Bounds, Definition, Expr, ExprKind, Program, Reads, VariableId};
use crate::value::Value;

/// How many nodes there may be; what is left then is run as usual.
const MOST_NODES: usize = 1 << 13;
/// How many nodes may follow one another: they are walked by recursion.
const DEEPEST: usize = 1 << 7;

/// How many bytes are spent on remembering.
const MOST_BYTES: usize = 256 << 20;

/// The tree of a relation.
pub(super) fn flatten<'p>(next: &'p Action, program: &'p Program, evaluator: &Evaluator<'_>) -> Node<'p> {
    let mut builder = Builder { program, evaluator, room: Rc::new(Cell::new(MOST_BYTES)), nodes: 0 };
    builder.action(next, &Scope::empty(), &Before::default(), None)
}

struct Builder<'b, 'p> {
    program: &'p Program,
    evaluator: &'b Evaluator<'b>,
    room: Room,
    nodes: usize,
}

/// What comes before a node.
#[derive(Clone, Default)]
struct Before {
    assigned: Vec<VariableId>,
    nodes: usize,
}

/// What comes after a conjunct, innermost first.
struct Pending<'a, 'p> {
    rest: Rest<'p>,
    then: Option<&'a Pending<'a, 'p>>,
}

impl<'p> Builder<'_, 'p> {
    /// An action, then what is pending.
    fn action(
        &mut self,
        action: &'p Action,
        scope: &Scope,
        before: &Before,
        pending: Option<&Pending<'_, 'p>>,
    ) -> Node<'p> {
        let is_complete = before.assigned.len() == self.program.variables.len();
        self.nodes += 1;
        if self.nodes > MOST_NODES || before.nodes > DEEPEST {
            return self.as_usual(action, scope, pending);
        }
        let before = &Before { nodes: before.nodes + 1, ..before.clone() };
        match &action.kind {
            ActionKind::And(parts) => self.all(parts, scope, before, pending),
            ActionKind::Or(parts) if !is_complete => {
                Node::Branch(parts.iter().map(|part| self.action(part, scope, before, pending)).collect())
            }
            ActionKind::Exists(bounds, body) if !is_complete => match self.frames(bounds, scope) {
                Some(frames) => {
                    let branch = |frame| self.action(body, &scope.enter(frame), before, pending);
                    Node::Branch(frames.into_iter().map(branch).collect())
                }
                None => self.as_usual(action, scope, pending),
            },
            ActionKind::Condition { test, .. } if is_complete => self.guard(test, scope, before, pending),
            ActionKind::Condition { branches, .. } => self.action(branches, scope, before, pending),
            ActionKind::Guard(condition) => self.guard(condition, scope, before, pending),
            ActionKind::If(condition, then, otherwise) => {
                let condition = self.remembered(condition, scope, before);
                let then = self.action(then, scope, before, pending);
                Node::If(condition, Box::new(then), Box::new(self.action(otherwise, scope, before, pending)))
            }
            ActionKind::Call(id, args) => {
                let definition = self.program.definition(*id);
                match self.parameters(definition, args, scope) {
                    Some(parameters) => match &definition.action {
                        Some(body) => self.action(body, &parameters, before, pending),
                        None => self.guard(&definition.body, &parameters, before, pending),
                    },
                    None => self.as_usual(action, scope, pending),
                }
            }
            ActionKind::Equal(Expr { kind: ExprKind::Primed(variable), .. }, value)
                if !before.assigned.contains(variable) =>
            {
                let value = self.remembered(value, scope, before);
                Node::Assign(*variable, value, self.after(*variable, before, pending))
            }
            ActionKind::Unchanged(expr) => match self.program.unchanged_variables(expr) {
                Some(variables) if variables.iter().all(|variable| !before.assigned.contains(variable)) => {
                    self.keep(&variables, before, pending)
                }
                _ => self.as_usual(action, scope, pending),
            },
            _ => self.as_usual(action, scope, pending),
        }
    }

    /// Conjuncts from left to right, then what is pending.
    fn all(
        &mut self,
        parts: &'p [Action],
        scope: &Scope,
        before: &Before,
        pending: Option<&Pending<'_, 'p>>,
    ) -> Node<'p> {
        match parts {
            [] => self.next(before, pending),
            [last] => self.action(last, scope, before, pending),
            [first, others @ ..] => {
                let rest = Rest { actions: others, scope: scope.clone() };
                self.action(first, scope, before, Some(&Pending { rest, then: pending }))
            }
        }
    }

    /// What is pending.
    fn next(&mut self, before: &Before, pending: Option<&Pending<'_, 'p>>) -> Node<'p> {
        match pending {
            Some(Pending { rest, then }) => self.all(rest.actions, &rest.scope, before, *then),
            None => Node::Found,
        }
    }

    fn guard(
        &mut self,
        condition: &'p Expr,
        scope: &Scope,
        before: &Before,
        pending: Option<&Pending<'_, 'p>>,
    ) -> Node<'p> {
        let condition = self.remembered(condition, scope, before);
        Node::Guard(condition, Box::new(self.next(before, pending)))
    }

    /// What is pending when a variable was assigned.
    fn after(&mut self, variable: VariableId, before: &Before, pending: Option<&Pending<'_, 'p>>) -> Box<Node<'p>> {
        let mut before = before.clone();
        before.assigned.push(variable);
        Box::new(self.next(&before, pending))
    }

    /// `UNCHANGED` of these variables, then what is pending.
    fn keep(&mut self, variables: &[VariableId], before: &Before, pending: Option<&Pending<'_, 'p>>) -> Node<'p> {
        let mut before = before.clone();
        before.assigned.extend(variables);
        let after = self.next(&before, pending);
        variables.iter().rev().fold(after, |then, variable| Node::Unchanged(*variable, Box::new(then)))
    }

    fn as_usual(&self, action: &'p Action, scope: &Scope, pending: Option<&Pending<'_, 'p>>) -> Node<'p> {
        let here = Rest { actions: std::slice::from_ref(action), scope: scope.clone() };
        let after = std::iter::successors(pending, |pending| pending.then).map(|pending| pending.rest.clone());
        Node::Run(std::iter::once(here).chain(after).collect())
    }

    fn remembered(&self, expr: &'p Expr, scope: &Scope, before: &Before) -> Remembered<'p> {
        Remembered::new(expr, scope, &before.assigned, self.program, &self.room)
    }

    /// The scope of a definition's parameters, if all arguments are constant.
    fn parameters(&self, definition: &Definition, args: &[Arg], scope: &Scope) -> Option<Scope> {
        debug_assert_eq!(definition.params.len(), args.len(), "an argument for each parameter");
        let argument = |arg: &Arg| match arg {
            Arg::Eager(expr) | Arg::Lazy { expr, .. } => self.constant(expr, scope),
            Arg::Operator(_) => None,
        };
        args.iter().map(argument).collect::<Option<Vec<_>>>().map(Scope::of)
    }

    /// The frames of a quantifier, if its sets are constant and not too large.
    fn frames(&self, bounds: &Bounds, scope: &Scope) -> Option<Vec<Vec<Value>>> {
        let mut count = 1;
        for binder in &bounds.binders {
            let size = usize::try_from(self.constant(&binder.set, scope)?.cardinality().ok()?).ok()?;
            let names = if binder.tuple { 1 } else { binder.names };
            for _ in 0..names {
                count = size.checked_mul(count).filter(|count| *count <= MOST_NODES - self.nodes)?;
            }
        }
        scope.with(|env| {
            let frames = self.evaluator.frames(bounds, env, Context::CONSTANT).ok()?;
            Some(frames.into_iter().map(values).collect())
        })
    }

    /// The value of an expression that depends on nothing but its scope, if it has one.
    fn constant(&self, expr: &Expr, scope: &Scope) -> Option<Value> {
        let reads = Reads::of(expr, self.program);
        if !reads.variables.is_empty() || reads.looks_ahead || reads.asks_outside {
            return None;
        }
        scope.with(|env: &Env<'_>| self.evaluator.eval(expr, env, Context::CONSTANT).ok().map(|value| value.own()))
    }
}

fn values(frame: Vec<Binding<'_>>) -> Vec<Value> {
    let value = |binding| match binding {
        Binding::Value(value) => value,
        _ => unreachable!("binders bind values"),
    };
    frame.into_iter().map(value).collect()
}
