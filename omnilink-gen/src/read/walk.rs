//! Finds the arguments that the next-state relation passes to each action: the sets that names range over, and what is known
//! about them.
//!
//! The traversal follows `omnilink_tla`'s `actions()`, which decides which definitions are actions. Here
//! each name is followed to its binding, through parameters of definitions that only branch.

use std::collections::{HashMap, HashSet};
use std::mem;

use omnilink_tla::Spec;
use omnilink_tla::internal::ir::{Action, ActionKind, Arg, Bounds, DefinitionId, Expr, ExprKind, LetGroup};
use omnilink_tla::source::Span;

use super::expressions::{self, Frames, local};
use super::guess::Guess;

/// An argument.
struct Taken {
    /// What is known about it.
    guess: Guess,
    /// The set that it ranges over, or the expression, as source text.
    from: String,
}

/// The arguments of calls of actions: for each argument, the union over all paths that reach the call.
pub(super) type Calls = HashMap<(DefinitionId, Span), Vec<Given>>;

/// All arguments for a parameter.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// What is known about all of them.
    pub guess: Guess,
    /// The sets and expressions, each once.
    pub from: Vec<String>,
}

impl Given {
    /// Nothing yet.
    pub const NONE: Self = Self { guess: Guess::Never, from: Vec::new() };

    /// Adds an argument.
    pub fn add(&mut self, guess: Guess, from: impl IntoIterator<Item = String>) {
        self.guess = mem::replace(&mut self.guess, Guess::Never).or(guess);
        for text in from {
            if !self.from.contains(&text) {
                self.from.push(text);
            }
        }
    }
}

/// Follows the next-state relation.
pub(super) fn calls(spec: &Spec) -> Calls {
    let actions = spec.actions().actions.iter().map(|action| action.definition).collect();
    let mut walk = Walk { spec, actions, inside: Vec::new(), calls: Calls::new() };
    if let Some((_, next)) = &spec.program().next {
        walk.action(next, &Names::default());
    }
    walk.calls
}

/// The bound names of an environment.
#[derive(Clone, Default)]
struct Names {
    guesses: Frames<Guess>,
    /// The set that they range over, if it is shown instead of the name.
    origins: Frames<Option<String>>,
}

impl Names {
    fn push(&mut self, guesses: Vec<Guess>, origins: Vec<Option<String>>) {
        self.guesses.push(guesses);
        self.origins.push(origins);
    }
}

struct Walk<'s> {
    spec: &'s Spec,
    actions: HashSet<DefinitionId>,
    /// The definitions that are being followed.
    inside: Vec<DefinitionId>,
    calls: Calls,
}

impl Walk<'_> {
    fn action(&mut self, action: &Action, names: &Names) {
        match &action.kind {
            ActionKind::And(parts) | ActionKind::Or(parts) => {
                parts.iter().for_each(|part| self.action(part, names));
            }
            ActionKind::Exists(bounds, body) => self.action(body, &self.quantified(bounds, names)),
            ActionKind::If(_, then, otherwise) => {
                self.action(then, names);
                self.action(otherwise, names);
            }
            ActionKind::Case { arms, other } => {
                arms.iter().map(|arm| &arm.body).chain(other.as_deref()).for_each(|body| self.action(body, names));
            }
            ActionKind::Let(group, body) => self.action(body, &self.defined(group, names)),
            ActionKind::Condition { branches, .. } => self.action(branches, names),
            ActionKind::Call(id, args) => self.call(action.span, *id, args, names),
            _ => {}
        }
    }

    fn call(&mut self, span: Span, id: DefinitionId, args: &[Arg], names: &Names) {
        let given: Vec<Taken> = args.iter().map(|arg| self.taken(arg, span, names)).collect();
        if self.actions.contains(&id) {
            let known = self.calls.entry((id, span)).or_insert_with(|| vec![Given::NONE; given.len()]);
            for (known, taken) in known.iter_mut().zip(given) {
                known.add(taken.guess, [taken.from]);
            }
            return;
        }
        let Some(body) = &self.spec.program().definition(id).action else { return };
        if self.inside.contains(&id) {
            return;
        }
        let mut inner = Names::default();
        let (guesses, origins) = given.into_iter().map(|taken| (taken.guess, Some(taken.from))).unzip();
        inner.push(guesses, origins);
        self.inside.push(id);
        self.action(body, &inner);
        self.inside.pop();
    }

    fn taken(&self, arg: &Arg, call: Span, names: &Names) -> Taken {
        let (Arg::Eager(expr) | Arg::Lazy { expr, .. }) = arg else {
            return Taken { guess: Guess::Dynamic, from: self.text(call) };
        };
        Taken { guess: expressions::guess(self.spec, expr, &names.guesses), from: self.origin(expr, names) }
    }

    fn origin(&self, expr: &Expr, names: &Names) -> String {
        let known = match &expr.kind {
            ExprKind::Local(name) => local(&names.origins, name).cloned().flatten(),
            _ => None,
        };
        known.unwrap_or_else(|| self.text(expr.span))
    }

    fn quantified(&self, bounds: &Bounds, names: &Names) -> Names {
        let mut inner = names.clone();
        let mut symbols = bounds.symbols.iter();
        let mut origins = Vec::with_capacity(bounds.names);
        for binder in &bounds.binders {
            let bound: Vec<String> = symbols.by_ref().take(binder.names).map(ToString::to_string).collect();
            let set = self.text(binder.set.span);
            let origin = if binder.tuple { format!("<<{}>> \\in {set}", bound.join(", ")) } else { set };
            origins.extend(std::iter::repeat_n(Some(origin), binder.names));
        }
        inner.push(expressions::guess_names(self.spec, bounds, &names.guesses), origins);
        inner
    }

    fn defined(&self, group: &LetGroup, names: &Names) -> Names {
        let mut inner = names.clone();
        inner.guesses.push(expressions::guess_definitions(self.spec, group, &names.guesses));
        let origin =
            |lambda: &omnilink_tla::internal::ir::Lambda| (lambda.arity == 0).then(|| self.text(lambda.body.span));
        inner.origins.push(group.definitions.iter().map(|definition| origin(&definition.lambda)).collect());
        inner
    }

    fn text(&self, span: Span) -> String {
        self.spec.sources().one_line(span)
    }
}
