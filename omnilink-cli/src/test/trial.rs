//! One test: many times under the scheduler; if it fails there, once without.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use omnilink_record::campaign::{Finished, Modes, Until};
use omnilink_record::chaos::CodeCache;
use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::directory::{RunDirectory, TRACE_DESCRIPTOR, TRACE_VARIABLE};
use omnilink_record::ending::Stopped;
use omnilink_record::environment::Environment;
use omnilink_record::rr::Rr;
use omnilink_record::{Campaign, Ending, Limits, Mode, Plan, stacks};
use serde::Serialize;

use super::build::Program;
use super::list::TestCase;
use crate::failure::Failure;
use crate::record::Kept;
use crate::run::commands;
use crate::run::failing::last_lines_of;

/// The lines of standard error that are printed: the explanation of a failed test of omnilink-test is long.
const LINES: usize = 60;
/// Where tests of omnilink-test put their traces: into the directory of the run.
const TEST_TRACES: &str = "OMNILINK_TEST_TRACES";

/// How tests are run.
pub struct Trials {
    /// How many runs each has.
    pub runs: u64,
    /// The seed of all.
    pub seed: u64,
    /// How many at a time.
    pub jobs: usize,
    /// The strategy of the scheduler.
    pub strategy: StrategyKind,
    /// When a run is stopped.
    pub limits: Limits,
    /// What users pass on.
    pub environment: Environment,
}

/// What came of a test.
#[derive(Debug, Serialize)]
pub struct Trial {
    package: String,
    target: String,
    name: String,
    /// The answer.
    pub verdict: Verdict,
    /// The runs under the scheduler.
    runs: u64,
    /// The run that did not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing: Option<FailingRun>,
}

/// What came of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// All runs passed.
    Passed,
    /// A run under the scheduler failed.
    Failed,
    /// It fails without the scheduler, too.
    FailsWithoutChaos,
    /// A run took too long, so nobody knows.
    Stopped,
    /// It was interrupted before it was decided.
    Interrupted,
}

/// A run that did not pass.
#[derive(Debug, Serialize)]
pub struct FailingRun {
    number: u64,
    seed: u64,
    ending: String,
    /// The stacks of its threads when it crashed, deadlocked or was stopped.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stacks: String,
    /// The last lines of its standard error.
    pub stderr: Vec<String>,
    /// Where it is.
    pub kept: PathBuf,
    /// The command that replays it; none without the scheduler.
    pub replay: Option<String>,
    /// The command that starts gdb there.
    pub debug: Option<String>,
}

impl Program {
    /// The variables that Cargo gives to its tests.
    pub fn variables(&self) -> Vec<(String, String)> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        vec![
            ("CARGO_MANIFEST_DIR".to_owned(), text(&self.directory)),
            ("CARGO_MANIFEST_PATH".to_owned(), text(&self.directory.join("Cargo.toml"))),
            ("CARGO_PKG_NAME".to_owned(), self.package.clone()),
        ]
    }
}

