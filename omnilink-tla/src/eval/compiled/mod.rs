//! A compiled action: for being run from many states, with arguments that are all known.
//!
//! ```text
//!  Take(n) == /\ n # 0          n # 0 ─ stock >= n ─ stock' = … ─ UNCHANGED log ─ found
//!             /\ Enough(n) ──►
//!             /\ Leave(n)
//! ```
//!
//! What is the same in every state is decided once: which conjunct follows which, whether a conjunct assigns or tests, which
//! variables are assigned where. Running it is a walk through a tree; interpreting the action would keep a list of what
//! is left to do. Where an action needs more than that, the tree ends in the action, which is interpreted.
//!
//! It finds the same states in the same order as interpreting the action does. If it fails, interpreting the action gives the
//! error with its place.
//!
//! `footprint` finds what the action reads and changes with these arguments, whatever the state: `reader` and `changes` look into
//! its expressions, `cells` are the parts of a state.

mod build;
mod cells;
mod changes;
mod footprint;
mod place;
mod reader;
mod scopes;
mod term;
mod test;

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use self::footprint::{Footprint, Refusal, Touch};
use self::scopes::{Outer, Scopes, bound};
use self::term::Term;
use self::test::Test;
use super::action::{Found, Manner, Progress, Runner, Sink, Task, Work};
use super::binders::Flow;
use super::context::{Assigned, Moment, Next};
use super::env::{Env, Held};
use super::expr::let_frame;
use super::{Context, Evaluator, Failure};
use crate::ir::{Action, Arg, Definition, LetGroup, Program, VariableId};
use crate::source::Span;
use crate::value::Value;

/// A compiled action.
pub struct ActionTree<'p> {
    nodes: Vec<Node<'p>>,
    /// Where it begins.
    root: Entry,
}

/// A node of a compiled action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry(u32);

