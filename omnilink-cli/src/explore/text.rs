//! A report as text.

use std::io::{self, Write};

use super::report::{ConditionRow, Finding, Report, StepRow, UncheckedRow};
use crate::palette::Palette;

/// Writes the result, the counterexample, and the numbers of states.
pub fn write(report: &Report, palette: Palette, out: &mut impl Write) -> io::Result<()> {
    let Palette { good, warning, bad, .. } = palette;
    let Report { module, distinct, generated, queued, depth, seconds, .. } = report;
    write!(out, "{module}: ")?;
    match &report.finding {
        Finding::Ok => writeln!(out, "{good}no error found{good:#}")?,
        Finding::NotAllChecked => {
            writeln!(out, "{warning}no error found in what was checked{warning:#} (--safety-only: that is enough)")?
        }
        Finding::MaxStates => writeln!(out, "{warning}no error found so far{warning:#}, stopped by --max-states")?,
        Finding::Interrupted => writeln!(out, "{warning}no error found so far{warning:#}, interrupted")?,
        Finding::Unknown { why } => writeln!(out, "{warning}no error found so far{warning:#}, {why}")?,
        Finding::FalseAssumption { assumption } => writeln!(out, "{bad}assumption {assumption} is false{bad:#}")?,
        Finding::Violated { invariant } => writeln!(out, "{bad}invariant {invariant} is violated{bad:#}")?,
        Finding::PropertyViolated { property, by, formula, place } => {
            let last = if *by == "initial state" { "" } else { "last " };
            writeln!(out, "{bad}property {property} is violated{bad:#} by the {last}{by}")?;
            writeln!(out, "  false: {formula} ({place})")?;
        }
        Finding::Deadlock => {
            writeln!(out, "{bad}deadlock{bad:#}: the last state has no successor (--no-deadlock allows that)")?
        }
        Finding::Failed { .. } => writeln!(out, "{bad}something cannot be evaluated{bad:#} in the last state")?,
    }
    for ConditionRow { formula, place } in &report.forgotten_primes {
        let meant = formula.replacen(" =", "' =", 1);
        writeln!(
            out,
            "  {formula} ({place}) is a condition on one state. Is a prime missing? {meant} says what follows."
        )?;
    }
    for UncheckedRow { property, what, formula, place } in &report.unchecked {
        writeln!(out, "  {warning}not checked{warning:#}: property {property}, {what}: {formula} ({place})")?;
    }
    if !report.trace.is_empty() {
        writeln!(out)?;
        report.trace.iter().enumerate().try_for_each(|(at, step)| write_step(at, step, palette, out))?;
        writeln!(out)?;
    }
    writeln!(out, "  distinct states   {distinct}")?;
    writeln!(out, "  states generated  {generated}")?;
    writeln!(out, "  left in queue     {queued}")?;
    writeln!(out, "  depth             {depth}")?;
    writeln!(out, "  time              {seconds:.2} s")
}

fn write_step(at: usize, step: &StepRow, palette: Palette, out: &mut impl Write) -> io::Result<()> {
    let Palette { heading, warning, .. } = palette;
    let action = match (&step.action, at) {
        (Some(action), _) => action.as_str(),
        (None, 0) => "initial state",
        (None, _) => "a step without a name",
    };
    writeln!(out, "{heading}{}: {action}{heading:#}", at + 1)?;
    for (name, value) in &step.state {
        let value = value.as_str().unwrap_or_default();
        if step.changed.contains(name) {
            writeln!(out, " {warning}*{warning:#} /\\ {warning}{name} = {value}{warning:#}")?;
        } else {
            writeln!(out, "   /\\ {name} = {value}")?;
        }
    }
    Ok(())
}
