//! Infers types of expressions without evaluating them: constants may have no value yet, and sets may
//! depend on the state.

use std::cell::Cell;

use omnilink_tla::Spec;
use omnilink_tla::internal::ir::{Arg, Bounds, DefinitionId, Expr, ExprKind, LetGroup, Local, PointUpdate};

use super::guess::Guess;
use super::{natives, values};

/// The maximum number of expressions visited per inference, which bounds its time.
const FUEL: u32 = 20_000;
/// The maximum depth of nested definitions.
const MAX_DEPTH: u32 = 64;

/// What is known about the names in each frame of an environment, outermost first.
pub(super) type Frames<T> = Vec<Vec<T>>;

/// What is known about a bound name, by frame and index.
pub(super) fn local<'a, T>(frames: &'a Frames<T>, local: &Local) -> Option<&'a T> {
    let frame = frames.len().checked_sub(1 + local.depth as usize)?;
    frames[frame].get(local.index as usize)
}

/// Infers the type of an expression, given those of its bound names.
pub(super) fn guess(spec: &Spec, expr: &Expr, frames: &Frames<Guess>) -> Guess {
    Guesser::new(spec).value(expr, frames)
}

/// Infers the types of names that a quantifier binds.
pub(super) fn guess_names(spec: &Spec, bounds: &Bounds, frames: &Frames<Guess>) -> Vec<Guess> {
    Guesser::new(spec).names(bounds, frames)
}

/// Infers the types of the definitions of a `LET`.
pub(super) fn guess_definitions(spec: &Spec, group: &LetGroup, frames: &Frames<Guess>) -> Vec<Guess> {
    Guesser::new(spec).with_let(group, frames).pop().unwrap_or_default()
}

struct Guesser<'s> {
    spec: &'s Spec,
    fuel: Cell<u32>,
    depth: Cell<u32>,
}

impl<'s> Guesser<'s> {
    fn new(spec: &'s Spec) -> Self {
        Self { spec, fuel: Cell::new(FUEL), depth: Cell::new(0) }
    }

    fn value(&self, expr: &Expr, frames: &Frames<Guess>) -> Guess {
        let Some(fuel) = self.fuel.get().checked_sub(1) else { return Guess::Dynamic };
        if self.depth.get() >= MAX_DEPTH {
            return Guess::Dynamic;
        }
        self.fuel.set(fuel);
        self.depth.set(self.depth.get() + 1);
        let guess = self.kind(expr, frames);
        self.depth.set(self.depth.get() - 1);
        guess
    }

