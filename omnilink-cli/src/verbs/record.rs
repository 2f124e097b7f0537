//! `omnilink record`

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

use clap::Args;
use omnilink_record::campaign::Tally;

use crate::failure::{Failure, complain};
use crate::interrupt::{INTERRUPTED, interrupt};
use crate::palette::buffered_stdout;
use crate::record::{CampaignArgs, Progress, no_space};

const EXAMPLES: &str = "\
Examples:
  omnilink record ./fuzzer                         100 runs, mostly under the chaos scheduler
  omnilink record --chaos --runs 1 --seed 7 -- ./fuzzer --threads 3
  omnilink record --until-failure -j 2 ./fuzzer
  omnilink record --store runs.db --for 1h ./fuzzer
  omnilink record --rr-chaos ./fuzzer              where rr works: see `omnilink doctor`
  omnilink record --for 10m --env RUST_LOG=debug --chaos-lib 'libqueue*' ./fuzzer

The directory of a run contains record.json, stdout, stderr, the schedule, and the trace in trace/;
`omnilink replay` repeats the run. The program sees only these variables: HOME, LANG, LC_ALL,
LD_LIBRARY_PATH, PATH, RUST_BACKTRACE, TMPDIR, TZ, those of --env, and OMNILINK_TRACE_DIR,
OMNILINK_SEED, OMNILINK_HELPER_THREADS, OMNILINK_CLOCK.

Exits with 0 if no run failed, with 1 if one failed, crashed, deadlocked or was stopped, with 2 if
the program could not be run, and with 130 if it was interrupted (Ctrl-C).";

/// The default number of runs.
const DEFAULT_RUNS: u64 = 100;

/// Run a program many times under adversarial schedules
///
/// The chaos scheduler runs one thread at a time. A seed determines at which memory accesses it switches threads, and
/// to which thread; the same seed gives the same run. It runs unmodified x86-64 programs, and needs neither privileges
/// nor performance counters.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Record {
    /// Stop after the first run that fails
    #[arg(long, help_heading = "Amount")]
    until_failure: bool,
    #[command(flatten)]
    campaign: CampaignArgs,
}

impl Record {
    /// Records the runs and prints a summary.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let unasked = (!self.until_failure).then_some(DEFAULT_RUNS);
        let (campaign, mut place) = self.campaign.campaign(unasked, self.until_failure, false)?;
        let interrupt = interrupt()?;
        let mut progress = Progress::begin();
        let mut kept = Ok(());
        let tally = campaign.run(&interrupt, &mut |finished, tally| {
            let has_no_space = no_space::is_cause(finished);
            // A run is stored before it is reported.
            match place.keep(finished) {
                at if has_no_space => {
                    interrupt.store(true, Relaxed);
                    kept = Err(no_space::explain(finished, at.ok().as_ref()));
                }
                Ok(at) => progress.show(finished, &at, tally),
                Err(error) => {
                    interrupt.store(true, Relaxed);
                    kept = Err(error);
                }
            }
        });
        progress.clear();
        kept?;
        let tally = tally.inspect_err(|_| place.abandon())?;
        place.end()?;
        let mut out = buffered_stdout();
        writeln!(out, "{}", progress.line(&tally))?;
        writeln!(out, "seed {}, in {place}", campaign.seed)?;
        out.flush()?;
        Ok(exit_code(&tally, interrupt.load(Relaxed)))
    }
}

fn exit_code(tally: &Tally, interrupted: bool) -> ExitCode {
    match (interrupted, tally.failures()) {
        (true, _) => {
            complain(format_args!("interrupted"));
            ExitCode::from(INTERRUPTED)
        }
        (false, 0) => ExitCode::SUCCESS,
        (false, _) => ExitCode::from(1),
    }
}
