//! Writing JSON lines.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};

use crate::error::TraceError;
use crate::event::{ActionId, Candidates, Event, Outcome, Record, Termination, Vocabulary};
use crate::lane::LaneEnd;
use crate::run::Run;
use crate::signature::{self, Declaration};
use crate::trace::Trace;
use crate::value::Value;

use super::{ActionLine, FORMAT, FUNCTION, Header, LaneLine, SET, StopLine, VERSION};

/// Writes a trace as JSON lines, sorted by start.
pub fn write(trace: &Trace, mut out: impl Write) -> Result<(), TraceError> {
    write_lines(trace, &mut BufWriter::new(&mut out))
}

/// Compiled once, here, for all types of writers.
fn write_lines(trace: &Trace, out: &mut dyn Write) -> Result<(), TraceError> {
    let failed = || TraceError::io("output", "writing");
    let lines = RecordLines::new(trace);
    json(out, &header(trace)).and_then(|()| out.write_all(b"\n")).map_err(failed())?;
    for record in trace.records_as_recorded() {
        lines.record(out, &record?).map_err(failed())?;
    }
    out.flush().map_err(failed())
}

fn header(trace: &Trace) -> Header {
    Header {
        header: true,
        format: FORMAT.into(),
        version: VERSION,
        spec: trace.spec().into(),
        next: trace.next().into(),
        run: Run { actions: Vec::new(), ..trace.run().clone() },
        actions: actions(trace),
        lanes: trace
            .lanes()
            .iter()
            .map(|lane| LaneLine {
                thread: lane.index(),
                name: lane.name().into(),
                stopped: match lane.end() {
                    LaneEnd::Complete => None,
                    LaneEnd::Stopped { at, reason } => Some(StopLine { at, reason: reason.word().into() }),
                },
            })
            .collect(),
    }
}

/// The actions of a trace, and those that it declares without having them.
fn actions(trace: &Trace) -> Vec<Declaration> {
    let (vocabulary, declarations) = (trace.vocabulary(), &trace.run().actions);
    let own = vocabulary.actions().map(|(id, _)| action_line(vocabulary, id));
    let mut actions: Vec<_> =
        own.map(|ActionLine { name, params }| signature::declared(declarations, &name, &params)).collect();
    for Declaration { name, params, .. } in declarations {
        if !actions.iter().any(|action| action.name == *name && action.params == *params) {
            actions.push(signature::declared(declarations, name, params));
        }
    }
    actions
}

fn action_line(vocabulary: &Vocabulary, id: ActionId) -> ActionLine {
    let action = vocabulary.action(id);
    let params = action.params.iter().map(|&param| vocabulary.name(param).into()).collect();
    ActionLine { name: action.name.to_string(), params }
}

/// Names that stand for more than one action.
fn ambiguous(vocabulary: &Vocabulary) -> HashMap<&str, bool> {
    let mut names = HashMap::new();
    for (_, action) in vocabulary.actions() {
        names.entry(&*action.name).and_modify(|twice| *twice = true).or_insert(false);
    }
    names
}

fn json(out: &mut dyn Write, value: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer(out, value).map_err(io::Error::from)
}

/// Writes `items` between `open` and `close`, separated by commas.
fn list<T>(
    out: &mut dyn Write,
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    mut each: impl FnMut(&mut dyn Write, T) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, "{open}")?;
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.write_all(b",")?;
        }
        each(out, item)?;
    }
    write!(out, "{close}")
}

/// Writes the lines of single records.
#[derive(Debug)]
pub struct RecordLines<'a> {
    vocabulary: &'a Vocabulary,
    ambiguous: HashMap<&'a str, bool>,
}

impl<'a> RecordLines<'a> {
    /// Lines of the records of a trace.
    pub fn new(trace: &'a Trace) -> Self {
        let vocabulary = trace.vocabulary();
        Self { vocabulary, ambiguous: ambiguous(vocabulary) }
    }

    /// Writes the line of a record, which [`Trace::records_as_recorded`] gave.
    pub fn write(&self, out: &mut impl Write, record: &Record) -> io::Result<()> {
        self.record(out, record)
    }

    fn record(&self, out: &mut dyn Write, record: &Record) -> io::Result<()> {
        match record {
            Record::Event(event) => self.event(out, event),
            Record::Terminated(termination) => self.terminated(out, termination),
        }
    }

