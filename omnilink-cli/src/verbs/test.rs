//! `omnilink test`

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use clap::Args;
use omnilink_record::Limits;
use omnilink_record::chaos::CodeCache;
use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::environment::Environment;
use serde_json::json;

use crate::amount;
use crate::failure::{Failure, complain};
use crate::interrupt::{INTERRUPTED, interrupt};
use crate::limits::LIMITED;
use crate::palette::{self, buffered_stdout};
use crate::record::{Place, new_seed};
use crate::status_line::StatusLine;
use crate::test::build::CargoArgs;
use crate::test::list::{Selected, Selection};
use crate::test::summary::{Summary, write_failure};
use crate::test::trial::{Trials, Verdict};

const EXAMPLES: &str = "\
Examples:
  cargo omnilink test                          all tests of the package, 100 runs each
  cargo omnilink test queue --runs 1000        the tests whose names contain `queue`
  cargo omnilink test --test stress --release
  cargo omnilink test -p my-crate --lib --include-ignored

Every test is run by itself, in a process of its own, until a run fails; then once more without the
scheduler, to see whether it fails there, too. Doctests are not run. A test sees only the variables that `omnilink record` passes on,
those of --env, and CARGO_MANIFEST_DIR, CARGO_MANIFEST_PATH and CARGO_PKG_NAME.

Exits with 0 if all tests passed, with 1 if one failed, with 2 if the tests could not be built or none
is selected, with 3 if a run was stopped by a limit, and with 130 if it was interrupted (Ctrl-C).";

/// Run the tests of a Cargo package under schedules that provoke races
///
/// Builds the tests as `cargo test` does, and runs each one, unmodified, many times under the chaos scheduler. A failed
/// run is kept, and the command that repeats it is printed. Also as `cargo omnilink test`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Test {
    #[command(flatten)]
    selection: Selection,
    /// The number of runs of every test
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    runs: u64,
    /// The seed from which the seeds of runs are derived [default: a new one]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// The number of concurrent runs
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// The strategy of the chaos scheduler: random-walk, pct, priorities, round-robin
    #[arg(long, value_name = "NAME", default_value = "random-walk")]
    strategy: StrategyKind,
    /// Stop a run after this many scheduling decisions, or the equivalent work without any
    #[arg(long, value_name = "N", default_value_t = Limits::default().decisions)]
    max_decisions: u64,
    /// Stop a run after this much CPU time, or after waiting this long without progress
    #[arg(long, value_name = "TIME", value_parser = amount::duration, default_value = "60s")]
    timeout: Duration,
    /// Pass this environment variable to the tests; may be repeated
    #[arg(long, value_name = "NAME[=VALUE]")]
    env: Vec<String>,
    /// Where to put the failed runs: a new directory [default: omnilink-runs-<n>]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cargo: CargoArgs,
}

impl Test {
    /// Runs the tests and prints what came of them.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let programs = self.cargo.build()?;
        let Selected { tests, ignored, .. } = self.selection.select(&programs)?;
        let trials = self.trials()?;
        let interrupt = interrupt()?;
        let place = Place::open(self.output.clone(), None, false)?;
        let root = std::path::absolute(place.directory()).map_err(|error| Failure::file(place.directory(), &error))?;
        let mut summary = Summary { tests: Vec::new(), ignored, seed: trials.seed };
        let mut line = StatusLine::begin();
        let mut out = buffered_stdout();
        let mut caches: HashMap<&Path, CodeCache> = HashMap::new();
        for (at, test) in tests.iter().enumerate() {
            if interrupt.load(Relaxed) {
                break;
            }
            let directory = root.join(format!("{:04}-{}", at + 1, file_name(&test.name)));
            let cache = caches.entry(&test.program.file).or_default();
            let trial = trials.run(test, &directory, cache, &interrupt, &mut |made| {
                if line.is_due() {
                    line.show(&format!(
                        "test {} of {}, {}: {made} of {} runs",
                        at + 1,
                        tests.len(),
                        test.name,
                        self.runs
                    ));
                }
            });
            line.clear();
            let trial = trial.inspect_err(|_| place.abandon())?;
            if !self.json {
                write_failure(&trial, self.runs, palette::stdout(), &mut out)?;
                out.flush()?;
            }
            summary.tests.push(trial);
        }
        place.abandon();
        if self.json {
            writeln!(out, "{}", json!(summary))?;
        } else {
            summary.write(self.runs, palette::stdout(), &mut out)?;
        }
        out.flush()?;
        Ok(exit_code(&summary, interrupt.load(Relaxed)))
    }

    fn trials(&self) -> Result<Trials, Failure> {
        let mut environment = Environment::inherited();
        // The failure is what counts; a replay in gdb shows the stacks.
        environment.set("RUST_BACKTRACE", "0");
        for request in &self.env {
            environment.add(request)?;
        }
        Ok(Trials {
            runs: self.runs,
            seed: self.seed.unwrap_or_else(new_seed),
            jobs: self.jobs,
            strategy: self.strategy,
            limits: Limits { decisions: self.max_decisions, wall_clock: self.timeout },
            environment,
        })
    }
}

fn exit_code(summary: &Summary, interrupted: bool) -> ExitCode {
    if interrupted {
        complain(format_args!("interrupted"));
        return ExitCode::from(INTERRUPTED);
    }
    match (summary.failures(), summary.count(Verdict::Stopped)) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(LIMITED),
        _ => ExitCode::from(1),
    }
}

/// A test's name as the name of a directory.
fn file_name(name: &str) -> String {
    const LENGTH: usize = 80;
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    name.replace("::", "-").chars().take(LENGTH).map(plain).collect()
}
