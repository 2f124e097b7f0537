//! The smaller reason for a rejection, as text.

use std::io::{self, Write};

use super::super::model::{Blocked, Call, Core};

use super::call_table::CallTable;
use super::{Palette, Style, count, reason, write_state};

/// The maximum number of listed calls that may or may not have happened.
const OTHERS: usize = 12;

/// Writes a smaller reason: the calls that cannot all have happened, why, and the states before them.
pub(super) fn write(core: &Core, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let Palette { heading, .. } = style.palette;
    let Core { needed, others, minimal, blocked, time_unit, .. } = core;
    let calls = match needed.len() {
        1 => "this call cannot have happened".to_owned(),
        number => format!("these {number} calls cannot all have happened"),
    };
    let whatever = if others.is_empty() { "" } else { ", whatever became of the others at that time" };
    writeln!(out, "\n  {heading}a smaller reason{heading:#}: {calls}{whatever}")?;
    let table = CallTable::new(needed.iter().chain(others), time_unit, style.palette);
    table.head(out)?;
    for call in needed {
        table.call(call, out)?;
        writeln!(out)?;
        if let Some(blocked) = blocked.as_ref().filter(|blocked| is_same(&blocked.call, call)) {
            reason::write(&blocked.reasons, style.palette, out)?;
        }
    }
    if *minimal && needed.len() > 1 {
        writeln!(out, "    Each of them is needed: if it did not happen, the rest can be ordered.")?;
    }
    if !*minimal {
        writeln!(out, "    Perhaps not all of them are needed: that was not found out within the limits.")?;
    }
    write_before(core, style, out)?;
    write_furthest(core, style, out)?;
    write_others(others, &table, style.palette, out)
}

/// The states that the events before can lead to.
fn write_before(core: &Core, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let Palette { heading, .. } = style.palette;
    let Core { placed, changing, states, more_states, .. } = core;
    let number = states.len() as u64 + more_states;
    let lead = if number == 1 { "this state" } else { "one of these states" };
    // Events that only read may come before or after, so only events that can change the state are counted.
    match changing.unwrap_or(*placed) {
        0 => writeln!(out, "\n  {heading}before them, the trace begins in {lead}{heading:#}")?,
        _ => {
            let before = match changing {
                None => count(*placed, "event"),
                Some(1) => "call that can change the state".to_owned(),
                Some(changing) => format!("{changing} calls that can change the state"),
            };
            writeln!(out, "\n  {heading}before them, the first {before} can only lead to {lead}{heading:#}")?;
        }
    }
    for (at, state) in states.iter().enumerate() {
        if at > 0 {
            writeln!(out, "    or")?;
        }
        write_state(state, None, style, out)?;
    }
    if *more_states > 0 { writeln!(out, "    or {}", count(*more_states, "other")) } else { Ok(()) }
}

/// The state in which the last call is impossible, unless it is the initial state of the reason.
fn write_furthest(core: &Core, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let Palette { heading, .. } = style.palette;
    match &core.blocked {
        Some(Blocked { call, state, .. }) if !core.states.contains(state) => {
            let call = &call.call;
            writeln!(
                out,
                "\n  {heading}and what comes next can lead to this one, in which {call} cannot happen{heading:#}"
            )?;
            write_state(state, None, style, out)
        }
        _ => Ok(()),
    }
}

fn write_others(others: &[Call], table: &CallTable<'_>, palette: Palette, out: &mut dyn Write) -> io::Result<()> {
    let Palette { heading, .. } = palette;
    if others.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n  {heading}the others, of which it does not matter whether they happened{heading:#}")?;
    for call in others.iter().take(OTHERS) {
        table.call(call, out)?;
        writeln!(out)?;
    }
    match others.len().saturating_sub(OTHERS) {
        0 => Ok(()),
        left => writeln!(out, "    and {left} more"),
    }
}

fn is_same(one: &Call, other: &Call) -> bool {
    (one.lane, one.index) == (other.lane, other.index)
}
