//! Compiling an action.

use super::scopes::Outer;
use super::term::Term;
use super::test::Test;
use super::{ActionTree, Entry, Node, Rest};
use crate::ir::{Action, ActionKind, Definition, Expr, ExprKind, Program, Reads, VariableId};

/// How many nodes there may be; what is left then is run as usual.
const MOST_NODES: usize = 1 << 10;
/// How many nodes may follow one another: they are walked by recursion.
const DEEPEST: usize = 1 << 6;

/// The tree of the action that a definition is.
pub(super) fn build_tree<'p>(definition: &'p Definition, program: &'p Program) -> ActionTree<'p> {
    let Some(body) = &definition.action else { unreachable!("disjuncts call actions") };
    let mut builder = Builder { program, nodes: vec![Node::Never] };
    let root = builder.action(body, 0, &Before::default(), None);
    ActionTree { nodes: builder.nodes, root }
}

struct Builder<'p> {
    program: &'p Program,
    nodes: Vec<Node<'p>>,
}

/// What comes before a node.
#[derive(Clone, Default)]
struct Before {
    assigned: Vec<VariableId>,
    /// How many scopes were entered besides the outermost.
    scopes: u32,
    nodes: usize,
}

impl Before {
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
    fn action(&mut self, action: &'p Action, scope: u32, before: &Before, pending: After<'_, 'p>) -> Entry {
        if self.nodes.len() > MOST_NODES || before.nodes > DEEPEST {
            return self.as_usual(action, scope, before, pending);
        }
        let is_complete = before.assigned.len() == self.program.variables.len();
        let before = &Before { nodes: before.nodes + 1, ..before.clone() };
        let node = match &action.kind {
            ActionKind::And(parts) => return self.all(parts, scope, before, pending),
            ActionKind::Or(parts) if !is_complete => {
                Node::Branch(parts.iter().map(|part| self.action(part, scope, before, pending)).collect())
            }
            ActionKind::Guard(condition) | ActionKind::Condition { test: condition, .. } => {
                Node::Guard(self.test(condition, scope, before), self.next(before, pending))
            }
            ActionKind::If(condition, then, otherwise) => {
                let condition = self.test(condition, scope, before);
                let then = self.action(then, scope, before, pending);
                Node::If(condition, then, self.action(otherwise, scope, before, pending))
            }
            ActionKind::Case { arms, other } => {
                let other = match other {
                    Some(other) => self.action(other, scope, before, pending),
                    None => self.as_usual(action, scope, before, pending),
                };
                return arms.iter().rev().fold(other, |otherwise, arm| {
                    let then = self.action(&arm.body, scope, before, pending);
                    let condition = self.test(&arm.condition, scope, before);
                    self.push(Node::If(condition, then, otherwise))
                });
            }
            ActionKind::Equal(Expr { kind: ExprKind::Primed(variable), .. }, value)
                if !before.assigned.contains(variable) =>
            {
                let value = Term::new(value, before.outer(scope));
                Node::Assign(*variable, value, self.next(&before.assign(&[*variable]), pending))
            }
            ActionKind::Unchanged(expr) => match self.program.unchanged_variables(expr) {
                Some(variables) if variables.iter().all(|variable| !before.assigned.contains(variable)) => {
                    let after = self.next(&before.assign(&variables), pending);
                    let keep = |then, variable: &VariableId| self.push(Node::Unchanged(*variable, then));
                    return variables.iter().rev().fold(after, keep);
                }
                _ => return self.as_usual(action, scope, before, pending),
            },
            ActionKind::Call(id, args) => {
                let definition = self.program.definition(*id);
                let inside = before.enter();
                let then = match &definition.action {
                    Some(body) => self.action(body, inside.scopes, &inside, pending),
                    None => {
                        let body = self.test(&definition.body, inside.scopes, &inside);
                        let guard = Node::Guard(body, self.next(&inside, pending));
                        self.push(guard)
                    }
                };
                Node::Call(args, before.outer(scope), then)
            }
            ActionKind::Let(group, body) => {
                let inside = before.enter();
                Node::Let(group, before.outer(scope), self.action(body, inside.scopes, &inside, pending))
            }
            _ => return self.as_usual(action, scope, before, pending),
        };
        self.push(node)
    }

    /// Conjuncts from left to right, then what is pending.
    fn all(&mut self, parts: &'p [Action], scope: u32, before: &Before, pending: After<'_, 'p>) -> Entry {
        match parts {
            [] => self.next(before, pending),
            [last] => self.action(last, scope, before, pending),
            [first, actions @ ..] => {
                self.action(first, scope, before, Some(&Pending { actions, scope, then: pending }))
            }
        }
    }

    /// What is pending.
    fn next(&mut self, before: &Before, pending: After<'_, 'p>) -> Entry {
        match pending {
            Some(Pending { actions, scope, then }) => self.all(actions, *scope, before, *then),
            None => self.push(Node::Found),
        }
    }

    /// An action and all that is pending, run as usual.
    fn as_usual(&mut self, action: &'p Action, scope: u32, before: &Before, pending: After<'_, 'p>) -> Entry {
        let here = Rest { actions: std::slice::from_ref(action), outer: before.outer(scope) };
        let after = std::iter::successors(pending, |pending| pending.then);
        let after = after.map(|pending| Rest { actions: pending.actions, outer: before.outer(pending.scope) });
        let rest = std::iter::once(here).chain(after).collect();
        self.push(Node::Run(rest))
    }

    fn test(&self, expr: &'p Expr, scope: u32, before: &Before) -> Test<'p> {
        let reads = Reads::of(expr, self.program);
        let asks_more = reads.looks_ahead || reads.asks_outside || !reads.variables.is_empty();
        // In inner scopes, names may stand for anything.
        Test::new(expr, before.outer(scope), scope == 0 && before.scopes == 0 && !asks_more)
    }

    fn push(&mut self, node: Node<'p>) -> Entry {
        self.nodes.push(node);
        Entry(self.nodes.len() as u32 - 1)
    }
}
