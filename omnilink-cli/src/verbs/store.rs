//! `omnilink store`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use omnilink_record::archive;
use omnilink_record::directory::RunDirectory;
use omnilink_record::store::{Answer, Filter, Keep, Merged, Store as Runs};

use crate::failure::{Failure, complain};
use crate::record;
use crate::store::{list, show};

const EXAMPLES: &str = "\
Examples:
  omnilink record --store runs.db --until-failure ./fuzzer
  omnilink check Queue.tla --store runs.db
  omnilink store list runs.db --verdict rejected
  omnilink store show runs.db 3f2a
  omnilink replay --store runs.db 3f2a
  omnilink store export runs.db 3f2a -o found-it.run.tar.zst
  omnilink store merge runs.db from-the-other-machine.db
  omnilink store gc runs.db --keep-failed --keep-newest 100

Runs and campaigns are called by their names or the beginning of them.";

/// Look at runs that are kept in a file, merge such files, take runs out
///
/// A store is one SQLite file with campaigns, runs, their traces, verdicts and specifications. Several processes may
/// write to it at once, and what was added survives whatever happens to them.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Store {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List runs, or campaigns
    List {
        /// The store
        store: PathBuf,
        /// Only runs of programs that failed, crashed, deadlocked or were stopped
        #[arg(long)]
        failed: bool,
        /// Only runs with this verdict: accepted, rejected, violated, unknown, error
        #[arg(long, value_name = "VERDICT")]
        verdict: Option<Answer>,
        /// Only runs of this campaign
        #[arg(long, value_name = "CAMPAIGN")]
        campaign: Option<String>,
        /// List campaigns instead, with what they came to
        #[arg(long, conflicts_with_all = ["failed", "verdict", "campaign"])]
        campaigns: bool,
        /// Print a JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Print all that is known of a run, as a JSON object
    Show {
        /// The store
        store: PathBuf,
        /// The run
        run: String,
        /// Write the latest counterexample of the run as a file for viewers instead
        #[arg(long, value_name = "FILE")]
        counterexample: Option<PathBuf>,
        /// Write the specification of the latest verdict into this new directory instead
        #[arg(long, value_name = "DIR", conflicts_with = "counterexample")]
        spec: Option<PathBuf>,
    },
    /// Add run directories and packed runs
    Add {
        /// The store; made if it is not there
        store: PathBuf,
        /// The runs
        #[arg(required = true)]
        runs: Vec<PathBuf>,
        /// Make rr's recordings complete (`rr pack`) and add them, too; else they stay where they are
        #[arg(long)]
        pack_rr: bool,
    },
    /// Take a run out: one file that another machine can check and, with the same program, replay
    Export {
        /// The store
        store: PathBuf,
        /// The run
        run: String,
        /// The file to write; a new directory unless it ends with .tar.zst [default: RUN.run.tar.zst]
        #[arg(short, long, value_name = "PATH")]
        output: Option<PathBuf>,
        /// Make rr's recording complete (`rr pack`) and take it along
        #[arg(long)]
        pack_rr: bool,
    },
    /// Add what other stores have
    Merge {
        /// The store; made if it is not there
        store: PathBuf,
        /// The other stores
        #[arg(required = true)]
        others: Vec<PathBuf>,
    },
    /// Remove the files of runs to save space: traces, schedules, output and recordings
    ///
    /// That a run was made, its seed, how it ended and the verdicts about it stay, so what campaigns came to stays the
    /// same.
    Gc {
        /// The store
        store: PathBuf,
        /// Keep the files of runs that failed, or have a verdict other than accepted
        #[arg(long, required_unless_present = "keep_newest")]
        keep_failed: bool,
        /// Keep the files of so many of the other runs, the newest
        #[arg(long, value_name = "N")]
        keep_newest: Option<u64>,
    },
}

impl Store {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Failure> {
        match self.action {
            Action::List { store, campaigns: true, json, .. } => list::campaigns(&Runs::open_existing(&store)?, json)?,
            Action::List { store, failed, verdict, campaign, json, .. } => {
                let store = Runs::open_existing(&store)?;
                let campaign = campaign.map(|name| store.find_campaign(&name)).transpose()?;
                list::runs(&store, &Filter { failed, verdict, campaign }, json)?;
            }
            Action::Show { store, run, counterexample, spec } => {
                let store = Runs::open_existing(&store)?;
                match (counterexample, spec) {
                    (Some(file), _) => show::write_counterexample(&store, &run, &file)?,
                    (_, Some(directory)) => show::write_spec(&store, &run, &directory)?,
                    (None, None) => show::run(&store, &run)?,
                }
            }
            Action::Add { store, runs, pack_rr } => {
                let mut store = Runs::open(&store)?;
                for run in runs {
                    let name = add(&mut store, &run, pack_rr)?;
                    complain(format_args!("{}: run {name}", run.display()));
                }
            }
            Action::Export { store, run, output, pack_rr } => {
                let store = Runs::open_existing(&store)?;
                let name = store.find_run(&run)?;
                let output = output.unwrap_or_else(|| PathBuf::from(format!("{name}{}", archive::SUFFIX)));
                export(&store, &name, &output, pack_rr)?;
                complain(format_args!("wrote {}", output.display()));
            }
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
            Action::Gc { store, keep_failed, keep_newest } => {
                let keep = Keep { failures: keep_failed, newest: keep_newest.unwrap_or(0) };
                complain(format_args!("the files of {} runs removed", Runs::open_existing(&store)?.gc(keep)?));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn add(store: &mut Runs, run: &Path, pack_rr: bool) -> Result<String, Failure> {
    let taken = record::Taken::of(run, None)?;
    let directory = RunDirectory::open(taken.directory());
    if pack_rr && directory.recordings().is_dir() && !directory.recording_is_packed() {
        directory.pack_recording(&directory.read()?.plan.rr)?;
    }
    Ok(store.add(&directory, None)?)
}

fn export(store: &Runs, run: &str, output: &Path, pack_rr: bool) -> Result<(), Failure> {
    if !output.to_string_lossy().ends_with(".tar.zst") {
        return record::export(store, run, output, pack_rr);
    }
    let scratch = tempfile::tempdir().map_err(|error| Failure::new(format!("temporary directory: {error}")))?;
    let directory = scratch.path().join("run");
    record::export(store, run, &directory, pack_rr)?;
    Ok(archive::pack(&RunDirectory::open(directory), output)?)
}
