//! The actions of a next-state relation, and the disjuncts of the relation that call them.
//!
//! `Next` is a tree of disjunctions, quantifiers, `LET`, `IF`, `CASE` and guards whose leaves are calls of definitions. A
//! definition that is such a tree itself (`ClientOps == Get \/ Put`) is looked into; any other is an *action*. Written as one
//! disjunction, `Next` has a *disjunct* per leaf: the quantifiers and guards above the call, and the call. (TLC calls them
//! actions or sub-actions.) Several disjuncts may call the same action.

use super::uses::{everywhere, in_action, in_definitions};
use crate::ir::{Action, ActionKind, Arg, CaseArm, DefinitionId, Expr, ExprKind, Level, Program, Reads};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::value::Value;

/// An action of the specification.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SpecAction {
    /// Its name: `Enqueue`, or `I!Enqueue`.
    pub name: Symbol,
    /// The definition, by the compiled program's number.
    #[doc(hidden)]
    pub definition: DefinitionId,
    /// The names of its parameters.
    pub params: Vec<Symbol>,
    /// Where it is defined.
    pub span: Span,
    /// The disjuncts of the next-state relation that call it.
    pub disjuncts: Vec<Disjunct>,
    /// Whether its definition and the values of its arguments say all about it: it asks for nothing outside, and no disjunct
    /// passes it something of the next state, which it could assign through a parameter.
    pub(super) is_self_contained: bool,
}

/// A disjunct of the next-state relation: a call of an action, with what stands above it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Disjunct {
    /// The quantifiers around the call, outermost first.
    pub quantifiers: Vec<Quantifier>,
    /// The conditions beside the call.
    pub guards: Vec<Guard>,
    /// What is passed for each parameter.
    pub args: Vec<Passed>,
    /// The call.
    pub span: Span,
    /// Where the call stands: the child to take at each node of the relation that has several.
    pub(crate) position: Vec<u32>,
}

/// A quantifier of a disjunct.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Quantifier {
    /// The whole quantified formula.
    pub span: Span,
    /// The set that each name is taken from, one per name.
    pub bounds: Vec<Span>,
}

/// A condition of a disjunct.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Guard {
    /// The condition.
    pub span: Span,
    /// What it has to be: FALSE for the `ELSE` of an `IF`.
    pub holds: bool,
}

/// What a disjunct passes for a parameter.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Passed {
    /// The expression.
    pub span: Span,
    /// If it is just a quantified name: the set that it is taken from.
    pub bound: Option<Span>,
    /// And which name: its place in [`Disjunct::quantifiers`] and in [`Quantifier::bounds`].
    pub name: Option<(usize, usize)>,
}

/// A part of a next-state relation that is no call of a definition: it has no name that a trace could use.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Nameless {
    /// The formula.
    pub span: Span,
    /// Whether it only says that nothing changes.
    pub stutters: bool,
    /// Whether it is FALSE, by itself or by the definition that it calls: then no step is ever possible here.
    pub never: bool,
    /// The definitions of actions that it leads to in some way: by a `LET`, in a `\A`, as a value.
    #[doc(hidden)]
    pub calls: Vec<DefinitionId>,
}

/// What a next-state relation consists of.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Actions {
    /// Its actions, in the order they are reached.
    pub actions: Vec<SpecAction>,
    /// What has no name.
    pub nameless: Vec<Nameless>,
}

impl Actions {
    /// Finds them.
    pub(super) fn of(program: &Program, next: &Action) -> Self {
        let mut finder = Finder { program, found: Self::default(), inside: Vec::new() };
        finder.walk(next, &Prefix::default());
        finder.found
    }
}

/// A quantified name.
#[derive(Clone, Copy)]
struct Taken {
    /// The set that it is taken from.
    set: Span,
    /// Its quantifier, and its place there.
    name: (usize, usize),
}

/// What stands above a node: a disjunct as far as it was read.
#[derive(Clone, Default)]
struct Prefix {
    position: Vec<u32>,
    quantifiers: Vec<Quantifier>,
    guards: Vec<Guard>,
    /// The names in each frame of the environment, outermost first; `None` for those that are not quantified.
    frames: Vec<Vec<Option<Taken>>>,
    /// Whether names above may stand for something of the next state.
    names_next: bool,
    /// Whether a formula beside the call may change variables, too.
    has_effect: bool,
    /// What the definitions of `LET`s above call.
    local_calls: Vec<DefinitionId>,
}

impl Prefix {
    fn child(&self, nth: usize) -> Self {
        let mut prefix = self.clone();
        prefix.position.push(nth as u32);
        prefix
    }

    fn guarded(mut self, span: Span, holds: bool) -> Self {
        self.guards.push(Guard { span, holds });
        self
    }

