//! An action laid out for being run from many states, with arguments that are all known.
//!
//! ```text
//!  Take(n) == /\ n # 0          n # 0 ─ stock >= n ─ stock' = … ─ UNCHANGED log ─ found
//!             /\ Enough(n) ──►
//!             /\ Leave(n)
//! ```
//!
//! What is the same in every state is decided once: which conjunct follows which, whether a conjunct assigns or tests, which
//! variables are assigned where. Running it is a walk through a tree, where running the action itself keeps a list of what
//! is left to do. Where an action needs more than that, the tree ends in the action, which is run as usual.
//!
//! It finds the same states in the same order as running the action does. If it fails, running the action tells why.

mod build;

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::action::{Found, Manner, Progress, Runner, Sink, Task, Work};
use super::binders::Flow;
use super::context::{Assigned, Moment, Next};
use super::env::{Binding, Env, Frame, Held};
use super::expr::let_frame;
use super::{Context, Evaluator, Failure};
use crate::ir::{Action, Arg, Definition, Expr, LetGroup, Program, VariableId};
use crate::source::Span;
use crate::value::Value;

/// An action, laid out.
pub struct Layout<'p> {
    nodes: Vec<Node<'p>>,
    /// Where it begins.
    root: Entry,
}

/// A place in a [`Layout`].
#[derive(Clone, Copy, Debug)]
pub struct Entry(u32);

/// What is left to do on the way to a next state.
enum Node<'p> {
    /// Goes on if a condition is true.
    Guard(Term<'p>, Entry),
    /// `x' = e`
    Assign(VariableId, Term<'p>, Entry),
    /// `x' = x`
    Unchanged(VariableId, Entry),
    /// One or the other.
    If(Term<'p>, Entry, Entry),
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

/// An expression in a scope.
struct Term<'p> {
    expr: &'p Expr,
    outer: Outer,
    /// It depends on nothing but the action's arguments.
    is_settled: bool,
}

/// How many scopes outside of the innermost.
#[derive(Clone, Copy)]
struct Outer(u32);

/// Conjuncts in a scope.
struct Rest<'p> {
    actions: &'p [Action],
    outer: Outer,
}

/// The scopes that were entered, innermost first. Other than frames of an environment these need not see each other.
struct Scopes<'a> {
    env: Env<'a>,
    before: Option<&'a Scopes<'a>>,
}

impl Scopes<'_> {
    #[inline]
    fn env(&self, outer: Outer) -> &Env<'_> {
        let mut scope = self;
        for _ in 0..outer.0 {
            scope = scope.before.expect("scopes are counted");
        }
        &scope.env
    }
}

impl<'p> Layout<'p> {
    /// Lays out the action that a definition is.
    pub fn of(definition: &'p Definition, program: &'p Program) -> Self {
        build::lay_out(definition, program)
    }

    /// Where a run with these arguments begins: behind all conditions at the beginning that depend on them alone.
    pub fn entry(&self, evaluator: &Evaluator<'_>, args: &[Option<Value>]) -> Entry {
        with_arguments(args, |bindings| {
            let env = &Env { bindings, up: None };
            let holds = |term: &Term<'_>| {
                let truth = term.is_settled.then(|| evaluator.truth(term.expr, env, Context::CONSTANT));
                truth.and_then(Result::ok)
            };
            let mut entry = self.root;
            loop {
                entry = match self.node(entry) {
                    Node::Guard(condition, then) => match holds(condition) {
                        Some(true) => *then,
                        Some(false) => Self::NEVER,
                        None => return entry,
                    },
                    Node::If(condition, then, otherwise) => match holds(condition) {
                        Some(true) => *then,
                        Some(false) => *otherwise,
                        None => return entry,
                    },
                    _ => return entry,
                }
            }
        })
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
        with_arguments(args, |bindings| {
            let scopes = Scopes { env: Env { bindings, up: None }, before: None };
            Walker { layout: self, evaluator, failed, sink }.walk(entry, &scopes, cx, 0).map(|_| ())
        })
    }

    /// Where every layout has [`Node::Never`].
    const NEVER: Entry = Entry(0);

    #[inline]
    fn node(&self, entry: Entry) -> &Node<'p> {
        &self.nodes[entry.0 as usize]
    }
}

