//! A stack.

use std::marker::PhantomData;

use super::{Element, returned, with_return};
use crate::model::{Hint, Model, Words};

/// A stack: last in, first out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stack<T> {
    elements: PhantomData<fn(T)>,
}

impl<T> Stack<T> {
    /// An empty stack.
    pub fn new() -> Self {
        Self { elements: PhantomData }
    }
}

/// A call of a stack. A pop returns the element, or `None` if the stack was empty; a push returns `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StackCall<T> {
    /// Adds an element on top.
    Push(T),
    /// Takes the top element.
    Pop,
}

impl<T: Element> Model for Stack<T> {
    type State = Vec<T>;
    type Input = StackCall<T>;
    type Output = Option<T>;
    type Key = ();

    fn init(&self) -> Vec<T> {
        Vec::new()
    }

    fn step(
        &self,
        state: &Vec<T>,
        input: &StackCall<T>,
        output: Option<&Option<T>>,
    ) -> impl IntoIterator<Item = Vec<T>> {
        let mut next = state.clone();
        let returns = match input {
            StackCall::Push(element) => {
                next.push(element.clone());
                None
            }
            StackCall::Pop => next.pop(),
        };
        returned(output, &returns).then_some(next)
    }

    fn hint(&self, input: &StackCall<T>, output: Option<&Option<T>>) -> Hint {
        match (input, output) {
            (StackCall::Push(element), _) => Hint::value(0, element),
            (StackCall::Pop, Some(Some(element))) => Hint::value(1, element),
            (StackCall::Pop, _) => Hint { operation: 1, ..Hint::default() },
        }
    }

    fn operation(&self, input: &StackCall<T>) -> &str {
        match input {
            StackCall::Push(_) => "Push",
            StackCall::Pop => "Pop",
        }
    }
}

impl<T: Element> Words for Stack<T> {
    fn describe_call(&self, input: &StackCall<T>, output: Option<&Option<T>>) -> String {
        with_return(input, output)
    }

    fn describe_state(&self, state: &Vec<T>) -> String {
        format!("{state:?} (the top is last)")
    }
}
