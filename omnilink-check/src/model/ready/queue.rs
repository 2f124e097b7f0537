//! A queue, bounded or not.

use std::collections::VecDeque;
use std::marker::PhantomData;

use super::{Element, returned, with_return};
use crate::model::{Hint, Model, Words};

/// A queue: first in, first out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queue<T> {
    /// How many elements it can hold, if that is limited.
    pub capacity: Option<usize>,
    elements: PhantomData<fn(T)>,
}

impl<T> Queue<T> {
    /// A queue that is never full.
    pub fn unbounded() -> Self {
        Self { capacity: None, elements: PhantomData }
    }

    /// A queue that can hold so many elements.
    pub fn bounded(capacity: usize) -> Self {
        Self { capacity: Some(capacity), elements: PhantomData }
    }
}

/// A call of a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueueCall<T> {
    /// Adds an element at the end, if there is room.
    Enqueue(T),
    /// Takes the first element.
    Dequeue,
}

/// What a call of a queue returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueueReturn<T> {
    /// Whether there was room.
    Enqueued(bool),
    /// The element; none if the queue was empty.
    Dequeued(Option<T>),
}

impl<T: Element> Model for Queue<T> {
    type State = VecDeque<T>;
    type Input = QueueCall<T>;
    type Output = QueueReturn<T>;
    type Key = ();

    fn init(&self) -> VecDeque<T> {
        VecDeque::new()
    }

    fn step(
        &self,
        state: &VecDeque<T>,
        input: &QueueCall<T>,
        output: Option<&QueueReturn<T>>,
    ) -> impl IntoIterator<Item = VecDeque<T>> {
        match input {
            QueueCall::Enqueue(element) => {
                let has_room = self.capacity.is_none_or(|capacity| state.len() < capacity);
                returned(output, &QueueReturn::Enqueued(has_room)).then(|| {
                    let mut next = state.clone();
                    next.extend(has_room.then(|| element.clone()));
                    next
                })
            }
            QueueCall::Dequeue => {
                let is_it = output.is_none_or(
                    |output| matches!(output, QueueReturn::Dequeued(element) if element.as_ref() == state.front()),
                );
                is_it.then(|| state.iter().skip(1).cloned().collect())
            }
        }
    }

    fn hint(&self, input: &QueueCall<T>, output: Option<&QueueReturn<T>>) -> Hint {
        match (input, output) {
            (QueueCall::Enqueue(element), _) => Hint::value(0, element),
            (QueueCall::Dequeue, Some(QueueReturn::Dequeued(Some(element)))) => Hint::value(1, element),
            (QueueCall::Dequeue, _) => Hint { operation: 1, ..Hint::default() },
        }
    }

    fn operation(&self, input: &QueueCall<T>) -> &str {
        match input {
            QueueCall::Enqueue(_) => "Enqueue",
            QueueCall::Dequeue => "Dequeue",
        }
    }
}

impl<T: Element> Words for Queue<T> {
    fn describe_call(&self, input: &QueueCall<T>, output: Option<&QueueReturn<T>>) -> String {
        with_return(input, output)
    }

    fn describe_state(&self, state: &VecDeque<T>) -> String {
        format!("{state:?}")
    }
}
