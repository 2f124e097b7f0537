//! Runs made and checked in a loop, as `omnilink run` does it.
//!
//! ```text
//!  Campaign ── a run ──► Examiner: how it ended, check::Job ──► Finding      in the thread that made it
//!                                                                  │
//!              Journal: kept or taken away, counted ◄──────────────┘         one after the other
//!                 │
//!                 └──► Summary, and the Failing run ──► text or JSON, with the commands to go on with
//! ```
//!
//! - [`examine`]: what a run comes to; [`misuse`]: when it says nothing about the program.
//! - [`journal`]: what becomes of it, and [`summary`]: what all came to.
//! - [`groups`]: failures of one cause together, if the loop goes on after them; [`sizes`]: which sizes fail how often.
//! - [`failing`]: the run that ended the loop, as it is told; [`commands`]: how to go on with it.

pub mod commands;
pub mod examine;
pub mod failing;
pub mod groups;
pub mod journal;
mod misuse;
pub mod sizes;
pub mod summary;
