//! Laying out an action.

use super::scopes::Outer;
use super::term::Term;
use super::test::Test;
use super::{Entry, Layout, Node, Rest};
use crate::ir::{Action, ActionKind, Definition, Expr, ExprKind, Program, Reads, VariableId};

/// How many nodes there may be; what is left then is run as usual.
const MOST_NODES: usize = 1 << 10;
/// How many nodes may follow one another: they are walked by recursion.
const DEEPEST: usize = 1 << 6;

/// The tree of the action that a definition is.
pub(super) fn lay_out<'p>(definition: &'p Definition, program: &'p Program) -> Layout<'p> {
    let Some(body) = &definition.action else { unreachable!("routes lead to actions") };
    let mut builder = Builder { program, nodes: vec![Node::Never] };
    let root = builder.action(body, 0, &Way::default(), None);
    Layout { nodes: builder.nodes, root }
}

struct Builder<'p> {
    program: &'p Program,
    nodes: Vec<Node<'p>>,
}

/// What comes before a node.
#[derive(Clone, Default)]
struct Way {
    assigned: Vec<VariableId>,
    /// How many scopes were entered besides the outermost.
    scopes: u32,
    nodes: usize,
}

impl Way {
    /// The scope of a number, seen from here.
    fn outer(&self, scope: u32) -> Outer {
        Outer(self.scopes - scope)
    }

    /// The scope that is entered here.
    fn enter(&self) -> Self {
        Self { scopes: self.scopes + 1, ..self.clone() }
    }

    fn assign(&self, variables: &[VariableId]) -> Self {
        let assigned = self.assigned.iter().chain(variables).copied().collect();
        Self { assigned, ..*self }
    }
}

/// What comes after a conjunct, innermost first.
struct Pending<'a, 'p> {
    actions: &'p [Action],
    scope: u32,
    then: Option<&'a Pending<'a, 'p>>,
}

type After<'a, 'p> = Option<&'a Pending<'a, 'p>>;

impl<'p> Builder<'p> {
    /// An action in a scope, then what is pending.
    fn action(&mut self, action: &'p Action, scope: u32, way: &Way, pending: After<'_, 'p>) -> Entry {
        if self.nodes.len() > MOST_NODES || way.nodes > DEEPEST {
            return self.as_usual(action, scope, way, pending);
        }
        let is_complete = way.assigned.len() == self.program.variables.len();
        let way = &Way { nodes: way.nodes + 1, ..way.clone() };
        let node = match &action.kind {
            ActionKind::And(parts) => return self.all(parts, scope, way, pending),
            ActionKind::Or(parts) if !is_complete => {
                Node::Branch(parts.iter().map(|part| self.action(part, scope, way, pending)).collect())
            }
            ActionKind::Guard(condition) | ActionKind::Condition { test: condition, .. } => {
                Node::Guard(self.test(condition, scope, way), self.next(way, pending))
            }
            ActionKind::If(condition, then, otherwise) => {
                let condition = self.test(condition, scope, way);
                let then = self.action(then, scope, way, pending);
                Node::If(condition, then, self.action(otherwise, scope, way, pending))
            }
            ActionKind::Case { arms, other } => {
                let other = match other {
                    Some(other) => self.action(other, scope, way, pending),
                    None => self.as_usual(action, scope, way, pending),
                };
                return arms.iter().rev().fold(other, |otherwise, arm| {
                    let then = self.action(&arm.body, scope, way, pending);
                    let condition = self.test(&arm.condition, scope, way);
                    self.push(Node::If(condition, then, otherwise))
                });
            }
            ActionKind::Equal(Expr { kind: ExprKind::Primed(variable), .. }, value)
                if !way.assigned.contains(variable) =>
            {
                let value = Term::new(value, way.outer(scope));
                Node::Assign(*variable, value, self.next(&way.assign(&[*variable]), pending))
            }
            ActionKind::Unchanged(expr) => match self.program.unchanged_variables(expr) {
                Some(variables) if variables.iter().all(|variable| !way.assigned.contains(variable)) => {
                    let after = self.next(&way.assign(&variables), pending);
                    let keep = |then, variable: &VariableId| self.push(Node::Unchanged(*variable, then));
                    return variables.iter().rev().fold(after, keep);
                }
                _ => return self.as_usual(action, scope, way, pending),
            },
            ActionKind::Call(id, args) => {
                let definition = self.program.definition(*id);
                let inside = way.enter();
                let then = match &definition.action {
                    Some(body) => self.action(body, inside.scopes, &inside, pending),
                    None => {
                        let body = self.test(&definition.body, inside.scopes, &inside);
                        let guard = Node::Guard(body, self.next(&inside, pending));
                        self.push(guard)
                    }
                };
                Node::Call(args, way.outer(scope), then)
            }
            ActionKind::Let(group, body) => {
                let inside = way.enter();
                Node::Let(group, way.outer(scope), self.action(body, inside.scopes, &inside, pending))
            }
            _ => return self.as_usual(action, scope, way, pending),
        };
        self.push(node)
    }

    /// Conjuncts from left to right, then what is pending.
    fn all(&mut self, parts: &'p [Action], scope: u32, way: &Way, pending: After<'_, 'p>) -> Entry {
        match parts {
            [] => self.next(way, pending),
            [last] => self.action(last, scope, way, pending),
            [first, actions @ ..] => self.action(first, scope, way, Some(&Pending { actions, scope, then: pending })),
        }
    }

    /// What is pending.
    fn next(&mut self, way: &Way, pending: After<'_, 'p>) -> Entry {
        match pending {
            Some(Pending { actions, scope, then }) => self.all(actions, *scope, way, *then),
            None => self.push(Node::Found),
        }
    }

    /// An action and all that is pending, run as usual.
    fn as_usual(&mut self, action: &'p Action, scope: u32, way: &Way, pending: After<'_, 'p>) -> Entry {
        let here = Rest { actions: std::slice::from_ref(action), outer: way.outer(scope) };
        let after = std::iter::successors(pending, |pending| pending.then);
        let after = after.map(|pending| Rest { actions: pending.actions, outer: way.outer(pending.scope) });
        let rest = std::iter::once(here).chain(after).collect();
        self.push(Node::Run(rest))
    }

    fn test(&self, expr: &'p Expr, scope: u32, way: &Way) -> Test<'p> {
        let reads = Reads::of(expr, self.program);
        let asks_more = reads.looks_ahead || reads.asks_outside || !reads.variables.is_empty();
        // In inner scopes, names may stand for anything.
        Test::new(expr, way.outer(scope), scope == 0 && way.scopes == 0 && !asks_more)
    }

    fn push(&mut self, node: Node<'p>) -> Entry {
        self.nodes.push(node);
        Entry(self.nodes.len() as u32 - 1)
    }
}
