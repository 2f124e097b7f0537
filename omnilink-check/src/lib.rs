//! Is there an order of a trace's events that a specification allows?
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use std::time::Instant;
//!
//! use omnilink_check::check::{self, Verdict, check};
//! use omnilink_check::prepare::prepare;
//! use omnilink_check::rules::Rules;
//! use omnilink_check::search::{Control, Limits};
//! use omnilink_tla::{Options, Spec};
//! use omnilink_trace::jsonl;
//!
//! # let directory = tempfile::tempdir()?;
//! # let (spec, trace) = (directory.path().join("Register.tla"), directory.path().join("trace.jsonl"));
//! std::fs::write(
//!     &spec,
//!     r"---- MODULE Register ----
//! EXTENDS Naturals
//! VARIABLE value
//! Init == value = 0
//! Write(v) == value' = v
//! Read(v) == v = value /\ UNCHANGED value
//! Next == \E v \in Nat : Write(v) \/ Read(v)
//! ====",
//! )?;
//! // Two writes overlap, then 1 is read: the write of 2 took effect first.
//! std::fs::write(
//!     &trace,
//!     r#"{"thread":0,"start":10,"end":30,"op":"Write","v":1}
//! {"thread":1,"start":20,"end":40,"op":"Write","v":2}
//! {"thread":0,"start":50,"end":60,"op":"Read","v":1}
//! "#,
//! )?;
//! let spec = Spec::load(&spec, &Options::default())?;
//! let prepared = prepare(&spec, &jsonl::read(&trace)?, &Rules::default())?;
//! let mut control = Control {
//!     interrupt: &AtomicBool::new(false),
//!     progress: &mut |_| {},
//!     limits: Limits::default(),
//!     began: Instant::now(),
//! };
//! let checked = check(&spec, &prepared, &check::Options::default(), &mut control)?;
//! let Verdict::Accepted(order) = checked.verdict else { panic!("there is an order") };
//! assert_eq!(order.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//!  spec.tla ─► subject ─► Spec ──────────┐   constants inferred, users' rules worked in
//!  trace ────► prepare ─► History ───────┼─► check ─► Verdict ─► report   what people and programs read
//!                         (order: what    │     │          └────► shrink   a smaller reason for a rejection
//!                          is tried first)│   search: configurations = positions per lane + state
//! ```
//!
//! An event may come next iff no other lane's next event had ended before it began. The search places one event after the
//! other in every such way, as long as the specification has a step for each. Read [`search`] for how that is
//! kept small, [`history`] for what it works on.
//!
//! | module | |
//! | --- | --- |
//! | [`subject`] | a specification as it is checked: constants inferred, rules resolved |
//! | [`mod@prepare`] | a trace as the search needs it: a [`history`] |
//! | [`mod@check`], [`search`] | the verdict, and the limits of the search for it |
//! | [`shrink`] | a smaller reason for a rejection |
//! | [`report`], [`coverage`], [`boxes`] | what people and programs read: verdicts, exercised actions, widths of timeboxes |
//! | [`rules`], [`constants`], [`recorded`] | users' rules for events; inferred constants; what a trace recorded |
//! | [`tlc`] | the same question, asked of TLC |
//! | [`model`] | models in Rust instead of specifications |
//! | [`consistency`] | criteria other than linearizability |
//! | [`timeline`], [`history`] | the events of a trace: when they happened, what they stand for |
//!
//! # Invariants
//! A verdict is a claim about the program, so nothing is guessed: what cannot be evaluated is no rejection, what was not searched
//! is unknown, and an order that was found can be replayed step by step. Knows nothing of recording and schedulers.

pub mod boxes;
pub mod check;
mod conditions;
mod configuration;
pub mod consistency;
pub mod constants;
pub mod coverage;
mod dependence;
pub mod error;
pub mod history;
pub mod model;
mod order;
mod parts;
pub mod prepare;
pub mod recorded;
pub mod report;
pub mod rules;
pub mod search;
pub mod shrink;
pub mod subject;
pub mod timeline;
pub mod tlc;
mod value;
mod vocabulary;
mod witness;

/// The examples of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../docs/models.md")]
struct Models;

/// The examples of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../docs/consistency.md")]
struct ConsistencyCriteria;
