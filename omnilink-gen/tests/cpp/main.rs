//! C++ projects: what is generated, and that it builds, runs and records.

mod bound;
mod errors;
mod golden;
mod package;
mod queue;
#[path = "../specs/mod.rs"]
mod specs;
mod support;
