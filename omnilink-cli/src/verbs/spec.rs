//! `omnilink spec`

use std::io::Write;
use std::process::ExitCode;

use clap::Args;

use crate::failure::Failure;
use crate::palette::{Palette, buffered_stdout};
use crate::spec;
use crate::specification::SpecificationArgs;

const EXAMPLES: &str = "\
Examples:
  omnilink spec Queue.tla                              with Queue.cfg, if it is there
  omnilink spec Queue.tla --const 'Elems = {1, 2}' --json
  omnilink spec Store.tla --next ClientNext            the actions of another operator than Next";

/// Print what a specification consists of: variables, constants, actions, warnings
///
/// The actions are the operators that the next-state relation leads to; the events of a trace are calls of them. Below
/// each action stand the paths to it: quantifiers with their sets, conditions, and what is passed for the parameters.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Spec {
    #[command(flatten)]
    specification: SpecificationArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Spec {
    /// Loads it and prints the report.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let report = spec::Report::new(&self.specification.load()?);
        let mut out = buffered_stdout();
        if self.json {
            writeln!(out, "{}", serde_json::json!(report))?;
        } else {
            spec::write(&report, Palette::stdout(), &mut out)?;
        }
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
