//! `omnilink export-tlc`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use omnilink_check::error::CheckError;
use omnilink_check::prepare::prepare;
use omnilink_check::subject;
use omnilink_check::tlc::{Export, MODULE};
use omnilink_tla::{STACK, Spec, with_stack};
use omnilink_trace::{OpenOptions, Trace};

use crate::check::rules::RulesArgs;
use crate::failure::Failure;
use crate::interrupt::interrupt;
use crate::limits::LimitArgs;
use crate::palette::buffered_stdout;
use crate::specification::SpecificationArgs;

const EXAMPLES: &str = "\
Example:
  omnilink export-tlc Queue.tla run -o question
  cd question && java -cp tla2tools.jar tlc2.TLC -deadlock -config OmniLinkCheck.cfg OmniLinkCheck.tla

The run is accepted if TLC reports that OmniLinkNotAtEnd is violated. `omnilink check --engine tlc`
writes the files and runs TLC.";

/// Write the modules with which TLC checks a recorded run
///
/// The directory contains the specification's modules unchanged, a module with the recorded calls, and a module that
/// searches for an order of them, with its configuration.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ExportTlc {
    #[command(flatten)]
    specification: SpecificationArgs,
    /// The run: a directory, a packed run, JSON lines, or an upstream log
    #[arg(value_name = "RUN")]
    trace: PathBuf,
    /// Where to write the files
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Keep the valid part of damaged files
    #[arg(long)]
    recover: bool,
}

impl ExportTlc {
    /// Writes the files and tells how to run TLC on them.
    pub fn run(mut self) -> Result<ExitCode, Failure> {
        self.specification.settle()?;
        let budget = self.limits.budget(&interrupt()?);
        let stopped = |what: &str, exhausted| self.limits.stopped(what, exhausted);
        let spec = self.specification.load(&budget, stopped)?;
        let export = budget.spend(|| self.export(&spec));
        export.map_err(|exhausted| stopped("the run was being written down", exhausted))??.write(&self.output)?;
        let mut out = buffered_stdout();
        let directory = self.output.display();
        writeln!(
            out,
            "{directory}: run\n  java -cp tla2tools.jar tlc2.TLC -deadlock -config {MODULE}.cfg {MODULE}.tla\nthere; \
             the run is accepted if OmniLinkNotAtEnd is violated"
        )?;
        Ok(out.flush().map(|()| ExitCode::SUCCESS)?)
    }

    fn export(&self, spec: &Spec) -> Result<Export, Failure> {
        let loading = self.specification.options();
        let rules = self.rules.rules(spec, loading.config.as_deref())?;
        let trace = Trace::open_with(&self.trace, &OpenOptions::recover(self.recover))?;
        let export = with_stack(STACK, || -> Result<Export, CheckError> {
            let spec = subject::specialise(spec, self.specification.path(), &loading, &rules, &trace)?.spec;
            let prepared = prepare(&spec, &trace, &rules)?;
            Export::new(&spec, loading.config.as_deref(), &prepared, &self.rules.options())
        });
        Ok(export.map_err(|error| Failure::new(format!("a thread for evaluation: {error}")))??)
    }
}
