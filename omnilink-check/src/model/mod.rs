//! Models in Rust: what an object does, as a function from a state and a call to the states after it.
//!
//! The same search that checks traces against TLA+ specifications checks calls against a model, in memory and without a
//! specification:
//!
//! ```
//! use omnilink_check::model::{Calls, Model, Verdict, check};
//!
//! /// A register that can be read and written.
//! struct Register;
//!
//! enum Call {
//!     Read,
//!     Write(i64),
//! }
//!
//! impl Model for Register {
//!     type State = i64;
//!     type Input = Call;
//!     type Output = i64;
//!     type Key = ();
//!
//!     fn init(&self) -> i64 {
//!         0
//!     }
//!
//!     fn step(&self, state: &i64, input: &Call, output: Option<&i64>) -> impl IntoIterator<Item = i64> {
//!         match input {
//!             // `None`: nobody knows what the call returned.
//!             Call::Read => output.is_none_or(|read| read == state).then_some(*state),
//!             Call::Write(value) => Some(*value),
//!         }
//!     }
//! }
//!
//! let mut calls = Calls::new();
//! // Two writes overlap, then 1 is read: the write of 2 took effect first.
//! calls.done(0, 10..=30, Call::Write(1), None);
//! calls.done(1, 20..=40, Call::Write(2), None);
//! calls.done(0, 50..=60, Call::Read, Some(1));
//! let Verdict::Accepted(order) = check(&Register, &calls)?.verdict else { panic!("there is an order") };
//! assert_eq!(order.steps().map(|step| step.call).collect::<Vec<_>>(), [1, 0, 2]);
//!
//! // 2 cannot be read after that.
//! calls.done(1, 70..=80, Call::Read, Some(2));
//! let Verdict::Rejected(rejection) = check(&Register, &calls)?.verdict else { panic!("there is no order") };
//! assert_eq!(rejection.placed, 3);
//! # Ok::<(), omnilink_check::model::CallsError>(())
//! ```
//!
//! | what | where |
//! | --- | --- |
//! | the calls of a history | [`Calls`] |
//! | limits, interruption, progress | [`check_with`] |
//! | independent parts of an object, checked one by one | [`Model::partition`] |
//! | models that are ready for use | [`ready`] |
//! | the calls of a trace | [`Calls::from_trace`], [`FromTla`] |
//!
//! # What is not asked of a model
//! A state is compared by its fingerprint of 128 bits. A model gives no footprints, so partial-order reduction is off; the
//! read-only rule applies to the calls that [`Model::is_read_only`] names.

mod calls;
mod check;
mod counterexample;
mod fingerprint;
mod from_tla;
mod problem;
pub mod ready;
mod recorded;
mod rejection;
mod side_by_side;

use std::hash::Hash;

pub use calls::{Call, Calls, CallsError, Outcome};
pub(crate) use calls::{Part, validate};
pub(crate) use check::parts;
pub use check::{Checked, Order, Step, Verdict, check, check_with};
pub use fingerprint::fingerprint;
pub use from_tla::{FromTla, Mismatch, NamedCall};
#[cfg(feature = "derive")]
pub use omnilink_macros::FromTla;
pub use recorded::RecordedError;
pub use rejection::{Blocked, Rejection, Words};

/// What expansions of `#[derive(FromTla)]` use. Not a public interface: it changes with the macro.
#[doc(hidden)]
pub mod __private {
    pub use omnilink_trace::Value;

    pub use super::from_tla::{FromTla, Mismatch, NamedCall, Record, elements, string};
}

/// What an object does.
pub trait Model: Sync {
    /// A state of the object.
    type State: Clone + Hash + Send + Sync + 'static;
    /// What a call asks for.
    type Input: Sync;
    /// What a call returns.
    type Output: Sync;
    /// What names a part of the object that is independent of the others.
    type Key: Eq + Hash;

    /// The state before the first call.
    fn init(&self) -> Self::State;

    /// All states after a call; none if the call cannot happen in this state. `output` is `None` if nobody knows what the call
    /// returned. The same state and call must give the same states in the same order every time.
    fn step(
        &self,
        state: &Self::State,
        input: &Self::Input,
        output: Option<&Self::Output>,
    ) -> impl IntoIterator<Item = Self::State>;

    /// The part of the object that a call is about. A history is linearizable iff the calls of each part are (Herlihy and Wing,
    /// TOPLAS 1990, locality), so parts are checked one by one. If the answer is `None` for any call, the history is one part.
    fn partition(&self, _input: &Self::Input) -> Option<Self::Key> {
        None
    }

    /// Whether a call never changes the state, whatever the state is. Such a call is placed as soon as it can happen, without
    /// a choice. Where `step` contradicts this, the check fails.
    fn is_read_only(&self, _input: &Self::Input) -> bool {
        false
    }

    /// The operation that a call is of, by which criteria of [`consistency`](crate::consistency) name it.
    fn operation(&self, _input: &Self::Input) -> &str {
        ""
    }

    /// A hint for the order in which calls are tried. Only the speed of the search depends on it.
    fn hint(&self, _input: &Self::Input, _output: Option<&Self::Output>) -> Hint {
        Hint::default()
    }

    /// What distinguishes a state from all others. The default is a hash of the state.
    fn fingerprint(&self, state: &Self::State) -> u128 {
        fingerprint(state)
    }
}

/// A hint for the order in which calls are tried: a call that produces a value is tried before others if a call that consumes
/// the value has to come early.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hint {
    /// The operation, as a number: producers and consumers of values are different operations.
    pub operation: u32,
    /// The values that the call mentions, as numbers or hashes. Those that few calls mention count.
    pub values: Vec<u64>,
}

impl Hint {
    /// Of an operation that mentions one value.
    pub fn value(operation: u32, value: &impl Hash) -> Self {
        Self { operation, values: vec![fingerprint(value) as u64] }
    }
}
