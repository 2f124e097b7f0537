//! Models of common objects.
//!
//! | model | operations |
//! | --- | --- |
//! | [`Register`] | read, write, compare and swap |
//! | [`KeyValue`] | get, put, append, delete, each of one key; partitioned by key |
//! | [`Set`] | insert, remove, contains, each of one element; partitioned by element |
//! | [`Queue`] | enqueue, dequeue; bounded or not |
//! | [`Stack`] | push, pop |
//! | [`Counter`] | add, read |
//! | [`Lock`] | acquire, try to acquire, release, by thread |
//!
//! ```
//! use omnilink_check::model::ready::{Queue, QueueCall, QueueReturn};
//! use omnilink_check::model::{Calls, Verdict, check};
//!
//! let mut calls = Calls::new();
//! calls.done(0, 10..=20, QueueCall::Enqueue(1), Some(QueueReturn::Enqueued(true)));
//! calls.done(0, 30..=40, QueueCall::Enqueue(2), Some(QueueReturn::Enqueued(true)));
//! calls.done(1, 50..=60, QueueCall::Dequeue, Some(QueueReturn::Dequeued(Some(2))));
//! let queue = Queue::unbounded();
//! let Verdict::Rejected(rejection) = check(&queue, &calls)?.verdict else { panic!("1 is at the front") };
//! let text = rejection.explain(&queue, &calls);
//! assert!(text.contains("the state is [1, 2]"), "{text}");
//! # Ok::<(), omnilink_check::model::CallsError>(())
//! ```

mod counter;
mod key_value;
mod lock;
mod queue;
mod register;
mod set;
mod stack;

use std::fmt::Debug;
use std::hash::Hash;

pub use counter::{Counter, CounterCall};
pub use key_value::{KeyValue, KeyValueCall};
pub use lock::{Lock, LockCall};
pub use queue::{Queue, QueueCall, QueueReturn};
pub use register::{Register, RegisterCall, RegisterReturn};
pub use set::{Set, SetCall};
pub use stack::{Stack, StackCall};

/// What elements and keys have to be.
pub trait Element: Clone + Eq + Hash + Debug + Send + Sync + 'static {}

impl<T: Clone + Eq + Hash + Debug + Send + Sync + 'static> Element for T {}

/// Whether a call returned this, as far as anybody knows.
fn returned<T: PartialEq>(output: Option<&T>, value: &T) -> bool {
    output.is_none_or(|output| output == value)
}

/// A call and what it returned: `Dequeue → 7`.
fn with_return(call: &impl Debug, output: Option<&impl Debug>) -> String {
    match output {
        Some(output) => format!("{call:?} → {output:?}"),
        None => format!("{call:?}"),
    }
}
