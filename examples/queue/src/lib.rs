//! The queues under test: [`SegQueue`], which is right, and [`RingQueue`], which is nearly right.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

pub use crossbeam_queue::SegQueue;

/// A queue has no room.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

/// A queue that many threads may use at once.
pub trait Queue: Sync {
    /// Appends `elem`.
    ///
    /// # Errors
    /// If there is no room; then nothing happened.
    fn push(&self, elem: i64) -> Result<(), Full>;
    /// Takes the oldest element.
    fn pop(&self) -> Option<i64>;
}

/// The correct one.
impl Queue for SegQueue<i64> {
    fn push(&self, elem: i64) -> Result<(), Full> {
        SegQueue::push(self, elem);
        Ok(())
    }

    fn pop(&self) -> Option<i64> {
        SegQueue::pop(self)
    }
}

/// A ring of slots, with a small race.
///
/// Elements `head..tail` are in the queue, number *i* in slot *i* modulo the capacity. Producers take turns by a lock.
/// Consumers take none: they read the oldest element, then advance `head`.
///
/// This was written for one consumer, and for one it is right. With two, both may read the same `head` and return the
/// same element; a slow one may even set `head` back, and elements that are long gone come again. The advance has to
/// be `head.compare_exchange(head, head + 1)`, with another attempt if it fails.
pub struct RingQueue {
    slots: [AtomicI64; Self::CAPACITY],
    head: AtomicU64,
    tail: AtomicU64,
    producers: Mutex<()>,
    window: Option<Box<dyn Fn() + Send + Sync>>,
}

impl RingQueue {
    const CAPACITY: usize = 1024;

    /// An empty queue.
    pub fn new() -> Self {
        Self {
            slots: [const { AtomicI64::new(0) }; Self::CAPACITY],
            head: AtomicU64::new(0),
            tail: AtomicU64::new(0),
            producers: Mutex::new(()),
            window: None,
        }
    }

    /// An empty queue where consumers call `window` between reading an element and advancing `head`, for those who
    /// want to meet another thread there.
    pub fn with_window(window: impl Fn() + Send + Sync + 'static) -> Self {
        Self { window: Some(Box::new(window)), ..Self::new() }
    }

    fn slot(&self, number: u64) -> &AtomicI64 {
        &self.slots[number as usize % Self::CAPACITY]
    }
}

impl Queue for RingQueue {
    fn push(&self, elem: i64) -> Result<(), Full> {
        let _turn = self.producers.lock().expect("no producer panics in its turn");
        let tail = self.tail.load(Ordering::Relaxed);
        // Acquire: the consumer that made room has read the slot.
        if tail - self.head.load(Ordering::Acquire) >= Self::CAPACITY as u64 {
            return Err(Full);
        }
        self.slot(tail).store(elem, Ordering::Relaxed);
        // Release: whoever sees the new tail sees the element.
        self.tail.store(tail + 1, Ordering::Release);
        Ok(())
    }

    fn pop(&self) -> Option<i64> {
        let head = self.head.load(Ordering::Acquire);
        if head == self.tail.load(Ordering::Acquire) {
            return None;
        }
        let elem = self.slot(head).load(Ordering::Relaxed);
        if let Some(window) = &self.window {
            window();
        }
        self.head.store(head + 1, Ordering::Release);
        Some(elem)
    }
}

impl Default for RingQueue {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for RingQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RingQueue").field("head", &self.head).field("tail", &self.tail).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_sees_no_difference() {
        let queues: [Box<dyn Queue>; 2] = [Box::new(SegQueue::new()), Box::new(RingQueue::new())];
        for queue in queues {
            assert_eq!(queue.pop(), None);
            for round in 0..3 {
                let elems = round * 1000..(round + 1) * 1000;
                elems.clone().for_each(|elem| queue.push(elem).unwrap());
                elems.for_each(|elem| assert_eq!(queue.pop(), Some(elem)));
            }
            assert_eq!(queue.pop(), None);
        }
    }

    #[test]
    fn a_full_ring_takes_no_more() {
        let ring = RingQueue::new();
        (0..RingQueue::CAPACITY as i64).for_each(|elem| ring.push(elem).unwrap());
        assert_eq!(ring.push(1), Err(Full));
        assert_eq!(ring.pop(), Some(0));
        assert_eq!(ring.push(1), Ok(()));
    }
}
