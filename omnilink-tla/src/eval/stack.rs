//! A bound on recursion: an error instead of a stack overflow.
//!
//! TLA+ definitions may recurse without end. How much stack a level takes depends on the definition, so what is counted is
//! the stack itself: the address of a local variable shows how much is used.

use std::cell::Cell;
use std::io;
use std::thread;

use omnilink_budget::{Budget, on_behalf};

/// What evaluation may use of a stack whose size is not known; the smallest that threads commonly have is 2 MiB.
const USUAL: usize = 1 << 20;
/// What is left for whatever evaluation calls at its deepest.
const RESERVE: usize = 256 << 10;

/// How much stack the command line gives a specification. Only what is used is ever taken from memory. Definitions
/// that call themselves ten thousand times fit, even unoptimised; those that do so without end fail before they take a gigabyte.
pub const STACK: usize = 256 << 20;

thread_local! {
    /// The lowest address that evaluation on this thread may reach; 0 if evaluation has not begun.
    static LOWEST: Cell<usize> = const { Cell::new(0) };
}

/// Whether there is stack left to go one level deeper.
pub(super) fn is_left() -> bool {
    let here = address();
    LOWEST.with(|lowest| {
        if lowest.get() == 0 {
            lowest.set(here.saturating_sub(USUAL));
        }
        here > lowest.get()
    })
}

/// Does something on a thread of its own with a stack of so many bytes, so that deep recursion in a specification is no
/// error. Without it about one megabyte is used. The budget of this thread counts there, too.
pub fn with_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> io::Result<T> {
    let budget = Budget::current();
    thread::scope(|scope| {
        let worker =
            thread::Builder::new().name("evaluation".into()).stack_size(bytes + RESERVE).spawn_scoped(scope, || {
                LOWEST.set(address().saturating_sub(bytes));
                on_behalf(budget, work)
            })?;
        Ok(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

fn address() -> usize {
    let here = 0u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}
