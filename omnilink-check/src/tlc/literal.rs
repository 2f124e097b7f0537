//! Values as TLA+ that TLC 2.15 reads.

use std::collections::BTreeSet;

use omnilink_tla::Value;
use omnilink_tla::value::Set;

use crate::error::CheckError;

/// Sets of successive integers that are larger than this are written as intervals.
const LONG: u64 = 64;

/// Writes values, and remembers the model values among them: a module cannot name those, so each gets a constant.
#[derive(Debug, Default)]
pub(super) struct Literals {
    models: BTreeSet<String>,
}

impl Literals {
    /// A value as TLA+; `what` names it in errors.
    pub fn text(&mut self, value: &Value, what: &dyn Fn() -> String) -> Result<String, CheckError> {
        Ok(match value {
            Value::Int(number) if i32::try_from(*number).is_err() => {
                return Err(CheckError::Tlc(format!(
                    "{}: {number} does not fit into TLC's integers, which have 32 bits; check without --engine tlc",
                    what()
                )));
            }
            Value::Model(name) => {
                self.models.insert(name.to_string());
                constant_of(name.as_str())
            }
            Value::Tuple(tuple) => format!("<<{}>>", self.list(tuple, what)?),
            Value::Set(set) => match bounds_of_long(set) {
                Some((first, last)) => format!("({}..{})", self.text(&first, what)?, self.text(&last, what)?),
                None => format!("{{{}}}", self.list(set, what)?),
            },
            Value::Function(function) => {
                let names: Option<Vec<_>> = function.iter().map(|(key, _)| field_name(&key)).collect();
                let mut parts = Vec::with_capacity(function.len());
                for (at, (key, value)) in function.iter().enumerate() {
                    let value = self.text(value, what)?;
                    parts.push(match &names {
                        Some(names) => format!("{} |-> {value}", names[at]),
                        None => format!("({}) :> ({value})", self.text(&key, what)?),
                    });
                }
                if names.is_some() { format!("[{}]", parts.join(", ")) } else { format!("({})", parts.join(" @@ ")) }
            }
            Value::Bool(_) | Value::Int(_) | Value::Str(_) | Value::Symbolic(_) | Value::Lambda(_) => value.to_string(),
        })
    }

    /// The constants that stand for model values, with these.
    pub fn models(&self) -> impl Iterator<Item = (String, &str)> {
        self.models.iter().map(|name| (constant_of(name), name.as_str()))
    }

    fn list<V: std::borrow::Borrow<Value>>(
        &mut self,
        values: impl IntoIterator<Item = V>,
        what: &dyn Fn() -> String,
    ) -> Result<String, CheckError> {
        let texts = values.into_iter().map(|value| self.text(value.borrow(), what));
        Ok(texts.collect::<Result<Vec<_>, _>>()?.join(", "))
    }
}

/// The constant that stands for a model value. Its name is one that no specification uses.
fn constant_of(model: &str) -> String {
    format!("OmniLinkValue_{model}")
}

/// The first and the last of many successive integers.
fn bounds_of_long(set: &Set) -> Option<(Value, Value)> {
    let (first, last) = (set.first()?, set.last()?);
    let distance = last.as_int()?.abs_diff(first.as_int()?);
    (distance > LONG && distance == set.len() as u64 - 1).then_some((first, last))
}

/// A key that can be written as the field of a record. Reserved words cannot; all of them are in capital letters.
fn field_name(key: &Value) -> Option<&'static str> {
    let name = key.as_str()?.as_str();
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_fair =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.contains(|c: char| c.is_ascii_lowercase());
    (is_word && is_fair && !name.starts_with("WF_") && !name.starts_with("SF_")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &Value) -> String {
        Literals::default().text(value, &|| "it".to_owned()).unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn every_kind_of_value_is_written() {
        let record = |name: &str| Value::record([(name, Value::from(-1))]).unwrap();
        let cases = [
            (Value::from(true), "TRUE"),
            (Value::from(i64::from(i32::MIN)), "-2147483648"),
            (Value::string("a \"b\" \\"), r#""a \"b\" \\""#),
            (Value::model("k1"), "OmniLinkValue_k1"),
            (Value::tuple([Value::model("k1"), Value::from(2)]).unwrap(), "<<OmniLinkValue_k1, 2>>"),
            (Value::empty_set(), "{}"),
            (Value::interval(1, 3), "{1, 2, 3}"),
            (Value::interval(-5, 500), "(-5..500)"),
            (record("key"), "[key |-> -1]"),
            (record("IF"), r#"(("IF") :> (-1))"#),
            (record("result code"), r#"(("result code") :> (-1))"#),
        ];
        for (value, expected) in cases {
            assert_eq!(text(&value), expected);
        }
    }

    #[test]
    fn integers_that_are_too_large_are_refused_wherever_they_are() {
        let large = Value::from(i64::from(i32::MAX) + 1);
        for value in [large.clone(), Value::set([large.clone()]).unwrap(), Value::record([("a", large)]).unwrap()] {
            assert!(text(&value).starts_with("it: 2147483648 does not fit"), "{}", text(&value));
        }
    }
}
