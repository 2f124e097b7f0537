//! What came of all tests, as text and as JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::trial::{FailingRun, Trial, Verdict};
use crate::palette::Palette;

/// What came of all tests.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    /// By test.
    pub tests: Vec<Trial>,
    /// How many have #[ignore] and were not run.
    pub ignored: usize,
    /// The seed of all.
    pub seed: u64,
}

impl Summary {
    /// How many tests have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.tests.iter().filter(|trial| trial.verdict == verdict).count()
    }

    /// How many tests failed, with the scheduler or without.
    pub fn failures(&self) -> usize {
        self.count(Verdict::Failed) + self.count(Verdict::FailsWithoutChaos)
    }

    /// Writes how many tests passed.
    pub fn write(&self, runs: u64, palette: Palette, out: &mut dyn Write) -> io::Result<()> {
        let Palette { heading, .. } = palette;
        let of = self.tests.len();
        let s = if of == 1 { "" } else { "s" };
        write!(out, "{heading}{of} test{s}{heading:#}: {} passed ({runs} runs each)", self.count(Verdict::Passed))?;
        let others = [
            (Verdict::Failed, "failed"),
            (Verdict::FailsWithoutChaos, "fail without the scheduler, too"),
            (Verdict::Stopped, "stopped"),
            (Verdict::Interrupted, "interrupted"),
        ];
        for (verdict, words) in others {
            match self.count(verdict) {
                0 => {}
                count => write!(out, ", {count} {words}")?,
            }
        }
        match self.ignored {
            0 => writeln!(out, "; seed {}", self.seed),
            ignored => writeln!(out, "; {ignored} with #[ignore] not run (--include-ignored); seed {}", self.seed),
        }
    }
}

/// Writes a test that did not pass.
pub fn write_failure(trial: &Trial, runs: u64, palette: Palette, out: &mut dyn Write) -> io::Result<()> {
    let Some(failing) = &trial.failing else { return Ok(()) };
    let Palette { heading, faint, bad, warning, .. } = palette;
    let FailingRun { stacks, stderr, kept, replay, debug, .. } = failing;
    let (style, word) = match trial.verdict {
        Verdict::Stopped => (warning, "stopped"),
        _ => (bad, "FAILED"),
    };
    let sentence = failing.sentence(runs);
    writeln!(out, "{style}{word}{style:#} {heading}{}{heading:#}: {sentence}", trial.title())?;
    if trial.verdict == Verdict::FailsWithoutChaos {
        writeln!(out, "  without the chaos scheduler it fails, too")?;
    }
    stacks.lines().try_for_each(|line| writeln!(out, "  {line}"))?;
    if !stderr.is_empty() {
        writeln!(out, "  the end of its standard error:")?;
        stderr.iter().try_for_each(|line| writeln!(out, "    {faint}|{faint:#} {line}"))?;
    }
    if trial.verdict == Verdict::Stopped {
        writeln!(out, "  a smaller test, or --max-decisions and --timeout, may help")?;
    }
    writeln!(out, "  kept:    {} (stdout, stderr)", kept.display())?;
    replay.iter().try_for_each(|command| writeln!(out, "  replay:  {command}"))?;
    debug.iter().try_for_each(|command| writeln!(out, "  debug:   {command}"))
}
