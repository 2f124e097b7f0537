//! Work that threads on one search give each other.
//!
//! A *subtree* is a configuration from which the rest of the search is to be done. A thread without work waits here for one;
//! the others look from time to time whether one waits, and give a subtree away. The search is over when all wait, or when one
//! thread has an answer.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Placed, Placement, Progress};

/// How long a thread without work waits before it reports how far the search is.
const MOMENT: Duration = Duration::from_millis(100);

/// A configuration to search from, and how it was reached.
pub(super) struct Subtree<S> {
    pub placement: Placement,
    pub state: S,
    /// Inner steps in a row up to here.
    pub inner: u32,
    /// All moves that led here.
    pub moves: Vec<Placed>,
}

/// The work that is left, and how far all threads are.
pub(super) struct WorkQueue<S> {
    waiting: Mutex<Waiting<S>>,
    changed: Condvar,
    /// How many subtrees are asked for.
    needed: AtomicUsize,
    is_over: AtomicBool,
    configurations: AtomicU64,
    placed: AtomicU64,
}

/// Who and what waits.
struct Waiting<S> {
    subtrees: Vec<Subtree<S>>,
    idle: usize,
    workers: usize,
    is_over: bool,
}

impl<S> WorkQueue<S> {
    /// A queue of so many threads; the search is already so far.
    pub fn new(workers: usize, progress: &Progress) -> Self {
        Self {
            waiting: Mutex::new(Waiting { subtrees: Vec::new(), idle: 0, workers, is_over: false }),
            changed: Condvar::new(),
            needed: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            configurations: AtomicU64::new(progress.configurations),
            placed: AtomicU64::new(progress.placed),
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting<S>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a thread waits for work.
    #[inline]
    pub fn needs_work(&self) -> bool {
        self.needed.load(Relaxed) > 0
    }

    /// Whether an answer is known.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    /// Gives work away.
    pub fn give(&self, subtrees: Vec<Subtree<S>>) {
        let mut waiting = self.waiting();
        waiting.subtrees.extend(subtrees);
        self.update_needed(&waiting);
        self.changed.notify_all();
    }

    /// Counts what a thread has visited since it last reported, and says how far all are.
    pub fn report(&self, visited: u64, own: &Progress) -> Progress {
        let configurations = self.configurations.fetch_add(visited, Relaxed) + visited;
        let placed = self.placed.fetch_max(own.placed, Relaxed).max(own.placed);
        Progress { configurations, placed, ..*own }
    }

    /// Waits for work; `None` if the search is over.
    pub fn take(&self, meanwhile: &mut dyn FnMut()) -> Option<Subtree<S>> {
        let mut waiting = self.waiting();
        waiting.idle += 1;
        while !waiting.is_over {
            if let Some(subtree) = waiting.subtrees.pop() {
                waiting.idle -= 1;
                self.update_needed(&waiting);
                return Some(subtree);
            }
            if waiting.idle == waiting.workers {
                break;
            }
            self.update_needed(&waiting);
            waiting = self.changed.wait_timeout(waiting, MOMENT).unwrap_or_else(PoisonError::into_inner).0;
            meanwhile();
        }
        drop(waiting);
        self.end();
        None
    }

    fn update_needed(&self, waiting: &Waiting<S>) {
        self.needed.store(waiting.idle.saturating_sub(waiting.subtrees.len()), Relaxed);
    }

    /// One thread less.
    pub fn leave(&self) {
        self.waiting().workers -= 1;
        self.changed.notify_all();
    }

    /// Ends the search: the answer is known.
    pub fn end(&self) {
        self.is_over.store(true, Relaxed);
        self.waiting().is_over = true;
        self.changed.notify_all();
    }
}
