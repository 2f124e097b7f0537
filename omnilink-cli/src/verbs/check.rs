//! `omnilink check`

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use omnilink_check::report::text::{self, Style, count};
use omnilink_check::report::{Report, Status, name_of};
use serde_json::json;

use crate::alike::cause::{Cause, Way};
use crate::alike::groups::Groups;
use crate::amount;
use crate::check::args::CheckArgs;
use crate::check::job::{Job, Outcome};
use crate::check::progress::Board;
use crate::check::stored::Stored;
use crate::check::{junit, pool, traces};
use crate::failure::Failure;
use crate::interrupt::interrupt;
use crate::notes::Gathered;
use crate::palette::{self, Palette, buffered_stdout};
use crate::specification::{SpecificationArgs, tell_warnings};
use crate::status_line::StatusLine;

const EXAMPLES: &str = "\
Examples:
  omnilink check Queue.tla run                        one run
  omnilink check Queue.tla 'runs/*' -j 4              several; or name a directory of runs
  omnilink check Store.tla run --on abort=Rollback --also Commit=StatusFits
  omnilink check Queue.tla run --timeout 60s --counterexample why.omni
  omnilink check Queue.tla --store runs.db            all runs of a store; saves the verdicts in it
  omnilink check Queue.tla --store runs.db --quiet    only counts and causes

Exits with 0 if all traces are accepted, with 1 if a trace is rejected, its program crashed or an
invariant is violated, with 2 if a trace or the specification is faulty, and with 3 if a verdict is
unknown: a limit was reached, or it was interrupted (Ctrl-C). With several traces, 1 takes precedence
over 2, 2 over 3, and 3 over 0.";

/// Decide whether recorded runs conform to a specification, and explain why not
///
/// A trace is accepted if some order of its calls, each at one moment inside its timebox, is a behaviour of the
/// specification. Otherwise the output shows the furthest orders and, for each call that could come next, the formula
/// that prevents it. docs/checking.md explains the output.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Check {
    #[command(flatten)]
    specification: SpecificationArgs,
    /// Run directories, packed runs, JSON lines, upstream logs, directories of these, or patterns; with --store, names of
    /// runs [default: all]
    #[arg(required_unless_present = "store", value_name = "RUN")]
    traces: Vec<PathBuf>,
    /// Check runs of this store, and save the verdicts in it: see `omnilink store`
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    checking: CheckArgs,
    /// Give up on a trace after this time: 90s, 5m, 1.5h
    #[arg(long, value_name = "TIME", value_parser = amount::duration)]
    timeout: Option<Duration>,
    /// Write the order found (only with one trace): as text if the file name ends with .txt, else as JSON
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    /// Print a JSON object per trace and line
    #[arg(long)]
    json: bool,
    /// Write a JUnit report
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Threads: traces are checked in parallel, and a long search uses idle threads [default: one per processor]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Keep the valid part of damaged files
    #[arg(long)]
    recover: bool,
    /// Neither read nor write the cache of verdicts
    #[arg(long)]
    no_cache: bool,
    /// With several traces, print the accepted ones, too
    #[arg(short, long)]
    verbose: bool,
    /// Print only the number of traces per verdict, and the causes of failures
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

impl Check {
    /// Checks all traces and prints the results.
    pub fn run(mut self) -> Result<ExitCode, Failure> {
        self.specification.settle()?;
        let traces = if self.store.is_some() { Vec::new() } else { traces::named(&self.traces)? };
        let interrupt = interrupt()?;
        let spec = self.checking.load(&self.specification, self.timeout, "--timeout", &interrupt)?;
        tell_warnings(&spec);
        let mut job = Job {
            measure: self.store.is_some(),
            shrink: self.store.is_some() || self.checking.shrink,
            witness: self.witness.clone(),
            recover: self.recover,
            use_cache: !self.no_cache,
            ..self.checking.job(&self.specification, &spec, self.timeout, &interrupt)?
        };
        // Threads that other traces do not need help with one.
        job.limits.threads = if traces.is_empty() { 1 } else { (self.workers() / traces.len()).max(1) };
        let stored = self.store.as_ref().map(|store| Stored::open(store, &job)).transpose()?;
        let runs = stored.as_ref().map_or(Ok(Vec::new()), |stored| stored.runs(&self.names()))?;
        let count = traces.len() + runs.len();
        if self.witness.is_some() && count > 1 {
            return Err(Failure::new(format!("--witness is for one trace, and there are {count}")));
        }
        let mut findings = Findings {
            check: &self,
            are_several: count > 1,
            statuses: BTreeMap::new(),
            cases: Vec::new(),
            notes: Gathered::default(),
            explained: false,
            causes: Groups::default(),
        };
        let visit = &mut |outcome: Outcome| findings.add(&outcome);
        // The reader of the JSON may write to the same terminal.
        let line = if self.json { StatusLine::none() } else { StatusLine::begin() };
        let board = Board::begin(line, count, job.engine.is_steady());
        let workers = self.workers();
        let printed = match &stored {
            Some(stored) => pool::run(&runs, workers, &board, &|run, progress| stored.check(run, progress), visit),
            None => pool::run(&traces, workers, &board, &|trace, progress| Ok(job.run(trace, progress)), visit),
        };
        match printed {
            // A reader that closed the pipe still gets the exit code.
            Ok(()) => findings.print_total()?,
            Err(Failure::ReaderGone) => {}
            Err(failure) => return Err(failure),
        }
        findings.write_junit(&name_of(self.specification.path()))?;
        Ok(ExitCode::from(findings.worst().exit_code()))
    }

