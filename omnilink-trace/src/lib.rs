//! The event model and the trace format.
//!
//! A program under test writes one file per *lane* (a thread, or one of several concurrently open async calls) to a run
//! directory. Every call is an event in one of these files: an action of the specification with its argument
//! values and its timebox `[start, end]`.
//!
//! ```text
//!  omnilink-runtime ──encode──► 00000.lane 00001.lane … run.json ──read──► Trace ──► lanes of Records
//!                                                │                           ▲
//!                                                └──pack──► run.tar.zst ──────┤
//!                                    JSON lines, upstream OmniLink logs ──import──┘
//! ```
//!
//! - [`layout`] and [`encode`] are the core that the runtime links into other people's programs: no allocation, no
//!   dependency, always compiled.
//! - Feature `read` (default): the model ([`value`], [`event`]), the reader, imports and exports.
//! - Feature `pack` (default): a run as one file.
//!
//! ```no_run
//! use omnilink_trace::{Record, Trace};
//! let trace = Trace::open("run")?;
//! for notice in trace.notices() {
//!     eprintln!("{notice}");
//! }
//! for record in trace.records() {
//!     if let Record::Event(event) = record? {
//!         println!("lane {}: {} ns", event.lane, trace.ns(event.timebox.start));
//!     }
//! }
//! # Ok::<(), omnilink_trace::TraceError>(())
//! ```
//!
//! Reading has two passes. [`Trace::open`] detects the format of a path (`open`) and makes one pass over every lane (`scan`):
//! it validates everything, merges the tables into one [`Vocabulary`], finds cuts and stops, and builds no values. Events are
//! decoded later, by iterators ([`Records`], [`Merged`]). Both passes read a file through a `window`, so a
//! trace may be larger than memory. Packed runs are held in memory. Imports ([`jsonl`], [`upstream`]) are converted to lanes of
//! the binary format in memory ([`TraceBuilder`]) and opened in the same way, so there is one reader and one set of rules.
//!
//! `docs/trace-format.md` describes the format, `docs/json-lines.md` its text form.
//!
//! Invariants: this crate does not know specifications. Reading never panics, whatever the bytes; data that cannot be
//! read is an error with file and offset, or, for a torn tail, a reported cut. Nothing is guessed: an
//! argument that was not recorded is unknown.

pub mod encode;
pub mod layout;
mod msgpack;
pub mod value;

#[cfg(feature = "pack")]
pub mod archive;
#[cfg(feature = "read")]
mod builder;
#[cfg(feature = "read")]
mod call;
#[cfg(feature = "read")]
mod control;
#[cfg(feature = "read")]
mod count;
#[cfg(feature = "read")]
mod decode;
#[cfg(feature = "read")]
pub mod error;
#[cfg(feature = "read")]
pub mod event;
#[cfg(feature = "read")]
pub mod jsonl;
#[cfg(feature = "read")]
mod lane;
#[cfg(feature = "read")]
mod merge;
#[cfg(feature = "read")]
mod open;
#[cfg(feature = "pack")]
mod pack;
#[cfg(feature = "read")]
mod record;
#[cfg(feature = "read")]
mod records;
#[cfg(feature = "read")]
pub mod run;
#[cfg(feature = "read")]
mod scan;
#[cfg(feature = "read")]
mod signature;
#[cfg(feature = "read")]
mod slot;
#[cfg(feature = "read")]
mod source;
#[cfg(feature = "read")]
mod table;
#[cfg(feature = "read")]
mod trace;
#[cfg(feature = "read")]
pub mod upstream;
#[cfg(feature = "read")]
mod window;
#[cfg(feature = "read")]
mod write;

#[cfg(feature = "read")]
pub use builder::TraceBuilder;
#[cfg(feature = "read")]
pub use call::Call;
#[cfg(feature = "read")]
pub use count::count_calls;
#[cfg(feature = "read")]
pub use error::{Finding, Notice, Problem, TraceError};
#[cfg(feature = "read")]
pub use event::{
    Action, ActionId, Argument, Candidates, Effect, Event, LaneId, NameId, Outcome, Record, Termination, Timebox,
    Vocabulary,
};
#[cfg(feature = "read")]
pub use lane::{Lane, LaneEnd, StopReason};
#[cfg(feature = "read")]
pub use merge::Merged;
#[cfg(feature = "pack")]
pub use pack::{pack, unpack};
#[cfg(feature = "read")]
pub use records::Records;
#[cfg(feature = "read")]
pub use run::{ClockKind, Run};
#[cfg(feature = "read")]
pub use signature::{Declaration, Signature};
#[cfg(feature = "read")]
pub use trace::{OpenOptions, TimeUnit, Trace};
#[cfg(feature = "read")]
pub use write::write_run;

pub use value::Value;
