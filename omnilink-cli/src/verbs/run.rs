//! `omnilink run`

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use clap::Args;
use serde_json::json;

use crate::amount;
use crate::check::args::CheckArgs;
use crate::check::text::{Style, count};
use crate::failure::{Failure, complain};
use crate::interrupt::interrupt;
use crate::notes;
use crate::palette::{Palette, buffered_stdout};
use crate::record::CampaignArgs;
use crate::run::commands::Commands;
use crate::run::examine::{Examiner, Judgement};
use crate::run::journal::{Findings, Journal};
use crate::specification::{SpecificationArgs, tell_warnings};

const EXAMPLES: &str = "\
Examples:
  omnilink run Queue.tla -- ./fuzzer                              until a run fails, or Ctrl-C
  omnilink run Queue.tla --chaos --runs 1000 -j 4 -- ./fuzzer
  omnilink run Queue.tla --for 1h --store runs.db -- ./fuzzer
  omnilink run Queue.tla --runs 500 --keep-going -- ./fuzzer      what fails, and how often
  omnilink run Store.tla --const 'Keys = {1, 2}' --shrink --counterexample why.omni -- ./fuzzer

A run fails if its trace is rejected, or if the program crashes, deadlocks, is stopped because it
takes too long, or exits with another code than 0. The first one is explained and kept, with the
commands that replay and check it. Runs that were not decided within --check-timeout and
--max-memory are counted and kept, and the loop goes on; accepted runs are not kept, but a store has
their seeds and verdicts. The modes, the environment of the program and the directory of a run are
those of `omnilink record`.

Fuzz loops get other numbers of threads and operations in every run, where nobody says how many
(--no-vary): the best sizes differ by an order of magnitude between bugs. With --keep-going a failure
does not end the loop; failures of one cause are told together, with rates and 95 % confidence
intervals, and of each way to fail --examples runs are kept.

At the end it tells what the reader of the verdicts should know: a warning is by which acceptances
show less than one would think, such as calls that were never ended or actions that were never
recorded. docs/checking.md lists them. A program that exits
with 2 (64, 126, 127) before it records anything was called in a wrong way: that ends the loop, too.

Exits with 0 if nothing was found, with 1 if a run failed, with 2 if something is wrong with the
specification, the program or how they fit, or if no run recorded a call that has to have happened,
and with 3 if a run was not decided (unless --allow-unknown, and another one was accepted), or it was
interrupted (Ctrl-C) before the first.";

/// At least one run is needed to explain a failure.
fn examples(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(error) => Err(format!("{error}")),
    }
}

/// The option that limits the time of a check.
const TIMEOUT_OPTION: &str = "--check-timeout";

/// What the search for an order may take if nobody says: one hard trace must not stop the loop.
const MEMORY: usize = 1_000_000_000;

/// Run a program again and again and check every run, until one fails; then explain it
///
/// Every run gets a schedule of its own, drawn from a seed, and is held against the specification as `omnilink check`
/// does.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Run {
    #[command(flatten)]
    specification: SpecificationArgs,
    #[command(flatten, next_help_heading = "Check")]
    checking: CheckArgs,
    /// Give up on a trace after this time
    #[arg(long, value_name = "TIME", value_parser = amount::duration, default_value = "20s", help_heading = "Check")]
    check_timeout: Duration,
    /// Keep accepted runs, too
    #[arg(long, help_heading = "Run")]
    keep: bool,
    /// Runs that were not decided are no reason for exit code 3, if others were accepted
    #[arg(long, help_heading = "Check")]
    allow_unknown: bool,
    /// Go on after a failure; tell all of them at the end, those of one cause together, with how often they occur
    #[arg(long, help_heading = "Run")]
    keep_going: bool,
    /// With --keep-going, how many runs to keep that failed in the same way
    #[arg(long, value_name = "N", default_value_t = 3, requires = "keep_going", help_heading = "Run", value_parser = examples)]
    examples: usize,
    /// Print one JSON object with all that was found
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    campaign: CampaignArgs,
}

