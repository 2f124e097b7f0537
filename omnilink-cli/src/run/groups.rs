//! The failures of a loop with --keep-going, grouped by cause, each with examples.

use std::io::{self, Write};

use omnilink_check::report::text::Style;
use omnilink_record::campaign::Finished;
use serde::Serialize;

use super::failing::Failing;
use crate::alike::cause::Cause;
use crate::alike::groups::Group;
use crate::alike::rate::Rate;
use crate::palette::Palette;

/// A run that failed.
#[derive(Clone)]
pub struct Failed {
    number: u64,
    seed: u64,
    /// The description, if it is one of the kept examples.
    pub failing: Option<Failing>,
}

impl Failed {
    /// A failed run, with its description if it is kept.
    pub fn new(finished: &Finished, failing: Option<Failing>) -> Self {
        Self { number: finished.number, seed: finished.record.plan.seed, failing }
    }
}

/// Runs that failed for one cause.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// The cause; if they failed in several ways, the most frequent one.
    cause: Cause,
    /// The cause as text.
    title: String,
    /// The failure rate.
    rate: Rate,
    /// The other ways in which some of them failed.
    also: Vec<Also>,
    /// The first of them.
    first_run: u64,
    first_seed: u64,
    /// The kept examples, that with the fewest events first.
    examples: Vec<Failing>,
}

/// Another way in which some of the runs failed.
#[derive(Debug, Serialize)]
struct Also {
    cause: Cause,
    title: String,
    count: u64,
}

impl Failure {
    /// The failure of a group, among this many runs.
    pub fn of(group: Group<Failed>, runs: u64) -> Self {
        let Group { causes, runs: failed } = group;
        let rate = Rate::of(failed.len() as u64, runs);
        let (first_run, first_seed) = failed.iter().map(|run| (run.number, run.seed)).min().unwrap_or_default();
        let mut ways = causes.into_iter().map(|(cause, count)| Also { title: cause.to_string(), cause, count });
        let Also { cause, title, .. } = ways.next().expect("a group has a cause");
        let mut examples: Vec<Failing> = failed.into_iter().filter_map(|run| run.failing).collect();
        examples.sort_by_key(|failing| (failing.events, failing.number));
        Self { cause, title, rate, also: ways.collect(), first_run, first_seed, examples }
    }

    /// Its cause.
    pub fn cause(&self) -> &Cause {
        &self.cause
    }

    /// Its cause in words.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Explains the smallest example.
    pub fn write(&self, number: usize, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let Palette { heading, bad, .. } = style.palette;
        writeln!(out, "{heading}failure {number}{heading:#}: {bad}{}{bad:#}: {}", self.title, self.rate)?;
        for Also { title, count, .. } in &self.also {
            writeln!(out, "  also, {count} times: {title}")?;
        }
        writeln!(out, "  first in run {} (seed {})", self.first_run, self.first_seed)?;
        let Some(example) = self.examples.first() else { return Ok(()) };
        writeln!(out)?;
        example.write(style, out)?;
        writeln!(out)?;
        example.write_commands(out)?;
        let others: Vec<String> = self.examples[1..].iter().map(|other| other.kept().to_string()).collect();
        match others.is_empty() {
            true => writeln!(out),
            false => writeln!(out, "  others:  {}\n", others.join(", ")),
        }
    }

    /// Writes one line.
    pub fn write_line(&self, number: usize, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "  failure {number}: {}: {}", self.rate, self.title)
    }
}
