//! `omnilink replay`

use std::cell::Cell;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::Args;
use omnilink_record::debugger::{Invitation, Socket};
use omnilink_record::directory::{Record, RunDirectory};
use omnilink_record::replay::{self, Replayed};
use omnilink_record::{Ending, Mode, rr, stacks};
use omnilink_trace::{Lane, Trace};

use crate::failure::{Failure, complain};
use crate::interrupt::interrupt;
use crate::palette::{self, Palette, buffered_stdout};
use crate::record::Taken;
use crate::replay::{Difference, EventSelector, Found, Gdb, Guide, Visitor};

const EXAMPLES: &str = "\
Examples:
  omnilink replay omnilink-runs-1/run-000017
  omnilink replay omnilink-runs-1/run-000017 --trace        compare the traces event by event
  omnilink replay omnilink-runs-1/run-000017 --keep again
  omnilink replay --store runs.db 3f2a
  omnilink replay 3f2a.run.tar.zst                          a file of `omnilink store export`
  omnilink replay omnilink-runs-1/run-000017 --until crash  the stacks of all threads there
  omnilink replay omnilink-runs-1/run-000017 --until deadlock --gdb
  omnilink replay omnilink-runs-1/run-000017 --until 2:17 --gdb
  omnilink replay omnilink-runs-1/run-000017 --until Dequeue#3 --gdb-port 3333
  omnilink replay omnilink-runs-1/run-000017 --until 2:17 --gdb -- -ex bt

--until selects where to stop: `crash` is before the signal that ended the program, `deadlock` when
no thread can run, `end` before the program ends (or is stopped by --max-decisions), `start` at
the beginning of main; or the beginning of an event. If an action is named `crash`, select it as
`crash#1`. Without --gdb and --gdb-port the stacks of all threads are printed, and the run continues.

In gdb, continuing and stepping follow the recorded schedule. After `detach`, `quit` or a lost
connection the replay runs to its end; `kill` ends it.

Exits with 0 if the replayed run is equal to the recorded one, with 1 if it differs, and with 2 if
the run could not be replayed.";

/// Repeat a recorded run and compare the two
///
/// The schedule, the environment and the working directory are those of the recorded run. Output and trace are compared
/// byte for byte. A run recorded by rr is replayed by rr.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Replay {
    /// The run's directory, a packed run, or with --store the run's name
    run: PathBuf,
    /// Take the run from this store
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Compare the new trace with the recorded one event by event, and print the first difference
    #[arg(long)]
    trace: bool,
    /// Keep the new run in this new directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Stop there: crash, deadlock, end, start, or the beginning of an event: LANE:INDEX as `show` prints it, ACTION or
    /// ACTION#N
    #[arg(long, value_name = "MOMENT")]
    until: Option<EventSelector>,
    /// Start gdb, connected to the stopped program; --gdb=FILE starts this gdb
    #[arg(long, value_name = "FILE", requires = "until", num_args = 0..=1, require_equals = true,
          default_missing_value = "gdb")]
    gdb: Option<PathBuf>,
    /// Wait there for gdb to connect to this port of this machine; 0 selects a free port
    #[arg(long, value_name = "PORT", requires = "until", conflicts_with = "gdb")]
    gdb_port: Option<u16>,
    /// The rr binary that replays a run recorded by rr [default: the one that recorded it]
    #[arg(long, value_name = "FILE")]
    rr_bin: Option<PathBuf>,
    /// Arguments for gdb
    #[arg(last = true, value_name = "GDB ARGUMENTS", requires = "gdb")]
    gdb_arguments: Vec<OsString>,
}

