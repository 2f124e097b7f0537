//! The entries of a function, whatever it is represented as.

use crate::value::{Problem, Value, ValueError};

/// Keys and values in the order of the keys.
pub(super) fn entries(function: &Value, doing: &'static str) -> Result<Vec<(Value, Value)>, ValueError> {
    match function {
        Value::Tuple(tuple) => Ok((1..).map(Value::Int).zip(tuple.iter().cloned()).collect()),
        Value::Function(function) => Ok(function.iter().map(|(key, value)| (key, value.clone())).collect()),
        Value::Lambda(lambda) => entries(lambda.to_function()?, doing),
        _ => Err(Problem::NotA { expected: "a function", found: function.clone(), doing }.into()),
    }
}
