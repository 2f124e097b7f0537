//! An order that was found, for people: one step per line, with what it changed.

use std::io::{self, Write};

use omnilink_check::check::Order;
use omnilink_check::error::CheckError;
use omnilink_check::report::Maker;
use omnilink_check::report::model::{Became, Values, WitnessStep};
use omnilink_check::report::text::call_table::CallTable;

use crate::palette::Palette;

/// Writes an order. Only one step is in memory at a time.
pub(super) fn write(maker: &Maker<'_>, order: &Order, out: &mut dyn Write) -> Result<io::Result<()>, CheckError> {
    let mut before = maker.first_state(order);
    let table = CallTable::of_trace(maker.trace, Palette::default());
    let begin = |out: &mut dyn Write| {
        writeln!(out, "initial state")?;
        before.iter().try_for_each(|(name, value)| writeln!(out, "    /\\ {name} = {}", text(value)))?;
        writeln!(out)?;
        table.head(out)
    };
    if let Err(error) = begin(out) {
        return Ok(Err(error));
    }
    maker.witness(order, &mut |WitnessStep { call, became, state }| {
        table.call(&call, out)?;
        match became {
            Became::Happened => {}
            Became::InnerStep => write!(out, "  (an inner step)")?,
            Became::Nothing => write!(out, "  (took no effect)")?,
        }
        write_changes(&before, &state, out)?;
        before = state;
        writeln!(out)
    })
}

fn write_changes(before: &Values, after: &Values, out: &mut dyn Write) -> io::Result<()> {
    let changed = after.iter().filter(|(name, value)| before.get(*name) != Some(*value));
    let changed: Vec<_> = changed.map(|(name, value)| format!("{name} = {}", text(value))).collect();
    if changed.is_empty() { Ok(()) } else { write!(out, "  {}", changed.join(", ")) }
}

fn text(value: &serde_json::Value) -> &str {
    value.as_str().unwrap_or_default()
}
