//! A set.

use super::{Element, returned, with_return};
use crate::model::{Model, Words};

/// A set. Every call is about one element, and elements are independent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Set<T> {
    elements: std::marker::PhantomData<fn(T)>,
}

impl<T> Set<T> {
    /// An empty set.
    pub fn new() -> Self {
        Self { elements: std::marker::PhantomData }
    }
}

/// A call about an element. It returns whether the set has been changed or, of [`SetCall::Contains`], whether the element is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetCall<T> {
    /// Adds the element.
    Insert(T),
    /// Removes it.
    Remove(T),
    /// Is it there?
    Contains(T),
}

impl<T> SetCall<T> {
    fn element(&self) -> &T {
        match self {
            Self::Insert(element) | Self::Remove(element) | Self::Contains(element) => element,
        }
    }
}

impl<T: Element> Model for Set<T> {
    /// Whether the element is there.
    type State = bool;
    type Input = SetCall<T>;
    type Output = bool;
    type Key = T;

    fn init(&self) -> bool {
        false
    }

    fn step(&self, &state: &bool, input: &SetCall<T>, output: Option<&bool>) -> impl IntoIterator<Item = bool> {
        let (returns, next) = match input {
            SetCall::Insert(_) => (!state, true),
            SetCall::Remove(_) => (state, false),
            SetCall::Contains(_) => (state, state),
        };
        returned(output, &returns).then_some(next)
    }

    fn partition(&self, input: &SetCall<T>) -> Option<T> {
        Some(input.element().clone())
    }

    fn is_read_only(&self, input: &SetCall<T>) -> bool {
        matches!(input, SetCall::Contains(_))
    }

    fn operation(&self, input: &SetCall<T>) -> &str {
        match input {
            SetCall::Insert(_) => "Insert",
            SetCall::Remove(_) => "Remove",
            SetCall::Contains(_) => "Contains",
        }
    }
}

impl<T: Element> Words for Set<T> {
    fn describe_call(&self, input: &SetCall<T>, output: Option<&bool>) -> String {
        with_return(input, output)
    }

    fn describe_state(&self, state: &bool) -> String {
        if *state { "that the element is there".to_owned() } else { "that the element is not there".to_owned() }
    }
}
