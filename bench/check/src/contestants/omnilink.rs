//! Ourselves.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_check::check::{self, check};
use omnilink_check::prepare::prepare;
use omnilink_check::rules::Rules;
use omnilink_check::search::{Control, Limits};
use omnilink_tla::Spec;
use omnilink_tla::spec::Options;
use omnilink_trace::{
    Argument, Candidates, Event, Outcome as Happened, Record, Run, Timebox, Trace, TraceBuilder, Value,
};
use serde_json::Value as Json;

use super::{Verdict, specs};
use crate::lines::{self, Kind, Line};
use crate::{Outcome, usage};

/// Its name, and how this program tells itself to check one history.
pub const CHILD: &str = "omnilink";

/// Checks a history in this process. The specification is loaded before the clock starts, as it is for TLC; making the
/// trace ready is part of checking, as Porcupine's sorting is.
pub fn check_here(file: &Path) -> Outcome<()> {
    let (kind, trace) = read(file)?;
    let spec = match kind {
        Kind::Set => "SetBench.tla",
        Kind::Queue => "QueueBench.tla",
        Kind::Kv => "KvBench.tla",
    };
    let spec = Spec::load(specs().join(spec), &Options::default())?;
    let interrupt = AtomicBool::new(false);
    let began = Instant::now();
    let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits: Limits::default(), began };
    usage::measure(|| {
        let prepared = prepare(&spec, &trace, &Rules::default())?;
        let options = check::Options { partition: true, ..check::Options::default() };
        let checked = check(&spec, &prepared, &options, &mut control)?;
        let verdict = match checked.verdict {
            check::Verdict::Accepted(_) => Verdict::Accepted.word(),
            check::Verdict::Rejected(_) => Verdict::Rejected.word(),
            check::Verdict::Failed { .. } => "error",
            check::Verdict::Unknown { .. } => "unknown",
        };
        Ok((verdict, format!("{:?}", checked.progress)))
    })
}

/// A history as a trace.
fn read(path: &Path) -> Outcome<(Kind, Trace)> {
    let mut builder = TraceBuilder::new("", "Next", Run::default());
    let kind = lines::read(path, &mut |_, line| {
        let record = Record::Event(event(&mut builder, line)?);
        Ok(builder.push(record)?)
    })?;
    Ok((kind, builder.finish(path)?))
}

fn event(builder: &mut TraceBuilder, line: &Line) -> Outcome<Event> {
    let params: Vec<&str> = line.args().map(|(name, _)| name).collect();
    let action = builder.action(line.op()?, &params)?;
    let mut args = Vec::with_capacity(params.len());
    for (name, value) in line.args() {
        let value = match value {
            Json::Bool(value) => Value::Bool(*value),
            Json::String(value) => Value::Str(value.as_str().into()),
            value => Value::Int(value.as_i64().ok_or_else(|| format!("{value} is no integer"))?),
        };
        args.push(Argument { param: builder.vocabulary().intern(name), value: Some(value) });
    }
    Ok(Event {
        lane: u32::try_from(line.number("thread")?)?,
        index: 0,
        candidates: Candidates::One(action),
        args,
        timebox: Timebox { start: line.number("start")?, end: Some(line.number("end")?) },
        outcome: Happened::Done,
        effects: vec![],
        meta: vec![],
        offset: 0,
    })
}
