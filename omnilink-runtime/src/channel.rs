//! The channel and the threads between lanes and the mapper: those of the standard library, or such that loom can explore.

#[cfg(not(loom))]
pub(crate) use std::{
    sync::atomic::{AtomicBool, AtomicI32},
    sync::mpsc::{Receiver, SyncSender as Sender, TryRecvError, sync_channel as bounded},
    thread,
};

#[cfg(loom)]
pub(crate) use explored::{Receiver, Sender, TryRecvError, bounded};
#[cfg(loom)]
pub(crate) use loom::{
    sync::atomic::{AtomicBool, AtomicI32},
    thread,
};

/// As much of the standard channel's interface as is used, from primitives whose schedules loom tries.
#[cfg(loom)]
mod explored {
    use loom::sync::{Arc, Mutex};
    use std::collections::VecDeque;

    struct State<T> {
        items: VecDeque<T>,
        capacity: usize,
        senders: usize,
    }

    pub(crate) struct Sender<T>(Arc<Mutex<State<T>>>);
    pub(crate) struct Receiver<T>(Arc<Mutex<State<T>>>);

    pub(crate) enum TryRecvError {
        Empty,
        Disconnected,
    }

    pub(crate) fn bounded<T>(capacity: usize) -> (Sender<T>, Receiver<T>) {
        let shared = Arc::new(Mutex::new(State { items: VecDeque::new(), capacity, senders: 1 }));
        (Sender(Arc::clone(&shared)), Receiver(shared))
    }

    impl<T> Sender<T> {
        pub fn try_send(&self, item: T) -> Result<(), T> {
            let mut state = self.0.lock().unwrap();
            if state.items.len() == state.capacity {
                return Err(item);
            }
            state.items.push_back(item);
            Ok(())
        }
    }

    impl<T> Clone for Sender<T> {
        fn clone(&self) -> Self {
            self.0.lock().unwrap().senders += 1;
            Self(Arc::clone(&self.0))
        }
    }

    impl<T> Drop for Sender<T> {
        fn drop(&mut self) {
            self.0.lock().unwrap().senders -= 1;
        }
    }

    impl<T> Receiver<T> {
        pub fn try_recv(&self) -> Result<T, TryRecvError> {
            let mut state = self.0.lock().unwrap();
            match state.items.pop_front() {
                Some(item) => Ok(item),
                None if state.senders == 0 => Err(TryRecvError::Disconnected),
                None => Err(TryRecvError::Empty),
            }
        }
    }
}
