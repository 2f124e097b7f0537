//! `omnilink run`

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use clap::Args;
use omnilink_check::report::name_of;
use omnilink_check::report::text::{Style, note};
use omnilink_gen::project_file::NAME;
use serde_json::json;

use crate::amount;
use crate::check::args::CheckArgs;
use crate::check::junit::write_file;
use crate::failure::{Failure, complain};
use crate::interrupt::interrupt;
use crate::palette::{self, Palette, buffered_stdout};
use crate::record::CampaignArgs;
use crate::run::annotations::{self, Service};
use crate::run::commands::Commands;
use crate::run::examine::{Examiner, Judgement};
use crate::run::journal::{Findings, Journal};
use crate::run::junit;
use crate::run::project::Project;
use crate::specification::{SpecificationArgs, tell_warnings};

const EXAMPLES: &str = "\
Examples:
  omnilink run                                                    in a project: what omnilink.project says
  omnilink run -- --buggy                                         the same, with an argument for its program
  omnilink run Queue.tla -- ./fuzzer                              until a run fails, or Ctrl-C
  omnilink run Queue.tla --chaos --runs 1000 -j 4 -- ./fuzzer
  omnilink run Queue.tla --for 1h --store runs.db -- ./fuzzer
  omnilink run Queue.tla --runs 500 --keep-going -- ./fuzzer      all failures, with rates
  omnilink run Store.tla --const 'Keys = {1, 2}' --shrink --counterexample why.omni -- ./fuzzer

A run fails if its trace is rejected, or if the program crashes, deadlocks, exceeds a limit, or exits
with a code other than 0. The first failed run is explained and kept, and the commands that replay
and check it are printed. Undecided runs (--check-timeout, --max-memory) are counted with the reasons
and kept, and the loop continues. Accepted runs are not kept; a store keeps their seeds and verdicts.
The modes, the environment of the program and the directory of a run are those of `omnilink record`.

Fuzz loops get different numbers of threads and operations in every run, unless the command line or
the program sets them (--no-vary turns this off): the best sizes differ by an order of magnitude
between bugs. With --keep-going a failure does not end the loop; failures are grouped by cause, with
rates and 95 % confidence intervals, and --examples runs are kept for each way to fail.

Without SPEC and PROGRAM it takes both from the file omnilink.project, here or in a directory above,
which `new` and `gen-fuzzer` write. Its lines are `key: value`: spec, cfg, const, module-path and next
say what is checked, build is a shell command that is run first, program is what is run. Constants and
the like count also where its specification is named on the command line, without --cfg.

Warnings at the end mean that acceptances prove less than they seem to, for example because calls
never ended or actions were never recorded. docs/checking.md lists them. A program that exits with 2
(64, 126, 127) before it records anything was called with wrong arguments: this ends the loop, too.

Exits with 0 if no run failed, with 1 if a run failed, with 2 if the specification or the program is
faulty, if they do not fit each other, if no space is left for a trace, or if no run recorded a call
that must have happened, and with 3 if a run was not decided (unless --allow-unknown is given and
another run was accepted), or if it was interrupted (Ctrl-C) before the first run was decided.";

/// Whether two paths lead to the same file.
fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// There is a specification, or what is taken for one, and nothing else.
fn no_program(spec: &Path) -> Failure {
    let text = "no program was named";
    let is_spec = spec.extension().is_some_and(|extension| extension == "tla");
    let hint = if is_spec {
        format!("omnilink run {} -- ./program", spec.display())
    } else {
        format!("write the specification before the program: omnilink run Spec.tla -- {}", spec.display())
    };
    Failure::with_hint(text, hint)
}

/// Parses the number of examples: at least one run is needed to explain a failure.
fn examples(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(error) => Err(format!("{error}")),
    }
}

/// The option that limits the time of a check.
const TIMEOUT_OPTION: &str = "--check-timeout";

/// The default memory limit of a check: one hard trace must not stop the loop.
const MEMORY: usize = 1_000_000_000;

/// Run a program repeatedly and check every run, until a run fails; then explain the failure
///
/// Every run has its own schedule, drawn from a seed, and is checked against the specification as by `omnilink check`.
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("spec", |spec| spec.required(false)),
    mut_arg("command", |command| command.required(false))
)]
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
    /// Do not exit with 3 because of undecided runs, if other runs were accepted
    #[arg(long, help_heading = "Check")]
    allow_unknown: bool,
    /// Continue after a failure; at the end, print all failures grouped by cause, with rates
    #[arg(long, help_heading = "Run")]
    keep_going: bool,
    /// With --keep-going, the number of runs to keep for each way to fail
    #[arg(long, value_name = "N", default_value_t = 3, requires = "keep_going", help_heading = "Run", value_parser = examples)]
    examples: usize,
    /// Write a JUnit report: a test case for all runs, and one for each failure
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Mark each failure at the formula that is false, as this service reads it from the log
    #[arg(long, value_name = "SERVICE")]
    annotate: Option<Service>,
    /// Print the results as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    campaign: CampaignArgs,
}

