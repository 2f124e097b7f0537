//! A counter.

use super::{returned, with_return};
use crate::model::{Model, Words};

/// A counter, which begins at 0 and wraps around.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counter;

/// A call of a counter. It returns the value before the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CounterCall {
    /// Adds a number.
    Add(i64),
    /// What is its value?
    Read,
}

impl Model for Counter {
    type State = i64;
    type Input = CounterCall;
    type Output = i64;
    type Key = ();

    fn init(&self) -> i64 {
        0
    }

    fn step(&self, state: &i64, input: &CounterCall, output: Option<&i64>) -> impl IntoIterator<Item = i64> {
        returned(output, state).then(|| match input {
            CounterCall::Add(number) => state.wrapping_add(*number),
            CounterCall::Read => *state,
        })
    }

    fn is_read_only(&self, input: &CounterCall) -> bool {
        matches!(input, CounterCall::Read)
    }

    fn operation(&self, input: &CounterCall) -> &str {
        match input {
            CounterCall::Add(_) => "Add",
            CounterCall::Read => "Read",
        }
    }
}

impl Words for Counter {
    fn describe_call(&self, input: &CounterCall, output: Option<&i64>) -> String {
        with_return(input, output)
    }

    fn describe_state(&self, state: &i64) -> String {
        state.to_string()
    }
}
