//! The reasons why a call cannot happen, as text: a line per formula, below the call.

use std::io::{self, Write};

use super::super::model::{Reason, Valued, Within};

use super::{Palette, count};

/// The maximum number of reasons shown per call.
const REASONS: usize = 4;

/// Writes the reasons why a call cannot happen.
pub(super) fn write(reasons: &[Reason], palette: Palette, out: &mut dyn Write) -> io::Result<()> {
    let shown = &reasons[..reasons.len().min(REASONS)];
    for (at, reason) in shown.iter().enumerate() {
        write_one(reason, palette, out)?;
        // A conjunct that several reasons share is printed once.
        if shown.get(at + 1).is_none_or(|next| next.within != reason.within) {
            write_within(reason, palette, out)?;
        }
    }
    match reasons.len().saturating_sub(REASONS) {
        0 => Ok(()),
        left => writeln!(out, "        and {}", count(left as u64, "more reason")),
    }
}

fn write_one(reason: &Reason, palette: Palette, out: &mut dyn Write) -> io::Result<()> {
    let Palette { bad, faint, .. } = palette;
    let Reason { says, values, given, place, .. } = reason;
    write!(out, "        {bad}✗{bad:#} ")?;
    if !given.is_empty() {
        write!(out, "with {}: ", equations(given))?;
    }
    write!(out, "{says}")?;
    if !values.is_empty() {
        write!(out, ": {}", equations(values))?;
    }
    if let Some(place) = place {
        write!(out, " {faint}({}:{}){faint:#}", file_name(&place.file), place.line)?;
    }
    writeln!(out)
}

fn write_within(reason: &Reason, palette: Palette, out: &mut dyn Write) -> io::Result<()> {
    let Palette { faint, .. } = palette;
    let Some(Within { formula, place }) = &reason.within else { return Ok(()) };
    writeln!(out, "          {faint}as part of `{formula}` ({}:{}){faint:#}", file_name(&place.file), place.line)
}

fn equations(values: &[Valued]) -> String {
    let equation = |Valued { expression, value }: &Valued| format!("{expression} = {value}");
    values.iter().map(equation).collect::<Vec<_>>().join(", ")
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
