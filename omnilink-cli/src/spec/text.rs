//! A report as text.

use std::fmt;
use std::io::{self, Write};

use super::report::{ActionRow, At, ConstantRow, NamelessRow, Report};
use crate::palette::Palette;

/// Writes a report section by section; empty sections are left out.
pub fn write(report: &Report, palette: Palette, out: &mut impl Write) -> io::Result<()> {
    let Palette { heading, .. } = palette;
    writeln!(out, "{heading}module {}{heading:#}", report.module)?;
    list(out, "variables", &report.variables)?;
    constants(&report.constants, palette, out)?;
    if let Some(next) = &report.next {
        writeln!(out, "  next         {next}")?;
    }
    list(out, "invariants", &report.invariants)?;
    list(out, "constraints", &report.constraints)?;
    list(out, "action constraints", &report.action_constraints)?;
    list(out, "view", report.view.as_slice())?;
    for (section, name) in &report.set_aside {
        writeln!(out, "  not used     {section} {name}")?;
    }
    if !report.actions.is_empty() {
        writeln!(out, "\n{heading}actions{heading:#}")?;
        report.actions.iter().try_for_each(|row| action(row, palette, out))?;
    }
    nameless(report, palette, out)?;
    for warning in &report.warnings {
        writeln!(out, "\n{warning}")?;
    }
    Ok(())
}

fn list(out: &mut impl Write, title: &str, names: &[String]) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {title:<11}  {}", names.join(", "))
}

fn constants(rows: &[ConstantRow], palette: Palette, out: &mut impl Write) -> io::Result<()> {
    let Palette { warning, .. } = palette;
    for (at, row) in rows.iter().enumerate() {
        let title = if at == 0 { "constants" } else { "" };
        let name = match row.arity {
            0 => row.name.clone(),
            arity => format!("{}({})", row.name, vec!["_"; arity].join(", ")),
        };
        match &row.given {
            Some(given) => writeln!(out, "  {title:<11}  {name} = {given}")?,
            None => writeln!(out, "  {title:<11}  {name} {warning}not given{warning:#}: --const '{} = …'", row.name)?,
        }
    }
    Ok(())
}

fn action(row: &ActionRow, palette: Palette, out: &mut impl Write) -> io::Result<()> {
    let Palette { faint, heading, .. } = palette;
    let ActionRow { name, params, at, disjuncts } = row;
    let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
    writeln!(out, "  {heading}{name}{heading:#}{params}  {faint}{at}{faint:#}")?;
    for disjunct in disjuncts {
        let quantifiers: String = disjunct.quantifiers.iter().map(|quantifier| format!("{quantifier} : ")).collect();
        writeln!(out, "    {quantifiers}{}  {faint}{}{faint:#}", disjunct.call, disjunct.at)?;
        for guard in &disjunct.guards {
            let is = if guard.holds { "" } else { " is FALSE" };
            writeln!(out, "      if {}{is}", guard.condition)?;
        }
    }
    Ok(())
}

fn nameless(report: &Report, palette: Palette, out: &mut impl Write) -> io::Result<()> {
    let Palette { faint, heading, .. } = palette;
    let Some(next) = report.next.as_ref().filter(|_| !report.nameless.is_empty()) else { return Ok(()) };
    writeln!(out, "\n{heading}parts of {next} without a name{heading:#}")?;
    for NamelessRow { formula, at, stutters, never } in &report.nameless {
        let why = match (stutters, never) {
            (true, _) => "  (changes nothing: needs no name)",
            (_, true) => "  (is FALSE, so it is never possible)",
            _ => "",
        };
        writeln!(out, "  {formula}{why}  {faint}{at}{faint:#}")?;
    }
    if report.nameless.iter().any(|part| !part.stutters && !part.never) {
        writeln!(
            out,
            "  No event of a trace can be one of these. To name one, define `Name == …` and use it in {next}."
        )?;
    }
    Ok(())
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column } = self;
        write!(f, "{file}:{line}:{column}")
    }
}
