//! Logs of upstream OmniLink: one `*.log` per thread, a stream of MessagePack maps
//! `{operation_name, operation: {<parameters>, _did_abort, _op_start, _op_end, _meta}}`.
//!
//! How they are read as events:
//!
//! - All keys of `operation` that do not begin with `_` are arguments. `_did_abort` is the outcome *aborted*. `_meta`
//!   becomes meta values: a map with string keys as it is, anything else but nil under the key `meta`.
//! - nil is the string `"null"`, as upstream's own checker reads it.
//! - `__TerminateThread` ends a thread, at `_op_end`.
//! - `__AbortThread` was written by a signal handler. Upstream does not keep the call that was in flight, which began no
//!   earlier than the record's `_op_start`; so the lane counts as stopped there. The thread's end has the meta value
//!   `signal`.
//! - Upstream buffers records and loses them when it is killed without a signal handler. Its fuzzers end every log with
//!   one of the two records above; hand-instrumented programs never do. So if any log of a run has such an end,
//!   those without count as stopped at their last record; if none has, all are taken as complete, with a notice.
//! - Lanes are numbered in the order of the file names, which become the lanes' names. Times are the time stamp counter's;
//!   its rate is not known.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rmp::Marker;

use crate::builder::TraceBuilder;
use crate::decode::{Cursor, Fault};
use crate::error::{Finding, Notice, Problem, TraceError};
use crate::event::{Argument, Candidates, Event, LaneId, Outcome, Record, Termination, Timebox};
use crate::lane::StopReason;
use crate::open::Listing;
use crate::record::Meta;
use crate::run::{Clock, ClockKind, Run};
use crate::source::Source;
use crate::table;
use crate::trace::{OpenOptions, Trace};
use crate::value::Value;
use crate::window::{Stop, Window};

/// The operation that ends a thread.
const TERMINATE: &str = "__TerminateThread";
/// The operation that a signal handler leaves.
const ABORT: &str = "__AbortThread";

/// True if a file that begins like this is a log: a map whose first key is a string.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    let mut cursor = Cursor::new(bytes, 0);
    cursor.map_len("a record").is_ok_and(|pairs| pairs > 0) && cursor.str("a key").is_ok()
}

/// Reads a log, or all `*.log` of a directory.
pub fn read(path: impl AsRef<Path>) -> Result<Trace, TraceError> {
    read_with(path, &OpenOptions::default())
}

/// As [`read`], with options.
pub fn read_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Trace, TraceError> {
    let path = path.as_ref();
    let logs = if path.is_dir() { Listing::of(path)?.logs } else { vec![path.to_owned()] };
    if logs.is_empty() {
        return Err(TraceError::EmptyRun { path: path.into(), why: "the directory has no upstream log (*.log)" });
    }
    let clock = Clock { kind: ClockKind::Tsc, ..Clock::default() };
    let mut trace = TraceBuilder::new("", "", Run { clock, ..Run::default() });
    let mut ends = Vec::new();
    for (lane, log) in (0..).zip(&logs) {
        let bytes = fs::read(log).map_err(TraceError::io(log, "reading"))?;
        let name = log.file_stem().unwrap_or_default().to_string_lossy();
        trace.lane(lane, &name);
        let mut reader = Log { path: log, lane, trace: &mut trace };
        ends.push(reader.read(bytes, options)?);
    }
    let some_end = ends.contains(&End::Terminated);
    for (lane, log) in (0..).zip(&logs) {
        if ends[lane as usize] == End::Open {
            if some_end {
                trace.stop_here(lane, StopReason::Torn);
            }
            trace.notice(Notice { path: log.clone(), offset: None, finding: Finding::NoTermination });
        }
    }
    trace.finish(path)
}

/// How a log ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Terminated,
    Cut,
    Open,
}

struct Log<'a> {
    path: &'a PathBuf,
    lane: LaneId,
    trace: &'a mut TraceBuilder,
}