    fn event(&self, out: &mut dyn Write, event: &Event) -> io::Result<()> {
        write!(out, r#"{{"thread":{},"start":{},"end":"#, event.lane, event.timebox.start)?;
        json(out, &event.timebox.end)?;
        match &event.candidates {
            Candidates::One(action) => {
                out.write_all(br#","op":"#)?;
                self.action(out, *action)?;
            }
            Candidates::Several(actions) => {
                out.write_all(br#","ops":"#)?;
                list(out, ['[', ']'], actions, |out, &action| self.action(out, action))?;
            }
        }
        if !event.args.is_empty() {
            out.write_all(br#","args":"#)?;
            list(out, ['{', '}'], &event.args, |out, arg| {
                json(out, &self.vocabulary.name(arg.param))?;
                out.write_all(b":")?;
                match &arg.value {
                    Some(value) => write_value(out, value),
                    None => out.write_all(b"null"),
                }
            })?;
        }
        match event.outcome {
            Outcome::Done | Outcome::Pending => {}
            Outcome::Aborted => out.write_all(br#","outcome":"aborted""#)?,
            Outcome::Indeterminate => out.write_all(br#","outcome":"indeterminate""#)?,
        }
        if !event.effects.is_empty() {
            out.write_all(br#","effects":"#)?;
            list(out, ['[', ']'], &event.effects, |out, effect| {
                out.write_all(br#"{"variable":"#)?;
                json(out, &self.vocabulary.name(effect.variable))?;
                out.write_all(br#","path":"#)?;
                list(out, ['[', ']'], &effect.path, write_value)?;
                out.write_all(br#","operation":"#)?;
                json(out, &effect.operation)?;
                out.write_all(br#","args":"#)?;
                list(out, ['[', ']'], &effect.args, write_value)?;
                out.write_all(b"}")
            })?;
        }
        if !event.meta.is_empty() {
            write_meta(out, &event.meta)?;
        }
        out.write_all(b"}\n")
    }

    fn action(&self, out: &mut dyn Write, action: ActionId) -> io::Result<()> {
        let name = &*self.vocabulary.action(action).name;
        match self.ambiguous.get(name) {
            Some(true) => json(out, &action_line(self.vocabulary, action)),
            _ => json(out, &name),
        }
    }

    fn terminated(&self, out: &mut dyn Write, termination: &Termination) -> io::Result<()> {
        write!(out, r#"{{"thread":{},"terminated":{}"#, termination.lane, termination.time)?;
        if !termination.meta.is_empty() {
            write_meta(out, &termination.meta)?;
        }
        out.write_all(b"}\n")
    }
}

fn write_meta(out: &mut dyn Write, meta: &[(Box<str>, Value)]) -> io::Result<()> {
    out.write_all(br#","meta":"#)?;
    list(out, ['{', '}'], meta, |out, (key, value)| {
        json(out, key)?;
        out.write_all(b":")?;
        write_value(out, value)
    })
}

/// Writes a value so that reading it gives the same value.
fn write_value(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    match value {
        Value::Bool(value) => write!(out, "{value}"),
        Value::Int(value) => write!(out, "{value}"),
        Value::Str(value) => json(out, value),
        Value::Tuple(values) => list(out, ['[', ']'], values, write_value),
        Value::Set(values) => {
            write!(out, "{{\"{SET}\":")?;
            list(out, ['[', ']'], values, write_value)?;
            out.write_all(b"}")
        }
        Value::Function(pairs) if is_plain(pairs) => list(out, ['{', '}'], pairs, |out, (key, value)| {
            write_value(out, key)?;
            out.write_all(b":")?;
            write_value(out, value)
        }),
        Value::Function(pairs) => {
            write!(out, "{{\"{FUNCTION}\":")?;
            let flat = pairs.iter().flat_map(|(key, value)| [key, value]);
            list(out, ['[', ']'], flat, write_value)?;
            out.write_all(b"}")
        }
    }
}

/// True if a function can be an object: its arguments are strings, and it would not be taken for a set or function.
fn is_plain(pairs: &[(Value, Value)]) -> bool {
    let marked = matches!(pairs, [(Value::Str(only), _)] if only.starts_with('$'));
    !marked && pairs.iter().all(|(key, _)| matches!(key, Value::Str(_)))
}
