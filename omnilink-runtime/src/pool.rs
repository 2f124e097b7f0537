//! Idle things that any thread may take and give back, without a lock and without waiting.
//!
//! A pool is a row of places. Each is empty or holds one pointer, which changes hands in one atomic operation; whoever takes or
//! gives tries the places in turn, from where somebody succeeded last: upwards to give, downwards to take, so that the pool is
//! filled like a stack and the first try mostly succeeds. That is a hint and no more: nothing depends on it. Nothing links the places to each other, so a place that was emptied and filled
//! meanwhile misleads nobody (there is no ABA problem).

use std::fmt;
use std::ptr;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicPtr, AtomicUsize};

/// A pool of pointers that it owns.
pub(crate) struct Pool<T> {
    places: Box<[AtomicPtr<T>]>,
    /// Where somebody succeeded last.
    last: AtomicUsize,
}

impl<T> Pool<T> {
    /// An empty pool with so many places, at least one.
    pub fn new(places: usize) -> Self {
        Self { places: (0..places).map(|_| AtomicPtr::default()).collect(), last: AtomicUsize::new(0) }
    }

    /// Takes one out, which is the caller's then; `None` if every place was empty when it was looked at.
    pub fn take(&self) -> Option<*mut T> {
        let last = self.last.load(Relaxed);
        (0..=last).rev().chain((last + 1..self.places.len()).rev()).find_map(|at| {
            let place = &self.places[at];
            // A look first: an exchange would take the cache line from others for nothing.
            if place.load(Relaxed).is_null() {
                return None;
            }
            // Acquire: what the last owner did to it happened before.
            let taken = place.swap(ptr::null_mut(), Acquire);
            if taken.is_null() {
                return None;
            }
            self.last.store(at, Relaxed);
            Some(taken)
        })
    }

    /// Puts one in, which is the pool's then; says whether there was a place for it.
    pub fn give(&self, item: *mut T) -> bool {
        let last = self.last.load(Relaxed);
        let given = (last..self.places.len()).chain(0..last).find(|&at| {
            let place = &self.places[at];
            // Release: what its owner did to it happens before whatever the next one does.
            place.load(Relaxed).is_null() && place.compare_exchange(ptr::null_mut(), item, Release, Relaxed).is_ok()
        });
        if let Some(at) = given {
            self.last.store(at, Relaxed);
        }
        given.is_some()
    }
}

impl<T> fmt::Debug for Pool<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn item(number: usize) -> *mut usize {
        Box::into_raw(Box::new(number))
    }

    #[test]
    fn what_is_given_can_be_taken_once() {
        let pool = Pool::new(2);
        let [a, b, c] = [1, 2, 3].map(item);
        assert_eq!(pool.take(), None);
        assert!(pool.give(a) && pool.give(b));
        assert!(!pool.give(c), "there are two places");
        let mut taken = [pool.take(), pool.take()];
        taken.sort();
        let mut given = [Some(a), Some(b)];
        given.sort();
        assert_eq!(taken, given);
        assert_eq!(pool.take(), None);
        for item in [a, b, c] {
            // SAFETY: it came from a box, and nobody else has it.
            drop(unsafe { Box::from_raw(item) });
        }
    }

    #[test]
    fn threads_never_share_an_item_and_lose_none() {
        const ITEMS: usize = 3;
        let pool = Pool::new(ITEMS);
        for number in 0..ITEMS {
            assert!(pool.give(item(number)));
        }
        let taken = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2000 {
                        let Some(item) = pool.take() else { continue };
                        // A plain access: were it shared, additions would be lost, and Miri and ThreadSanitizer would see it.
                        // SAFETY: the item is this thread's until it is given back.
                        unsafe { *item += ITEMS };
                        taken.fetch_add(1, Relaxed);
                        assert!(pool.give(item), "there is a place for each");
                    }
                });
            }
        });
        let left: Vec<usize> = std::iter::from_fn(|| pool.take())
            // SAFETY: it came from a box, and was taken out.
            .map(|item| *unsafe { Box::from_raw(item) })
            .collect();
        let first: usize = (0..ITEMS).sum();
        assert_eq!(left.len(), ITEMS);
        assert_eq!(left.iter().sum::<usize>(), first + ITEMS * taken.into_inner());
    }
}
