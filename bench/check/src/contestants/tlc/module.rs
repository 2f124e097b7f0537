//! A history as a TLA+ module, beside the one that walks through it and the specification.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::Outcome;
use crate::contestants::specs;
use crate::lines::{self, Kind, Line};

/// The configuration that walks through the history, and the one that only reads it.
pub const WALKING: &str = "walking.cfg";
pub const STANDING: &str = "standing.cfg";
/// What TLC says of a walk that reached the end.
pub const REACHED_THE_END: &str = "Invariant NotAtEnd is violated";

/// Writes all that TLC needs, and tells which module it has to run.
pub fn write(history: &Path, directory: &Path) -> Outcome<&'static str> {
    let mut lanes: BTreeMap<u64, String> = BTreeMap::new();
    let kind = lines::read(history, &mut |_, line| {
        let lane = lanes.entry(line.number("thread")?).or_default();
        if !lane.is_empty() {
            lane.push_str(",\n");
        }
        write_event(lane, line)
    })?;
    let lanes: Vec<String> = lanes.into_values().map(|events| format!("<<{events}>>")).collect();
    let data = format!("---- MODULE History ----\nLanes == <<{}>>\n====\n", lanes.join(",\n\n"));
    fs::write(directory.join("History.tla"), data)?;

    let modules = match kind {
        Kind::Set => ["SetWalk.tla", "SetBench.tla", "Positions.tla"],
        Kind::Queue => ["QueueWalk.tla", "QueueBench.tla", "Positions.tla"],
        Kind::Kv => ["KvWalk.tla", "KvBench.tla", "Positions.tla"],
    };
    for module in modules {
        fs::copy(specs().join(module), directory.join(module))?;
    }
    fs::write(directory.join(WALKING), "INIT Start\nNEXT Walk\nINVARIANT NotAtEnd\n")?;
    fs::write(directory.join(STANDING), "INIT Start\nNEXT Stand\n")?;
    Ok(modules[0])
}

fn write_event(text: &mut String, line: &Line) -> Outcome<()> {
    let (start, end) = (line.number("start")?, line.number("end")?);
    write!(text, "[op |-> \"{}\", start |-> {start}, end |-> {end}", line.op()?)?;
    for (name, value) in line.args() {
        let value = value.as_bool().map_or_else(|| value.to_string(), |truth| truth.to_string().to_uppercase());
        write!(text, ", {name} |-> {value}")?;
    }
    text.push(']');
    Ok(())
}
