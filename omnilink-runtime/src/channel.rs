//! The channel and the threads between lanes and the mapper, from the standard library's primitives, or from loom's, whose
//! schedules it explores.
//!
//! Nobody waits for an item here. The lock is held for a few instructions, and neither taking nor waiting for it needs
//! thread-local variables, so that lanes can use the channel in the last moments of a thread.

use std::collections::VecDeque;

#[cfg(loom)]
use loom::sync::{Arc, Mutex, MutexGuard};
#[cfg(loom)]
pub(crate) use loom::{
    sync::atomic::{AtomicBool, AtomicI32},
    thread,
};
#[cfg(not(loom))]
use std::sync::{Arc, Mutex, MutexGuard};
#[cfg(not(loom))]
pub(crate) use std::{
    sync::atomic::{AtomicBool, AtomicI32},
    thread,
};

struct State<T> {
    items: VecDeque<T>,
    capacity: usize,
    senders: usize,
    has_receiver: bool,
}

/// Where items go in.
pub(crate) struct Sender<T>(Arc<Mutex<State<T>>>);

/// Where items come out.
pub(crate) struct Receiver<T>(Arc<Mutex<State<T>>>);

/// Why there is no item.
pub(crate) enum TryRecvError {
    /// None was sent yet.
    Empty,
    /// None can be sent any more.
    Disconnected,
}

/// A channel with room for so many items.
pub(crate) fn bounded<T>(capacity: usize) -> (Sender<T>, Receiver<T>) {
    let state = State { items: VecDeque::new(), capacity, senders: 1, has_receiver: true };
    let shared = Arc::new(Mutex::new(state));
    (Sender(Arc::clone(&shared)), Receiver(shared))
}

/// Nothing that is done under the lock panics, and if it did, the queue would be as usable as before.
fn lock<T>(state: &Mutex<State<T>>) -> MutexGuard<'_, State<T>> {
    state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl<T> Sender<T> {
    /// Sends an item, unless there is no room for it or nobody to receive it.
    pub fn try_send(&self, item: T) -> Result<(), T> {
        let mut state = lock(&self.0);
        if state.items.len() == state.capacity || !state.has_receiver {
            return Err(item);
        }
        state.items.push_back(item);
        Ok(())
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        lock(&self.0).senders += 1;
        Self(Arc::clone(&self.0))
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        lock(&self.0).senders -= 1;
    }
}

impl<T> Receiver<T> {
    /// The item that was sent first.
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        let mut state = lock(&self.0);
        match state.items.pop_front() {
            Some(item) => Ok(item),
            None if state.senders == 0 => Err(TryRecvError::Disconnected),
            None => Err(TryRecvError::Empty),
        }
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let left = {
            let mut state = lock(&self.0);
            state.has_receiver = false;
            std::mem::take(&mut state.items)
        };
        // After the lock is free: items may hold ends of other channels, or of this one.
        drop(left);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_full_channel_takes_no_more() {
        let (sender, receiver) = bounded(2);
        assert!(sender.try_send(1).is_ok() && sender.try_send(2).is_ok());
        assert_eq!(sender.try_send(3), Err(3));
        assert!(matches!(receiver.try_recv(), Ok(1)));
        assert!(sender.try_send(3).is_ok());
        assert!(matches!(receiver.try_recv(), Ok(2)));
    }

    #[test]
    fn what_was_sent_arrives_before_the_end() {
        let (sender, receiver) = bounded(1);
        let other = sender.clone();
        assert!(matches!(receiver.try_recv(), Err(TryRecvError::Empty)));
        assert!(sender.try_send(()).is_ok());
        drop(sender);
        drop(other);
        assert!(matches!(receiver.try_recv(), Ok(())));
        assert!(matches!(receiver.try_recv(), Err(TryRecvError::Disconnected)));
    }

    #[test]
    fn without_a_receiver_items_are_dropped_and_refused() {
        let (sender, receiver) = bounded(2);
        let item = Arc::new(());
        assert!(sender.try_send(Arc::clone(&item)).is_ok());
        drop(receiver);
        assert_eq!(Arc::strong_count(&item), 1);
        assert!(sender.try_send(item).is_err());
    }
}
