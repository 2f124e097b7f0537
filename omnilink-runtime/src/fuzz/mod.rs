//! The fuzz loop: threads that call a system at random and record what it does.
//!
//! ```no_run
//! use std::process::ExitCode;
//! use std::sync::Mutex;
//! use omnilink_runtime::fuzz::{Fuzz, Unsupported};
//!
//! fn main() -> ExitCode {
//!     Fuzz::<Mutex<Vec<u64>>>::new("Stack")
//!         .action("Push", &["elem"], |cx| {
//!             let elem = cx.random.below(100);
//!             cx.set("elem", &elem);
//!             cx.call(|stack, _| stack.lock().unwrap().push(elem));
//!             Ok(())
//!         })
//!         .action("Pop", &["elem"], |cx| {
//!             let elem = cx.call(|stack, _| stack.lock().unwrap().pop()).ok_or(Unsupported)?;
//!             cx.set("elem", &elem);
//!             Ok(())
//!         })
//!         .weight("Push", 2)
//!         .main(|_| Ok(Mutex::new(Vec::new())))
//! }
//! ```
//!
//! # A run
//!
//! Threads are started one after the other: thread *i* opens lane *i* under the name `fuzz-<i>` and makes its state.
//! When the last is ready all begin at once. Then each repeats, until a limit is reached:
//!
//! 1. draw an action by weight (one [`Random::below`] of the sum of weights; the actions share `0..sum` in order of
//!    declaration), unless the one before has said what comes next ([`Context::then`]);
//! 2. begin the operation, call the action's closure, which draws further numbers for its inputs;
//! 3. `Ok(())`: the operation ends and is recorded. `Err(Unsupported)`: nothing happened, nothing is recorded, back
//!    to 1; after too many such failures in a row the thread ends. A panic: the operation is recorded as
//!    indeterminate, the thread ends, the others go on.
//!
//! At last the clean-up hook is called (not after a panic), and the thread's termination is recorded with what it
//! notes and with `omnilink.ended`: `"limit"`, `"unsupported"` or `"panic"`.
//!
//! **Return `Unsupported` only if the system was not changed.** `Pop` above may: popping from an empty stack does
//! nothing. If the specification has an action for that result too, use [`Fuzz::choice`], and the observation that the
//! stack was empty is checked as well.
//!
//! The loop allocates nothing per step and shares nothing between threads: no counter, no lock, whose ordering
//! could hide a race of the system under test.
//!
//! # Repeating a run
//!
//! The seed decides what every thread draws (see [`random`]), so the same seed gives every thread the same actions with
//! the same inputs, as long as its choices depend on its own draws alone. How the threads interleave is up to the
//! scheduler. If no seed is given one is drawn, printed and recorded.
//!
//! # Settings
//!
//! The command line wins over the environment, that over the builder, that over the defaults: setting by setting, and for
//! weights action by action. A variable that is set but empty counts as not set.
//!
//! | option | variable | builder | meaning and default |
//! | --- | --- | --- | --- |
//! | `--threads N` | `OMNILINK_THREADS` | [`threads`](Fuzz::threads) | threads that call the system; 4 |
//! | `--ops N` | `OMNILINK_OPERATIONS` | [`operations`](Fuzz::operations) | operations per thread; 1000 if no limit at all is set |
//! | `--total-ops N` | `OMNILINK_TOTAL_OPERATIONS` | [`total_operations`](Fuzz::total_operations) | operations of all threads, divided evenly beforehand; no limit |
//! | `--duration TIME` | `OMNILINK_DURATION` | [`duration`](Fuzz::duration) | time in which operations are begun, `500ms`, `10s`, `5m`, `2h`; no limit |
//! | `--seed N` | `OMNILINK_SEED` | [`seed`](Fuzz::seed) | from what all choices follow; drawn |
//! | `--weights A=3,B=0` | `OMNILINK_WEIGHTS` | [`weight`](Fuzz::weight) | how often actions are tried; 1 each. Given again, it adds to what was given, and the last weight of an action counts |
//! | `--trace-dir DIR` | `OMNILINK_TRACE_DIR` | [`trace_directory`](Fuzz::trace_directory) | where to record; a new directory `omnilink-trace-<n>` in the working directory, named in the messages |
//! | `--consecutive-failures N` | `OMNILINK_CONSECUTIVE_FAILURES` | [`consecutive_failures`](Fuzz::consecutive_failures) | unsupported attempts in a row that end a thread; 10,000 |
//! | `--list-actions` | | | print the actions with parameters and weights, and do nothing else |
//! | `--help` | | | print all this |
//!
//! Whoever makes many runs can choose other defaults for each of them: `OMNILINK_VARY=3x20` means three threads, and twenty
//! operations of each if no limit at all is set. What anybody says about them is kept. `omnilink run` sets it.
//!
//! The limits can be `unlimited`, to lift one of a lower layer. All that are set hold; a thread ends at the first. With
//! none the run goes on until it is killed, which loses nothing of the trace.
//!
//! If standard error is a terminal a progress line is shown there, by a thread of its own; not if
//! `OMNILINK_HELPER_THREADS` is `0`, which schedulers that run one thread at a time set.
//!
//! # Exit codes
//!
//! | code | meaning |
//! | --- | --- |
//! | 0 | every thread reached a limit or found nothing more to do, and something was recorded |
//! | 2 | wrong use, or recording could not start |
//! | 3 | no action was ever supported: the trace is empty, and removed if its directory was made for it |
//! | 4 | recording stopped early (a full disk, say): the trace is incomplete, and says where it ends |
//! | 101 | an action, a clean-up or the making of a state panicked |
//!
//! If several apply, 101 wins over 4, and that over 3.

mod builder;
mod chacha;
mod command;
mod context;
mod directory;
mod error;
mod execute;
mod options;
mod progress;
pub mod random;
mod report;
pub(crate) mod sequel;
mod settings;
mod sizes;
mod start_line;
mod values;
mod weights;
mod worker;

pub use builder::{Fuzz, Options};
pub use context::{Attempt, Cleanup, Context, Start, Unsupported};
pub use error::FuzzError;
pub use random::Random;
pub use report::{ActionCount, Report, ThreadEnd, ThreadReport};

/// The run went through.
pub const EXIT_OK: u8 = 0;
/// Wrong use, or recording could not start.
pub const EXIT_USAGE: u8 = 2;
/// No action was ever supported.
pub const EXIT_EMPTY: u8 = 3;
/// Recording stopped early.
pub const EXIT_STOPPED: u8 = 4;
/// Something panicked; the code that Rust gives to a panic in `main`.
pub const EXIT_PANIC: u8 = 101;
