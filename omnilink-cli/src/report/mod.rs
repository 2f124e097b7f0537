//! `omnilink report`: the results of campaigns as pages.
//!
//! ```text
//!  store ──gather──► model ──► html (svg) ──► index.html, campaign-N.html
//!                      │   └─► markdown ────► index.md, campaign-N.md
//!                      └─────► JSON                       counterexamples/*.omni, specs/…
//! ```
//!
//! - [`gather`]: builds the model from rows and documents of the store, with [`failures`], [`schedules`] and
//!   [`measures`].
//! - [`model`]: the content of a report, independent of its format.
//! - [`coverage_status`]: the coverage status of an action or a branch.
//! - [`html`], [`page`], [`svg`] and [`markdown`]: rendering. [`words`]: numbers and times as text.
//! - [`files`]: writes the files.
//!
//! Invariants: a page needs only itself and the files beside it (no network, no script). Text of programs, arguments and
//! formulas cannot become markup: only [`html::Html`] makes markup, and it escapes everything that is not
//! a literal of this program. A report states which numbers were not measured.

pub mod coverage_status;
pub mod failures;
pub mod files;
pub mod gather;
pub mod html;
pub mod markdown;
pub mod measures;
pub mod model;
pub mod page;
pub mod schedules;
pub mod svg;
pub mod words;