impl Replay {
    /// Replays the run and prints the differences.
    pub fn run(mut self) -> Result<ExitCode, Failure> {
        let taken = Taken::of(&self.run, self.store.as_deref())?;
        self.run = taken.directory().to_owned();
        let scratch = tempfile::tempdir().map_err(|error| Failure::new(format!("temporary directory: {error}")))?;
        let recorded = RunDirectory::open(&self.run);
        let record = recorded.read()?;
        if let Mode::Rr | Mode::RrChaos = record.plan.mode {
            return self.by_rr(&recorded, &record, scratch.path());
        }
        if let Some(rr) = &self.rr_bin {
            let text = format!("{}: was not recorded by rr, so {} cannot replay it", self.run.display(), rr.display());
            return Err(Failure::with_hint(text, "leave --rr-bin out"));
        }
        let Some(replayed) = self.replayed(&recorded, &record, scratch.path())? else { return Ok(ExitCode::from(1)) };
        let mut out = buffered_stdout();
        // With --until crash or deadlock, the stacks were printed at that moment.
        let told = self.gdb.is_none() && self.gdb_port.is_none();
        let told = told && matches!(self.until, Some(EventSelector::Crash | EventSelector::Deadlock));
        write(&replayed, !told, &mut out)?;
        if self.trace {
            compare_traces(&recorded, &replayed, &mut out)?;
        }
        out.flush()?;
        Ok(if replayed.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }

    /// Replays the run under the chaos scheduler; `None` if the moment of --until did not occur.
    fn replayed(&self, recorded: &RunDirectory, record: &Record, scratch: &Path) -> Result<Option<Replayed>, Failure> {
        let interrupt = interrupt()?;
        let directory = self.keep.clone().unwrap_or_else(|| scratch.join("run"));
        let Some(selector) = &self.until else {
            return Ok(Some(replay::replay(&self.run, &directory, &interrupt)?));
        };
        // An error that the run is not repeatable comes before errors about the moment.
        replay::repeatable(recorded, record)?;
        let found = Found::of(recorded, record, selector)?;
        let socket = match (self.gdb_port, &self.gdb) {
            (Some(port), _) => Some(Socket::port(port)),
            (None, Some(_)) => Some(Socket::file(scratch.join("gdb"))),
            (None, None) => None,
        };
        let unusable = |error| Failure::new(format!("a place for gdb to connect to: {error}"));
        let socket = socket.transpose().map_err(unusable)?;
        let address = socket.as_ref().map(Socket::address).transpose().map_err(unusable)?;
        let reached = Cell::new(false);
        let starts_gdb = self.gdb.is_some();
        let visitor = match (address, self.gdb.clone()) {
            (None, _) => Visitor::Nobody,
            (Some(address), None) => Visitor::Awaited(address),
            (Some(address), Some(binary)) => {
                Visitor::Started(Gdb { binary, arguments: self.gdb_arguments.clone() }, address)
            }
        };
        let guide = Guide::new(visitor, &record.plan.program, &found, &reached);
        let invitation = Invitation { when: found.when, socket, host: Box::new(guide) };
        // The gdb that we start owns the terminal, so Ctrl-C is meant for gdb.
        let never = AtomicBool::new(false);
        let interrupt = if starts_gdb { &never } else { &*interrupt };
        let replayed = replay::debug(&self.run, &directory, interrupt, Some(invitation))?;
        if !reached.get() {
            complain(format_args!("{}", found.missing));
            return Ok(None);
        }
        Ok(Some(replayed))
    }

    /// Replays a run recorded by rr; rr starts gdb itself.
    fn by_rr(&self, recorded: &RunDirectory, record: &Record, scratch: &Path) -> Result<ExitCode, Failure> {
        if self.trace || self.keep.is_some() || self.gdb_port.is_some() {
            return Err(Failure::with_hint(
                "--trace, --keep and --gdb-port do not work with a run recorded by rr",
                "use --until MOMENT, or no option at all",
            ));
        }
        let script = scratch.join("commands");
        if let Some(selector) = &self.until {
            let found = Found::of(recorded, record, selector)?;
            let signal = if let Ending::Killed(signal) = record.observed.ending { Some(signal) } else { None };
            let text = rr::commands::script(found.when, signal, &found.what);
            fs::write(&script, text).map_err(|error| Failure::file(&script, &error))?;
        }
        // rr finds a gdb of the default name itself.
        let binary = self.gdb.as_deref().filter(|binary| *binary != Path::new("gdb"));
        let gdb = rr::replay::Gdb { script: &script, binary, arguments: &self.gdb_arguments };
        let rr = self.rr_bin.as_deref();
        let mut command = rr::replay::command(recorded, record, rr, self.until.as_ref().map(|_| gdb))?;
        // Ctrl-C is meant for gdb.
        interrupt()?;
        let status = command.status().map_err(|error| {
            let text = format!("{}: {error}", Path::new(command.get_program()).display());
            Failure::with_hint(text, "install rr (apt install rr), or name it with --rr-bin")
        })?;
        Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

fn compare_traces(recorded: &RunDirectory, replayed: &Replayed, out: &mut impl Write) -> Result<(), Failure> {
    let Palette { good, bad, .. } = palette::stdout();
    let traces = [recorded.trace(), replayed.directory.trace()];
    if let Some(missing) = traces.iter().find(|trace| !trace.exists()) {
        let text = format!("{}: nothing was recorded", missing.display());
        return Err(Failure::with_hint(
            text,
            "--trace compares traces of OmniLink's runtime; the program did not record any",
        ));
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

fn write(replayed: &Replayed, with_stacks: bool, out: &mut impl Write) -> Result<(), Failure> {
    let Palette { good, bad, .. } = palette::stdout();
    let Replayed { now, differences, .. } = replayed;
    writeln!(out, "{} after {} decisions and {} points", now.ending, now.decisions, now.points)?;
    match &now.ending {
        _ if !with_stacks => {}
        Ending::Deadlocked(report) => write!(out, "{report}")?,
        _ => write!(out, "{}", stacks::text(&now.stacks))?,
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
