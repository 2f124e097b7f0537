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

Runs and campaigns are given by their names, or by an unambiguous prefix.";

/// List, show, add, export and merge the runs of a store
///
/// A store is one SQLite file with campaigns, runs, their traces, verdicts and specifications. Several processes may
/// write to it at once, and added runs survive a crash of these processes.
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
        /// List campaigns instead, with their results
        #[arg(long, conflicts_with_all = ["failed", "verdict", "campaign"])]
        campaigns: bool,
        /// Print a JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Print a run with its verdicts, as a JSON object
    Show {
        /// The store
        store: PathBuf,
        /// The run
        run: String,
        /// Instead, write the latest counterexample of the run as a file for viewers
        #[arg(long, value_name = "FILE")]
        counterexample: Option<PathBuf>,
        /// Instead, write the specification of the latest verdict into this new directory
        #[arg(long, value_name = "DIR", conflicts_with = "counterexample")]
        spec: Option<PathBuf>,
    },
    /// Add run directories and packed runs
    Add {
        /// The store; it is created if it does not exist
        store: PathBuf,
        /// The runs
        #[arg(required = true)]
        runs: Vec<PathBuf>,
        /// Pack rr's recordings (`rr pack`) and add them to the store; otherwise they stay where they are
        #[arg(long)]
        pack_rr: bool,
    },
    /// Export a run to one file that another machine can check and, with the same program, replay
    Export {
        /// The store
        store: PathBuf,
        /// The run
        run: String,
        /// The file to write; a new directory unless it ends with .tar.zst [default: RUN.run.tar.zst]
        #[arg(short, long, value_name = "PATH")]
        output: Option<PathBuf>,
        /// Pack rr's recording (`rr pack`) and include it
        #[arg(long)]
        pack_rr: bool,
    },
    /// Add the campaigns, runs and verdicts of other stores
    Merge {
        /// The store; it is created if it does not exist
        store: PathBuf,
        /// The other stores
        #[arg(required = true)]
        others: Vec<PathBuf>,
    },
    /// Remove the files of runs to save space: traces, schedules, output and recordings
    ///
    /// The entry of a run, its seed, its ending and its verdicts stay, so the results of campaigns do not change.
    Gc {
        /// The store
        store: PathBuf,
        /// Keep the files of runs that failed, or have a verdict other than accepted
        #[arg(long, required_unless_present = "keep_newest")]
        keep_failed: bool,
        /// Keep the files of this many of the other runs, the newest
        #[arg(long, value_name = "N")]
        keep_newest: Option<u64>,
    },
}

impl Store {
    /// Executes the action.
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