    /// The names of runs in a store.
    fn names(&self) -> Vec<String> {
        self.traces.iter().map(|name| name.to_string_lossy().into_owned()).collect()
    }

    fn workers(&self) -> usize {
        self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }
}

/// The results so far.
struct Findings<'a> {
    check: &'a Check,
    /// There is more than one trace.
    are_several: bool,
    /// The number of traces per status.
    statuses: BTreeMap<Status, u64>,
    cases: Vec<junit::Case>,
    notes: Gathered,
    /// The counterexample is written.
    explained: bool,
    /// The causes of failed traces, with --quiet.
    causes: Groups<()>,
}

impl Findings<'_> {
    fn add(&mut self, outcome: &Outcome) -> Result<(), Failure> {
        let Outcome { report, cached, .. } = outcome;
        *self.statuses.entry(report.status()).or_default() += 1;
        self.notes.add(report);
        if self.check.junit.is_some() {
            let mut text = Vec::new();
            text::write(report, *cached, self.style(Palette::default()), &mut text)?;
            self.cases.push(junit::Case::new(report, &String::from_utf8_lossy(&text)));
        }
        if let (Some(path), false) = (&self.check.checking.counterexample, self.explained) {
            self.explained = outcome.write_counterexample(path)?;
        }
        if self.check.quiet {
            if let Some(cause) = Cause::of_report(report).or_else(|| Cause::of_crashes(report)) {
                self.causes.add(vec![Way::explained(cause, Some(report))], ());
            }
            return Ok(());
        }
        self.print(report, *cached)
    }

    fn print(&self, report: &Report, cached: bool) -> Result<(), Failure> {
        let mut out = buffered_stdout();
        // Failures should stand out among many accepted traces.
        let is_quiet = self.are_several && !self.check.verbose && report.status() == Status::Accepted;
        if self.check.json {
            writeln!(out, "{}", serde_json::json!(report))?;
        } else if !is_quiet {
            text::write(report, cached, self.style(palette::stdout()), &mut out)?;
        }
        Ok(out.flush()?)
    }

    /// With several traces, prints the number per status and their notes.
    fn print_total(&mut self) -> Result<(), Failure> {
        let is_quiet = self.check.quiet;
        if !is_quiet && (self.check.json || !self.are_several) {
            return Ok(());
        }
        let total: u64 = self.statuses.values().sum();
        let groups = std::mem::take(&mut self.causes).finish(total);
        let mut out = buffered_stdout();
        if self.check.json {
            let statuses: BTreeMap<_, _> = self.statuses.iter().map(|(it, count)| (it.to_string(), count)).collect();
            let causes: Vec<_> = groups.iter().flat_map(|group| &group.causes).collect();
            let causes: Vec<_> =
                causes.iter().map(|(cause, count)| json!({ "cause": cause, "count": count })).collect();
            writeln!(out, "{}", json!({ "traces": statuses, "causes": causes }))?;
            return Ok(out.flush()?);
        }
        let counts: Vec<_> = self.statuses.iter().rev().map(|(status, count)| format!("{count} {status}")).collect();
        writeln!(out, "{}: {}", count(total, "trace"), counts.join(", "))?;
        for (cause, times) in groups.iter().flat_map(|group| &group.causes) {
            writeln!(out, "  {times}× {cause}")?;
        }
        self.notes.write("trace", palette::stdout(), &mut out)?;
        Ok(out.flush()?)
    }

    fn worst(&self) -> Status {
        self.statuses.keys().max().copied().unwrap_or(Status::Accepted)
    }

    fn write_junit(&self, spec: &str) -> Result<(), Failure> {
        match &self.check.junit {
            Some(path) => junit::write_file(path, "check", spec, &self.cases),
            None => Ok(()),
        }
    }

    fn style(&self, palette: Palette) -> Style {
        Style { palette, full_state: self.check.checking.full_state }
    }
}