impl Run {
    /// Records and checks runs, and prints the results.
    pub fn run(mut self) -> Result<ExitCode, Failure> {
        self.enter_project()?;
        self.specification.settle()?;
        let interrupt = interrupt()?;
        let timeout = Some(self.check_timeout);
        let spec = self.checking.load(&self.specification, timeout, TIMEOUT_OPTION, &interrupt)?;
        tell_warnings(&spec);
        let mut job = self.checking.job(&self.specification, &spec, timeout, &interrupt)?;
        job.limits.timeout_option = TIMEOUT_OPTION;
        job.limits.memory.get_or_insert(MEMORY);
        let (campaign, mut place) = self.campaign.campaign(None, !self.keep_going, true)?;
        job.measure = place.store().is_some();
        // Failures are grouped by their smaller reasons.
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
        let error = written.and(made.map(drop).map_err(Failure::from)).err();
        let findings = match (finished, error) {
            (Ok(findings), None) => findings,
            // What was found before is found, whatever ended the loop.
            (Ok(findings), Some(error)) => return Err(self.tell_before(&findings, error)),
            (Err(_), Some(error)) | (Err(error), None) => return Err(error),
        };
        let code =
            findings.summary.exit_code(findings.failing.as_ref().map(|failing| failing.judgement), self.allow_unknown);
        self.write_cases(&findings, None)?;
        match self.tell(&findings) {
            // A reader that closed the pipe still gets the exit code.
            Ok(()) | Err(Failure::ReaderGone) => Ok(ExitCode::from(code)),
            Err(failure) => Err(failure),
        }
    }

    /// Takes what was not given from the project: the program, and the specification if nothing but arguments of the program
    /// was given.
    fn enter_project(&mut self) -> Result<(), Failure> {
        // Only after `--` can they be what is taken for the specification.
        let is_argument = |word: &OsStr| word.as_encoded_bytes().starts_with(b"-");
        let given = self.specification.given().map(Path::to_owned);
        let (spec, first) = match given {
            Some(word) if is_argument(word.as_os_str()) => (None, Some(word.into_os_string())),
            given => (given, None),
        };
        let names_program = self.campaign.program().is_some_and(|word| !is_argument(word));
        if spec.is_some() && names_program {
            return Ok(());
        }
        let project = Project::find()?;
        let project = match (project, spec) {
            (Some(project), None) => project,
            (Some(project), Some(spec)) if is_same(&spec, &project.spec()) => project,
            // It may be a program all the same: then it is found.
            (_, Some(_)) if self.campaign.program().is_some() => return Ok(()),
            (_, Some(spec)) => return Err(no_program(&spec)),
            (None, None) => {
                return Err(Failure::with_hint(
                    format!("no specification was given, and neither this directory nor one above it has {NAME}"),
                    "omnilink run Spec.tla -- ./program; `omnilink new NAME` makes a project to begin with",
                ));
            }
        };
        project.build()?;
        self.specification.set(project.spec());
        let command = project.command(first.into_iter().chain(self.campaign.take_command()));
        project.tell(&command)?;
        self.campaign.set_command(command);
        Ok(())
    }

    /// Tells what was found before an error ended the loop, and gives the error.
    fn tell_before(&self, findings: &Findings, error: Failure) -> Failure {
        let mut told = self.write_cases(findings, Some(&error));
        if findings.summary.endings.runs > 0 {
            told = told.and(self.tell(findings));
        }
        if let Err(failure @ Failure::Message { .. }) = told {
            failure.report();
        }
        error
    }

    /// Writes what services that run tests read.
    fn write_cases(&self, findings: &Findings, error: Option<&Failure>) -> Result<(), Failure> {
        if self.junit.is_none() && self.annotate.is_none() {
            return Ok(());
        }
        let cases = junit::cases(findings, self.allow_unknown, error)?;
        if let Some(path) = &self.junit {
            write_file(path, "run", &name_of(self.specification.path()), &cases)?;
        }
        if let Some(service) = self.annotate {
            annotations::write(service, &cases, self.specification.path(), &mut std::io::stderr().lock())?;
        }
        Ok(())
    }

    fn tell(&self, findings: &Findings) -> Result<(), Failure> {
        let Findings { summary, failing, failures, sizes, place } = findings;
        // A failed run is printed with its group.
        let failing = failing.as_ref().filter(|failing| failures.is_empty() || failing.judgement == Judgement::Error);
        let mut out = buffered_stdout();
        if self.json {
            let first = &findings.failing;
            let all = json!({ "summary": summary, "failure": first, "failures": failures, "sizes": sizes.all() });
            writeln!(out, "{all}")?;
            return Ok(out.flush()?);
        }
        let style = Style { palette: palette::stdout(), full_state: self.checking.full_state };
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
            writeln!(out, "--vary: no run was varied: the program sets its sizes, or it has no OmniLink fuzz loop")?;
        }
        for common in &summary.notes {
            writeln!(out, "{}", note(common.note.weakens, &common.sentence("run"), style.palette))?;
        }
        if summary.proves_nothing() && findings.failing.is_none() {
            let Palette { bad, .. } = style.palette;
            writeln!(out, "{bad}error{bad:#}: nothing was checked: no run recorded a call that must have happened")?;
        }
        if summary.unknown > 0 {
            summary.undecided_lines().try_for_each(|line| writeln!(out, "{line}"))?;
            for advice in summary.undecided.iter().filter_map(|undecided| undecided.advice.first()) {
                writeln!(out, "  {advice}")?;
            }
            let unless = if self.allow_unknown { "" } else { "; exit code 3 unless --allow-unknown" };
            writeln!(out, "  kept in {place}: `omnilink check` says more about each{unless}")?;
        }
        if let Some(failing) = failing {
            failing.write_commands(&mut out)?;
        }
        Ok(out.flush()?)
    }
}
