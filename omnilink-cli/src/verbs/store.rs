//! `omnilink store`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use omnilink_record::directory::RunDirectory;
use omnilink_record::store::{Filter, Keep, Merged, Store as Runs};

use crate::failure::{Failure, complain};
use crate::palette::{Palette, buffered_stdout};

const EXAMPLES: &str = "\
Examples:
  omnilink record --store runs.db --until-failure ./fuzzer
  omnilink store list runs.db --failed
  omnilink store export runs.db 3f2a run && omnilink replay run
  omnilink store merge runs.db from-the-other-machine.db
  omnilink store gc runs.db --keep-newest 100";

/// Look at runs that are kept in a file, merge such files, take runs out
///
/// A store is one SQLite file. Several processes may add runs at once, and a run that was added survives whatever
/// happens to them.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Store {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List runs
    List {
        /// The store
        store: PathBuf,
        /// Only those that failed
        #[arg(long)]
        failed: bool,
    },
    /// Print the record of a run
    Show {
        /// The store
        store: PathBuf,
        /// The run's name, or the beginning of it
        run: String,
    },
    /// Add run directories
    Add {
        /// The store; made if it is not there
        store: PathBuf,
        /// The run directories
        #[arg(required = true)]
        runs: Vec<PathBuf>,
    },
    /// Write a run into a new directory
    Export {
        /// The store
        store: PathBuf,
        /// The run's name, or the beginning of it
        run: String,
        /// The new directory
        directory: PathBuf,
    },
    /// Add the runs of other stores
    Merge {
        /// The store; made if it is not there
        store: PathBuf,
        /// The other stores
        #[arg(required = true)]
        others: Vec<PathBuf>,
    },
    /// Remove the files of runs, all but those that failed and the newest
    Gc {
        /// The store
        store: PathBuf,
        /// How many of the runs that did not fail to keep
        #[arg(long, value_name = "N", default_value_t = 0)]
        keep_newest: u64,
        /// Remove runs that failed, too
        #[arg(long)]
        failed_too: bool,
    },
}

impl Store {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Failure> {
        match self.action {
            Action::List { store, failed } => list(&Runs::open_existing(&store)?, failed)?,
            Action::Show { store, run } => {
                let mut out = buffered_stdout();
                out.write_all(Runs::open_existing(&store)?.show(&run)?.as_bytes())?;
                out.flush()?;
            }
            Action::Add { store, runs } => {
                let mut store = Runs::open(&store)?;
                for run in runs {
                    let name = store.add(&RunDirectory::open(&run), None)?;
                    complain(format_args!("{}: run {name}", run.display()));
                }
            }
            Action::Export { store, run, directory } => Runs::open_existing(&store)?.export(&run, &directory)?,
            Action::Merge { store, others } => {
                let mut store = Runs::open(&store)?;
                for other in others {
                    let Merged { campaigns, runs, verdicts } = store.merge(&other)?;
                    complain(format_args!(
                        "{}: {campaigns} campaigns, {runs} runs, {verdicts} verdicts added",
                        other.display()
                    ));
                }
            }
            Action::Gc { store, keep_newest, failed_too } => {
                let keep = Keep { failures: !failed_too, newest: keep_newest };
                complain(format_args!("the files of {} runs removed", Runs::open_existing(&store)?.gc(keep)?));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn list(store: &Runs, only_failed: bool) -> Result<(), Failure> {
    let Palette { bad, faint, .. } = Palette::stdout();
    let mut out = buffered_stdout();
    for entry in store.list(&Filter { failed: only_failed, ..Filter::default() })? {
        let style = if entry.failed { bad } else { faint };
        writeln!(
            out,
            "{} {:8} seed {:<20} {style}{}{style:#} {}",
            entry.name, entry.mode, entry.seed, entry.ending, entry.program
        )?;
    }
    Ok(out.flush()?)
}
