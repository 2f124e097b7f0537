//! The queues under test behind one trait, each called the way its documentation says.

use crossbeam_queue::{ArrayQueue, SegQueue};
use thingbuf::{StaticThingBuf, ThingBuf};

use crate::actions::Unsupported;

/// How many elements a bounded queue holds; `BoundedQueue.cfg` says the same.
const CAPACITY: usize = 2;

/// A call, or the news that the queue has no such function.
pub type Call<T> = Result<T, Unsupported>;

/// A concurrent queue.
pub trait Queue: Send + Sync {
    /// Whether there was room.
    fn push(&self, elem: i64) -> bool;
    fn pop(&self) -> Option<i64>;
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;

    /// The element that made way, if one had to.
    fn force_push(&self, _elem: i64) -> Call<Option<i64>> {
        Err(Unsupported)
    }

    fn is_full(&self) -> Call<bool> {
        Err(Unsupported)
    }
}

/// The names of the queues, as `--queue` takes them.
pub const NAMES: &str = "array, seg, thingbuf or static-thingbuf";

/// An empty queue by its name.
pub fn by_name(name: &str) -> Option<Box<dyn Queue>> {
    match name {
        "array" => Some(Box::new(ArrayQueue::new(CAPACITY))),
        "seg" => Some(Box::new(SegQueue::new())),
        "thingbuf" => Some(Box::new(ThingBuf::new(CAPACITY))),
        "static-thingbuf" => Some(Box::new(StaticThingBuf::<i64, CAPACITY>::new())),
        _ => None,
    }
}

impl Queue for ArrayQueue<i64> {
    fn push(&self, elem: i64) -> bool {
        ArrayQueue::push(self, elem).is_ok()
    }

    fn pop(&self) -> Option<i64> {
        ArrayQueue::pop(self)
    }

    fn len(&self) -> usize {
        ArrayQueue::len(self)
    }

    fn is_empty(&self) -> bool {
        ArrayQueue::is_empty(self)
    }

    fn force_push(&self, elem: i64) -> Call<Option<i64>> {
        Ok(ArrayQueue::force_push(self, elem))
    }

    fn is_full(&self) -> Call<bool> {
        Ok(ArrayQueue::is_full(self))
    }
}

impl Queue for SegQueue<i64> {
    fn push(&self, elem: i64) -> bool {
        SegQueue::push(self, elem);
        true
    }

    fn pop(&self) -> Option<i64> {
        SegQueue::pop(self)
    }

    fn len(&self) -> usize {
        SegQueue::len(self)
    }

    fn is_empty(&self) -> bool {
        SegQueue::is_empty(self)
    }
}

impl Queue for ThingBuf<i64> {
    fn push(&self, elem: i64) -> bool {
        ThingBuf::push(self, elem).is_ok()
    }

    fn pop(&self) -> Option<i64> {
        ThingBuf::pop(self)
    }

    fn len(&self) -> usize {
        ThingBuf::len(self)
    }

    fn is_empty(&self) -> bool {
        ThingBuf::is_empty(self)
    }
}

impl Queue for StaticThingBuf<i64, CAPACITY> {
    fn push(&self, elem: i64) -> bool {
        StaticThingBuf::push(self, elem).is_ok()
    }

    fn pop(&self) -> Option<i64> {
        StaticThingBuf::pop(self)
    }

    fn len(&self) -> usize {
        StaticThingBuf::len(self)
    }

    fn is_empty(&self) -> bool {
        StaticThingBuf::is_empty(self)
    }
}
