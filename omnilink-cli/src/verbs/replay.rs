//! `omnilink replay`

use std::cell::Cell;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::Args;
use omnilink_record::debugger::{self, Invitation, Socket};
use omnilink_record::directory::{Record, RunDirectory};
use omnilink_record::replay::{self, Replayed};
use omnilink_record::{Ending, Mode, rr};
use omnilink_trace::{Lane, Trace};

use crate::failure::{Failure, complain};
use crate::interrupt::interrupt;
use crate::palette::{Palette, buffered_stdout};
use crate::record::Taken;
use crate::replay::{Difference, Found, Gdb, Guide, Wanted};

const EXAMPLES: &str = "\
Examples:
  omnilink replay omnilink-runs-1/run-000017
  omnilink replay omnilink-runs-1/run-000017 --trace        where its trace differs, if it does
  omnilink replay omnilink-runs-1/run-000017 --keep again
  omnilink replay --store runs.db 3f2a
  omnilink replay 3f2a.run.tar.zst                          of `omnilink store export`
  omnilink replay omnilink-runs-1/run-000017 --until 2:17 --gdb
  omnilink replay omnilink-runs-1/run-000017 --until Dequeue#3 --gdb-port 3333
  omnilink replay omnilink-runs-1/run-000017 --until 2:17 --gdb -- -ex bt

In gdb, continuing and stepping follow the recorded schedule. `detach` and `quit` let the replay
come to its end, as does a lost connection; `kill` ends it.

Exits with 0 if the run was the same as the recorded one, with 1 if it was not, and with 2 if it
could not be made.";

/// Run a recorded run again, and see whether it is the same
///
/// The schedule, the environment and the working directory are those of the recorded run, whatever they are here.
/// Output and trace are compared byte for byte. What rr has recorded is replayed by rr.
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
    /// Stop when this event begins and let gdb in: LANE:INDEX as `show` prints it, ACTION or ACTION#N
    #[arg(long, value_name = "EVENT")]
    until: Option<Wanted>,
    /// Start gdb there, connected; or this gdb
    #[arg(long, value_name = "FILE", requires = "until", num_args = 0..=1, require_equals = true,
          default_missing_value = "gdb")]
    gdb: Option<PathBuf>,
    /// Wait for gdb at this port of this machine, instead of at a file; 0 is any
    #[arg(long, value_name = "PORT", requires = "until")]
    gdb_port: Option<u16>,
    /// Arguments for gdb
    #[arg(last = true, value_name = "GDB ARGUMENTS", requires = "gdb")]
    gdb_arguments: Vec<OsString>,
}

impl Replay {
    /// Runs it and says how it differs.
    pub fn run(mut self) -> Result<ExitCode, Failure> {
        let taken = Taken::of(&self.run, self.store.as_deref())?;
        self.run = taken.directory().to_owned();
        let scratch = tempfile::tempdir().map_err(|error| Failure::new(format!("temporary directory: {error}")))?;
        let recorded = RunDirectory::open(&self.run);
        let record = recorded.read()?;
        if let Mode::Rr | Mode::RrChaos = record.plan.mode {
            return self.by_rr(&recorded, &record, scratch.path());
        }
        let Some(replayed) = self.replayed(&recorded, &record, scratch.path())? else { return Ok(ExitCode::from(1)) };
        let mut out = buffered_stdout();
        write(&replayed, &mut out)?;
        if self.trace {
            compare_traces(&recorded, &replayed, &mut out)?;
        }
        out.flush()?;
        Ok(if replayed.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }

    /// Runs it by our scheduler; nothing if the event that was waited for did not begin.
    fn replayed(&self, recorded: &RunDirectory, record: &Record, scratch: &Path) -> Result<Option<Replayed>, Failure> {
        let interrupt = interrupt()?;
        let directory = self.keep.clone().unwrap_or_else(|| scratch.join("run"));
        let Some(wanted) = &self.until else {
            return Ok(Some(replay::replay(&self.run, &directory, &interrupt)?));
        };
        let found = Found::of(&Trace::open(recorded.trace())?, wanted)?;
        let socket = match self.gdb_port {
            Some(port) => Socket::port(port),
            None => Socket::file(scratch.join("gdb")),
        };
        let unusable = |error| Failure::new(format!("a place for gdb to connect to: {error}"));
        let socket = socket.map_err(unusable)?;
        let reached = Cell::new(false);
        let gdb = self.gdb.clone().map(|binary| Gdb { binary, arguments: self.gdb_arguments.clone() });
        let (starts_gdb, address) = (gdb.is_some(), socket.address().map_err(unusable)?);
        let guide = Guide::new(gdb, &record.plan.program, address, &found, &reached);
        let invitation = Invitation { start: found.start, socket, host: Box::new(guide) };
        // A gdb of ours has the terminal, and Ctrl-C is for it.
        let never = AtomicBool::new(false);
        let interrupt = if starts_gdb { &never } else { &*interrupt };
        let replayed = replay::debug(&self.run, &directory, interrupt, Some(invitation))?;
        if !reached.get() {
            complain(format_args!("event {}, {}, did not begin: this was another run", found.name, found.call));
            return Ok(None);
        }
        Ok(Some(replayed))
    }

    /// rr replays what rr has recorded, and brings gdb by itself.
    fn by_rr(&self, recorded: &RunDirectory, record: &Record, scratch: &Path) -> Result<ExitCode, Failure> {
        if self.trace || self.keep.is_some() || self.gdb_port.is_some() {
            return Err(Failure::with_hint(
                "rr repeats what it has recorded and records nothing new",
                "use --until EVENT, or no option at all",
            ));
        }
        let script = scratch.join("commands");
        if let Some(wanted) = &self.until {
            let found = Found::of(&Trace::open(recorded.trace())?, wanted)?;
            let greeting = format!("event {}, {}, begins", found.name, found.call);
            let text = debugger::script(found.start, &greeting);
            fs::write(&script, text).map_err(|error| Failure::file(&script, &error))?;
        }
        let mut command = rr::replay::command(recorded, record, self.until.as_ref().map(|_| &*script))?;
        // Ctrl-C is for gdb.
        interrupt()?;
        let status = command.status().map_err(|error| {
            let text = format!("{}: {error}", record.plan.rr.binary.display());
            Failure::with_hint(text, "install rr (apt install rr)")
        })?;
        Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

fn compare_traces(recorded: &RunDirectory, replayed: &Replayed, out: &mut impl Write) -> Result<(), Failure> {
    let Palette { good, bad, .. } = Palette::stdout();
    let traces = [recorded.trace(), replayed.directory.trace()];
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
