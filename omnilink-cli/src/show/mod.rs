//! `omnilink show`: selects records of a trace, prints them, and summarises them.
//!
//! ```text
//!  Trace ──records, merged by start──► Selection (Filter) ──┬──► Lines: one per record, text or JSON
//!                                                           └──► Tally ──► Report ──► ReportText, or JSON
//! ```
//!
//! Each record is visited once. Only counts, the open calls and the few widest timeboxes are kept, so
//! memory use depends on the number of lanes, not on the length of the trace.

mod call;
mod filter;
mod line;
mod open_calls;
mod report;
mod selection;
mod tally;
mod text;
pub mod time;
mod widest;

pub use call::{Meta, Update, unusual};
pub use filter::{Filter, Wanted};
pub use line::Lines;
pub use report::Report;
pub use selection::Selection;
pub use text::ReportText;
