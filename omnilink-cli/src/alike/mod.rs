//! Failed runs grouped by cause, for `omnilink run --keep-going` and for reports.
//!
//! - [`cause`]: the way in which a run failed.
//! - [`groups`]: which ways belong to one cause.
//! - [`rate`]: the failure rate, with a confidence interval.

pub mod cause;
pub mod groups;
pub mod rate;
