//! A store of strings by key.

use super::{Element, returned, with_return};
use crate::model::{Model, Words};

/// A store of strings by key. Every call is about one key, and keys are independent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeyValue<K> {
    keys: std::marker::PhantomData<fn(K)>,
}

impl<K> KeyValue<K> {
    /// A store without keys.
    pub fn new() -> Self {
        Self { keys: std::marker::PhantomData }
    }
}

/// A call about a key. It returns the value before the call, or `None` if there was none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyValueCall<K> {
    /// What is its value?
    Get(K),
    /// This is its value from now on.
    Put(K, String),
    /// This is added at the end of its value.
    Append(K, String),
    /// It has no value from now on.
    Delete(K),
}

impl<K> KeyValueCall<K> {
    fn key(&self) -> &K {
        match self {
            Self::Get(key) | Self::Put(key, _) | Self::Append(key, _) | Self::Delete(key) => key,
        }
    }
}

impl<K: Element> Model for KeyValue<K> {
    type State = Option<String>;
    type Input = KeyValueCall<K>;
    type Output = Option<String>;
    type Key = K;

    fn init(&self) -> Option<String> {
        None
    }

    fn step(
        &self,
        state: &Option<String>,
        input: &KeyValueCall<K>,
        output: Option<&Option<String>>,
    ) -> impl IntoIterator<Item = Option<String>> {
        if !returned(output, state) {
            return None;
        }
        Some(match input {
            KeyValueCall::Get(_) => state.clone(),
            KeyValueCall::Put(_, value) => Some(value.clone()),
            KeyValueCall::Append(_, value) => Some(state.as_deref().unwrap_or_default().to_owned() + value),
            KeyValueCall::Delete(_) => None,
        })
    }

    fn partition(&self, input: &KeyValueCall<K>) -> Option<K> {
        Some(input.key().clone())
    }

    fn is_read_only(&self, input: &KeyValueCall<K>) -> bool {
        matches!(input, KeyValueCall::Get(_))
    }

    fn operation(&self, input: &KeyValueCall<K>) -> &str {
        match input {
            KeyValueCall::Get(_) => "Get",
            KeyValueCall::Put(..) => "Put",
            KeyValueCall::Append(..) => "Append",
            KeyValueCall::Delete(_) => "Delete",
        }
    }
}

impl<K: Element> Words for KeyValue<K> {
    fn describe_call(&self, input: &KeyValueCall<K>, output: Option<&Option<String>>) -> String {
        with_return(input, output)
    }

    fn describe_state(&self, state: &Option<String>) -> String {
        state.as_ref().map_or_else(|| "no value".to_owned(), |value| format!("{value:?}"))
    }
}
