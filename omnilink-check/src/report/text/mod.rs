//! A report as text, for people: `omnilink check` prints it, and a failed test of `omnilink-test`.

pub mod call_table;
mod consistency;
mod core;
mod palette;
mod reason;
mod stuck;

use std::io::{self, Write};

pub use palette::Palette;

use self::stuck::StuckText;
use super::model::{Report, Statistics, Values, Verdict, Violation};

/// The style of reports.
#[derive(Clone, Copy)]
pub struct Style {
    /// Colours.
    pub palette: Palette,
    /// Show all variables in full.
    pub full_state: bool,
}

/// Longer values of variables are shortened, unless the full state is requested.
const VALUE: usize = 400;

/// Writes a report: a line with the verdict, then the details.
pub fn write(report: &Report, cached: bool, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let Palette { heading, faint, good, warning, bad, .. } = style.palette;
    let Report { trace, spec, .. } = report;
    let Statistics { events, lanes, .. } = report.statistics;
    let (events, lanes) = (count(events, "event"), count(lanes, "lane"));
    write!(out, "{heading}{trace}{heading:#}: ")?;
    match &report.verdict {
        Verdict::Accepted | Verdict::Rejected if report.consistency.is_some() => {
            consistency::write_verdict(report, style.palette, out)?;
        }
        Verdict::Accepted => {
            write!(out, "{good}accepted{good:#}: an order of its {events} in {lanes} is a behaviour of {spec}")?;
        }
        Verdict::Rejected => {
            write!(out, "{bad}rejected{bad:#}: no order of its {events} in {lanes} is a behaviour of {spec}")?;
        }
        Verdict::Unknown { why, .. } => write!(out, "{warning}unknown{warning:#}: {why}")?,
        Verdict::Error { .. } => write!(out, "{bad}error{bad:#}: it could not be checked")?,
    }
    match &report.verdict {
        Verdict::Error { .. } => writeln!(out)?,
        _ => writeln!(out, " {faint}({}){faint:#}", cost(&report.statistics, cached))?,
    }
    for crash in &report.crashes {
        writeln!(out, "  {bad}crash{bad:#}: {crash}; that is a failure of the run, whatever the verdict")?;
    }
    let is_accepted = matches!(report.verdict, Verdict::Accepted);
    for it in report.notes.iter() {
        writeln!(out, "  {}", note(is_accepted && it.weakens, &it.text, style.palette))?;
    }
    if let Some(violation) = &report.violation {
        write_violation(violation, style, out)?;
    }
    if let Some(found) = &report.consistency {
        consistency::write(found, style, out)?;
    }
    match &report.verdict {
        Verdict::Accepted => Ok(()),
        Verdict::Rejected => {
            report.core.as_ref().map_or(Ok(()), |core| core::write(core, style, out))?;
            write_stuck(report, style, out)?;
            // This paragraph explains the output above.
            let timed = report.consistency.is_none();
            report.stuck.as_ref().map_or(Ok(()), |stuck| write_meaning(spec, timed, stuck.followed_only, out))
        }
        Verdict::Error { message, hint } => {
            write_error(message, hint.as_deref(), style.palette, out)?;
            write_stuck(report, style, out)
        }
        Verdict::Unknown { advice, .. } => {
            write_stuck(report, style, out)?;
            writeln!(out, "\n  {heading}what to try{heading:#}")?;
            advice.iter().try_for_each(|advice| writeln!(out, "    - {advice}"))
        }
    }
}

fn cost(statistics: &Statistics, cached: bool) -> String {
    let Statistics { configurations, seconds, .. } = statistics;
    let before = if cached { "cached: " } else { "" };
    format!("{before}{}, {seconds:.2} s", count(*configurations, "configuration"))
}

fn write_stuck(report: &Report, style: Style, out: &mut dyn Write) -> io::Result<()> {
    match &report.stuck {
        Some(stuck) if !stuck.groups.is_empty() => StuckText { stuck, style }.write(out),
        _ => Ok(()),
    }
}

fn write_meaning(spec: &str, timed: bool, followed_only: bool, out: &mut dyn Write) -> io::Result<()> {
    let tried = if followed_only {
        "were\n  tried or cannot be completed. Either"
    } else {
        "were\n  tried, and none of them got further. Either"
    };
    let orders = if timed {
        "Every call takes effect at one moment within its timebox. All orders that the timeboxes allow"
    } else {
        "The calls of each lane take effect in their order, at any time. All orders that the lanes allow"
    };
    writeln!(
        out,
        "\n  {orders} {tried} the program went wrong at the calls above or shortly before,\n  \
         or {spec} forbids what it may do: look at the formulas that are FALSE, and at the steps that led to the\n  \
         state."
    )
}

fn write_error(message: &str, hint: Option<&str>, palette: Palette, out: &mut dyn Write) -> io::Result<()> {
    let Palette { heading, .. } = palette;
    message.lines().try_for_each(|line| writeln!(out, "  {line}"))?;
    hint.map_or(Ok(()), |hint| writeln!(out, "  {heading}hint:{heading:#} {hint}"))
}

fn write_violation(violation: &Violation, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let Palette { bad, .. } = style.palette;
    let Violation { invariant, step, after, state } = violation;
    write!(out, "  {bad}invariant {invariant} is violated{bad:#} ")?;
    match after {
        Some(call) => writeln!(out, "after step {step} of the order found, {}:", call.call)?,
        None => writeln!(out, "in the initial state:")?,
    }
    write_state(state, None, style, out)
}

/// Writes the variables of a state, or some of them and the number of the others.
fn write_state(state: &Values, only: Option<&[String]>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let wanted = |name: &String| style.full_state || only.is_none_or(|only| only.is_empty() || only.contains(name));
    for (name, value) in state.iter().filter(|(name, _)| wanted(name)) {
        let value = value.as_str().unwrap_or_default();
        match value.char_indices().nth(VALUE).filter(|_| !style.full_state) {
            Some((cut, _)) => writeln!(out, "    /\\ {name} = {}… (--full-state shows all)", &value[..cut])?,
            None => writeln!(out, "    /\\ {name} = {value}")?,
        }
    }
    let Palette { faint, .. } = style.palette;
    match state.keys().filter(|name| !wanted(name)).count() {
        0 => Ok(()),
        left => {
            let left = count(left as u64, "variable");
            writeln!(out, "    {faint}and {left} that did not change lately (--full-state){faint:#}")
        }
    }
}

/// A note's sentence, prefixed with `warning:` or `note:`.
pub fn note(weakens: bool, sentence: &str, palette: Palette) -> String {
    let Palette { warning, faint, .. } = palette;
    match weakens {
        true => format!("{warning}warning:{warning:#} {sentence}"),
        false => format!("{faint}note:{faint:#} {sentence}"),
    }
}

/// A count with its noun.
pub fn count(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
