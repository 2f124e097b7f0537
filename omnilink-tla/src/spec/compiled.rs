//! Compiled actions: actions that the next-state relation allows in every state.
//!
//! For `\E key \in Keys : Insert(key)`, whether a recorded `Insert(3)` is a step of `Next` is a question about `Keys`, which is
//! answered once, and one about `Insert`. So such an action is compiled and run without evaluating `Next` in every state.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::step::{ActionId, Candidate};
use super::{Disjunct, Spec, State};
use crate::eval::{ActionTree, Context, Entry, Failure, Footprint, Found, Manner, Moment};
use crate::ir::{Action, ActionKind, Arg, Expr, ExprKind};
use crate::value::Value;

/// The sets that an action's arguments are taken from, in every disjunct that calls it.
#[derive(Debug, Clone)]
pub struct ArgumentSets {
    /// Per disjunct of `Next`, the set of each parameter.
    of_disjuncts: Vec<Vec<Value>>,
}

impl ArgumentSets {
    /// Whether `Next` allows the action with these arguments in some disjunct: then [`Spec::compile_action`] finds its steps. False
    /// if an argument is unknown, or if this cannot be evaluated.
    pub fn admits(&self, args: &[Option<Value>]) -> bool {
        let mut admitted = false;
        for sets in &self.of_disjuncts {
            let mut in_this_one = true;
            for (arg, set) in args.iter().zip(sets) {
                match arg.as_ref().map(|arg| arg.member(set)) {
                    Some(Ok(is_member)) => in_this_one &= is_member,
                    Some(Err(_)) | None => return false,
                }
            }
            admitted |= in_this_one;
        }
        admitted
    }
}

impl Spec {
    /// The sets that an action's arguments are taken from, if nothing but constant sets restricts it in every disjunct that calls it.
    #[doc(hidden)]
    pub fn argument_sets(&self, action: ActionId) -> Option<ArgumentSets> {
        let (_, next) = self.program.next.as_ref()?;
        let sets = self.actions.actions[action.0].disjuncts.iter().map(|disjunct| self.sets_of(disjunct, next));
        Some(ArgumentSets { of_disjuncts: sets.collect::<Option<_>>()? })
    }

    /// Compiles an action for being run from many states, with arguments that are all known and
    /// [admitted](ArgumentSets::admits).
    #[doc(hidden)]
    pub fn compile_action(&self, action: ActionId) -> CompiledAction<'_> {
        let definition = self.program.definition(self.actions.actions[action.0].definition);
        CompiledAction { spec: self, action, tree: ActionTree::of(definition, &self.program) }
    }

    /// Visits the states that an action with such arguments leads to from a state: as [`Spec::visit_steps`] does.
    pub(super) fn visit_call(
        &self,
        state: &State,
        action: ActionId,
        args: &[Option<Value>],
        visit: &mut dyn FnMut(Candidate<'_>) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let spec_action = &self.actions.actions[action.0];
        let failed = RefCell::new(None);
        let manner = Manner { tolerate: Some(&failed), ..Manner::default() };
        let moment = Moment::state(state.values());
        let definition = self.program.definition(spec_action.definition);
        let call = (definition, spec_action.disjuncts[0].span);
        let run = self.evaluator().run_call(call, args, Context::of(&moment), manner, &mut |found| {
            let candidate = self.candidate(&found).map_err(|failure| failure.located(spec_action.span))?;
            Ok(visit(candidate))
        });
        run.and(failed.into_inner().map_or(Ok(()), Err))
    }

    /// The sets that a disjunct takes an action's arguments from, if they are constant and nothing else stands above the call.
    fn sets_of(&self, disjunct: &Disjunct, next: &Action) -> Option<Vec<Value>> {
        let (mut action, mut position) = (next, disjunct.position.as_slice());
        let mut frames: Vec<Vec<(Value, bool)>> = Vec::new();
        loop {
            match &action.kind {
                ActionKind::Or(parts) => {
                    let (&nth, onward) = position.split_first()?;
                    (action, position) = (&parts[nth as usize], onward);
                }
                ActionKind::Exists(bounds, body) => {
                    let mut frame = Vec::with_capacity(bounds.names);
                    for binder in &bounds.binders {
                        let set = self.constant_set(&binder.set).filter(|_| !binder.tuple)?;
                        frame.extend(std::iter::repeat_n((set, false), binder.names));
                    }
                    frames.push(frame);
                    action = body;
                }
                ActionKind::Call(_, args) if position.is_empty() => {
                    let sets = args.iter().map(|arg| set_of(arg, &mut frames)).collect::<Option<Vec<_>>>()?;
                    // A quantified name that is not passed on must only exist, which is asked elsewhere.
                    return frames.iter().flatten().all(|(_, passed)| *passed).then_some(sets);
                }
                ActionKind::Call(id, args) if args.is_empty() && frames.is_empty() => {
                    (action, position) = (self.program.definition(*id).action.as_ref()?, position.split_first()?.1);
                }
                _ => return None,
            }
        }
    }

    /// The value of a set that is the same everywhere.
    fn constant_set(&self, set: &Expr) -> Option<Value> {
        match &set.kind {
            ExprKind::Value(value) => Some(value.clone()),
            ExprKind::Once(_) => self.evaluator().value(set, Context::CONSTANT).ok(),
            ExprKind::Call(id, args) if args.is_empty() && self.program.definition(*id).is_constant() => {
                self.evaluator().value(set, Context::CONSTANT).ok()
            }
            _ => None,
        }
    }
}

