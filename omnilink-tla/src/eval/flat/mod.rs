//! A next-state relation flattened into a tree, for being run from many states.
//!
//! ```text
//!  \E r \in {r1, r2} : Prepare(r)        ├─ rmState["r1"] = "working" ─ rmState' = … ─ msgs' = … ─ found
//!                                ──►     └─ rmState["r2"] = "working" ─ rmState' = … ─ msgs' = … ─ found
//! ```
//!
//! What is the same in every state is done once: quantifiers over constant sets become branches, calls with constant
//! arguments become their bodies, and what is assigned where is known. What is left is a tree of conditions and assignments,
//! whose costly expressions remember their values ([`memory`]). Where an action needs more than that, the tree ends in the
//! action itself, which is run as usual.
//!
//! It finds the same states in the same order as running the relation does. If it fails, running the relation gives the error with its place.

mod build;
mod memory;
mod scope;
mod table;

use smallvec::SmallVec;

use self::memory::{Fingerprints, Remembered};
use self::scope::Scope;
use self::table::Known;
use super::action::{Found, Manner, Progress, Runner, Sink, Task, Work};
use super::binders::Flow;
use super::context::{Assigned, Moment, Next};
use super::env::Held;
use super::{Context, Evaluator, Failure};
use crate::ir::{Action, Program, VariableId};
use crate::value::{Fingerprint, Value};

/// A next-state relation as a flat tree.
pub struct Flat<'p>(Node<'p>);

/// What is left to do on the way to a next state.
enum Node<'p> {
    /// Goes on if a condition is true.
    Guard(Remembered<'p>, Box<Node<'p>>),
    /// `x' = e`
    Assign(VariableId, Remembered<'p>, Box<Node<'p>>),
    /// `x' = x`
    Unchanged(VariableId, Box<Node<'p>>),
    /// Each in turn.
    Branch(Box<[Node<'p>]>),
    /// One or the other.
    If(Remembered<'p>, Box<Node<'p>>, Box<Node<'p>>),
    /// Runs what is left of a conjunction, innermost first.
    Run(Box<[Rest<'p>]>),
    /// A next state is found.
    Found,
}

/// Conjuncts in a scope.
#[derive(Clone)]
struct Rest<'p> {
    actions: &'p [Action],
    scope: Scope,
}

impl<'p> Flat<'p> {
    /// Flattens the next-state relation of a program.
    pub fn of(next: &'p Action, program: &'p Program, evaluator: &Evaluator<'_>) -> Self {
        Self(build::flatten(next, program, evaluator))
    }

    /// Finds the next states of a state, as TLC counts them.
    pub fn run(&mut self, evaluator: &Evaluator<'_>, cx: Context<'_>, sink: Sink<'_>) -> Result<(), Failure> {
        let own: SmallVec<_> = cx.state.iter().map(Value::fingerprint).collect();
        let fingerprints = Fingerprints { next: own.clone(), own };
        Walker { evaluator, fingerprints, sink }.walk(&mut self.0, cx, 0).map(|_| ())
    }
}

struct Walker<'w> {
    evaluator: &'w Evaluator<'w>,
    fingerprints: Fingerprints,
    sink: Sink<'w>,
}

impl Walker<'_> {
    /// Goes on from a node, so many variables having been assigned.
    fn walk(&mut self, node: &mut Node<'_>, cx: Context<'_>, assigned: usize) -> Result<Flow, Failure> {
        let mut node = node;
        loop {
            match node {
                Node::Guard(condition, then) => {
                    if !condition.holds(self.evaluator, &self.fingerprints, cx)? {
                        return Ok(Flow::Go);
                    }
                    node = then;
                }
                Node::If(condition, then, otherwise) => {
                    node = if condition.holds(self.evaluator, &self.fingerprints, cx)? { then } else { otherwise };
                }
                Node::Assign(variable, value, then) => {
                    let Known { value, fingerprint } = value.value(self.evaluator, &self.fingerprints, cx)?;
                    self.fingerprints.next[variable.0 as usize] = fingerprint;
                    return self.assign(*variable, value, then, cx, assigned);
                }
                Node::Unchanged(variable, then) => {
                    let at = variable.0 as usize;
                    let value = Held::Ref(&cx.moment.state[at]);
                    self.fingerprints.next[at] = self.fingerprints.own[at];
                    return self.assign(*variable, value, then, cx, assigned);
                }
                Node::Branch(branches) => {
                    for branch in branches {
                        if self.walk(branch, cx, assigned)? == Flow::Stop {
                            return Ok(Flow::Stop);
                        }
                    }
                    return Ok(Flow::Go);
                }
                Node::Run(rest) => return self.run(rest, Progress { assigned, ..Progress::begin(cx) }, None),
                Node::Found => {
                    // A state that is not whole has no fingerprint.
                    let next = &self.fingerprints.next;
                    let is_whole = assigned == next.len();
                    let fingerprint = is_whole.then(|| Fingerprint::of_sequence(next.iter().copied()));
                    let flow = (self.sink)(Found { context: cx, parameters: None, fingerprint })?;
                    return Ok(if flow.is_break() { Flow::Stop } else { Flow::Go });
                }
            }
        }
    }

    fn assign(
        &mut self,
        variable: VariableId,
        value: Held<'_>,
        then: &mut Node<'_>,
        cx: Context<'_>,
        assigned: usize,
    ) -> Result<Flow, Failure> {
        let latest = Assigned { variable, value, before: cx.assigned() };
        let moment = Moment { state: cx.state, next: Next::Partly(Some(&latest)) };
        self.walk(then, Context::of(&moment), assigned + 1)
    }

    /// Runs conjuncts, the last of them first put behind the others.
    fn run(&mut self, rest: &[Rest<'_>], progress: Progress<'_>, then: Option<&Task<'_>>) -> Result<Flow, Failure> {
        let Some((last, before)) = rest.split_last() else {
            let manner = Manner { branch_conditions: true, ..Manner::default() };
            return Runner { evaluator: self.evaluator, manner, sink: self.sink }.resume(&progress, then);
        };
        last.scope.with(|env| {
            let task = Task { work: Work::Actions(last.actions), env, depth: 0, then };
            self.run(before, progress, Some(&task))
        })
    }
}
