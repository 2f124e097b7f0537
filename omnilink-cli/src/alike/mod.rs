//! Runs that failed alike: one group for `omnilink run --keep-going` and for reports.
//!
//! - [`cause`]: in which way a run failed.
//! - [`groups`]: which ways belong together.
//! - [`rate`]: how often, with how sure one can be of that.

pub mod cause;
pub mod groups;
pub mod rate;