impl Trials {
    /// Runs a test in a new directory, until a run fails. `progress` hears of every run.
    pub fn run(
        &self,
        test: &TestCase<'_>,
        directory: &Path,
        cache: &CodeCache,
        interrupt: &AtomicBool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Trial, Failure> {
        fs::create_dir_all(directory).map_err(|error| Failure::file(directory, &error))?;
        let mut trial = Trial {
            package: test.program.package.clone(),
            target: test.program.target.clone(),
            name: test.name.clone(),
            verdict: Verdict::Passed,
            runs: 0,
            failing: None,
        };
        let chaos = self.campaign(test, directory, Modes::Only(Mode::Chaos(self.strategy)), self.runs);
        let mut removed = Ok(());
        chaos.run_cached(cache, interrupt, &mut |finished, tally| {
            trial.runs = tally.runs;
            progress(tally.runs);
            match verdict(finished) {
                Verdict::Passed => {
                    let gone = fs::remove_dir_all(&finished.directory);
                    removed = gone.map_err(|error| Failure::file(&finished.directory, &error));
                }
                // The worst counts: of runs side by side, several may fail.
                verdict if trial.failing.is_none() || verdict == Verdict::Failed => {
                    trial.verdict = verdict;
                    trial.failing = (verdict != Verdict::Interrupted).then(|| FailingRun::new(finished));
                }
                _ => {}
            }
        })?;
        removed?;
        if trial.verdict == Verdict::Failed && self.fails_anyway(test, &directory.join("free"), interrupt)? {
            trial.verdict = Verdict::FailsWithoutChaos;
        }
        if trial.verdict == Verdict::Passed && trial.runs < self.runs {
            trial.verdict = Verdict::Interrupted;
        }
        let _ = fs::remove_dir(directory);
        Ok(trial)
    }

    /// Whether a test fails without the scheduler, too.
    fn fails_anyway(&self, test: &TestCase<'_>, directory: &Path, interrupt: &AtomicBool) -> Result<bool, Failure> {
        fs::create_dir_all(directory).map_err(|error| Failure::file(directory, &error))?;
        let free = self.campaign(test, directory, Modes::Only(Mode::Free), 1);
        let tally = free.run(interrupt, &mut |_, _| {})?;
        fs::remove_dir_all(directory).map_err(|error| Failure::file(directory, &error))?;
        Ok(tally.failures() > 0)
    }

    fn campaign(&self, test: &TestCase<'_>, directory: &Path, modes: Modes, runs: u64) -> Campaign {
        let mut environment = self.environment.clone();
        test.program.variables().into_iter().for_each(|(name, value)| environment.set(name, value));
        // Tests record by themselves, with omnilink-test.
        environment.set(TRACE_VARIABLE, "");
        environment.set(TEST_TRACES, format!("/proc/self/fd/{TRACE_DESCRIPTOR}"));
        let mut arguments = vec![test.name.clone()];
        arguments.extend(["--exact", "--nocapture", "--test-threads=1"].map(str::to_owned));
        if test.is_ignored {
            arguments.push("--include-ignored".to_owned());
        }
        Campaign {
            plan: Plan {
                program: test.program.file.clone(),
                arguments,
                environment,
                working_directory: test.program.directory.clone(),
                seed: 0,
                mode: Mode::Free,
                libraries: Vec::new(),
                libraries_left_out: Vec::new(),
                rr: Rr::default(),
                processors: std::thread::available_parallelism().map_or(1, usize::from),
                limits: self.limits,
            },
            modes,
            seed: self.seed,
            first: 1,
            vary: false,
            until: Until { runs: Some(runs), time: None::<Duration>, failure: true },
            jobs: self.jobs,
            directory: directory.to_owned(),
        }
    }
}

fn verdict(finished: &Finished) -> Verdict {
    match &finished.record.observed.ending {
        Ending::Exited(0) => Verdict::Passed,
        Ending::Stopped(Stopped::Interrupted) => Verdict::Interrupted,
        Ending::Stopped(_) => Verdict::Stopped,
        _ => Verdict::Failed,
    }
}

impl FailingRun {
    fn new(finished: &Finished) -> Self {
        let Finished { number, directory, record } = finished;
        let kept = Kept::Directory(directory.clone());
        Self {
            number: *number,
            seed: record.plan.seed,
            ending: record.observed.ending.to_string(),
            stacks: match &record.observed.ending {
                Ending::Deadlocked(threads) => threads.clone(),
                Ending::Exited(_) => String::new(),
                _ => stacks::text(&record.observed.stacks),
            },
            stderr: last_lines_of(&RunDirectory::open(directory), LINES),
            replay: commands::replay(&kept, record.plan.mode),
            debug: commands::debug(&kept, record, None),
            kept: directory.clone(),
        }
    }

    /// Which run it was, and how it ended.
    pub fn sentence(&self, runs: u64) -> String {
        let Self { number, seed, ending, .. } = self;
        format!("run {number} of {runs} (seed {seed}): {ending}")
    }
}

impl Trial {
    /// The test as people name it: package, target and name.
    pub fn title(&self) -> String {
        format!("{} {} {}", self.package, self.target, self.name)
    }
}