/// An action compiled for being run from many states.
pub struct CompiledAction<'s> {
    spec: &'s Spec,
    action: ActionId,
    tree: ActionTree<'s>,
}

impl CompiledAction<'_> {
    /// Where a run with these arguments begins: what they decide alone is decided.
    pub fn entry(&self, args: &[Option<Value>]) -> Entry {
        self.tree.entry(&self.spec.evaluator(), args)
    }

    /// What it reads and changes with these arguments, of which the entry is; nothing if that is not known.
    pub fn footprint(&self, entry: Entry, args: &[Option<Value>]) -> Option<Footprint> {
        self.tree.footprint(&self.spec.evaluator(), entry, args)
    }

    /// The condition that refuses it in a state with these arguments, of which the entry is, if it is one of the
    /// [footprint's](Footprint::refusals).
    #[inline]
    pub fn refusal(&self, state: &State, entry: Entry, args: &[Option<Value>]) -> Option<Entry> {
        self.tree.refusal(&self.spec.evaluator(), (entry, args), Context::of(&Moment::state(state.values())))
    }

    /// Visits the states that it leads to from a state with these arguments, of which the entry is: as [`Spec::visit_steps`]
    /// does.
    ///
    /// # Errors
    /// The first failure of a branch, after all others were visited.
    #[inline]
    pub fn visit(
        &self,
        state: &State,
        entry: Entry,
        args: &[Option<Value>],
        mut visit: impl FnMut(Candidate<'_>) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let spec = self.spec;
        let failed = RefCell::new(None);
        let moment = Moment::state(state.values());
        let found = &mut |found: Found<'_>| Ok(visit(spec.candidate(&found)?));
        let run = self.tree.run(&spec.evaluator(), (entry, args), Context::of(&moment), &failed, found);
        match (run, failed.into_inner()) {
            (Ok(()), None) => Ok(()),
            (Ok(()), Some(failure)) | (Err(failure), _) => Err(self.failure(state, args, failure)),
        }
    }

    /// The failure as interpreting the action gives it, with the stack of definitions.
    #[cold]
    fn failure(&self, state: &State, args: &[Option<Value>], failure: Failure) -> Failure {
        let as_usual = self.spec.visit_call(state, self.action, args, &mut |_| ControlFlow::Continue(()));
        as_usual.err().unwrap_or(failure)
    }
}

/// The set of the quantified name that an argument is, each name once.
fn set_of(arg: &Arg, frames: &mut [Vec<(Value, bool)>]) -> Option<Value> {
    let (Arg::Eager(expr) | Arg::Lazy { expr, .. }) = arg else { return None };
    let ExprKind::Local(local) = &expr.kind else { return None };
    let frame = frames.len().checked_sub(1 + local.depth as usize)?;
    let (set, passed) = frames[frame].get_mut(local.index as usize)?;
    (!std::mem::replace(passed, true)).then(|| set.clone())
}