impl Log<'_> {
    fn read(&mut self, bytes: Vec<u8>, options: &OpenOptions) -> Result<End, TraceError> {
        let len = bytes.len() as u64;
        let source = Source::Memory(Arc::new(bytes));
        let mut window = Window::new(&source, 0, len);
        let mut end = End::Open;
        let stop = loop {
            omnilink_budget::poll();
            match window.next(Operation::read) {
                Ok(None) => return Ok(end),
                Ok(Some((offset, operation))) => match self.push(operation, offset) {
                    Ok(terminated) if terminated => end = End::Terminated,
                    Ok(_) => end = End::Open,
                    Err(problem) => break Stop::Bad { offset, problem },
                },
                Err(stop) => break stop,
            }
        };
        let (offset, reason, finding) = match stop {
            Stop::Io(source) => return Err(TraceError::Io { path: self.path.clone(), doing: "reading", source }),
            Stop::Short { offset } => (offset, StopReason::Torn, Finding::Torn { missing: 1 }),
            Stop::Bad { offset, problem } if options.recover => {
                (offset, StopReason::Corrupt, Finding::Recovered(problem.to_string()))
            }
            Stop::Bad { offset, problem } => {
                return Err(TraceError::Corrupt { path: self.path.clone(), offset, problem });
            }
        };
        self.trace.stop_here(self.lane, reason);
        self.trace.notice(Notice { path: self.path.clone(), offset: Some(offset), finding });
        Ok(End::Cut)
    }

    /// Adds an operation; true if it ends the thread.
    fn push(&mut self, operation: Operation, offset: u64) -> Result<bool, Problem> {
        let Operation { name, args, aborted, start, end, meta } = operation;
        if end < start {
            return Err(Problem::EndsBeforeStart { start, end });
        }
        if name == TERMINATE || name == ABORT {
            if name == ABORT {
                self.trace.stop(self.lane, start, StopReason::Signal);
            }
            let noted = args.into_iter().map(|(key, value)| (key.into(), value));
            let meta = noted.chain(meta).collect();
            self.record(Record::Terminated(Termination { lane: self.lane, time: end, meta }))?;
            return Ok(true);
        }
        let params: Vec<_> = args.iter().map(|(param, _)| param.as_str()).collect();
        table::check_params(&name, &params)?;
        let vocabulary = self.trace.vocabulary();
        let action = vocabulary.intern_action(&name, &params);
        let args =
            args.into_iter().map(|(param, value)| Argument { param: vocabulary.intern(&param), value: Some(value) });
        let event = Event {
            lane: self.lane,
            index: 0,
            candidates: Candidates::One(action),
            args: args.collect(),
            timebox: Timebox { start, end: Some(end) },
            outcome: if aborted { Outcome::Aborted } else { Outcome::Done },
            effects: Vec::new(),
            meta,
            offset,
        };
        self.record(Record::Event(event))?;
        Ok(false)
    }

    fn record(&mut self, record: Record) -> Result<(), Problem> {
        self.trace.push(record).map_err(|error| match error {
            TraceError::Build { problem, .. } => problem,
            other => Problem::UnknownWord { what: "record", found: other.to_string() },
        })
    }
}

/// One item of a log.
#[derive(Debug, Default)]
struct Operation {
    name: String,
    args: Vec<(String, Value)>,
    aborted: bool,
    start: u64,
    end: u64,
    meta: Meta,
}

impl Operation {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let at = cursor.at();
        let missing = |key| Fault::bad(at, Problem::MissingKey { map: "the record", key });
        let (mut name, mut operation) = (None, None);
        for _ in 0..cursor.map_len("a record, a map,")? {
            match cursor.str("a key of the record")? {
                "operation_name" => name = Some(cursor.str("the name of an operation")?.to_owned()),
                "operation" => operation = Some(Self::body(cursor)?),
                _ => cursor.skip_any()?,
            }
        }
        let mut operation = operation.ok_or_else(|| missing("operation"))?;
        operation.name = name.ok_or_else(|| missing("operation_name"))?;
        Ok(operation)
    }

    fn body(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let at = cursor.at();
        let missing = |key| Fault::bad(at, Problem::MissingKey { map: "the operation", key });
        let mut operation = Self::default();
        let (mut start, mut end) = (None, None);
        for _ in 0..cursor.map_len("an operation, a map,")? {
            match cursor.str("a key of the operation")? {
                "_did_abort" => operation.aborted = boolean(cursor)?,
                "_op_start" => start = Some(cursor.uint("the start of an operation")?),
                "_op_end" => end = Some(cursor.uint("the end of an operation")?),
                "_meta" => operation.meta = meta(cursor)?,
                key if key.starts_with('_') => cursor.skip_any()?,
                key => operation.args.push((key.to_owned(), value(cursor)?)),
            }
        }
        operation.start = start.ok_or_else(|| missing("_op_start"))?;
        operation.end = end.ok_or_else(|| missing("_op_end"))?;
        Ok(operation)
    }
}

fn boolean(cursor: &mut Cursor<'_>) -> Result<bool, Fault> {
    match cursor.peek()? {
        Marker::True | Marker::False => cursor.value(0).map(|value| value == Value::Bool(true)),
        _ => Err(cursor.not_a("a boolean")),
    }
}

fn value(cursor: &mut Cursor<'_>) -> Result<Value, Fault> {
    if cursor.take_nil() { Ok(Value::from("null")) } else { cursor.value(0) }
}

fn meta(cursor: &mut Cursor<'_>) -> Result<Meta, Fault> {
    if cursor.take_nil() {
        return Ok(Vec::new());
    }
    Ok(match cursor.value(0)? {
        Value::Tuple(none) if none.is_empty() => Vec::new(),
        Value::Function(pairs) if pairs.iter().all(|(key, _)| matches!(key, Value::Str(_))) => pairs
            .into_iter()
            .filter_map(|(key, value)| match key {
                Value::Str(key) => Some((key, value)),
                _ => None,
            })
            .collect(),
        other => vec![("meta".into(), other)],
    })
}
