//! What a value is: asking for its kind, taking it apart, and making one from Rust's own types.

use super::{Function, KIND_OF_SET, Set, Tuple, Value, ValueError};
use crate::symbol::Symbol;

impl Value {
    /// The kind of value, with its article, for messages.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Bool(_) => "the boolean",
            Self::Int(_) => "the integer",
            Self::Str(_) => "the string",
            Self::Model(_) => "the model value",
            Self::Tuple(_) => "the tuple",
            Self::Function(function) if function.is_record() => "the record",
            Self::Function(_) | Self::Lambda(_) => "the function",
            Self::Set(_) | Self::Symbolic(_) => "the set",
        }
    }

    /// Whether it is a set.
    pub fn is_set(&self) -> bool {
        matches!(self, Self::Set(_) | Self::Symbolic(_))
    }

    /// Whether it is a function: tuples and records are.
    pub fn is_function(&self) -> bool {
        matches!(self, Self::Tuple(_) | Self::Function(_) | Self::Lambda(_))
    }

    /// Whether it is a function whose keys are strings: `<<>>` is.
    pub fn is_record(&self) -> bool {
        match self {
            Self::Tuple(tuple) => tuple.is_empty(),
            Self::Function(function) => function.is_record(),
            Self::Lambda(lambda) => lambda.explicit().is_some_and(Self::is_record),
            _ => false,
        }
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<i64> {
        if let Self::Int(value) = self { Some(*value) } else { None }
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<Symbol> {
        if let Self::Str(value) = self { Some(*value) } else { None }
    }

    /// The set, if it is one that is listed.
    pub fn as_set(&self) -> Option<&Set> {
        if let Self::Set(value) = self { Some(value) } else { None }
    }

    /// The tuple, if it is represented as one: see [`Self::to_tuple`].
    pub fn as_tuple(&self) -> Option<&Tuple> {
        if let Self::Tuple(value) = self { Some(value) } else { None }
    }

    /// The function, if it is represented as one: neither a tuple nor a lambda.
    pub fn as_function(&self) -> Option<&Function> {
        if let Self::Function(value) = self { Some(value) } else { None }
    }

    /// The boolean.
    pub fn expect_bool(&self, doing: &'static str) -> Result<bool, ValueError> {
        self.as_bool().ok_or_else(|| ValueError::not_a("a boolean", self, doing))
    }

    /// The integer.
    pub fn expect_int(&self, doing: &'static str) -> Result<i64, ValueError> {
        self.as_int().ok_or_else(|| ValueError::not_a("an integer", self, doing))
    }

    /// The string.
    pub fn expect_str(&self, doing: &'static str) -> Result<Symbol, ValueError> {
        self.as_str().ok_or_else(|| ValueError::not_a("a string", self, doing))
    }

    /// The set with its elements listed.
    pub fn to_set(&self, doing: &'static str) -> Result<Set, ValueError> {
        match self {
            Self::Set(set) => Ok(set.clone()),
            Self::Symbolic(symbolic) => symbolic.to_set(doing).cloned(),
            _ => Err(ValueError::not_a(KIND_OF_SET, self, doing)),
        }
    }

    /// The sequence: a tuple, or a lambda over `1..n`.
    pub fn to_tuple(&self, doing: &'static str) -> Result<Tuple, ValueError> {
        match self {
            Self::Tuple(tuple) => Ok(tuple.clone()),
            Self::Lambda(lambda) => match lambda.to_function()? {
                Self::Tuple(tuple) => Ok(tuple.clone()),
                _ => Err(ValueError::not_a("a sequence", self, doing)),
            },
            _ => Err(ValueError::not_a("a sequence", self, doing)),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::string(text)
    }
}

impl From<Tuple> for Value {
    fn from(tuple: Tuple) -> Self {
        Self::Tuple(tuple)
    }
}

impl From<char> for Value {
    fn from(character: char) -> Self {
        Self::string(character.encode_utf8(&mut [0; 4]))
    }
}

impl From<Set> for Value {
    fn from(set: Set) -> Self {
        Self::Set(set)
    }
}
