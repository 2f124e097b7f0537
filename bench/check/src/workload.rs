//! Histories of the generator as traces.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use omnilink_trace::{Argument, Candidates, Event, Outcome, Record, Run, Timebox, Trace, TraceBuilder, Value};
use serde_json::Value as Json;

use crate::Fallible;

/// What a line has besides the arguments of its operation.
const OWN: [&str; 4] = ["thread", "start", "end", "op"];

/// Reads a history.
pub fn read(path: &Path) -> Fallible<Trace> {
    let mut builder = TraceBuilder::new("", "Next", Run::default());
    for line in BufReader::new(File::open(path)?).lines().skip(1) {
        let line: Json = serde_json::from_str(&line?)?;
        let number = |name: &str| line[name].as_u64().ok_or_else(|| format!("a line without {name}: {line}"));
        let fields = line.as_object().ok_or("a line that is no object")?;
        let named: Vec<_> = fields.iter().filter(|(name, _)| !OWN.contains(&name.as_str())).collect();
        let params: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        let action = builder.action(line["op"].as_str().ok_or("a line without op")?, &params)?;
        let mut args = Vec::new();
        for (name, value) in named {
            let value = match value {
                Json::Bool(value) => Value::Bool(*value),
                value => Value::Int(value.as_i64().ok_or_else(|| format!("{value} is no integer"))?),
            };
            args.push(Argument { param: builder.vocabulary().intern(name), value: Some(value) });
        }
        builder.push(Record::Event(Event {
            lane: number("thread")? as u32,
            index: 0,
            candidates: Candidates::One(action),
            args,
            timebox: Timebox { start: number("start")?, end: Some(number("end")?) },
            outcome: Outcome::Done,
            effects: vec![],
            meta: vec![],
            offset: 0,
        }))?;
    }
    Ok(builder.finish(path)?)
}
