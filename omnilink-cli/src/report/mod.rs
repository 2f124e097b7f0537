//! `omnilink report`: what campaigns came to, as pages that people look at instead of logs.
//!
//! ```text
//!  store ──gather──► model ──► html (svg) ──► index.html, campaign-N.html
//!                      │   └─► markdown ────► index.md, campaign-N.md
//!                      └─────► JSON                       counterexamples/*.omni, specs/…
//! ```
//!
//! - [`gather`]: rows and documents of the store to a model; [`failures`], [`schedules`] and [`measures`] do their
//!   part.
//! - [`model`]: what a report says, whatever it looks like.
//! - [`coverage_status`]: the coverage status of an action or a branch.
//! - [`html`], [`page`], [`svg`] and [`markdown`]: how it looks. [`words`]: numbers and times as people read them.
//! - [`files`]: where all of it is written.
//!
//! Invariants: a page needs nothing but itself (no network, no script) and the files beside it. Whatever programs,
//! arguments or formulas are called, text stays text: only [`html::Html`] makes markup, and it escapes all that is not
//! a literal of ours. Nothing is claimed that was not measured: what was not, is said.

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
