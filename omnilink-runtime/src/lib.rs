//! Records which actions of a specification a program performs, with which values, inside which timeboxes.
//!
//! ```text
//!   begin(site) ─► Op ─► arg … ─► end           one relaxed load if nothing is recorded
//!                  │
//!                  ▼
//!    thread ──► Lane: control block with the call in flight, stream of records   (a mapped file, written in place)
//!                  ▲ windows                        │
//!               mapper                              ▼
//!                                    run directory: 00000.lane 00001.lane … run.json
//! ```
//!
//! A [`Site`] is a place in the program that performs an action. A call there is an [`Op`]. Each thread records to a
//! *lane* of its own, a file that is mapped into memory: recording is a few stores, without locks, system calls or
//! allocation, and what a thread has committed is in the page cache, where it survives whatever happens to the process. So does
//! the call in flight. A [`Session`] is the recorder of a process; without one, `OMNILINK_TRACE_DIR` starts it.
//!
//! What a newcomer should read, in this order: `control` (how a call is published), `lane` (a call's life), `op` (what users hold),
//! `session` (the recorder), `supply` (where memory comes from), [`clock`] (why boxes enclose their calls). [`fuzz`] is the loop that
//! generated fuzzers run; `ffi`, a feature of the same name, is this interface for C.
//!
//! Invariants: the runtime never panics into the program and never blocks it for long; if it cannot record any more, it says so once
//! and the program goes on. It knows nothing of specifications, reading or checking.

mod args;
mod builder;
mod call;
mod channel;
pub mod clock;
mod control;
pub mod current;
mod declared;
#[cfg(feature = "ffi")]
pub mod ffi;
mod fork;
pub mod fuzz;
mod lane;
mod lasting;
mod mapping;
mod meta;
mod op;
mod pool;
mod run_file;
mod say;
mod session;
mod site;
mod skew;
mod state;
mod stop;
mod stream;
mod supply;
mod sync;
mod table;
mod thread;
mod to_tla;

pub use builder::{SessionBuilder, StartError};
pub use clock::ClockKind;
pub use lane::omnilink_action_begins;
pub use meta::Meta;
pub use omnilink_trace::Value;
pub use omnilink_trace::encode::Encoder;
pub use op::{AsyncOp, Op, begin, enter, enter_async};
pub use session::{Nested, Session, Summary};
pub use site::{ActionDef, Site};
pub use stop::StopReason;
pub use thread::{open_lane, terminate};
pub use to_tla::{Digits, ToTla};
