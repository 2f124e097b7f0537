//! TLA+ values as traces carry them.

use std::fmt;

use crate::encode::Encoder;

/// A TLA+ value.
///
/// Build sets and functions with [`Value::set`] and [`Value::function`]: they put elements and keys in order and
/// turn a function over `1..n` into a tuple, so that `==` means equality in TLA+: `<<3>>` is `[i \in 1..1 |-> 3]`,
/// and the empty function is `<<>>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// `TRUE` or `FALSE`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A string.
    Str(Box<str>),
    /// A tuple or sequence.
    Tuple(Vec<Value>),
    /// A set: strictly ascending.
    Set(Vec<Value>),
    /// A function whose domain is not `1..n`: strictly ascending keys. A record has strings as keys.
    Function(Vec<(Value, Value)>),
}

/// A function was given two values for one argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateKey(
    /// The argument.
    pub Value,
);

impl fmt::Display for DuplicateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a function has two values for {}", self.0)
    }
}

impl std::error::Error for DuplicateKey {}

impl Value {
    /// The set of `elements`.
    pub fn set(elements: impl IntoIterator<Item = Value>) -> Self {
        let mut elements: Vec<_> = elements.into_iter().collect();
        elements.sort_unstable();
        elements.dedup();
        Self::Set(elements)
    }

    /// The function with these arguments and values.
    pub fn function(pairs: impl IntoIterator<Item = (Value, Value)>) -> Result<Self, DuplicateKey> {
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        if let Some(two) = pairs.windows(2).find(|two| two[0].0 == two[1].0) {
            return Err(DuplicateKey(two[0].0.clone()));
        }
        let is_sequence = pairs.iter().zip(1..).all(|((key, _), n)| *key == Self::Int(n));
        Ok(if is_sequence {
            Self::Tuple(pairs.into_iter().map(|(_, value)| value).collect())
        } else {
            Self::Function(pairs)
        })
    }

    /// The record with these fields.
    pub fn record<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>) -> Result<Self, DuplicateKey> {
        Self::function(fields.into_iter().map(|(name, value)| (Self::from(name), value)))
    }

    /// Writes the value.
    pub fn encode(&self, out: &mut Encoder<'_>) {
        match self {
            Self::Bool(value) => out.bool(*value),
            Self::Int(value) => out.int(*value),
            Self::Str(value) => out.str(value),
            Self::Tuple(values) => out.tuple(values.len(), |out| values.iter().for_each(|value| value.encode(out))),
            Self::Set(values) => out.set(|out| values.iter().for_each(|value| value.encode(out))),
            Self::Function(pairs) => out.function(pairs.len(), |out| {
                for (key, value) in pairs {
                    key.encode(out);
                    value.encode(out);
                }
            }),
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

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Str(value.into())
    }
}

/// As TLA+ writes it: `[key |-> 3, tags |-> {"new"}]`, `(1 :> "a" @@ 3 :> "b")`, `<<1, 2>>`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(true) => f.write_str("TRUE"),
            Self::Bool(false) => f.write_str("FALSE"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Str(value) => write_string(f, value),
            Self::Tuple(values) => {
                f.write_str("<<")?;
                separated(f, values, ", ", |f, value| write!(f, "{value}"))?;
                f.write_str(">>")
            }
            Self::Set(values) => {
                f.write_str("{")?;
                separated(f, values, ", ", |f, value| write!(f, "{value}"))?;
                f.write_str("}")
            }
            Self::Function(pairs) if pairs.iter().all(|(key, _)| is_field_name(key)) => {
                f.write_str("[")?;
                separated(f, pairs, ", ", |f, (key, value)| match key {
                    Self::Str(name) => write!(f, "{name} |-> {value}"),
                    other => write!(f, "{other} |-> {value}"),
                })?;
                f.write_str("]")
            }
            Self::Function(pairs) => {
                f.write_str("(")?;
                separated(f, pairs, " @@ ", |f, (key, value)| write!(f, "{key} :> {value}"))?;
                f.write_str(")")
            }
        }
    }
}

fn is_field_name(key: &Value) -> bool {
    let Value::Str(name) = key else { return false };
    name.chars().any(|c| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn separated<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    separator: &str,
    mut each: impl FnMut(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(separator)?;
        }
        each(f, item)?;
    }
    Ok(())
}

fn write_string(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            '\u{c}' => f.write_str("\\f")?,
            // TLA+ has no escape for these, and terminals would obey them.
            c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_over_one_to_n_is_a_tuple() {
        let pairs = [(Value::Int(2), Value::from("b")), (Value::Int(1), Value::from("a"))];
        assert_eq!(Value::function(pairs), Ok(Value::Tuple(vec![Value::from("a"), Value::from("b")])));
        assert_eq!(Value::function([]), Ok(Value::Tuple(vec![])));
    }

    #[test]
    fn two_values_for_one_argument_are_an_error() {
        let pairs = [(Value::Int(7), Value::Int(1)), (Value::Int(7), Value::Int(2))];
        assert_eq!(Value::function(pairs), Err(DuplicateKey(Value::Int(7))));
    }

    #[test]
    fn values_print_as_tla() {
        let record = Value::record([
            ("tags", Value::set([Value::from("b"), Value::from("a"), Value::from("b")])),
            ("key", Value::Int(-3)),
        ]);
        assert_eq!(record.unwrap().to_string(), r#"[key |-> -3, tags |-> {"a", "b"}]"#);
        let function = Value::function([(Value::Int(3), Value::Bool(true)), (Value::Int(1), Value::Bool(false))]);
        assert_eq!(function.unwrap().to_string(), "(1 :> FALSE @@ 3 :> TRUE)");
        assert_eq!(Value::from("a\"b\\\n").to_string(), r#""a\"b\\\n""#);
    }
}
