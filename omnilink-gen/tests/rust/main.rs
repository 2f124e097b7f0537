//! Projects in Rust: what they look like, that they build and run as they are, and what becomes of them when a
//! specification changes.

mod building;
mod changes;
mod golden;
mod running;
#[path = "../specs/mod.rs"]
mod specs;
