//! Records the calls of a concurrent program, so that they can be checked against its TLA+ specification.
//!
//! Annotate the functions that implement actions of the specification, run the program, and check the trace:
//!
//! ```
//! use std::collections::VecDeque;
//! use std::sync::Mutex;
//! use std::thread;
//!
//! /// `VARIABLE queue`, `Enqueue(elem) == queue' = Append(queue, elem)`, …
//! #[derive(Default)]
//! struct Queue {
//!     items: Mutex<VecDeque<u64>>,
//! }
//!
//! impl Queue {
//!     #[omnilink::action(Enqueue(elem = value))]
//!     fn push(&self, value: u64) {
//!         self.items.lock().unwrap().push_back(value);
//!     }
//!
//!     #[omnilink::action(match ret { Some(v) => Dequeue(elem = v), None => DequeueEmpty })]
//!     fn try_pop(&self) -> Option<u64> {
//!         self.items.lock().unwrap().pop_front()
//!     }
//! }
//!
//! fn main() -> Result<(), omnilink::StartError> {
//! #   let scratch = tempfile::tempdir().unwrap();
//! #   let directory = scratch.path().join("queue-trace");
//! #   /*
//!     let directory = "queue-trace";
//! #   */
//!     let session = omnilink::Session::builder().directory(directory).spec("Queue", "Next").start()?;
//!     let queue = Queue::default();
//!     thread::scope(|scope| {
//!         for n in 0..2 {
//!             let queue = &queue;
//!             scope.spawn(move || {
//!                 queue.push(n);
//!                 queue.try_pop();
//!             });
//!         }
//!     });
//!     let summary = session.finish();
//!     assert_eq!(summary.events, 4);
//!     Ok(())
//! }
//! ```
//!
//! `omnilink show queue-trace` prints the events: which action, with which values, inside which *timebox*, the
//! interval of time that encloses every effect of the call. The checker then looks for an order of the events that the
//! specification allows and the timeboxes permit.
//!
//! # Overview
//!
//! | you want to | see |
//! | --- | --- |
//! | record a function, sync or async | [`#[omnilink::action]`](macro@action) |
//! | record values of your own types | [`#[derive(ToTla)]`](macro@ToTla), or the trait [`ToTla`] by hand |
//! | record something that is not one function | [`begin`], which gives an [`Op`] |
//! | narrow the timebox or abort from deep inside a call | [`current`] |
//! | decide when and where to record | [`Session`] |
//! | drive the system with random operations | [`fuzz`] |
//!
//! # Recording without touching `main`
//!
//! A program needs no [`Session`]: with `OMNILINK_TRACE_DIR=some/directory` in its environment, recording starts at
//! the first instrumented call; without it, nothing is recorded and an instrumented call costs one load more than
//! before. So instrumented code can be used in production.
//!
//! # What survives a crash
//!
//! Every call that has returned is in the trace, whatever happens to the process after that: `SIGKILL`, `abort()`, a
//! segmentation fault. A call that was still open is there as *pending*, with the arguments known before it began.
//!
//! # What is in this crate
//!
//! Only re-exports: the macros are in `omnilink-macros`, whose documentation shows their expansion, everything else is
//! in `omnilink-runtime`.

pub use omnilink_macros::{ToTla, action};
pub use omnilink_runtime::{
    ActionDef, AsyncOp, ClockKind, Digits, Encoder, Meta, Nested, Op, Session, SessionBuilder, Site, StartError,
    StopReason, Summary, ToTla, Value, begin, current, enter, enter_async, fuzz, open_lane, terminate,
};

/// Functions that expansions of the macros call. Not a public interface: they change with the macros.
#[doc(hidden)]
pub mod __private {
    pub use omnilink_runtime::*;

    /// A value of type `T` for code that is never reached.
    pub fn unreachable<T>() -> T {
        unreachable!("only the type of this call is used")
    }
}

/// The examples of the guide compile.
#[cfg(doctest)]
#[doc = include_str!("../../docs/action.md")]
mod guide {}