impl Run {
    /// Makes and checks runs, and tells what was found.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let interrupt = interrupt()?;
        let timeout = Some(self.check_timeout);
        let spec = self.checking.load(&self.specification, timeout, TIMEOUT_OPTION, &interrupt)?;
        tell_warnings(&spec);
        let mut job = self.checking.job(&self.specification, &spec, timeout, &interrupt)?;
        job.limits.timeout_option = TIMEOUT_OPTION;
        job.limits.memory.get_or_insert(MEMORY);
        let (campaign, mut place) = self.campaign.campaign(None, !self.keep_going, true)?;
        job.measure = place.store().is_some();
        // What failures have in common shows in the smaller reasons.
        job.shrink |= self.keep_going || job.measure;
        let examiner = Examiner { job, interrupt: &interrupt, keep_going: self.keep_going };
        let commands = Commands { specification: &self.specification, checking: &self.checking };
        let counterexample = self.checking.counterexample.as_deref();
        let examples = self.keep_going.then_some(self.examples);
        let seed = campaign.seed;
        let mut journal = Journal::begin(place, &examiner.job, self.keep, examples, seed, commands, counterexample)?;
        complain(format_args!("seed {seed} (Ctrl-C ends it)"));
        let mut written = Ok(());
        let made = campaign.run_examined(&interrupt, &|run| examiner.examine(run), &mut |run, finding, _| {
            if let Err(error) = journal.add(run, finding) {
                interrupt.store(true, Relaxed);
                written = Err(error);
            }
        });
        let finished = journal.finish();
        written?;
        made?;
        let findings = finished?;
        let code =
            findings.summary.exit_code(findings.failing.as_ref().map(|failing| failing.judgement), self.allow_unknown);
        match self.tell(&findings) {
            // Who only wants the exit code need not read.
            Ok(()) | Err(Failure::ReaderGone) => Ok(ExitCode::from(code)),
            Err(failure) => Err(failure),
        }
    }

    fn tell(&self, findings: &Findings) -> Result<(), Failure> {
        let Findings { summary, failing, failures, sizes, place } = findings;
        // One that failed is told with those like it.
        let failing = failing.as_ref().filter(|failing| failures.is_empty() || failing.judgement == Judgement::Error);
        let mut out = buffered_stdout();
        if self.json {
            let first = &findings.failing;
            let all = json!({ "summary": summary, "failure": first, "failures": failures, "sizes": sizes.all() });
            writeln!(out, "{all}")?;
            return Ok(out.flush()?);
        }
        let style = Style { palette: Palette::stdout(), full_state: self.checking.full_state };
        for (at, failure) in failures.iter().enumerate() {
            failure.write(at + 1, style, &mut out)?;
        }
        if let Some(failing) = failing {
            failing.write(style, &mut out)?;
            writeln!(out)?;
        }
        writeln!(out, "{}", summary.line())?;
        for (at, failure) in failures.iter().enumerate() {
            failure.write_line(at + 1, &mut out)?;
        }
        if self.keep_going {
            sizes.worst().map_or(Ok(()), |worst| writeln!(out, "{worst}"))?;
        }
        if self.campaign.asks_to_vary() && sizes.is_empty() {
            writeln!(out, "--vary: no run was varied: the program gives its sizes itself, or is no fuzz loop")?;
        }
        for common in &summary.notes {
            writeln!(out, "{}", notes::shown(common.note.weakens, &common.sentence("run"), style.palette))?;
        }
        if summary.proves_nothing() && findings.failing.is_none() {
            let Palette { bad, .. } = style.palette;
            writeln!(out, "{bad}error{bad:#}: nothing was checked: no run recorded a call that has to have happened")?;
        }
        if summary.unknown > 0 {
            let unknown = count(summary.unknown, "run");
            writeln!(
                out,
                "{unknown} not decided within the limits, kept in {place}: `omnilink check` can take longer{}",
                if self.allow_unknown { "" } else { " (exit code 3 unless --allow-unknown)" }
            )?;
        }
        if let Some(failing) = failing {
            failing.write_commands(&mut out)?;
        }
        Ok(out.flush()?)
    }
}
