//! `omnilink store`: the output of its verbs.
//!
//! - [`list`]: a line per run or campaign.
//! - [`show`]: one run in full.

pub mod list;
pub mod show;
