//! Limits on the time and memory of a computation, and interruption of it.
//!
//! ```text
//!  Budget::new(timeout, memory, interrupt) ──► spend(work) ──► Ok(result) | Err(Exhausted)
//!        │                                        │
//!   watcher thread: time up? too much memory?    poll() inside of the work, wherever it may take long
//!   interrupted? ──► marks the budget ──────────► unwinds to spend() or catch()
//! ```
//!
//! One expression of a specification can take forever, in the middle of code that cannot fail: comparing values, listing a
//! set, reading a line. So a stop is not an error value that each function returns to its caller, and that one of them could
//! mistake for something else, store or ignore. It unwinds the stack, like a panic without a message, to the caller of
//! `spend` or `catch`. Only destructors run in between. Data that the computation was changing must not be used afterwards.
//!
//! [`poll`] reads one number that is zero while no budget of the process is exhausted. It does nothing else in that case, so it
//! can be called in inner loops. A separate thread checks all budgets every [`PERIOD`]; it starts with the first budget.
//!
//! With budgets and all other changes that were made while they were introduced, `omnilink check` executes 3.7 %, 1.9 % and 0.8 % more
//! instructions than before: `valgrind --tool=callgrind omnilink check -j 1 --no-cache SPEC FILE` on histories of
//! `bench/check/gen_hist.py` (`set -t 5 -n 10000 --corrupt impossible`, `queue -t 5 -n 1000 --corrupt subtle`,
//! `set -t 10 -n 1000 --corrupt impossible`). The share of `poll` in this was not measured on its own.
//!
//! The memory of a budget is the anonymous memory of the process (`RssAnon` on Linux) beyond its value
//! when the budget began: individual allocations are not counted, and mapped files do not count. Budgets that are in
//! use at the same time share the sum of their limits. If the system does not report this number, memory has no limit.

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

/// Why a computation was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    /// It was interrupted.
    Interrupted,
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
}

/// The limits of a computation. Its time begins when it is created.
#[derive(Clone)]
pub struct Budget(Arc<Watched>);

thread_local! {
    /// The budget of the current thread.
    static CURRENT: RefCell<Option<Budget>> = const { RefCell::new(None) };
}

impl Budget {
    /// A budget with limits of time and of memory in bytes, and a flag that interrupts it.
    pub fn new(timeout: Option<Duration>, memory: Option<usize>, interrupt: Arc<AtomicBool>) -> Self {
        Self(Watched::new(timeout, memory, interrupt))
    }

    /// The budget of the current thread.
    pub fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Runs a computation within this budget, which replaces the thread's current budget meanwhile.
    ///
    /// # Errors
    /// If the computation was stopped.
    pub fn spend<T>(&self, work: impl FnOnce() -> T) -> Result<T, Exhausted> {
        let _replaced = Replaced(CURRENT.replace(Some(self.clone())));
        catch(work)
    }

    /// Whether it is exhausted.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.0.look()
    }
}

/// Runs a computation on a thread that another thread waits for, with the budget of that thread: see [`Budget::current`]. A
/// stop propagates as a panic does.
pub fn on_behalf<T>(budget: Option<Budget>, work: impl FnOnce() -> T) -> T {
    let _replaced = Replaced(CURRENT.replace(budget));
    work()
}

/// Restores the former budget of a thread on drop.
struct Replaced(Option<Budget>);

impl Drop for Replaced {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

/// The payload of the unwinding.
struct Stop(Exhausted);

/// Runs a computation and returns whether it was stopped, for callers that can continue.
///
/// # Errors
/// If the computation was stopped.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Exhausted> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic: Box<dyn Any + Send>| match panic.downcast::<Stop>() {
        Ok(stop) => stop.0,
        Err(panic) => resume_unwind(panic),
    })
}

/// Stops the current thread's computation if its budget is exhausted. Call it wherever code may run for long.
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
    // Destructors that run because of a stop must complete.
    if let Some(exhausted) = exhausted
        && !std::thread::panicking()
    {
        resume_unwind(Box::new(Stop(exhausted)));
    }
}
