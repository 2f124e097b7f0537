//! The command line of OmniLink: what the binary `omnilink` does.
//!
//! A verb parses its options, calls a library, and renders the result:
//!
//! ```text
//!  command line ──► verbs/<verb>.rs ──► omnilink-tla, omnilink-trace, … ──► palette / JSON ──► terminal
//!                        │                              │
//!                        └────────── failure.rs ◄───────┘   error: …  hint: …   (exit code 2)
//! ```
//!
//! - [`verbs`]: one file per verb.
//! - [`specification`]: the options that select a specification; [`spec`] and [`explore`] describe it and its states.
//! - [`gen_fuzzer`]: the report on the files of a generated project; [`origin`]: where it gets the crate `omnilink` from.
//! - [`check`]: checks traces against a specification, and renders the verdicts.
//! - [`show`]: filters, the line of an event and the summary of a trace, all in one pass and in bounded memory.
//! - [`record`]: finds programs, decides where runs are stored, and prints progress.
//! - [`replay`]: compares a replayed run with the recorded one, and selects the event at which a debugger stops.
//! - [`run`]: records and checks runs in a loop.
//! - [`test`]: builds and lists the tests of a package, and runs them under the chaos scheduler.
//! - [`store`]: lists runs and campaigns of a store.
//! - [`report`]: the report of campaigns, as HTML, Markdown and JSON.
//! - [`doctor`]: one small function per feature of the machine.
//! - [`failure`], [`palette`], [`status_line`], [`interrupt`] and [`limits`]: errors, colours, progress, Ctrl-C and
//!   limits, for all verbs; [`amount`] and [`shell`]: times, sizes and commands as text; [`whole`]: files and
//!   directories that are written completely or not at all.
//!
//! Invariants: no verb panics, whatever the files contain; results go to standard output and everything else to
//! standard error; a reader that closes the pipe (`| head`) ends the program quietly.

mod alike;
mod amount;
mod check;
mod doctor;
mod explore;
mod failure;
mod file_system;
mod gen_fuzzer;
mod interrupt;
mod limits;
mod notes;
mod origin;
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
mod test;
mod verbs;
mod whole;

use std::process::ExitCode;

use clap::Parser;

const EXIT_CODES: &str = "\
Exit codes:
  0    success
  1    a problem was found: `run` or `check` found a run that does not conform or that failed,
       `explore` found a violated invariant or a deadlock, `doctor` found that programs cannot be
       recorded, `gen-fuzzer --check` found generated files that are out of date
  2    error: wrong usage, a missing or damaged file, an error in a specification
  3    unknown: a limit was reached, or `run` or `check` was interrupted
  130  interrupted by a signal";

/// Checks whether concurrent programs conform to their TLA+ specification.
///
/// `omnilink new myqueue` makes a project to begin with.
///
/// `omnilink run Spec.tla -- ./program` runs a program that uses the crate `omnilink` repeatedly under adversarial
/// schedules and checks every run against the specification, until a run does not conform.
#[derive(Parser)]
#[command(name = "omnilink", version, after_help = EXIT_CODES, max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    verb: verbs::Verb,
}

/// Runs the verb that the command line of this process names.
pub fn main() -> ExitCode {
    match CommandLine::parse().verb.run() {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
