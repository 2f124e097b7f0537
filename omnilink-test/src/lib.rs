//! Checks threads in a unit test: what they did must have an order that a TLA+ specification, or a model in Rust, allows.
//!
//! ```
//! use std::collections::VecDeque;
//! use std::sync::Mutex;
//! use std::thread;
//!
//! #[derive(Default)]
//! struct Queue(Mutex<VecDeque<u64>>);
//!
//! impl Queue {
//!     #[omnilink::action(Enqueue(elem = value))]
//!     fn push(&self, value: u64) {
//!         self.0.lock().unwrap().push_back(value);
//!     }
//!
//!     #[omnilink::action(match ret { Some(v) => Dequeue(elem = v), None => DequeueEmpty })]
//!     fn try_pop(&self) -> Option<u64> {
//!         self.0.lock().unwrap().pop_front()
//!     }
//! }
//!
//! # /*
//! #[test]
//! # */
//! fn the_queue_is_a_queue() {
//!     omnilink_test::check("tests/specs/Queue.tla", || {
//!         let queue = Queue::default();
//!         thread::scope(|scope| {
//!             scope.spawn(|| (1..4).for_each(|value| queue.push(value)));
//!             scope.spawn(|| (0..4).for_each(|_| _ = queue.try_pop()));
//!         });
//!     });
//! }
//! # the_queue_is_a_queue();
//! ```
//!
//! | | what calls | checked against |
//! | --- | --- | --- |
//! | [`check`] | functions with `#[omnilink::action]` | a `.tla` file |
//! | [`check_model`] | the same | a [`Model`] in Rust |
//! | [`check_calls`] | whatever is called through [`Calls::call`], without instrumentation | a [`Model`] in Rust |
//! | [`spec`], [`model`] | the same | the same, with options: constants, time limits, several runs |
//!
//! A test fails, with the explanation that `omnilink check` prints, if there is no order. It also fails if that could not be found out
//! (the verdict is *unknown*) and if nothing was checked, because no call was made. The trace of a failed test is kept, and the
//! message names its directory.
//!
//! # Paths
//! A relative path is relative to the package whose tests run, as `cargo test` tells it (`CARGO_MANIFEST_DIR`). Where a test
//! program is started by something else, it is relative to the working directory.
//!
//! # Tests side by side
//! A process has one recording at a time, while `cargo test` runs tests side by side: recordings wait for each other, and a
//! recording inside of another one is an error. Calls of instrumented functions by *other* tests at that time would be
//! recorded, too. Where that is noticed, the test fails and says so; [`alone`] is what the other test begins with.
//!
//! # One schedule at a time
//! A test sees one schedule of its threads per run. [`Test::runs`] repeats it; `cargo omnilink test` runs it under schedules
//! that provoke races.

mod calls;
mod conformance;
mod failure;
mod neighbours;
mod recording;
mod test;
mod turn;

use std::path::PathBuf;

pub use calls::Calls;
pub use failure::Failure;
pub use omnilink_check::model::{FromTla, Model, Words, ready};
pub use omnilink_macros::FromTlaInTests as FromTla;
pub use test::{OfModel, OfSpec, Run, Test};
pub use turn::{Turn, alone};

/// Runs a closure, records the instrumented functions that it and its threads call, and checks them against a specification.
///
/// # Panics
/// If no order of the calls is allowed, if it could not be found out whether there is one, or if there are no calls. A panic of
/// the closure goes on.
#[track_caller]
pub fn check(path: impl Into<PathBuf>, body: impl FnOnce()) {
    spec(path).check_once(body);
}

/// Runs a closure that makes calls through [`Calls`], and checks them against a model.
///
/// ```
/// use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
/// use std::thread;
///
/// use omnilink_test::ready::{Counter, CounterCall};
///
/// let counter = AtomicI64::new(0);
/// omnilink_test::check_calls(Counter, |calls| {
///     thread::scope(|scope| {
///         for _ in 0..2 {
///             scope.spawn(|| calls.call(CounterCall::Add(1), || counter.fetch_add(1, SeqCst)));
///         }
///         scope.spawn(|| calls.call(CounterCall::Read, || counter.load(SeqCst)));
///     });
/// });
/// ```
///
/// # Panics
/// As [`check`] does.
#[track_caller]
pub fn check_calls<M: Words>(subject: M, body: impl FnOnce(&Calls<M::Input, M::Output>))
where
    M::Input: Send + 'static,
    M::Output: Clone + Send + 'static,
{
    model(subject).check_calls_once(body);
}

/// What expansions of `#[derive(FromTla)]` use. Not a public interface: it changes with the macro.
#[doc(hidden)]
pub mod __private {
    pub use omnilink_check::model::__private::*;
}

/// Runs a closure, records the instrumented functions that it and its threads call, and checks them against a model. Its input and
/// output are read from the calls by name: see [`FromTla`](trait@FromTla).
///
/// ```
/// use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
/// use std::thread;
///
/// use omnilink_test::{FromTla, Model, Words};
///
/// static CELL: AtomicI64 = AtomicI64::new(0);
///
/// #[omnilink::action(Write(value))]
/// fn write(value: i64) {
///     CELL.store(value, SeqCst);
/// }
///
/// #[omnilink::action(Read(value = ret))]
/// fn read() -> i64 {
///     CELL.load(SeqCst)
/// }
///
/// struct Register;
///
/// #[derive(Debug, PartialEq, FromTla)]
/// enum Call {
///     Read,
///     Write { value: i64 },
/// }
///
/// impl Model for Register {
///     type State = i64;
///     type Input = Call;
///     type Output = Option<i64>;
///     type Key = ();
///
///     fn init(&self) -> i64 {
///         0
///     }
///
///     fn step(&self, state: &i64, input: &Call, output: Option<&Option<i64>>) -> impl IntoIterator<Item = i64> {
///         match input {
///             Call::Read => output.is_none_or(|read| *read == Some(*state)).then_some(*state),
///             Call::Write { value } => Some(*value),
///         }
///     }
/// }
///
/// impl Words for Register {
///     fn describe_call(&self, input: &Call, output: Option<&Option<i64>>) -> String {
///         format!("{input:?} → {output:?}")
///     }
///
///     fn describe_state(&self, state: &i64) -> String {
///         state.to_string()
///     }
/// }
///
/// omnilink_test::check_model(Register, || {
///     thread::scope(|scope| {
///         scope.spawn(|| write(1));
///         scope.spawn(|| write(2));
///         scope.spawn(read);
///     });
/// });
/// ```
///
/// # Panics
/// As [`check`] does.
#[track_caller]
pub fn check_model<M: Words>(subject: M, body: impl FnOnce())
where
    M::Input: FromTla + PartialEq,
    M::Output: FromTla,
{
    model(subject).check_once(body);
}

/// A test against a specification, with options.
///
/// ```no_run
/// # use std::time::Duration;
/// omnilink_test::spec("specs/Queue.tla").constant("Capacity = 2").timeout(Duration::from_secs(20)).runs(50).check(|run| {
///     // Threads whose random choices begin with run.seed().
/// });
/// ```
pub fn spec(path: impl Into<PathBuf>) -> Test<OfSpec> {
    Test::of_spec(path.into())
}

/// A test against a model, with options.
pub fn model<M: Words>(model: M) -> Test<OfModel<M>> {
    Test::of_model(model)
}

/// The examples of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../docs/testing.md")]
struct Testing;
