//! `omnilink export`

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use omnilink_trace::{OpenOptions, Trace, TraceError, jsonl};

use crate::failure::{Failure, complain};
use crate::palette::buffered_stdout;
use crate::whole;

const EXAMPLES: &str = "\
Examples:
  omnilink export run -o run.jsonl
  omnilink export run.tar.zst | jq 'select(.op == \"Dequeue\")'";

/// Write a trace as JSON lines
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Export {
    /// The trace, in any format
    trace: PathBuf,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Keep the valid part of damaged files
    #[arg(long)]
    recover: bool,
}

impl Export {
    /// Writes the lines.
    pub fn run(self) -> Result<ExitCode, Failure> {
        whole::end_at_signal()?;
        let trace = Trace::open_with(&self.trace, &OpenOptions::recover(self.recover))?;
        match &self.output {
            None => jsonl::write(&trace, buffered_stdout())?,
            Some(file) => write_file(&trace, file)?,
        }
        for notice in trace.notices() {
            complain(format_args!("note: {notice}"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn write_file(trace: &Trace, file: &Path) -> Result<(), Failure> {
    let write = |place: &Path| {
        let out = File::create(place).map_err(|error| Failure::file(file, &error))?;
        jsonl::write(trace, out).map_err(|error| match error {
            TraceError::Io { doing: "writing", source, .. } => Failure::file(file, &source),
            reading => reading.into(),
        })
    };
    whole::replaced_file(file, write)
}