    fn kind(&self, expr: &Expr, frames: &Frames<Guess>) -> Guess {
        let value = |expr: &Expr| self.value(expr, frames);
        match &expr.kind {
            ExprKind::Value(known) => match self.spec.sources().text(expr.span) {
                name if is_identifier(name) => values::guess(known).named(name),
                _ => values::guess(known),
            },
            ExprKind::ChooseFresh(known) => values::guess(known),
            ExprKind::Local(name) => local(frames, name).cloned().unwrap_or(Guess::Dynamic),
            ExprKind::Call(id, args) => self.call(*id, args, frames),
            ExprKind::Native(native, args) => {
                let given: Vec<Guess> = args.iter().map(|arg| self.argument(arg, frames)).collect();
                natives::guess(native.name, &given)
            }
            ExprKind::Let(group, body) => self.value(body, &self.with_let(group, frames)),
            ExprKind::Once(code) => self.value(&code.expr, &Vec::new()),
            ExprKind::If(_, then, otherwise) => value(then).or(value(otherwise)),
            ExprKind::Case { arms, other } => {
                let bodies = arms.iter().map(|arm| &arm.body).chain(other.as_deref());
                Guess::any_of(bodies.map(value))
            }
            ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Not(_)
            | ExprKind::Implies(..)
            | ExprKind::Equivalent(..)
            | ExprKind::Equal(..)
            | ExprKind::NotEqual(..)
            | ExprKind::In(..)
            | ExprKind::NotIn(..)
            | ExprKind::ForAll(..)
            | ExprKind::Exists(..)
            | ExprKind::Enabled(_) => Guess::Bool,
            ExprKind::SetEnum(elements) => Guess::set(Guess::any_of(elements.iter().map(value))),
            ExprKind::SetFilter(code) => {
                code.bounds.binders.first().map_or(Guess::Dynamic, |binder| value(&binder.set))
            }
            ExprKind::SetMap(bounds, body) => Guess::set(self.value(body, &self.within(bounds, frames))),
            ExprKind::Choose(bounds, _) => {
                bounds.binders.first().map_or(Guess::Dynamic, |binder| value(&binder.set).element())
            }
            ExprKind::Function(code) if code.recursive.is_none() => {
                let names = self.names(&code.bounds, frames);
                let domain = if let [name] = &names[..] { name.clone() } else { Guess::Tuple(names) };
                Guess::function(domain, self.value(&code.body, &self.within(&code.bounds, frames)))
            }
            ExprKind::FunctionSet(domain, range) => {
                Guess::set(Guess::function(value(domain).element(), value(range).element()))
            }
            ExprKind::Record(code) => {
                Guess::Record(code.fields.iter().map(|(name, expr)| (name.to_string(), value(expr))).collect())
            }
            ExprKind::RecordSet(fields) => {
                let field = |(name, set): &(_, Expr)| (ToString::to_string(name), value(set).element());
                Guess::set(Guess::Record(fields.iter().map(field).collect()))
            }
            ExprKind::Tuple(parts) if parts.is_empty() => Guess::seq(Guess::Never),
            ExprKind::Tuple(parts) => Guess::Tuple(parts.iter().map(value).collect()),
            ExprKind::Product(factors) => {
                Guess::set(Guess::Tuple(factors.iter().map(|set| value(set).element()).collect()))
            }
            ExprKind::Apply(function, _) => value(function).applied(),
            ExprKind::Field(record, name) => value(record).field(name.as_str()),
            ExprKind::Domain(function) => value(function).domain(),
            ExprKind::PointUpdate(update) => match &**update {
                PointUpdate::Include { set, element } => value(set).or(Guess::set(value(element))),
                PointUpdate::Exclude { set, .. } => value(set),
                _ => Guess::Dynamic,
            },
            _ => Guess::Dynamic,
        }
    }

    fn call(&self, id: DefinitionId, args: &[Arg], frames: &Frames<Guess>) -> Guess {
        let definition = self.spec.program().definition(id);
        let given = args.iter().map(|arg| self.argument(arg, frames)).collect();
        let guess = self.value(&definition.body, &vec![given]);
        if args.is_empty() { guess.named(definition.name.as_str()) } else { guess }
    }

    fn argument(&self, arg: &Arg, frames: &Frames<Guess>) -> Guess {
        match arg {
            Arg::Eager(expr) | Arg::Lazy { expr, .. } => self.value(expr, frames),
            Arg::Operator(_) => Guess::Dynamic,
        }
    }

    fn names(&self, bounds: &Bounds, frames: &Frames<Guess>) -> Vec<Guess> {
        let mut names = Vec::with_capacity(bounds.names);
        for binder in &bounds.binders {
            let element = self.value(&binder.set, frames).element();
            match (binder.tuple, element) {
                (true, Guess::Tuple(parts)) if parts.len() == binder.names => names.extend(parts),
                (true, element) => names.extend(std::iter::repeat_n(element.applied(), binder.names)),
                (false, element) => names.extend(std::iter::repeat_n(element, binder.names)),
            }
        }
        names
    }

    fn within(&self, bounds: &Bounds, frames: &Frames<Guess>) -> Frames<Guess> {
        let mut inner = frames.clone();
        inner.push(self.names(bounds, frames));
        inner
    }

    fn with_let(&self, group: &LetGroup, frames: &Frames<Guess>) -> Frames<Guess> {
        let mut inner = frames.clone();
        inner.push(vec![Guess::Dynamic; group.definitions.len()]);
        for (at, definition) in group.definitions.iter().enumerate() {
            if definition.lambda.arity == 0 {
                let guess = self.value(&definition.lambda.body, &inner).named(definition.name.as_str());
                if let Some(frame) = inner.last_mut() {
                    frame[at] = guess;
                }
            }
        }
        inner
    }
}

fn is_identifier(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_') && text.chars().any(char::is_alphabetic)
}
