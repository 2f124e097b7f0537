//! Checking traces against a specification, as `omnilink check` and `omnilink run` do it.
//!
//! ```text
//!  arguments ──traces──► paths ──pool (-j)──► Job: cache, load, prepare, check, report ──► Outcome
//!                                   │                                                        │
//!                                   └──► Board: one line of progress      text, JSON, junit ◄┘
//! ```
//!
//! - [`args`]: what users say about checking, whichever verb checks.
//! - [`traces`]: which traces the arguments name.
//! - [`job`]: one trace, from its file to its report; `key`, `cache` and [`hash`] spare what was done before.
//! - [`recorder`]: what whoever recorded a run knows besides.
//! - [`stored`]: the runs of a store; [`judge`]: verdicts in a store.
//! - [`engine`] and [`rules`]: who searches, and what users say about events.
//! - [`pool`]: several at once, and their reports in the order of the command line.
//! - [`text`], `core_text`, `stuck_text`, `reason_text`, `call_table` and [`junit`]: how reports look.

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
