//! Infers types from values: those of constants, and literals.

use omnilink_tla::Value;
use omnilink_tla::value::Shape;

use super::guess::Guess;

/// Sets, functions and tuples with more elements than this are not inspected.
const ENOUGH: usize = 4096;

/// The guess for a value.
pub(super) fn guess(value: &Value) -> Guess {
    match value {
        Value::Bool(_) => Guess::Bool,
        Value::Int(value) => Guess::int(*value),
        Value::Str(text) | Value::Model(text) => Guess::string(text.as_str()),
        Value::Tuple(parts) if parts.is_empty() => Guess::seq(Guess::Never),
        Value::Tuple(parts) if parts.len() > ENOUGH => Guess::seq(Guess::Dynamic),
        Value::Tuple(parts) => Guess::Tuple(parts.iter().map(guess).collect()),
        Value::Function(function) if function.is_record() => {
            let field = |(key, value): (Value, &Value)| Some((key.as_str()?.as_str().to_owned(), guess(value)));
            Guess::Record(function.iter().filter_map(field).collect())
        }
        Value::Function(function) if function.len() > ENOUGH => Guess::function(Guess::Dynamic, Guess::Dynamic),
        Value::Function(function) => {
            let entry = |(key, value): (Value, &Value)| (guess(&key), guess(value));
            let (keys, values): (Vec<_>, Vec<_>) = function.iter().map(entry).unzip();
            Guess::function(Guess::any_of(keys), Guess::any_of(values))
        }
        Value::Set(set) => Guess::set(match (set.first(), set.last()) {
            // Values are sorted, so all between two integers are integers.
            (Some(Value::Int(min)), Some(Value::Int(max))) => Guess::Int { min: Some(min), max: Some(max) },
            _ if set.len() > ENOUGH => Guess::Dynamic,
            _ => Guess::any_of(set.iter().map(|element| guess(&element))),
        }),
        Value::Symbolic(symbolic) => constructed(symbolic.shape()),
        Value::Lambda(_) => Guess::Dynamic,
    }
}

fn constructed(shape: &Shape) -> Guess {
    match shape {
        Shape::Nat => Guess::set(Guess::NAT),
        Shape::Int | Shape::Real => Guess::set(Guess::INT),
        Shape::Strings => Guess::set(Guess::Str),
        Shape::Any => Guess::set(Guess::Dynamic),
        Shape::Seq(elements) => Guess::set(Guess::seq(guess(elements).element())),
        Shape::Functions { domain, range } => {
            Guess::set(Guess::function(guess(domain).element(), guess(range).element()))
        }
        Shape::Records(fields) => {
            let field = |(name, set): &(_, Value)| (ToString::to_string(name), guess(set).element());
            Guess::set(Guess::Record(fields.iter().map(field).collect()))
        }
        Shape::Subsets(base) => Guess::set(guess(base)),
        Shape::Product(factors) => {
            Guess::set(Guess::Tuple(factors.iter().map(|factor| guess(factor).element()).collect()))
        }
        Shape::Cup(a, b) => guess(a).or(guess(b)),
        Shape::Cap(base, _) | Shape::Minus(base, _) | Shape::Filter { base, .. } => guess(base),
    }
}
