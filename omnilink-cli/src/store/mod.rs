//! How what is in a store is shown.
//!
//! - [`list`]: a line per run or campaign.
//! - [`show`]: all that is known of one run.

pub mod list;
pub mod show;
