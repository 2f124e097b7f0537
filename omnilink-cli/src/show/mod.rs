//! Looking at a trace: which records are selected, how each looks, what they amount to.
//!
//! ```text
//!  Trace ──records, merged by start──► Selection (Filter) ──┬──► Lines: one per record, text or JSON
//!                                                           └──► Tally ──► Report ──► ReportText, or JSON
//! ```
//!
//! Everything here sees each record once and keeps only counts, the calls that are open and the few widest boxes, so
//! that traces of any length pass through in the memory of their lanes.

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
