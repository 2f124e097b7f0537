//! An abstract value: what is known about a parameter from its bounds.
//!
//! A guess over-approximates the values: each step from `{1, 3}` over "integers from 1 to 3" to "any value" loses
//! precision, and never excludes a possible value.

use crate::model::Type;

use super::enums::Enums;

/// The maximum number of strings of an enumeration.
const MAX_STRINGS: usize = 64;

/// What is known about a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Guess {
    /// There is no value: the set is empty.
    Never,
    Bool,
    Int {
        min: Option<i64>,
        max: Option<i64>,
    },
    Str,
    /// One of these, and the name of their set.
    Strings {
        name: Option<String>,
        strings: Vec<String>,
    },
    Seq(Box<Guess>),
    Set(Box<Guess>),
    Tuple(Vec<Guess>),
    /// In the order of names.
    Record(Vec<(String, Guess)>),
    Function(Box<Guess>, Box<Guess>),
    Dynamic,
}

impl Guess {
    pub const NAT: Self = Self::Int { min: Some(0), max: None };
    pub const INT: Self = Self::Int { min: None, max: None };

    pub fn int(value: i64) -> Self {
        Self::Int { min: Some(value), max: Some(value) }
    }

    pub fn string(text: &str) -> Self {
        Self::Strings { name: None, strings: vec![text.to_owned()] }
    }

    pub fn set(elements: Self) -> Self {
        Self::Set(Box::new(elements))
    }

    pub fn seq(elements: Self) -> Self {
        Self::Seq(Box::new(elements))
    }

    pub fn function(domain: Self, range: Self) -> Self {
        Self::Function(Box::new(domain), Box::new(range))
    }

    /// The guess for its elements, if it is a set.
    pub fn element(self) -> Self {
        match self {
            Self::Set(element) => *element,
            Self::Never => Self::Never,
            _ => Self::Dynamic,
        }
    }

    /// The guess for its results, if it is a function.
    pub fn applied(self) -> Self {
        match self {
            Self::Function(_, value) | Self::Seq(value) => *value,
            Self::Tuple(parts) => Self::any_of(parts),
            _ => Self::Dynamic,
        }
    }

    /// The guess for the field of this name.
    pub fn field(self, name: &str) -> Self {
        match self {
            Self::Record(fields) => {
                fields.into_iter().find(|(field, _)| field == name).map_or(Self::Dynamic, |(_, guess)| guess)
            }
            other => other.applied(),
        }
    }

    /// The set of its arguments, if it is a function.
    pub fn domain(self) -> Self {
        Self::set(match self {
            Self::Function(domain, _) => *domain,
            Self::Seq(_) => Self::Int { min: Some(1), max: None },
            Self::Tuple(parts) => Self::Int { min: Some(1), max: i64::try_from(parts.len()).ok() },
            Self::Record(fields) => {
                let strings = fields.into_iter().map(|(name, _)| name).collect();
                Self::Strings { name: None, strings }
            }
            _ => Self::Dynamic,
        })
    }

    /// Names the enumeration that it is a set of, unless that has a name.
    pub fn named(mut self, set: &str) -> Self {
        if let Self::Set(element) = &mut self
            && let Self::Strings { name: name @ None, .. } = &mut **element
        {
            *name = Some(set.to_owned());
        }
        self
    }

    /// The union of several guesses.
    pub fn any_of(guesses: impl IntoIterator<Item = Self>) -> Self {
        guesses.into_iter().fold(Self::Never, Self::or)
    }

    /// The union of two guesses.
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, guess) | (guess, Self::Never) => guess,
            (Self::Int { min: a, max: b }, Self::Int { min: c, max: d }) => {
                Self::Int { min: a.zip(c).map(|(a, c)| a.min(c)), max: b.zip(d).map(|(b, d)| b.max(d)) }
            }
            (Self::Strings { name, strings }, Self::Strings { name: other, strings: more }) => {
                let name =
                    if strings == more { name.or(other) } else { name.filter(|name| Some(name) == other.as_ref()) };
                either_string(name, strings, more)
            }
            (Self::Str, Self::Strings { .. }) | (Self::Strings { .. }, Self::Str) => Self::Str,
            (Self::Seq(a), Self::Seq(b)) => Self::seq(a.or(*b)),
            (Self::Set(a), Self::Set(b)) => Self::set(a.or(*b)),
            (Self::Tuple(a), Self::Tuple(b)) if a.len() == b.len() => {
                Self::Tuple(a.into_iter().zip(b).map(|(a, b)| a.or(b)).collect())
            }
            (Self::Tuple(parts), Self::Tuple(more)) => Self::seq(Self::any_of(parts.into_iter().chain(more))),
            (Self::Tuple(parts), Self::Seq(element)) | (Self::Seq(element), Self::Tuple(parts)) => {
                Self::seq(element.or(Self::any_of(parts)))
            }
            (Self::Record(a), Self::Record(b)) if a.iter().map(|(name, _)| name).eq(b.iter().map(|(name, _)| name)) => {
                Self::Record(a.into_iter().zip(b).map(|((name, a), (_, b))| (name, a.or(b))).collect())
            }
            (Self::Function(a, b), Self::Function(c, d)) => Self::function(a.or(*c), b.or(*d)),
            (a, b) if a == b => a,
            _ => Self::Dynamic,
        }
    }

    /// The type to generate; an enumeration without a name is named after `param`.
    pub fn into_type(self, param: &str, enums: &mut Enums) -> Type {
        let mut typed = |guess: Self| guess.into_type(param, enums);
        match self {
            Self::Never | Self::Dynamic => Type::Dynamic,
            Self::Bool => Type::Bool,
            Self::Int { min, max } => Type::Int { min, max },
            Self::Str => Type::Str,
            Self::Seq(element) => Type::Seq(Box::new(typed(*element))),
            Self::Set(element) => Type::Set(Box::new(typed(*element))),
            Self::Tuple(parts) => Type::Tuple(parts.into_iter().map(typed).collect()),
            Self::Record(fields) => {
                let typed = |(name, guess): (String, Self)| {
                    let ty = guess.into_type(&name, enums);
                    (name, ty)
                };
                Type::Record(fields.into_iter().map(typed).collect())
            }
            Self::Function(domain, range) => Type::Function(Box::new(typed(*domain)), Box::new(typed(*range))),
            Self::Strings { name, strings } => Type::Enum(enums.place(name.as_deref().unwrap_or(param), strings)),
        }
    }
}

fn either_string(name: Option<String>, mut strings: Vec<String>, more: Vec<String>) -> Guess {
    for string in more {
        if !strings.contains(&string) {
            strings.push(string);
        }
        if strings.len() > MAX_STRINGS {
            return Guess::Str;
        }
    }
    Guess::Strings { name, strings }
}
