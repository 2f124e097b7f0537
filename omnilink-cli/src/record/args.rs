//! The options of verbs that make runs: `record` and `run`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use omnilink_record::campaign::{Modes, Until};
use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::environment::Environment;
use omnilink_record::rr::Rr;
use omnilink_record::{Campaign, Limits, Mode, Plan};

use super::{Place, find, launcher};
use crate::amount;
use crate::failure::{Failure, complain};
use crate::palette::{self, Palette};

/// Which program to run, how, how often, and where to put the runs.
#[derive(Args)]
pub struct CampaignArgs {
    /// Only runs under the chaos scheduler
    #[arg(long, group = "mode", help_heading = "Mode")]
    chaos: bool,
    /// Only runs under the operating system's scheduler, threads spread over all cores
    #[arg(long, group = "mode", help_heading = "Mode")]
    free: bool,
    /// Runs recorded by rr in its chaos mode; with =auto, the default mode where rr cannot record
    #[arg(
        long,
        group = "mode",
        value_name = "auto",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "always",
        help_heading = "Mode"
    )]
    rr_chaos: Option<RrChaos>,
    /// Runs recorded by rr, without chaos
    #[arg(long, group = "mode", help_heading = "Mode")]
    rr: bool,
    /// Mostly runs under the chaos scheduler, some free runs (default)
    #[arg(long, group = "mode", help_heading = "Mode")]
    mix: bool,
    /// The strategy of the chaos scheduler: random-walk, pct, priorities, round-robin
    #[arg(long, value_name = "NAME", default_value = "random-walk", help_heading = "Mode")]
    strategy: StrategyKind,
    /// Also switch threads inside these shared libraries of the system, by file name (* matches any text)
    #[arg(long, value_name = "LIB", help_heading = "Mode")]
    chaos_lib: Vec<String>,
    /// Do not switch threads inside these shared libraries of the program, by file name (* matches any text)
    #[arg(long, value_name = "LIB", help_heading = "Mode")]
    no_chaos_lib: Vec<String>,

    /// The rr binary
    #[arg(long, value_name = "FILE", default_value = "rr", help_heading = "Mode")]
    rr_bin: PathBuf,
    /// An additional argument of `rr record`; may be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Mode")]
    rr_arg: Vec<String>,
    /// Pack rr's recordings (`rr pack`) and put them into the store instead of beside it
    #[arg(long, requires = "store", help_heading = "Mode")]
    rr_pack: bool,

    /// The number of runs
    #[arg(long, value_name = "N", help_heading = "Amount")]
    runs: Option<u64>,
    /// Start new runs for this time: 30s, 10m, 2h
    #[arg(long = "for", value_name = "TIME", value_parser = amount::duration, help_heading = "Amount")]
    time: Option<Duration>,
    /// The number of concurrent runs
    #[arg(short, long, value_name = "N", default_value_t = 1, help_heading = "Amount")]
    jobs: usize,
    /// The seed of the campaign, from which the seeds of its runs are derived [default: a new one]
    #[arg(long, value_name = "SEED", help_heading = "Amount")]
    seed: Option<u64>,
    /// The number of the first run: with the seed of a campaign, `--first 17 --runs 1` repeats its 17th run
    #[arg(long, value_name = "N", default_value_t = 1, requires = "seed", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Amount")]
    first: u64,

    /// Give fuzz loops different numbers of threads and operations in every run, unless they are set
    #[arg(long, overrides_with = "no_vary", help_heading = "Run")]
    vary: bool,
    /// Leave the numbers of threads and operations to the program
    #[arg(long, overrides_with = "vary", help_heading = "Run")]
    no_vary: bool,
    /// Stop a run after this many scheduling decisions, or the equivalent work without any
    #[arg(long, value_name = "N", default_value_t = Limits::default().decisions, help_heading = "Run")]
    max_decisions: u64,
    /// Stop a run after this much CPU time, or after waiting this long without progress
    #[arg(long, value_name = "TIME", value_parser = amount::duration, default_value = "60s", help_heading = "Run")]
    timeout: Duration,
    /// Pass this environment variable to the program; may be repeated
    #[arg(long, value_name = "NAME[=VALUE]", help_heading = "Run")]
    env: Vec<String>,
    /// Where to put the runs: a new directory [default: omnilink-runs-<n>]
    #[arg(short, long, value_name = "DIR", conflicts_with = "store", help_heading = "Run")]
    output: Option<PathBuf>,
    /// Put the runs into this store instead of a directory: see `omnilink store`
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    store: Option<PathBuf>,

    /// The program and its arguments; after `--` its name may begin with a hyphen
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM")]
    command: Vec<OsString>,
}

