//! Whose turn it is: a process has one recording at a time, and `cargo test` runs tests side by side.

use std::cell::Cell;
use std::panic::Location;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Who has the turn.
static HOLDER: Mutex<Option<String>> = Mutex::new(None);
static RELEASED: Condvar = Condvar::new();
/// A thread that waits for so long says what it waits for.
const PATIENCE: Duration = Duration::from_secs(10);

thread_local! {
    static HAS_TURN: Cell<bool> = const { Cell::new(false) };
}

/// The right to call instrumented functions while nobody else records; it ends when it is dropped.
#[derive(Debug)]
pub struct Turn {
    /// It belongs to the thread that took it.
    _not_send: std::marker::PhantomData<*const ()>,
}

/// Waits until no test of this process records, and keeps others from recording until the answer is dropped.
///
/// For tests that call instrumented functions without checking them here: their calls would otherwise be recorded by a
/// test that runs at the same time.
///
/// # Panics
/// If this thread is recording, or has called `alone` already.
#[track_caller]
pub fn alone() -> Turn {
    match Turn::take(Location::caller()) {
        Ok(turn) => turn,
        Err(problem) => panic!("{problem}"),
    }
}

impl Turn {
    /// Waits for the turn.
    pub(crate) fn take(place: &Location<'_>) -> Result<Self, String> {
        let mut holder = lock();
        if HAS_TURN.get() {
            let other = holder.as_deref().unwrap_or("this thread");
            return Err(format!(
                "{place}: a recording inside of another one, which {other} began; a process has one recording at a time: end the outer one first"
            ));
        }
        let mut has_waited = false;
        while let Some(other) = &*holder {
            if has_waited {
                eprintln!(
                    "omnilink-test: {place} waits for the recording that {other} began to end; recordings inside of others wait forever"
                );
            }
            let waited = RELEASED.wait_timeout(holder, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            has_waited = waited.1.timed_out();
            holder = waited.0;
        }
        *holder = Some(match std::thread::current().name() {
            Some(name) => format!("{place} (thread {name})"),
            None => place.to_string(),
        });
        HAS_TURN.set(true);
        Ok(Self { _not_send: std::marker::PhantomData })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *lock() = None;
        HAS_TURN.set(false);
        RELEASED.notify_one();
    }
}

/// A test that panicked leaves nothing half done here.
fn lock() -> MutexGuard<'static, Option<String>> {
    HOLDER.lock().unwrap_or_else(PoisonError::into_inner)
}