    fn frame(mut self, bounds: Vec<Option<Taken>>) -> Self {
        self.frames.push(bounds);
        self
    }

    /// The name that an argument is, if it is just a quantified one.
    fn taken(&self, arg: &Arg) -> Option<Taken> {
        let ExprKind::Local(local) = &value_of(arg)?.kind else { return None };
        let frame = self.frames.len().checked_sub(1 + local.depth as usize)?;
        *self.frames[frame].get(local.index as usize)?
    }
}

struct Finder<'p> {
    program: &'p Program,
    found: Actions,
    /// The definitions that we are looking into.
    inside: Vec<DefinitionId>,
}

impl Finder<'_> {
    fn walk(&mut self, action: &Action, prefix: &Prefix) {
        match &action.kind {
            ActionKind::Or(parts) => {
                for (nth, part) in parts.iter().enumerate() {
                    self.walk(part, &prefix.child(nth));
                }
            }
            ActionKind::And(parts) => {
                let leading = self.leading_parts(parts);
                if leading.is_empty() {
                    self.nameless(action, prefix);
                }
                for nth in leading {
                    let mut prefix = prefix.child(nth);
                    for (_, beside) in parts.iter().enumerate().filter(|(at, _)| *at != nth) {
                        prefix.has_effect |= self.assigns(beside);
                        prefix = prefix.guarded(beside.span, true);
                    }
                    self.walk(&parts[nth], &prefix);
                }
            }
            ActionKind::Exists(bounds, body) => {
                let sets = || {
                    let sets = bounds.binders.iter();
                    sets.flat_map(|binder| std::iter::repeat_n((binder.set.span, binder.tuple), binder.names))
                };
                let quantifier = prefix.quantifiers.len();
                let taken = |(at, (set, tuple)): (usize, (Span, bool))| {
                    (!tuple).then_some(Taken { set, name: (quantifier, at) })
                };
                let mut prefix = prefix.clone().frame(sets().enumerate().map(taken).collect());
                prefix
                    .quantifiers
                    .push(Quantifier { span: action.span, bounds: sets().map(|(span, _)| span).collect() });
                self.walk(body, &prefix);
            }
            ActionKind::If(condition, then, otherwise) => {
                self.walk(then, &prefix.child(0).guarded(condition.span, true));
                self.walk(otherwise, &prefix.child(1).guarded(condition.span, false));
            }
            ActionKind::Case { arms, other } => {
                for (nth, arm) in arms.iter().enumerate() {
                    self.walk(&arm.body, &prefix.child(nth).guarded(arm.condition.span, true));
                }
                if let Some(other) = other {
                    let refused = |prefix: Prefix, arm: &CaseArm<Action>| prefix.guarded(arm.condition.span, false);
                    self.walk(other, &arms.iter().fold(prefix.child(arms.len()), refused));
                }
            }
            ActionKind::Let(group, body) => {
                let mut prefix = prefix.clone().frame(vec![None; group.definitions.len()]);
                prefix.names_next |=
                    group.definitions.iter().any(|definition| self.looks_ahead(&definition.lambda.body));
                in_definitions(group, &mut |_| {}, &mut |id| prefix.local_calls.push(id));
                self.walk(body, &prefix);
            }
            ActionKind::Condition { branches, .. } if self.has_calls(branches) => self.walk(branches, prefix),
            ActionKind::Call(id, args) => self.call(action, *id, args, prefix),
            _ => self.nameless(action, prefix),
        }
    }

    fn call(&mut self, action: &Action, id: DefinitionId, args: &[Arg], prefix: &Prefix) {
        let definition = self.program.definition(id);
        let names_next =
            prefix.names_next || args.iter().any(|arg| value_of(arg).is_some_and(|arg| self.looks_ahead(arg)));
        // Nothing was passed but names of the whole relation, which may have parts without a name.
        let is_whole = prefix.quantifiers.is_empty() && prefix.position.len() == self.inside.len();
        if self.is_tree(id, is_whole) {
            let frames = vec![args.iter().map(|arg| prefix.taken(arg)).collect()];
            let inner = Prefix { frames, names_next, ..prefix.child(0) };
            self.inside.push(id);
            self.walk(definition.action.as_ref().expect("a tree of actions is one"), &inner);
            self.inside.pop();
            return;
        }
        if names_next && prefix.has_effect {
            // What is passed may depend on what the action assigns and on what is assigned beside it: an argument cannot be
            // compared before both have run.
            self.nameless(action, prefix);
            return;
        }
        let span_of = |arg: &Arg| value_of(arg).map_or(action.span, |expr| expr.span);
        let passed = |arg: &Arg| {
            let taken = prefix.taken(arg);
            Passed { span: span_of(arg), bound: taken.map(|it| it.set), name: taken.map(|it| it.name) }
        };
        let disjunct = Disjunct {
            quantifiers: prefix.quantifiers.clone(),
            guards: prefix.guards.clone(),
            args: args.iter().map(passed).collect(),
            span: action.span,
            position: prefix.position.clone(),
        };
        let is_alone = !names_next && !prefix.has_effect;
        match self.found.actions.iter_mut().find(|known| known.definition == id) {
            Some(known) => {
                known.disjuncts.push(disjunct);
                known.is_self_contained &= is_alone;
            }
            None => self.found.actions.push(SpecAction {
                name: definition.name,
                definition: id,
                params: definition.params.iter().map(|(name, _)| *name).collect(),
                span: definition.span,
                disjuncts: vec![disjunct],
                is_self_contained: is_alone && !Reads::of(&definition.body, self.program).asks_outside,
            }),
        }
    }

    fn looks_ahead(&self, expr: &Expr) -> bool {
        Reads::of(expr, self.program).looks_ahead
    }

    fn nameless(&mut self, action: &Action, prefix: &Prefix) {
        let stutters = match &action.kind {
            ActionKind::Unchanged(_) => true,
            ActionKind::And(parts) => parts.iter().all(|part| {
                matches!(part.kind, ActionKind::Unchanged(_) | ActionKind::Guard(_) | ActionKind::Condition { .. })
            }),
            _ => false,
        };
        let mut open = prefix.local_calls.clone();
        in_action(action, &mut |_| {}, &mut |id| open.push(id));
        let never = matches!(&action.kind, ActionKind::Guard(condition) if self.is_false(condition));
        self.found.nameless.push(Nameless { span: action.span, stutters, never, calls: self.actions_from(open) });
    }

    /// Whether an expression is `FALSE`, or the name of what is.
    fn is_false(&self, expr: &Expr) -> bool {
        let mut expr = expr;
        for _ in 0..=self.program.definitions.len() {
            match &expr.kind {
                ExprKind::Call(id, _) => expr = &self.program.definition(*id).body,
                kind => return matches!(kind, ExprKind::Value(Value::Bool(false))),
            }
        }
        false
    }

    /// The definitions of actions among these and those that they lead to.
    fn actions_from(&self, mut open: Vec<DefinitionId>) -> Vec<DefinitionId> {
        let mut reached = Vec::new();
        while let Some(id) = open.pop() {
            let definition = self.program.definition(id);
            if definition.level == Level::Action && !reached.contains(&id) {
                reached.push(id);
                everywhere(&definition.body, &mut |_| {}, &mut |id| open.push(id));
            }
        }
        reached
    }

    /// Of conjuncts, those that call actions. Each of them leads to its actions, and all the others are conditions and effects beside
    /// these: an event of either is the step that takes all of them. What only tests the next state is no action if something
    /// else is.
    fn leading_parts(&self, parts: &[Action]) -> Vec<usize> {
        let mut calling: Vec<usize> = (0..parts.len()).filter(|&at| self.has_calls(&parts[at])).collect();
        let says_what_becomes = |&at: &usize| self.assigns(&parts[at]) || self.leads_to(&parts[at], is_unchanged);
        if calling.iter().any(says_what_becomes) {
            calling.retain(says_what_becomes);
        }
        calling
    }

    /// Whether a formula may change variables: it assigns one, other than by saying that it stays as it is.
    fn assigns(&self, action: &Action) -> bool {
        self.leads_to(action, |kind| {
            matches!(kind, ActionKind::CallLocal(..) | ActionKind::Equal(..) | ActionKind::Member(..))
        })
    }

    /// Whether a formula, or a definition that it calls, has such a part.
    fn leads_to(&self, action: &Action, is_such: fn(&ActionKind) -> bool) -> bool {
        let (mut open, mut seen) = (vec![action], Vec::new());
        while let Some(action) = open.pop() {
            match &action.kind {
                kind if is_such(kind) => return true,
                ActionKind::And(parts) | ActionKind::Or(parts) => open.extend(parts),
                ActionKind::Exists(_, body) | ActionKind::ForAll(_, body) | ActionKind::Let(_, body) => open.push(body),
                ActionKind::If(_, then, otherwise) => open.extend([&**then, otherwise]),
                ActionKind::Case { arms, other } => {
                    open.extend(arms.iter().map(|arm| &arm.body).chain(other.as_deref()));
                }
                ActionKind::Call(id, _) if !seen.contains(id) => {
                    seen.push(*id);
                    open.extend(&self.program.definition(*id).action);
                }
                _ => {}
            }
        }
        false
    }

    /// Of conjuncts, the only one that calls actions, if the others are conditions or say what does not change.
    fn branching_part(&self, parts: &[Action]) -> Option<usize> {
        let mut calling = parts.iter().enumerate().filter(|(_, part)| self.has_calls(part)).map(|(at, _)| at);
        let only = calling.next()?;
        let others_assign = |(at, part): (usize, &Action)| {
            at != only
                && !matches!(part.kind, ActionKind::Guard(_) | ActionKind::Condition { .. } | ActionKind::Unchanged(_))
        };
        let others = parts.iter().enumerate().any(others_assign);
        (calling.next().is_none() && !others).then_some(only)
    }

    /// Whether there is a call of a definition that assigns variables.
    fn has_calls(&self, action: &Action) -> bool {
        match &action.kind {
            ActionKind::And(parts) | ActionKind::Or(parts) => parts.iter().any(|part| self.has_calls(part)),
            ActionKind::Exists(_, body) | ActionKind::Let(_, body) => self.has_calls(body),
            ActionKind::If(_, then, otherwise) => self.has_calls(then) || self.has_calls(otherwise),
            ActionKind::Case { arms, other } => {
                arms.iter().any(|arm| self.has_calls(&arm.body))
                    || other.as_ref().is_some_and(|body| self.has_calls(body))
            }
            ActionKind::Call(id, _) => self.program.definition(*id).level == Level::Action,
            _ => false,
        }
    }

    /// Whether a definition only distributes: its body branches, and all branches end in calls; of the whole relation
    /// some do, or it is another name.
    fn is_tree(&self, id: DefinitionId, is_whole: bool) -> bool {
        if is_of_a_pair(self.program.definition(id).name) {
            return false;
        }
        let mut named = vec![id];
        loop {
            let last = named[named.len() - 1];
            let Some(body) = &self.program.definition(last).action else { return false };
            match &body.kind {
                // A relation that is nothing but a name leads to what has it.
                ActionKind::Call(..) if is_whole && self.has_calls(body) => return !self.inside.contains(&last),
                // Another name for a tree is one; another name for an action is an action.
                ActionKind::Call(id, _) if !named.contains(id) => named.push(*id),
                _ => {
                    let leads_on = if is_whole { self.has_calls(body) } else { self.ends_in_calls(body) };
                    return !self.inside.contains(&last) && branches(body) && leads_on;
                }
            }
        }
    }

    fn ends_in_calls(&self, action: &Action) -> bool {
        match &action.kind {
            ActionKind::Or(parts) => parts.iter().all(|part| self.ends_in_calls(part)),
            ActionKind::And(parts) => self.branching_part(parts).is_some_and(|at| {
                // `IF … THEN A ELSE B` beside an effect of its own is what an action does, not a choice of actions.
                let has_effect = parts.iter().any(|part| matches!(part.kind, ActionKind::Unchanged(_)));
                let is_conditional = matches!(parts[at].kind, ActionKind::If(..) | ActionKind::Case { .. });
                self.ends_in_calls(&parts[at]) && !(has_effect && is_conditional)
            }),
            ActionKind::Exists(_, body) | ActionKind::Let(_, body) => self.ends_in_calls(body),
            ActionKind::If(_, then, otherwise) => self.is_case_of_calls(then) && self.is_case_of_calls(otherwise),
            ActionKind::Case { arms, other } => {
                arms.iter().all(|arm| self.is_case_of_calls(&arm.body))
                    && other.as_ref().is_none_or(|body| self.is_case_of_calls(body))
            }
            ActionKind::Call(id, _) => self.program.definition(*id).level == Level::Action,
            ActionKind::Unchanged(_) => true,
            _ => false,
        }
    }

    /// Whether a case of an `IF` or `CASE` leads to calls alone. That nothing changes is an effect that has no other name.
    fn is_case_of_calls(&self, action: &Action) -> bool {
        !matches!(action.kind, ActionKind::Unchanged(_)) && self.ends_in_calls(action)
    }
}

fn is_unchanged(kind: &ActionKind) -> bool {
    matches!(kind, ActionKind::Unchanged(_))
}

/// Whether a name says that it is one of a pair that an action consists of, `Pop_Step` and `Pop_Done`.
fn is_of_a_pair(name: Symbol) -> bool {
    ["_Step", "_Done"].iter().any(|suffix| name.as_str().ends_with(suffix))
}

/// Whether there is a choice on the prefix to the calls of a formula.
fn branches(action: &Action) -> bool {
    match &action.kind {
        ActionKind::Or(_) | ActionKind::Exists(..) | ActionKind::If(..) | ActionKind::Case { .. } => true,
        ActionKind::And(parts) => parts.iter().any(branches),
        ActionKind::Let(_, body) => branches(body),
        _ => false,
    }
}

fn value_of(arg: &Arg) -> Option<&Expr> {
    match arg {
        Arg::Eager(expr) | Arg::Lazy { expr, .. } => Some(expr),
        Arg::Operator(_) => None,
    }
}