struct Walker<'w, F> {
    layout: &'w Layout<'w>,
    evaluator: &'w Evaluator<'w>,
    failed: &'w RefCell<Option<Failure>>,
    sink: &'w mut F,
}

impl<F: FnMut(Found<'_>) -> Result<ControlFlow<()>, Failure>> Walker<'_, F> {
    /// Goes on from a node, so many variables having been assigned.
    fn walk(&mut self, entry: Entry, scopes: &Scopes<'_>, cx: Context<'_>, assigned: usize) -> Result<Flow, Failure> {
        let (layout, evaluator) = (self.layout, self.evaluator);
        let mut entry = entry;
        loop {
            match layout.node(entry) {
                Node::Guard(condition, then) => {
                    if !evaluator.truth(condition.expr, scopes.env(condition.outer), cx)? {
                        return Ok(Flow::Go);
                    }
                    entry = *then;
                }
                Node::If(condition, then, otherwise) => {
                    let holds = evaluator.truth(condition.expr, scopes.env(condition.outer), cx)?;
                    entry = if holds { *then } else { *otherwise };
                }
                Node::Assign(variable, value, then) => {
                    let value = evaluator.normal(value.expr, scopes.env(value.outer), cx)?;
                    return self.assign(*variable, Held::Own(value), *then, scopes, cx, assigned);
                }
                Node::Unchanged(variable, then) => {
                    let value = Held::Ref(&cx.moment.state[variable.0 as usize]);
                    return self.assign(*variable, value, *then, scopes, cx, assigned);
                }
                Node::Found => return self.found(Found { context: cx, parameters: None, fingerprint: None }),
                Node::Never => return Ok(Flow::Go),
                Node::Branch(branches) => return self.branch(branches, scopes, cx, assigned),
                Node::Call(args, outer, then) => return self.call(args, *outer, *then, scopes, cx, assigned),
                Node::Let(group, outer, then) => {
                    let frame = let_frame(group, cx);
                    let scopes = Scopes { env: scopes.env(*outer).enter(&frame), before: Some(scopes) };
                    return self.walk(*then, &scopes, cx, assigned);
                }
                Node::Run(rest) => {
                    return self.run(rest, scopes, Progress { assigned, ..Progress::begin(cx) }, None);
                }
            }
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
        self.evaluator.with_frame(args, scopes.env(outer), cx, |bindings| {
            let scopes = Scopes { env: Env { bindings, up: None }, before: Some(scopes) };
            self.walk(then, &scopes, cx, assigned)
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
        let task = Task { work: Work::Actions(last.actions), env: scopes.env(last.outer), depth: 0, then };
        self.run(before, scopes, progress, Some(&task))
    }
}

/// Does something with the frame of known arguments.
#[inline]
fn with_arguments<T>(args: &[Option<Value>], then: impl FnOnce(&[Binding<'_>]) -> T) -> T {
    let bound = |value: &Value| Binding::Value(value.clone());
    match args {
        [] => then(&[]),
        [Some(only)] => then(&[bound(only)]),
        [Some(first), Some(second)] => then(&[bound(first), bound(second)]),
        _ => then(&args.iter().flatten().map(bound).collect::<Frame<'_>>()),
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
        let Some(body) = &definition.action else { unreachable!("routes lead to actions") };
        with_arguments(args, |bindings| self.run_in(body, &Env { bindings, up: None }, cx, manner, sink))
            .map_err(|failure| failure.inside_action(definition.name.as_str(), called_at, 1))
    }
}