/// What to do on a machine where rr cannot record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RrChaos {
    /// Use the default mode.
    Auto,
    /// Fail with the reason.
    #[value(hide = true)]
    Always,
}

impl CampaignArgs {
    /// The campaign, and the place where its runs are stored.
    ///
    /// Without --runs and --for, the number of runs is `unasked`; if that is `None`, only a failure or Ctrl-C ends the
    /// campaign. Without --vary and --no-vary, `varies` applies.
    pub fn campaign(
        &self,
        unasked: Option<u64>,
        until_failure: bool,
        varies: bool,
    ) -> Result<(Campaign, Place), Failure> {
        let mut plan = self.plan()?;
        let modes = self.modes(&mut plan.rr)?;
        if let (Modes::Mix(_) | Modes::Only(Mode::Chaos(_)), Some(warning)) = (modes, launcher::warning(&plan)) {
            let Palette { warning: colour, .. } = palette::stderr();
            complain(format_args!("{colour}warning:{colour:#} {warning}"));
        }
        let runs = self.runs.or(if self.time.is_none() { unasked } else { None });
        let mut place = Place::open(self.output.clone(), self.store.clone(), self.rr_pack)?;
        let campaign = Campaign {
            plan,
            modes,
            seed: self.seed.unwrap_or_else(new_seed),
            first: self.first,
            vary: self.vary || varies && !self.no_vary,
            until: Until { runs, time: self.time, failure: until_failure },
            jobs: self.jobs,
            directory: place.directory().to_owned(),
        };
        place.begin(&campaign)?;
        Ok((campaign, place))
    }

    /// What was given for the program; verbs that can do without may get nothing.
    pub fn program(&self) -> Option<&OsStr> {
        self.command.first().map(OsString::as_os_str)
    }

    /// Takes the words that were given for the program and its arguments away.
    pub fn take_command(&mut self) -> Vec<OsString> {
        std::mem::take(&mut self.command)
    }

    /// Runs this program with these arguments.
    pub fn set_command(&mut self, command: Vec<OsString>) {
        self.command = command;
    }

    /// Whether --vary was given.
    pub fn asks_to_vary(&self) -> bool {
        self.vary
    }

    fn modes(&self, rr: &mut Rr) -> Result<Modes, Failure> {
        let mix = Modes::Mix(self.strategy);
        let wanted = match (self.chaos, self.free, self.rr, self.rr_chaos) {
            (true, ..) => return Ok(Modes::Only(Mode::Chaos(self.strategy))),
            (_, true, ..) => return Ok(Modes::Only(Mode::Free)),
            (_, _, true, _) => Mode::Rr,
            (_, _, _, Some(_)) => Mode::RrChaos,
            _ => return Ok(mix),
        };
        let scratch = tempfile::tempdir().map_err(|error| Failure::new(format!("temporary directory: {error}")))?;
        match rr.probe(scratch.path()) {
            Ok(()) => Ok(Modes::Only(wanted)),
            Err(diagnosis) if self.rr_chaos == Some(RrChaos::Auto) => {
                complain(format_args!("note: {}: using the default mode", diagnosis.reason));
                Ok(mix)
            }
            Err(diagnosis) => Err(Failure::with_hint(diagnosis.reason, diagnosis.remedy)),
        }
    }

    fn plan(&self) -> Result<Plan, Failure> {
        let (program, arguments) = self.command.split_first().ok_or_else(|| Failure::new("no program was named"))?;
        let arguments = arguments.iter().map(|argument| {
            let text = argument.to_str().map(str::to_owned);
            text.ok_or_else(|| Failure::new(format!("{}: is not UTF-8", argument.to_string_lossy())))
        });
        let mut environment = Environment::inherited();
        for request in &self.env {
            environment.add(request)?;
        }
        let here = std::env::current_dir().map_err(|error| Failure::new(format!("the current directory: {error}")))?;
        Ok(Plan {
            program: find(program)?,
            arguments: arguments.collect::<Result<_, _>>()?,
            environment,
            seed: 0,
            mode: Mode::Free,
            libraries: self.chaos_lib.clone(),
            libraries_left_out: self.no_chaos_lib.clone(),
            rr: Rr { binary: lasting(&self.rr_bin, &here), arguments: self.rr_arg.clone(), ..Rr::default() },
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            limits: Limits { decisions: self.max_decisions, wall_clock: self.timeout },
            working_directory: here,
        })
    }
}

/// A new seed, short enough to be typed.
pub fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() as u64 ^ u64::from(std::process::id())) % 1_000_000_000
}

/// A program's file as it can be found from everywhere; what has no directory is looked for in `PATH`.
fn lasting(program: &Path, here: &Path) -> PathBuf {
    match program.components().count() {
        1 if !program.starts_with(".") => program.to_owned(),
        _ => here.join(program),
    }
}
