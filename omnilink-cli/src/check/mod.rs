//! Checking traces against a specification, as `omnilink check` and `omnilink run` do it.
//!
//! ```text
//!  arguments ──traces──► paths ──pool (-j)──► Job: cache, load, prepare, check, report ──► Outcome
//!                                   │                                                        │
//!                                   └──► Board: one line of progress      text, JSON, junit ◄┘
//! ```
//!
//! - [`args`]: the options of verbs that check.
//! - [`traces`]: the traces that the arguments name.
//! - [`job`]: one trace, from its file to its report; `key`, `cache` and [`hash`]: the cache of verdicts.
//! - [`recorder`]: notes of the recorder of a run.
//! - [`stored`]: checks the runs of a store; [`judge`]: verdicts in a store.
//! - [`engine`], [`rules`] and [`consistency`]: the engine, the rules for events, and criteria other than linearizability.
//! - [`pool`]: checks several traces in parallel, and orders their reports as on the command line.
//! - [`junit`]: rendering of reports; as text, `omnilink-check` renders them; `witness_text`, `linearization_text`: rendering of an order and of a linearization.

pub mod args;
mod cache;
pub mod consistency;
pub mod engine;
pub mod hash;
pub mod job;
pub mod judge;
pub mod junit;
mod key;
mod linearization_text;
pub mod pool;
pub mod progress;
pub mod recorder;
pub mod rules;
pub mod stored;
pub mod traces;
mod witness_text;
