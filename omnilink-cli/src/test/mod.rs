//! The tests of a Cargo package under the chaos scheduler.
//!
//! ```text
//!  cargo test --no-run ──build──► Program … ──list──► TestCase … ──trial──► Trial ──► text, JSON
//! ```
//!
//! - [`build`]: the test programs of the package, as Cargo builds them.
//! - [`list`]: the tests that they consist of.
//! - [`trial`]: one test: many times under the scheduler; if it fails there, once without.
//! - [`summary`]: all of them.

pub mod build;
pub mod list;
pub mod summary;
pub mod trial;
