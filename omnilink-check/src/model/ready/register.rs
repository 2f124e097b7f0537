//! A register with compare and swap.

use super::{Element, returned, with_return};
use crate::model::{Model, Words};

/// A register: it holds one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register<V> {
    /// The value before the first call.
    pub initial: V,
}

/// A call of a register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegisterCall<V> {
    /// What value does it hold?
    Read,
    /// It holds this value from now on.
    Write(V),
    /// If it holds the first value, it holds the second from now on.
    CompareAndSwap(V, V),
}

/// What a call of a register returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegisterReturn<V> {
    /// The value that was read.
    Value(V),
    /// A write returns nothing.
    Written,
    /// Whether the values were swapped.
    Swapped(bool),
}

impl<V: Element> Model for Register<V> {
    type State = V;
    type Input = RegisterCall<V>;
    type Output = RegisterReturn<V>;
    type Key = ();

    fn init(&self) -> V {
        self.initial.clone()
    }

    fn step(
        &self,
        state: &V,
        input: &RegisterCall<V>,
        output: Option<&RegisterReturn<V>>,
    ) -> impl IntoIterator<Item = V> {
        let (returns, next) = match input {
            RegisterCall::Read => (RegisterReturn::Value(state.clone()), state.clone()),
            RegisterCall::Write(value) => (RegisterReturn::Written, value.clone()),
            RegisterCall::CompareAndSwap(old, new) if old == state => (RegisterReturn::Swapped(true), new.clone()),
            RegisterCall::CompareAndSwap(..) => (RegisterReturn::Swapped(false), state.clone()),
        };
        returned(output, &returns).then_some(next)
    }

    fn is_read_only(&self, input: &RegisterCall<V>) -> bool {
        matches!(input, RegisterCall::Read)
    }

    fn operation(&self, input: &RegisterCall<V>) -> &str {
        match input {
            RegisterCall::Read => "Read",
            RegisterCall::Write(_) => "Write",
            RegisterCall::CompareAndSwap(..) => "CompareAndSwap",
        }
    }
}

impl<V: Element> Words for Register<V> {
    fn describe_call(&self, input: &RegisterCall<V>, output: Option<&RegisterReturn<V>>) -> String {
        with_return(input, output)
    }

    fn describe_state(&self, state: &V) -> String {
        format!("{state:?}")
    }
}
