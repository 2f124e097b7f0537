//! `omnilink import`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use omnilink_trace::{OpenOptions, Trace};

use crate::failure::{Failure, complain};
use crate::whole;

const EXAMPLES: &str = "\
Examples:
  omnilink import history.jsonl -o run     JSON lines, one event per line
  omnilink import logs/ -o run             a directory of upstream OmniLink's *.log files";

/// Convert JSON lines or upstream logs to a run directory
///
/// The other verbs read such files directly; a run directory is smaller and faster to read.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Import {
    /// JSON lines, an upstream log, or a directory of upstream logs
    file: PathBuf,
    /// The directory to create; it must be new or empty
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Keep the valid part of damaged files
    #[arg(long)]
    recover: bool,
}

impl Import {
    /// Makes the directory.
    pub fn run(self) -> Result<ExitCode, Failure> {
        whole::end_at_signal()?;
        let trace = Trace::open_with(&self.file, &OpenOptions::recover(self.recover))?;
        let losses = whole::directory(&self.output, |place| {
            let mut losses = omnilink_trace::write_run(&trace, place)?;
            for loss in &mut losses {
                if let Ok(inside) = loss.path.strip_prefix(place) {
                    loss.path = self.output.join(inside);
                }
            }
            Ok(losses)
        })?;
        for notice in trace.notices().iter().chain(&losses) {
            complain(format_args!("note: {notice}"));
        }
        let events: u64 = trace.lanes().iter().map(|lane| lane.events()).sum();
        complain(format_args!("wrote {events} events in {} lanes to {}", trace.lanes().len(), self.output.display()));
        Ok(ExitCode::SUCCESS)
    }
}
