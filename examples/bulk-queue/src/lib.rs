//! The queues under test: their operations move several elements, which enter and leave the queue one by one.

use std::collections::VecDeque;
use std::fmt;
use std::mem;
use std::sync::{Mutex, MutexGuard};

/// A queue that many threads may use at once.
pub trait BulkQueue: Sync {
    /// Appends elements, in order; those of other calls may come between them.
    fn enqueue_bulk(&self, elems: &[i64]);
    /// Takes the oldest elements one after the other, until it has `max` or there are no more.
    fn dequeue_bulk(&self, max: usize) -> Vec<i64>;
}

/// The correct one: locks for every element.
#[derive(Debug, Default)]
pub struct PatientQueue {
    elems: Mutex<VecDeque<i64>>,
}

impl BulkQueue for PatientQueue {
    fn enqueue_bulk(&self, elems: &[i64]) {
        for &elem in elems {
            lock(&self.elems).push_back(elem);
        }
    }

    fn dequeue_bulk(&self, max: usize) -> Vec<i64> {
        (0..max).map_while(|_| lock(&self.elems).pop_front()).collect()
    }
}

/// One that locks less often and reorders elements.
///
/// To dequeue it takes all there is, keeps what was asked for, and puts the rest back in front. Alone that is right.
/// But between the two locks the queue looks empty: another consumer finds nothing although there is something, or, if
/// a producer comes first, an element that is younger than those that are put back. The fix is to take no more than
/// was asked for: `elems.drain(..max.min(elems.len()))`, under one lock.
#[derive(Default)]
pub struct HastyQueue {
    elems: Mutex<VecDeque<i64>>,
    window: Option<Box<dyn Fn() + Send + Sync>>,
}

impl HastyQueue {
    /// An empty queue that calls `window` while it has taken out too much, for those who want something to happen
    /// there.
    pub fn with_window(window: impl Fn() + Send + Sync + 'static) -> Self {
        Self { window: Some(Box::new(window)), ..Self::default() }
    }
}

impl BulkQueue for HastyQueue {
    fn enqueue_bulk(&self, elems: &[i64]) {
        lock(&self.elems).extend(elems);
    }

    fn dequeue_bulk(&self, max: usize) -> Vec<i64> {
        let mut taken = mem::take(&mut *lock(&self.elems));
        let mut rest = taken.split_off(max.min(taken.len()));
        if let Some(window) = &self.window {
            window();
        }
        if !rest.is_empty() {
            let mut elems = lock(&self.elems);
            rest.append(&mut elems);
            *elems = rest;
        }
        taken.into()
    }
}

impl fmt::Debug for HastyQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HastyQueue").field("elems", &self.elems).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nobody panics with the queue's lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_sees_no_difference() {
        let queues: [Box<dyn BulkQueue>; 2] = [Box::<PatientQueue>::default(), Box::<HastyQueue>::default()];
        for queue in queues {
            assert_eq!(queue.dequeue_bulk(3), []);
            queue.enqueue_bulk(&[1, 2, 3]);
            queue.enqueue_bulk(&[]);
            queue.enqueue_bulk(&[4]);
            assert_eq!(queue.dequeue_bulk(0), []);
            assert_eq!(queue.dequeue_bulk(2), [1, 2]);
            assert_eq!(queue.dequeue_bulk(9), [3, 4]);
        }
    }
}
