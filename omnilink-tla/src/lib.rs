//! TLA+ read as TLC reads it: parsed, compiled and evaluated natively.
//!
//! ```text
//!  files ─► syntax ─► modules ─► compile ─► ir::Program ─► eval ─► Spec: actions, init_states, successors, step, explain
//!  .cfg  ─► config ────────────────┘                        │      explore: all states, breadth first
//!                                                           └── value, builtin
//! ```
//!
//! [`Spec::load`] does all of the left side; most users need nothing but [`Spec`] and [`Value`].
//!
//! - [`syntax`]: text to a tree with a span on every node, and back.
//! - [`modules`]: which modules a specification needs and where they are.
//! - [`config`]: `.cfg` files.
//! - [`compile`]: names resolved to places, instances and replacements worked in, point updates recognised.
//! - [`ir`]: what comes out of it: the two forms of a formula, and what an environment is. Read this first.
//! - `eval`: expressions to values, actions to next states.
//! - [`value`]: values, their order, equality and fingerprints.
//! - [`builtin`]: the standard modules and CommunityModules, written natively.
//! - [`spec`]: what users ask a specification.
//! - [`explore`]: all reachable states.
//! - [`diagnostic`], [`source`]: errors with file, line, column and a caret.
//!
//! # Invariants
//! TLC is the reference: what it accepts means the same here, and states are counted as it counts them. What cannot be
//! evaluated is an error with its place, the values involved and the stack of definitions; nothing is silently taken for TRUE
//! or FALSE. No input makes this crate panic, hang in the parser or overflow the stack.

pub mod builtin;
pub mod compile;
pub mod config;
pub mod diagnostic;
mod eval;
pub mod explore;
pub mod ir;
pub mod modules;
pub mod source;
pub mod spec;
pub mod suggest;
pub mod symbol;
pub mod syntax;
pub mod value;

pub use diagnostic::TlaError;
pub use eval::{Failure, Host, Reading, STACK, World, with_stack};
pub use spec::{Options, Spec, State};
pub use value::Value;
