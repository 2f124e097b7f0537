//! `omnilink report`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use omnilink_record::store::Store;

use crate::failure::{Failure, complain};
use crate::palette::buffered_stdout;
use crate::report::files::Output;
use crate::report::gather;

const EXAMPLES: &str = "\
Examples:
  omnilink run Queue.tla --for 1h --store runs.db -- ./fuzzer
  omnilink report runs.db -o report                   report/index.html, report/index.md
  omnilink report runs.db --campaign 3f2a -o report
  omnilink report runs.db --json | jq '.campaigns[].failures'";

/// Report the results of the campaigns of a store as HTML, Markdown and JSON
///
/// There is one static page per campaign: failures grouped by cause, with counterexamples and the commands that repeat
/// them; coverage of the specification; schedules; widths and overlaps of timeboxes. docs/report.md defines the terms.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Report {
    /// The store
    store: PathBuf,
    /// The directory to write to; it is created if it does not exist
    #[arg(short, long, value_name = "DIR", required_unless_present = "json")]
    output: Option<PathBuf>,
    /// Only this campaign, given by its name or a prefix of it
    #[arg(long, value_name = "CAMPAIGN")]
    campaign: Option<String>,
    /// Write into a directory that is not empty
    #[arg(long)]
    force: bool,
    /// Print the report as one JSON object; files are written only with -o
    #[arg(long)]
    json: bool,
}

impl Report {
    /// Writes the report.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let store = Store::open_existing(&self.store)?;
        let output = self.output.as_ref().map(|path| Output::open(path, self.force)).transpose()?;
        let (report, attachments) = gather::report(&store, self.campaign.as_deref())?;
        if let Some(output) = output {
            complain(format_args!("wrote {}", output.write(&report, &attachments)?.display()));
        }
        if self.json {
            let mut out = buffered_stdout();
            let report = serde_json::to_value(&report).map_err(std::io::Error::from)?;
            writeln!(out, "{report}")?;
            out.flush()?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
