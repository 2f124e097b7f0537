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
//! - [`engine`] and [`rules`]: the engine, and the rules for events.
//! - [`pool`]: checks several traces in parallel, and orders their reports as on the command line.
//! - [`text`], `core_text`, `stuck_text`, `reason_text`, `call_table` and [`junit`]: rendering of reports; `witness_text`: rendering of an order.

pub mod args;
mod cache;
mod call_table;
mod core_text;
pub mod engine;
pub mod hash;
pub mod job;
pub mod judge;
pub mod junit;
mod key;
pub mod pool;
pub mod progress;
mod reason_text;
pub mod recorder;
pub mod rules;
pub mod stored;
mod stuck_text;
pub mod text;
pub mod traces;
mod witness_text;
