//! From a verdict to what people and programs read.
//!
//! ```text
//!  Checked ──► Report ──┬──► JSON, or text
//!                       └──► Counterexample ──► out.omni
//!  Order ──► witness, violated invariants
//! ```
//!
//! - [`model`]: the report, all of it plain data that is written as JSON and read again. `docs/checking.md` says how it
//!   is to be read.
//! - `maker`: puts it together; `calls`, `reasons`, `stuck`, `core`, `notes` and `advice` make its parts.
//! - [`note`]: what the reader of a verdict should know about how it came about.
//! - [`text`]: the report for people; [`event_name`]: what it calls an event.
//! - [`counterexample`]: the file that viewers open, described in `docs/counterexample-format.md`.
//! - [`consistency`]: what is told about criteria other than linearizability.
//! - [`partition`]: independent parts of a trace that were checked one by one.
//! - [`witness`]: an order that was found, step by step, and the invariants along it.
//!
//! Values of the specification are TLA+ text here: nothing computes with a report.

mod advice;
mod calls;
pub mod consistency;
mod core;
pub mod counterexample;
pub mod event_name;
mod maker;
pub mod model;
pub mod note;
mod notes;
pub mod partition;
mod reasons;
mod stuck;
pub mod text;
pub mod witness;

pub use maker::{Maker, failed, name_of, stopped_early, unknown};
pub use model::{Report, Status, Verdict};
pub use notes::never_recorded;
