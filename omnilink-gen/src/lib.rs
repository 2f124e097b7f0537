//! Fuzzers from specifications: every operator that the next-state relation leads to becomes an action that a program
//! performs at random and records.
//!
//! ```text
//!                 read                      rust::files, cpp::files          project
//!  omnilink_tla ────────►  Model  ───────────────────────────────►  Files ──────────────► directory
//!   Spec::load             actions,          names → identifiers,           the generator's: rewritten
//!                          parameters,       types, templates               the user's: written once
//!                          guessed types                                          │
//!       ▲                                                                         │
//!       └──────── Recipe: the options that a project was made with ◄──────────────┘
//! ```
//!
//! [`generate()`] is the entry point. Read in this order: [`model`] (what the templates use), [`mod@read`] (how it is
//! derived from a specification), [`rust`] or [`cpp`] (the templates), [`project`] and [`recipe`] (what is kept when a
//! project is generated again).
//!
//! # What is generated
//! In every language: a struct per action with a typed field per parameter, and one function per action for
//! the user to fill in, which performs a call and returns *what happened*. The call may have performed another action
//! than the intended one (a dequeue finds nothing); functions declare which, so that a call that never returns
//! has exactly these candidates. A missing or superfluous function is a compile error that names it, so after a change of
//! the specification the compiler shows which functions to change.
//!
//! # Invariants
//! - Nothing that a user wrote is ever overwritten.
//! - The same specification and options give the same generated files on every machine.
//! - Text of a specification cannot end an identifier, a string or a comment.
//! - A type is never narrower than its bounds allow; if the bounds are unknown, it is a dynamic value.
//! - Nothing is evaluated: constants may have no values, and sets may be infinite.

pub mod cpp;
pub mod dependency;
pub mod error;
pub mod generate;
pub mod language;
pub mod model;
mod paths;
pub mod project;
pub mod project_file;
pub mod read;
pub mod recipe;
pub mod rust;
pub mod template;
mod text;
mod words;

pub use dependency::Dependency;
pub use error::Error;
pub use generate::{Generated, Request, generate};
pub use language::Language;
pub use read::{Choice, Reading, read};
