//! TLA+ read as TLC reads it: parsed, compiled and evaluated natively.
//!
//! [`Spec::load`] reads a specification. A [`Spec`] lists its actions, finds initial states and successors, runs one action
//! with given arguments from a given state, and explains why it could not happen:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use omnilink_tla::{Options, Spec, Value};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("Queue.tla");
//! std::fs::write(
//!     &path,
//!     r"---- MODULE Queue ----
//! EXTENDS Naturals, Sequences
//! VARIABLE queue
//! Init == queue = <<>>
//! Enqueue(elem) == queue' = Append(queue, elem)
//! Dequeue(elem) == queue # <<>> /\ elem = Head(queue) /\ queue' = Tail(queue)
//! Next == \E elem \in Nat : Enqueue(elem) \/ Dequeue(elem)
//! ====",
//! )?;
//! let spec = Spec::load(&path, &Options::default())?;
//! let (enqueue, dequeue) = (spec.action("Enqueue").unwrap(), spec.action("Dequeue").unwrap());
//!
//! let mut init = None;
//! spec.init_states(&mut |state| {
//!     init = Some(state);
//!     ControlFlow::Break(())
//! })?;
//! let init = init.unwrap();
//!
//! let steps = spec.step(&init, enqueue, &[Some(Value::Int(7))])?;
//! assert_eq!(spec.show(&steps[0].next).to_string(), r"/\ queue = <<7>>");
//!
//! // An argument that is not known is solved for.
//! let steps = spec.step(&steps[0].next, dequeue, &[None])?;
//! assert_eq!(steps[0].args, [Some(Value::Int(7))]);
//!
//! // Why not?
//! let explanation = spec.explain(&init, dequeue, &[Some(Value::Int(7))])?;
//! assert!(explanation.to_string().contains("queue # <<>>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | |
//! | --- | --- |
//! | [`spec`] | what a specification can be asked |
//! | [`value`] | values, their order, equality and fingerprints |
//! | [`explore`] | all reachable states, breadth first |
//! | [`config`] | `.cfg` files |
//! | [`diagnostic`], [`source`] | errors with file, line, column and a caret |
//!
//! # How it works
//!
//! ```text
//!  files ─► syntax ─► modules ─► compile ─► ir::Program ─► eval ─► Spec: actions, init_states, successors, step, explain
//!  .cfg  ─► config ────────────────┘                        │      explore: all states, breadth first
//!                                                           └── value, builtin
//! ```
//!
//! `syntax` makes a tree of a text, with a span on every node; `modules` finds the modules that a specification needs; `compile`
//! resolves names to places, works in instances and replacements and recognises point updates; `ir` is what comes out of it (read
//! it first: its page says what environments are and why a formula has two forms); `eval` evaluates expressions and runs actions;
//! `builtin` has the standard modules and CommunityModules. These are private. OmniLink's own crates reach them through
//! `internal`, which is hidden and may change with every version.
//!
//! # Invariants
//! TLC is the reference: what it accepts means the same here, and states are counted as it counts them. What cannot be
//! evaluated is an error with its place, the values involved and the stack of definitions; nothing is silently taken for TRUE
//! or FALSE. No input makes this crate panic, hang in the parser or overflow the stack.

mod builtin;
mod compile;
pub mod config;
pub mod diagnostic;
mod eval;
pub mod explore;
mod ir;
mod modules;
pub mod source;
pub mod spec;
mod suggest;
pub mod symbol;
mod syntax;
pub mod value;

/// The inner modules, for OmniLink's own crates and tests. Not part of the public interface: any version may change them.
#[doc(hidden)]
pub mod internal {
    #![allow(missing_docs)]

    /// What the checker asks about actions and constants: compiled actions, footprints, uses of constants.
    pub mod analysis {
        pub use crate::spec::analysis::*;
    }
    pub mod builtin {
        pub use crate::builtin::*;
    }
    pub mod compile {
        pub use crate::compile::*;
    }
    pub mod ir {
        pub use crate::ir::*;
    }
    pub mod modules {
        pub use crate::modules::*;
    }
    pub mod suggest {
        pub use crate::suggest::*;
    }
    pub mod syntax {
        pub use crate::syntax::*;
    }
}

pub use diagnostic::TlaError;
pub use eval::{Failure, Host, Reading, STACK, World, with_stack};
pub use spec::{Options, Spec, State};
pub use value::Value;
