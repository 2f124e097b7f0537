//! How much time and memory work may take, and who may interrupt it.
//!
//! ```text
//!  Budget::new(timeout, memory, interrupt) ──► spend(work) ──► Ok(result) | Err(Exhausted)
//!        │                                        │
//!   watcher thread: time up? too much memory?    poll() inside of the work, wherever it may take long
//!   interrupted? ──► marks the budget ──────────► unwinds to spend() or catch()
//! ```
//!
//! One expression of a specification can take forever, in the middle of code that cannot fail: comparing values, listing a
//! set, reading a line. So a stop is no error that is passed on from function to function, where each could take it for
//! something else, keep it or leave it out: it unwinds, as a panic does but without a message, to whoever asked for the
//! work. Between, nothing sees it but destructors. What is left half-done must not be used afterwards.
//!
//! [`poll`] reads one number that is zero as long as no budget of the process is exhausted. It looks no further then, so it
//! may stand in inner loops. A thread of its own watches all budgets every [`PERIOD`]; it is started with the first.
//!
//! A budget's memory is what the process takes from the system for its own data (`RssAnon` on Linux) beyond what it held
//! when the budget began: allocations are not counted one by one, and files that are mapped do not count. Budgets that are in
//! use at the same time share what all of them may take together. Where the system does not tell, memory has no limit.

mod memory;
mod watch;

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

pub use watch::PERIOD;
use watch::{URGENT, Watched};

/// Why work was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    /// Somebody interrupted it.
    Interrupted,
    /// The time was up.
    Timeout,
    /// It took too much memory.
    Memory,
}

/// How much work may take. Its time begins when it is made.
#[derive(Clone)]
pub struct Budget(Arc<Watched>);

thread_local! {
    /// The budget of what this thread is doing.
    static CURRENT: RefCell<Option<Budget>> = const { RefCell::new(None) };
}

impl Budget {
    /// So much time and so many bytes of memory, until somebody sets a flag.
    pub fn new(timeout: Option<Duration>, memory: Option<usize>, interrupt: Arc<AtomicBool>) -> Self {
        Self(Watched::new(timeout, memory, interrupt))
    }

    /// The budget of what this thread is doing.
    pub fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Does something that this budget limits. It takes the place of the budget that this thread has had, if there is one.
    ///
    /// # Errors
    /// If the work was stopped.
    pub fn spend<T>(&self, work: impl FnOnce() -> T) -> Result<T, Exhausted> {
        let _replaced = Replaced(CURRENT.replace(Some(self.clone())));
        catch(work)
    }

    /// Whether it is exhausted.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.0.look()
    }
}

/// Does something on a thread that another thread waits for, with that one's budget: see [`Budget::current`]. A stop is
/// passed on as a panic is.
pub fn on_behalf<T>(budget: Option<Budget>, work: impl FnOnce() -> T) -> T {
    let _replaced = Replaced(CURRENT.replace(budget));
    work()
}

/// Gives a thread its former budget back.
struct Replaced(Option<Budget>);

impl Drop for Replaced {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

/// What unwinds when work is stopped.
struct Stop(Exhausted);

/// Does something, and tells if it was stopped: for those who know what to do then.
///
/// # Errors
/// If the work was stopped.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Exhausted> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic: Box<dyn Any + Send>| match panic.downcast::<Stop>() {
        Ok(stop) => stop.0,
        Err(panic) => resume_unwind(panic),
    })
}

/// Stops what this thread is doing if its budget is exhausted. To be called wherever something may take long.
#[inline(always)]
pub fn poll() {
    if URGENT.load(Relaxed) != 0 {
        look();
    }
}

#[cold]
#[inline(never)]
fn look() {
    let exhausted = CURRENT.with_borrow(|current| current.as_ref().and_then(Budget::exhausted));
    // Destructors that run because of a stop must come to their end.
    if let Some(exhausted) = exhausted
        && !std::thread::panicking()
    {
        resume_unwind(Box::new(Stop(exhausted)));
    }
}