/// What is left to do on the way to a next state.
enum Node<'p> {
    /// Goes on if a condition is true.
    Guard(Test<'p>, Entry),
    /// `x' = e`
    Assign(VariableId, Term<'p>, Entry),
    /// `x' = x`
    Unchanged(VariableId, Entry),
    /// One or the other.
    If(Test<'p>, Entry, Entry),
    /// Each in turn.
    Branch(Box<[Entry]>),
    /// Enters a scope, which is then the innermost: of a definition's parameters, given their arguments.
    Call(&'p [Arg], Outer, Entry),
    /// Likewise, of a `LET`.
    Let(&'p Arc<LetGroup>, Outer, Entry),
    /// Runs what is left of a conjunction, innermost first.
    Run(Box<[Rest<'p>]>),
    /// A next state is found.
    Found,
    /// None can be found.
    Never,
}

/// Conjuncts in a scope.
struct Rest<'p> {
    actions: &'p [Action],
    outer: Outer,
}

impl<'p> ActionTree<'p> {
    /// Compiles the action that a definition is.
    pub fn of(definition: &'p Definition, program: &'p Program) -> Self {
        build::build_tree(definition, program)
    }

    /// Where a run with these arguments begins: behind all conditions at the beginning that depend on them alone.
    pub fn entry(&self, evaluator: &Evaluator<'_>, args: &[Option<Value>]) -> Entry {
        let scopes = Scopes::of(args);
        let mut entry = self.root;
        // What fails, fails again when it is run.
        while let Node::Guard(condition, _) | Node::If(condition, ..) = self.node(entry)
            && condition.is_settled
            && let Ok(next) = self.test(entry, evaluator, &scopes, Context::CONSTANT)
        {
            entry = next;
        }
        entry
    }

    /// Where the test at a node leads to.
    #[inline(always)]
    fn test(
        &self,
        entry: Entry,
        evaluator: &Evaluator<'_>,
        scopes: &Scopes<'_>,
        cx: Context<'_>,
    ) -> Result<Entry, Failure> {
        Ok(match self.node(entry) {
            Node::Guard(condition, then) if condition.holds(evaluator, scopes, cx)? => *then,
            Node::Guard(..) => Self::NEVER,
            Node::If(condition, then, _) if condition.holds(evaluator, scopes, cx)? => *then,
            Node::If(_, _, otherwise) => *otherwise,
            _ => entry,
        })
    }

    /// Where all tests from a node on lead to.
    #[inline(always)]
    fn pass(
        &self,
        entry: Entry,
        evaluator: &Evaluator<'_>,
        scopes: &Scopes<'_>,
        cx: Context<'_>,
    ) -> Result<Entry, Failure> {
        let mut entry = entry;
        while let Node::Guard(..) | Node::If(..) = self.node(entry) {
            entry = self.test(entry, evaluator, scopes, cx)?;
        }
        Ok(entry)
    }

    /// Finds the next states that the action makes with these arguments, given where to [begin](Self::entry). A branch that
    /// fails does not end the run; the first failure of one is kept.
    #[inline]
    pub fn run<F>(
        &self,
        evaluator: &Evaluator<'_>,
        (entry, args): (Entry, &[Option<Value>]),
        cx: Context<'_>,
        failed: &RefCell<Option<Failure>>,
        sink: &mut F,
    ) -> Result<(), Failure>
    where
        F: FnMut(Found<'_>) -> Result<ControlFlow<()>, Failure>,
    {
        let scopes = Scopes::of(args);
        // Most runs come no further than this.
        match self.pass(entry, evaluator, &scopes, cx)? {
            Self::NEVER => Ok(()),
            entry => Walker { tree: self, evaluator, failed, sink }.walk(entry, &scopes, cx, 0).map(|_| ()),
        }
    }

    /// Where every tree has [`Node::Never`].
    const NEVER: Entry = Entry(0);

    #[inline]
    fn node(&self, entry: Entry) -> &Node<'p> {
        &self.nodes[entry.0 as usize]
    }
}

struct Walker<'w, F> {
    tree: &'w ActionTree<'w>,
    evaluator: &'w Evaluator<'w>,
    failed: &'w RefCell<Option<Failure>>,
    sink: &'w mut F,
}

impl<F: FnMut(Found<'_>) -> Result<ControlFlow<()>, Failure>> Walker<'_, F> {
    /// Goes on from a node, so many variables having been assigned.
    fn walk(&mut self, entry: Entry, scopes: &Scopes<'_>, cx: Context<'_>, assigned: usize) -> Result<Flow, Failure> {
        let (tree, evaluator) = (self.tree, self.evaluator);
        match tree.node(tree.pass(entry, evaluator, scopes, cx)?) {
            Node::Assign(variable, value, then) => {
                let value = value.value(evaluator, scopes, cx)?;
                self.assign(*variable, Held::Own(value), *then, scopes, cx, assigned)
            }
            Node::Unchanged(variable, then) => {
                let value = Held::Ref(&cx.moment.state[variable.0 as usize]);
                self.assign(*variable, value, *then, scopes, cx, assigned)
            }
            Node::Found => self.found(Found { context: cx, parameters: None, fingerprint: None }),
            Node::Branch(branches) => self.branch(branches, scopes, cx, assigned),
            Node::Call(args, outer, then) => self.call(args, *outer, *then, scopes, cx, assigned),
            Node::Let(group, outer, then) => {
                let (frame, env) = (let_frame(group, cx), scopes.env(*outer));
                self.walk(*then, &scopes.enter(env.enter(&frame)), cx, assigned)
            }
            Node::Run(rest) => self.run(rest, scopes, Progress { assigned, ..Progress::begin(cx) }, None),
            Node::Guard(..) | Node::If(..) | Node::Never => Ok(Flow::Go),
        }
    }

    #[inline]
    fn found(&mut self, found: Found<'_>) -> Result<Flow, Failure> {
        Ok(if (self.sink)(found)?.is_break() { Flow::Stop } else { Flow::Go })
    }

    #[inline]
    fn assign(
        &mut self,
        variable: VariableId,
        value: Held<'_>,
        then: Entry,
        scopes: &Scopes<'_>,
        cx: Context<'_>,
        assigned: usize,
    ) -> Result<Flow, Failure> {
        let latest = Assigned { variable, value, before: cx.assigned() };
        let moment = Moment { state: cx.state, next: Next::Partly(Some(&latest)) };
        self.walk(then, scopes, Context::of(&moment), assigned + 1)
    }

    #[inline(never)]
    fn branch(
        &mut self,
        branches: &[Entry],
        scopes: &Scopes<'_>,
        cx: Context<'_>,
        assigned: usize,
    ) -> Result<Flow, Failure> {
        for &branch in branches {
            match self.walk(branch, scopes, cx, assigned) {
                Ok(Flow::Go) => {}
                Ok(Flow::Stop) => return Ok(Flow::Stop),
                Err(failure) => {
                    self.failed.borrow_mut().get_or_insert(failure);
                }
            }
        }
        Ok(Flow::Go)
    }

    #[inline(never)]
    fn call(
        &mut self,
        args: &[Arg],
        outer: Outer,
        then: Entry,
        scopes: &Scopes<'_>,
        cx: Context<'_>,
        assigned: usize,
    ) -> Result<Flow, Failure> {
        self.evaluator.with_frame(args, &scopes.env(outer), cx, |bindings| {
            self.walk(then, &scopes.enter(Env { bindings, up: None }), cx, assigned)
        })
    }

    /// Runs conjuncts, the last of them first put behind the others.
    #[inline(never)]
    fn run(
        &mut self,
        rest: &[Rest<'_>],
        scopes: &Scopes<'_>,
        progress: Progress<'_>,
        then: Option<&Task<'_>>,
    ) -> Result<Flow, Failure> {
        let Some((last, before)) = rest.split_last() else {
            let manner = Manner { tolerate: Some(self.failed), ..Manner::default() };
            return Runner { evaluator: self.evaluator, manner, sink: self.sink }.resume(&progress, then);
        };
        let env = scopes.env(last.outer);
        let task = Task { work: Work::Actions(last.actions), env: &env, depth: 0, then };
        self.run(before, scopes, progress, Some(&task))
    }
}

impl Evaluator<'_> {
    /// Finds the next states that a definition makes, as it would be called somewhere with these arguments.
    pub fn run_call(
        &self,
        (definition, called_at): (&Definition, Span),
        args: &[Option<Value>],
        cx: Context<'_>,
        manner: Manner<'_>,
        sink: Sink<'_>,
    ) -> Result<(), Failure> {
        let Some(body) = &definition.action else { unreachable!("disjuncts call actions") };
        self.run_in(body, &Env { bindings: &bound(args), up: None }, cx, manner, sink)
            .map_err(|failure| failure.inside_action(definition.name.as_str(), called_at, 1))
    }
}
