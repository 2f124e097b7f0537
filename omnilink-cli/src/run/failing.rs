//! A failed run, as it is printed.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use omnilink_check::report::Report;
use omnilink_check::report::text::{self, Style};
use omnilink_record::Ending;
use omnilink_record::campaign::Finished;
use omnilink_record::directory::{Record, RunDirectory};
use omnilink_record::observed::{BECAME_ANOTHER, STARTS_PROCESSES};
use omnilink_record::stacks::{self, ThreadStack};
use omnilink_trace::run::Fuzzed;
use serde::Serialize;

use super::commands::{self, Commands};
use super::examine::Judgement;
use crate::palette::Palette;
use crate::record::{Kept, launcher};

/// The limits on the printed part of standard error.
const LINES: usize = 20;
const BYTES: u64 = 8 << 10;

/// A run that failed, or that could not be checked.
#[derive(Debug, Clone, Serialize)]
pub struct Failing {
    /// The judgement on it.
    #[serde(skip)]
    pub judgement: Judgement,
    pub number: u64,
    mode: &'static str,
    seed: u64,
    /// Its sizes, if it is a run of a fuzz loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    fuzz: Option<Fuzzed>,
    /// The number of recorded calls.
    pub events: u64,
    ending: String,
    /// Whether the program failed, independent of its trace.
    went_wrong: bool,
    /// What each thread waited for, if it deadlocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlock: Option<String>,
    /// The stacks of its threads when it crashed, deadlocked or was stopped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stacks: Vec<ThreadStack>,
    /// The last lines of its standard error.
    stderr: Vec<String>,
    /// Its location.
    kept: Kept,
    /// The command that replays it; `None` if it is not repeatable.
    replay: Option<String>,
    /// The command that starts gdb at the failure; `None` if it is not repeatable.
    debug: Option<String>,
    /// The command that checks it again.
    check: String,
    /// The hint about programs that it started, if any.
    #[serde(skip)]
    others: Option<String>,
    /// The report on its trace; `None` if it recorded nothing.
    report: Option<Report>,
}

impl Failing {
    /// The description of a run that is kept.
    pub fn new(
        finished: &Finished,
        judgement: Judgement,
        stderr: Vec<String>,
        kept: Kept,
        report: Option<Report>,
        commands: &Commands<'_>,
    ) -> Self {
        let plan = &finished.record.plan;
        let ending = &finished.record.observed.ending;
        Self {
            judgement,
            number: finished.number,
            mode: plan.mode.name(),
            seed: plan.seed,
            fuzz: finished.record.fuzz.clone(),
            events: finished.record.events.unwrap_or_default(),
            ending: ending.to_string(),
            went_wrong: ending.is_failure(),
            deadlock: if let Ending::Deadlocked(threads) = ending { Some(threads.clone()) } else { None },
            stacks: finished.record.observed.stacks.clone(),
            stderr,
            others: starts_others(&finished.record).then(|| {
                format!("it starts other programs, and these recorded nothing either; {}", launcher::advice(plan))
            }),
            debug: commands::debug(&kept, &finished.record, report.as_ref()),
            replay: commands::replay(&kept, plan.mode),
            check: commands.check(&kept),
            kept,
            report,
        }
    }

    /// The report of its check, if it recorded something.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// How the program ended.
    pub fn ending(&self) -> &str {
        &self.ending
    }

    /// Its location.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Writes the explanation.
    pub fn write(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let Palette { heading, bad, .. } = style.palette;
        if self.went_wrong {
            writeln!(out, "{heading}{}{heading:#}: {bad}{}{bad:#}", self.kept, self.ending)?;
            let threads = self.deadlock.clone().unwrap_or_else(|| stacks::text(&self.stacks));
            threads.lines().try_for_each(|line| writeln!(out, "  {line}"))?;
            self.write_stderr(style.palette, out)?;
        }
        match &self.report {
            Some(report) => text::write(report, false, style, out),
            None if self.went_wrong => writeln!(out, "  it recorded nothing"),
            None => {
                writeln!(out, "{heading}{}{heading:#}: {bad}error{bad:#}: the program recorded nothing", self.kept)?;
                writeln!(
                    out,
                    "  {heading}hint:{heading:#} actions are recorded by #[omnilink::action], omnilink.hpp or a generated \
                     fuzzer; see README.md"
                )?;
                if let Some(others) = &self.others {
                    writeln!(out, "  {heading}hint:{heading:#} {others}")?;
                }
                self.write_stderr(style.palette, out)
            }
        }
    }

    fn write_stderr(&self, palette: Palette, out: &mut dyn Write) -> io::Result<()> {
        let Palette { faint, .. } = palette;
        if self.stderr.is_empty() {
            return Ok(());
        }
        writeln!(out, "  the end of its standard error:")?;
        self.stderr.iter().try_for_each(|line| writeln!(out, "    {faint}|{faint:#} {line}"))
    }

    /// Writes its location and the next commands.
    pub fn write_commands(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { number, mode, seed, kept, check, .. } = self;
        let sizes = match &self.fuzz {
            Some(Fuzzed { threads, operations: Some(operations), .. }) => {
                format!(", {threads} threads × {operations} operations")
            }
            _ => String::new(),
        };
        writeln!(out, "run {number} ({mode}, seed {seed}{sizes}) is kept: {kept}")?;
        match &self.replay {
            Some(replay) => writeln!(out, "  replay:  {replay}")?,
            None => writeln!(out, "  replay:  not possible, since nothing controlled its schedule (--chaos does)")?,
        }
        if let Some(debug) = &self.debug {
            writeln!(out, "  debug:   {debug}")?;
        }
        if self.report.is_some() { writeln!(out, "  check:   {check}") } else { Ok(()) }
    }
}

/// Whether the scheduler saw a program start others.
fn starts_others(record: &Record) -> bool {
    record.observed.notes.iter().any(|note| [STARTS_PROCESSES, BECAME_ANOTHER].contains(&note.as_str()))
}

/// The last lines that a program wrote to standard error; empty if they cannot be read.
pub fn last_lines(run: &RunDirectory) -> Vec<String> {
    last_lines_of(run, LINES)
}

/// So many of the last lines of its standard error.
pub fn last_lines_of(run: &RunDirectory, number: usize) -> Vec<String> {
    let read = || -> io::Result<Vec<u8>> {
        let mut file = File::open(run.stderr())?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(BYTES)))?;
        let mut bytes = Vec::new();
        file.take(BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<_> = text.lines().map(visible).collect();
    lines[lines.len().saturating_sub(number)..].to_vec()
}

/// A line without control characters.
fn visible(line: &str) -> String {
    line.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
}
