//! `omnilink run`: records and checks runs in a loop.
//!
//! ```text
//!  Campaign ── a run ──► Examiner: how it ended, check::Job ──► Finding      in the thread that made it
//!                                                                  │
//!              Journal: kept or taken away, counted ◄──────────────┘         one after the other
//!                 │
//!                 └──► Summary, and the Failing run ──► text or JSON, with the commands to go on with
//! ```
//!
//! - [`examine`]: judges a run; [`misuse`]: detects runs that say nothing about the program.
//! - [`journal`]: keeps or deletes runs; [`summary`]: counts them.
//! - [`groups`]: failures grouped by cause, with --keep-going; [`sizes`]: failure rates by size.
//! - [`junit`], [`annotations`]: the failures for services that run tests.
//! - [`failing`]: a failed run, as it is printed; [`commands`]: the commands that replay, debug and check it.
//! - [`project`]: the specification and the program of a project, if neither is given.

pub mod annotations;
pub mod commands;
pub mod examine;
pub mod failing;
pub mod groups;
pub mod journal;
pub mod junit;
mod misuse;
pub mod project;
pub mod sizes;
pub mod summary;
