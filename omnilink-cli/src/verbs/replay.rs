//! `omnilink replay`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use omnilink_record::Ending;
use omnilink_record::replay::{self, Replayed};

use crate::failure::Failure;
use crate::interrupt::interrupt;
use crate::palette::{Palette, buffered_stdout};

const EXAMPLES: &str = "\
Examples:
  omnilink replay omnilink-runs-1/run-000017
  omnilink replay omnilink-runs-1/run-000017 --keep again

Exits with 0 if the run was the same as the recorded one, with 1 if it was not, and with 2 if it
could not be made.";

/// Run a recorded run again, and see whether it is the same
///
/// The schedule, the environment and the working directory are those of the recorded run, whatever they are here.
/// Output and trace are compared byte for byte.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Replay {
    /// The run's directory
    run: PathBuf,
    /// Keep the new run in this new directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

impl Replay {
    /// Runs it and says how it differs.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let interrupt = interrupt()?;
        let scratch = tempfile::tempdir().map_err(|error| Failure::new(format!("temporary directory: {error}")))?;
        let directory = self.keep.unwrap_or_else(|| scratch.path().join("run"));
        let replayed = replay::replay(&self.run, &directory, &interrupt)?;
        let mut out = buffered_stdout();
        write(&replayed, &mut out)?;
        out.flush()?;
        Ok(if replayed.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

fn write(replayed: &Replayed, out: &mut impl Write) -> Result<(), Failure> {
    let Palette { good, bad, .. } = Palette::stdout();
    let Replayed { now, differences, .. } = replayed;
    writeln!(out, "{} after {} decisions and {} points", now.ending, now.decisions, now.points)?;
    if let Ending::Deadlocked(report) = &now.ending {
        write!(out, "{report}")?;
    }
    if differences.is_empty() {
        writeln!(out, "{good}the same run{good:#}: schedule {:016x}", now.schedule_hash)?;
        return Ok(());
    }
    writeln!(out, "{bad}not the same run{bad:#}:")?;
    for difference in differences {
        writeln!(out, "  {difference}")?;
    }
    for note in &now.notes {
        writeln!(out, "  note: {note}")?;
    }
    Ok(())
}
