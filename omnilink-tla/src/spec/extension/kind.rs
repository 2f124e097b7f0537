//! How the values of one expression for two values of a constant are related.

use crate::ir::{Expr, ExprKind, PathStep};
use crate::symbol::Symbol;
use crate::value::Value;

/// How the two values of an expression are related, one for each value of the constant. Every kind allows them to be equal.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// They are equal.
    Plain,
    /// They are sets, and nothing more is known of them: the constant itself, or what was made of it.
    Set,
    /// They are functions whose values have this kind wherever both are defined.
    Over(Box<Kind>),
    /// They are functions with the same domain, whose values have this kind.
    Map(Box<Kind>),
    /// They are records with the same fields, whose values have these kinds.
    Record(Vec<(Symbol, Kind)>),
    /// They are tuples of the same length, whose elements have these kinds.
    Tuple(Vec<Kind>),
    /// They are sets, and to each element of the one for the user's value there is one of the other that it has this kind with.
    SetOf(Box<Kind>),
}

/// How far kinds are nested: a specification that nests its values in themselves has no kinds.
const DEEPEST: usize = 8;

impl Kind {
    pub fn over(values: Self) -> Self {
        Self::Over(Box::new(values))
    }

    pub fn map(values: Self) -> Self {
        if values.is_plain() { Self::Plain } else { Self::Map(Box::new(values)) }
    }

    pub fn set_of(elements: Self) -> Self {
        if elements.is_plain() { Self::Plain } else { Self::SetOf(Box::new(elements)) }
    }

    pub fn record(fields: Vec<(Symbol, Self)>) -> Self {
        if fields.iter().all(|(_, kind)| kind.is_plain()) { Self::Plain } else { Self::Record(fields) }
    }

    pub fn tuple(elements: Vec<Self>) -> Self {
        if elements.iter().all(Self::is_plain) { Self::Plain } else { Self::Tuple(elements) }
    }

    pub fn is_plain(&self) -> bool {
        *self == Self::Plain
    }

    /// The kind of what has one of two kinds.
    pub fn join(&self, other: &Self) -> Option<Self> {
        let joined = match (self, other) {
            (Self::Plain, kind) | (kind, Self::Plain) => kind.clone(),
            (Self::Set, Self::Set) => Self::Set,
            (Self::Map(one), Self::Map(other)) => Self::map(one.join(other)?),
            (Self::Over(one) | Self::Map(one), Self::Over(other) | Self::Map(other)) => Self::over(one.join(other)?),
            (Self::SetOf(one), Self::SetOf(other)) => Self::set_of(one.join(other)?),
            (Self::Record(one), Self::Record(other)) if one.len() == other.len() => {
                let field = |((name, one), (also, other)): (&(Symbol, Self), &(Symbol, Self))| {
                    (name == also).then(|| one.join(other).map(|kind| (*name, kind))).flatten()
                };
                Self::record(one.iter().zip(other).map(field).collect::<Option<_>>()?)
            }
            (Self::Tuple(one), Self::Tuple(other)) if one.len() == other.len() => {
                Self::tuple(one.iter().zip(other).map(|(one, other)| one.join(other)).collect::<Option<_>>()?)
            }
            _ => return None,
        };
        (joined.depth() <= DEEPEST).then_some(joined)
    }

    fn depth(&self) -> usize {
        1 + match self {
            Self::Plain | Self::Set => 0,
            Self::Over(inner) | Self::Map(inner) | Self::SetOf(inner) => inner.depth(),
            Self::Record(fields) => fields.iter().map(|(_, kind)| kind.depth()).max().unwrap_or(0),
            Self::Tuple(elements) => elements.iter().map(Self::depth).max().unwrap_or(0),
        }
    }

    /// What a function of this kind has at one argument, which is equal for both. Where one of the two functions is not defined
    /// there, evaluating it fails.
    pub fn at(&self, step: &Step) -> Option<Self> {
        match (self, step) {
            (Self::Plain, _) => Some(Self::Plain),
            (Self::Over(values) | Self::Map(values), _) => Some((**values).clone()),
            (Self::Record(fields), Step::Name(name)) => {
                let field = fields.iter().find(|(other, _)| other == name);
                Some(field.map_or(Self::Plain, |(_, kind)| kind.clone()))
            }
            (Self::Tuple(elements), Step::Number(at)) => {
                let element = usize::try_from(*at).ok().and_then(|at| elements.get(at.checked_sub(1)?));
                Some(element.cloned().unwrap_or(Self::Plain))
            }
            _ => None,
        }
    }

    /// The kind of a function that has another value at the end of a path. What is not defined there stays as it is, which makes no
    /// difference where both are defined.
    pub fn with(&self, path: &[Step], value: &Self) -> Option<Self> {
        let Some((step, rest)) = path.split_first() else { return self.join(value) };
        let changed = self.at(step)?.with(rest, value)?;
        Some(match self {
            Self::Plain => Self::map(changed),
            Self::Over(_) => Self::over(changed),
            Self::Map(_) => Self::map(changed),
            Self::Record(fields) => {
                let changed = |(name, kind): &(Symbol, Self)| {
                    let is_it = matches!(step, Step::Name(it) if it == name);
                    (*name, if is_it { changed.clone() } else { kind.clone() })
                };
                Self::record(fields.iter().map(changed).collect())
            }
            Self::Tuple(elements) => {
                let changed = |(at, kind): (usize, &Self)| {
                    let is_it = matches!(step, Step::Number(it) if usize::try_from(*it) == Ok(at + 1));
                    if is_it { changed.clone() } else { kind.clone() }
                };
                Self::tuple(elements.iter().enumerate().map(changed).collect())
            }
            Self::Set | Self::SetOf(_) => return None,
        })
    }
}

/// An argument of a function, as far as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Name(Symbol),
    Number(i64),
    Any,
}

impl Step {
    pub fn of(key: &Expr) -> Self {
        match &key.kind {
            ExprKind::Value(Value::Str(name)) => Self::Name(*name),
            ExprKind::Value(Value::Int(number)) => Self::Number(*number),
            _ => Self::Any,
        }
    }

    pub fn of_path(path: &[PathStep]) -> Vec<Self> {
        let step = |step: &PathStep| match step {
            PathStep::Field(name) => Self::Name(*name),
            PathStep::Index(key) => Self::of(key),
        };
        path.iter().map(step).collect()
    }
}
