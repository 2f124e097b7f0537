//! Is there an order of a trace's events that a specification allows?
//!
//! ```text
//!  spec.tla ─► subject ─► Spec ──────────┐   constants inferred, users' rules worked in
//!  trace ────► prepare ─► History ───────┼─► check ─► Verdict ─► report   what people and programs read
//!                         (order: what    │     │          └────► shrink   a smaller reason for a rejection
//!                          is tried first)│   search: configurations = positions per lane + state
//! ```
//!
//! An event may come next iff no other lane's next event had ended before it began. The search places one event after the
//! other in every such way and keeps those ways in which the specification has a step for each. Read [`search`] for how that is
//! kept small, [`history`] for what it works on.
//!
//! # Invariants
//! A verdict is a claim about the program, so nothing is guessed: what cannot be evaluated is no rejection, what was not searched
//! is unknown, and an order that was found can be walked again step by step. Knows nothing of recording and schedulers.

pub mod boxes;
pub mod check;
pub mod conditions;
mod configuration;
pub mod constants;
pub mod coverage;
pub mod dependence;
pub mod error;
pub mod history;
mod order;
pub mod prepare;
pub mod recorded;
pub mod report;
pub mod rules;
pub mod search;
pub mod shrink;
pub mod subject;
pub mod tlc;
pub mod value;
mod vocabulary;
mod witness;
