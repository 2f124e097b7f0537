//! The binary `omnilink`.
//!
//! A verb parses its options, calls the library that does the work, and renders what it gave back:
//!
//! ```text
//!  command line ──► verbs/<verb>.rs ──► omnilink-tla, omnilink-trace, … ──► palette / JSON ──► terminal
//!                        │                              │
//!                        └────────── failure.rs ◄───────┘   error: …  hint: …   (exit code 2)
//! ```
//!
//! - [`verbs`]: one file per verb.
//! - [`specification`]: which specification to load, with what; [`spec`] and [`explore`] describe it and its states.
//! - [`gen_fuzzer`]: what became of the files of a generated project.
//! - [`check`]: traces held against a specification, and how the verdicts are told.
//! - [`show`]: filters, the line of an event and the summary of a trace, all in one pass and in bounded memory.
//! - [`record`]: where programs and their runs are, and what is said while runs are made.
//! - [`replay`]: what is said of a run that was made again, and which of its events a debugger waits for.
//! - [`run`]: runs made and checked in a loop.
//! - [`store`]: how runs and campaigns of a store are shown.
//! - [`report`]: what campaigns came to, as pages.
//! - [`doctor`]: one small function per thing that can be missing on a machine.
//! - [`failure`], [`palette`], [`status_line`], [`interrupt`], [`limits`] and [`event_name`]: how errors, colours and progress
//!   look, what Ctrl-C and limits do and what events are called, everywhere; [`amount`] and [`shell`]: how times, sizes and commands are
//!   written; [`whole`]: files and directories that are there whole or not at all.
//!
//! Invariants: no verb panics, whatever the files contain; results go to standard output and everything else to
//! standard error; a reader that closes the pipe (`| head`) ends the program quietly.

mod alike;
mod amount;
mod check;
mod doctor;
mod event_name;
mod explore;
mod failure;
mod gen_fuzzer;
mod interrupt;
mod limits;
mod notes;
mod palette;
mod record;
mod replay;
mod report;
mod run;
mod shell;
mod show;
mod spec;
mod specification;
mod status_line;
mod store;
mod verbs;
mod whole;

use std::process::ExitCode;

use clap::Parser;

const EXIT_CODES: &str = "\
Exit codes:
  0    it worked
  1    something is wrong: `run` or `check` found a run that does not conform or that failed,
       `explore` a state that must not be, `doctor` what keeps programs from being recorded, `gen-fuzzer --check` generated files
       that are stale
  2    it could not be done: wrong usage, a file that is missing or damaged, a mistake in a
       specification
  3    it is not known: a limit was reached, or `run` or `check` was interrupted
  130  it was interrupted";

/// Checks whether concurrent programs conform to their TLA+ specification.
///
/// `omnilink run Spec.tla -- ./program` runs a program that uses the crate `omnilink` again and again under hostile
/// schedules and holds every run against the specification, until one does not conform.
#[derive(Parser)]
#[command(name = "omnilink", version, after_help = EXIT_CODES, max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    verb: verbs::Verb,
}

fn main() -> ExitCode {
    match CommandLine::parse().verb.run() {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
