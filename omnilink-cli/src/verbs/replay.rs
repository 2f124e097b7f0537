//! `omnilink replay`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use omnilink_record::Ending;
use omnilink_record::directory::RunDirectory;
use omnilink_record::replay::{self, Replayed};
use omnilink_trace::{Lane, Trace};

use crate::failure::Failure;
use crate::interrupt::interrupt;
use crate::palette::{Palette, buffered_stdout};
use crate::record::Taken;
use crate::replay::Difference;

const EXAMPLES: &str = "\
Examples:
  omnilink replay omnilink-runs-1/run-000017
  omnilink replay omnilink-runs-1/run-000017 --trace        where its trace differs, if it does
  omnilink replay omnilink-runs-1/run-000017 --keep again
  omnilink replay --store runs.db 3f2a
  omnilink replay 3f2a.run.tar.zst                          of `omnilink store export`

Exits with 0 if the run was the same as the recorded one, with 1 if it was not, and with 2 if it
could not be made.";

/// Run a recorded run again, and see whether it is the same
///
/// The schedule, the environment and the working directory are those of the recorded run, whatever they are here.
/// Output and trace are compared byte for byte.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Replay {
    /// The run's directory, a packed run, or with --store the run's name
    run: PathBuf,
    /// Take the run from this store
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Compare the new trace with the recorded one event by event, and show the first that differs
    #[arg(long)]
    trace: bool,
    /// Keep the new run in this new directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

impl Replay {
    /// Runs it and says how it differs.
    pub fn run(mut self) -> Result<ExitCode, Failure> {
        let taken = Taken::of(&self.run, self.store.as_deref())?;
        self.run = taken.directory().to_owned();
        let interrupt = interrupt()?;
        let scratch = tempfile::tempdir().map_err(|error| Failure::new(format!("temporary directory: {error}")))?;
        let directory = self.keep.clone().unwrap_or_else(|| scratch.path().join("run"));
        let replayed = replay::replay(&self.run, &directory, &interrupt)?;
        let mut out = buffered_stdout();
        write(&replayed, &mut out)?;
        if self.trace {
            self.compare_traces(&replayed, &mut out)?;
        }
        out.flush()?;
        Ok(if replayed.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }

    fn compare_traces(&self, replayed: &Replayed, out: &mut impl Write) -> Result<(), Failure> {
        let Palette { good, bad, .. } = Palette::stdout();
        let traces = [RunDirectory::open(&self.run).trace(), replayed.directory.trace()];
        if let Some(missing) = traces.iter().find(|trace| !trace.exists()) {
            let text = format!("{}: nothing was recorded", missing.display());
            return Err(Failure::with_hint(text, "--trace compares what OmniLink's runtime in the program records"));
        }
        let recorded = Trace::open(&traces[0])?;
        if !replayed.trace_differs {
            let (events, lanes) = (recorded.lanes().iter().map(Lane::events).sum::<u64>(), recorded.lanes().len());
            writeln!(out, "{good}the same trace{good:#}: {events} events in {lanes} lanes, byte for byte")?;
            return Ok(());
        }
        match Difference::first(&recorded, &Trace::open(&traces[1])?)? {
            Some(difference) => writeln!(out, "{bad}not the same trace{bad:#}, from {difference}")?,
            None => writeln!(out, "{bad}not the same trace{bad:#}: files differ, though all events are the same")?,
        }
        Ok(())
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
