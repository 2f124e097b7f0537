//! `omnilink spec`

use std::io::Write;
use std::process::ExitCode;

use clap::Args;

use crate::failure::Failure;
use crate::interrupt::interrupt;
use crate::limits::LimitArgs;
use crate::palette::{self, buffered_stdout};
use crate::spec;
use crate::specification::SpecificationArgs;

const EXAMPLES: &str = "\
Examples:
  omnilink spec Queue.tla                              with Queue.cfg, if it exists
  omnilink spec Queue.tla --const 'Elems = {1, 2}' --json
  omnilink spec Store.tla --next ClientNext            the actions of ClientNext instead of Next

Exits with 0, with 2 if the specification has an error, with 3 if --timeout or
--max-memory ended it, and with 130 if it was interrupted (Ctrl-C).";

/// Print the variables, constants, actions and warnings of a specification
///
/// The actions are the operators that the next-state relation leads to; the events of a trace are calls of them. Below
/// each action are the disjuncts of Next that call it: quantifiers with their sets, conditions, and the arguments passed.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Spec {
    #[command(flatten)]
    specification: SpecificationArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Spec {
    /// Loads it and prints the report.
    pub fn run(mut self) -> Result<ExitCode, Failure> {
        self.specification.settle()?;
        let budget = self.limits.budget(&interrupt()?);
        let stopped = |what: &str, exhausted| self.limits.stopped(what, exhausted);
        let spec = self.specification.load(&budget, stopped)?;
        let report = budget.spend(|| spec::Report::new(&spec));
        let report = report.map_err(|exhausted| stopped("the specification was being described", exhausted))?;
        let mut out = buffered_stdout();
        if self.json {
            writeln!(out, "{}", serde_json::json!(report))?;
        } else {
            spec::write(&report, palette::stdout(), &mut out)?;
        }
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
