//! A lock.

use super::{returned, with_return};
use crate::model::{Model, Words};

/// A lock that one thread holds at a time, and that only its holder releases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lock;

/// A call of a lock, with the thread that makes it. It returns whether it succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockCall {
    /// Waits until the lock is free, and takes it.
    Acquire(u32),
    /// Takes the lock if it is free.
    TryAcquire(u32),
    /// Releases the lock.
    Release(u32),
}

impl Model for Lock {
    /// Who holds it.
    type State = Option<u32>;
    type Input = LockCall;
    type Output = bool;
    type Key = ();

    fn init(&self) -> Option<u32> {
        None
    }

    fn step(
        &self,
        state: &Option<u32>,
        input: &LockCall,
        output: Option<&bool>,
    ) -> impl IntoIterator<Item = Option<u32>> {
        let (returns, next) = match *input {
            LockCall::Acquire(thread) if state.is_none() => (true, Some(thread)),
            LockCall::Acquire(_) => return None,
            LockCall::TryAcquire(thread) if state.is_none() => (true, Some(thread)),
            LockCall::TryAcquire(_) => (false, *state),
            LockCall::Release(thread) if *state == Some(thread) => (true, None),
            LockCall::Release(_) => (false, *state),
        };
        returned(output, &returns).then_some(next)
    }

    fn operation(&self, input: &LockCall) -> &str {
        match input {
            LockCall::Acquire(_) => "Acquire",
            LockCall::TryAcquire(_) => "TryAcquire",
            LockCall::Release(_) => "Release",
        }
    }
}

impl Words for Lock {
    fn describe_call(&self, input: &LockCall, output: Option<&bool>) -> String {
        with_return(input, output)
    }

    fn describe_state(&self, state: &Option<u32>) -> String {
        state.map_or_else(|| "that nobody holds it".to_owned(), |thread| format!("that thread {thread} holds it"))
    }
}
