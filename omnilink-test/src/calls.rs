//! Calls that are recorded in memory, for a model.

use std::any::Any;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use omnilink_check::model::{self, Call, Outcome};
use omnilink_runtime::ClockKind;
use omnilink_runtime::clock::{Clock, Fences};

/// Calls of a test, which any thread makes through [`Calls::call`].
///
/// Each thread writes to a list of its own, so threads do not wait for each other.
#[derive(Debug)]
pub struct Calls<I, O> {
    id: u64,
    began: u64,
    lanes: Mutex<Vec<Owned<I, O>>>,
}

/// The calls of a thread. Only the thread itself takes the lock, until the test looks at them.
type Lane<I, O> = Mutex<Vec<Made<I, O>>>;

/// A thread, and its calls.
type Owned<I, O> = (ThreadId, Arc<Lane<I, O>>);

/// A call that was begun.
#[derive(Debug)]
struct Made<I, O> {
    start: u64,
    end: Option<u64>,
    /// Taken when the test looks at it.
    input: Option<I>,
    output: Option<O>,
}

/// Read as the recorder reads it: the timebox encloses every effect of the call.
const CLOCK: Clock = Clock { kind: ClockKind::Monotonic, fences: Fences::Full };

thread_local! {
    /// The list of this thread that was used last, and the number of the `Calls` that it belongs to.
    static LAST: RefCell<Option<(u64, Arc<dyn Any + Send + Sync>)>> = const { RefCell::new(None) };
}

impl<I: Send + 'static, O: Clone + Send + 'static> Calls<I, O> {
    pub(crate) fn new() -> Self {
        static IDS: AtomicU64 = AtomicU64::new(0);
        Self { id: IDS.fetch_add(1, Relaxed), began: CLOCK.start(), lanes: Mutex::default() }
    }

    /// Makes a call: what it asks for, and how it is made. A call that panics may have taken effect or not; so may one that has
    /// not returned when the test ends.
    pub fn call(&self, input: I, make: impl FnOnce() -> O) -> O {
        let lane = self.lane();
        let at = {
            let mut calls = lock(&lane);
            calls.push(Made { start: 0, end: None, input: Some(input), output: None });
            calls.len() - 1
        };
        let open = Open { lane: &lane, at, began: self.began };
        let start = CLOCK.start() - self.began;
        lock(&lane)[at].start = start;
        let output = make();
        // Ends the timebox. The output is cloned after it.
        drop(open);
        lock(&lane)[at].output = Some(output.clone());
        output
    }

    /// The list of this thread.
    fn lane(&self) -> Arc<Lane<I, O>> {
        let last =
            LAST.with_borrow(|last| last.as_ref().filter(|(id, _)| *id == self.id).map(|(_, lane)| Arc::clone(lane)));
        if let Some(Ok(lane)) = last.map(Arc::downcast) {
            return lane;
        }
        let (id, mut lanes) = (thread::current().id(), lock(&self.lanes));
        let known = lanes.iter().find(|(other, _)| *other == id).map(|(_, lane)| Arc::clone(lane));
        let lane = known.unwrap_or_else(|| {
            let lane = Arc::default();
            lanes.push((id, Arc::clone(&lane)));
            lane
        });
        LAST.set(Some((self.id, Arc::clone(&lane) as Arc<dyn Any + Send + Sync>)));
        lane
    }

    /// The calls that were made.
    pub(crate) fn history(&self) -> model::Calls<I, O> {
        let mut history = model::Calls::new();
        for (thread, (_, lane)) in (0..).zip(&*lock(&self.lanes)) {
            for Made { start, end, input, output } in &mut *lock(lane) {
                let outcome = if output.is_some() { Outcome::Done } else { Outcome::Indeterminate };
                let Some(input) = input.take() else { continue };
                history.push(Call { thread, start: *start, end: *end, input, output: output.clone(), outcome });
            }
        }
        history
    }
}

/// A call that has not ended; it ends when this is dropped, also by a panic.
struct Open<'a, I, O> {
    lane: &'a Lane<I, O>,
    at: usize,
    began: u64,
}

impl<I, O> Drop for Open<'_, I, O> {
    fn drop(&mut self) {
        let end = CLOCK.end() - self.began;
        lock(self.lane)[self.at].end = Some(end);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
