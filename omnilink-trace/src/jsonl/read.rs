//! Reading JSON lines.
//!
//! The file is gone through twice. The first time shows which parameters each action has (those of all lines together,
//! unless the header declares them) and which numbers named threads can get; the second time makes events.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;

use omnilink_budget::poll;
use serde_json::{Map, Value};

use crate::builder::TraceBuilder;
use crate::error::{Finding, Notice, TraceError};
use crate::event::{ActionId, Argument, Candidates, Effect, Event, Record, Termination, Timebox};
use crate::lane::StopReason;
use crate::run::Run;
use crate::signature::Declaration;
use crate::table;
use crate::trace::{OpenOptions, Trace};

use super::json::Wrong;
use super::line::{self, DeclaredLine, EventLine, Line, Operation, Operations, Thread};
use super::{ActionLine, BYTE_ORDER_MARK, FORMAT, Header, VERSION};

/// Reads a file of JSON lines.
pub fn read(path: impl AsRef<Path>) -> Result<Trace, TraceError> {
    read_with(path, &OpenOptions::default())
}

/// As [`read`], with options.
pub fn read_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Trace, TraceError> {
    let path = path.as_ref();
    let bytes = fs::read(path).map_err(TraceError::io(path, "reading"))?;
    let mut file = Lines::of(path, &bytes);
    let header = file.take_header()?;
    let mut cut = None;
    let mut survey = Survey::new(&header);
    for (i, text) in file.lines.iter().enumerate() {
        poll();
        let surveyed = file.parse(text).and_then(|line| survey.see(&line));
        if let Err(wrong) = surveyed {
            cut = Some(file.cut(i, wrong, options)?);
            break;
        }
    }
    if let Some(cut) = &cut {
        file.lines.truncate(cut.line);
    }
    let mut builder = Builder::new(&header, survey).map_err(|wrong| file.error(0, wrong))?;
    for (i, text) in file.lines.iter().enumerate() {
        poll();
        let pushed = file.parse(text).and_then(|line| builder.push(line, text.offset));
        if let Err(wrong) = pushed {
            cut = Some(file.cut(i, wrong, options)?);
            break;
        }
    }
    let mut builder = builder.trace;
    if let Some(cut) = cut {
        for lane in builder.lane_ids() {
            builder.stop_here(lane, cut.reason);
        }
        builder.notice(cut.notice);
    }
    builder.finish(path)
}

/// The lines of a file that are not blank.
struct Lines<'a> {
    path: &'a Path,
    lines: Vec<Text<'a>>,
    /// True if the last line is not ended by a newline.
    unended: bool,
}

#[derive(Clone, Copy)]
struct Text<'a> {
    number: u64,
    offset: u64,
    bytes: &'a [u8],
}

/// Where reading ended early.
struct Cut {
    /// Index of the first line that was not read.
    line: usize,
    reason: StopReason,
    notice: Notice,
}

impl<'a> Lines<'a> {
    fn of(path: &'a Path, bytes: &'a [u8]) -> Self {
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let mut offset = (bytes.len() - text.len()) as u64;
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
            poll();
            if !line.trim_ascii().is_empty() {
                lines.push(Text { number, offset, bytes: line });
            }
            offset += line.len() as u64 + 1;
        }
        Self { path, lines, unended: !text.ends_with(b"\n") }
    }

    /// The first line, if it is a header.
    fn take_header(&mut self) -> Result<FileHeader, TraceError> {
        let Some(first) = self.lines.first() else { return Ok(FileHeader::None) };
        let Ok(text) = std::str::from_utf8(first.bytes) else { return Ok(FileHeader::None) };
        // Not with our own parser: headers are JSON, and not TLA+ values.
        let Ok(keys) = serde_json::from_str::<Map<String, Value>>(text) else { return Ok(FileHeader::None) };
        if keys.get("header") != Some(&Value::Bool(true)) {
            return Ok(FileHeader::None);
        }
        let header = if keys.get("format").is_some_and(|format| format == FORMAT) {
            if let Some(found) = keys.get("version").and_then(Value::as_u64).filter(|&version| version != VERSION) {
                let path = self.path.into();
                return Err(TraceError::Version { path, offset: first.offset, found, known: VERSION as u32 });
            }
            let header = serde_json::from_str(text).map_err(|error| TraceError::JsonLine {
                path: self.path.into(),
                line: first.number,
                column: error.column() as u64,
                problem: format!("unreadable header: {error}"),
            });
            FileHeader::Ours(Box::new(header?))
        } else {
            FileHeader::Foreign(keys)
        };
        self.lines.remove(0);
        Ok(header)
    }

    fn parse(&self, text: &Text<'_>) -> Result<Line, Wrong> {
        match std::str::from_utf8(text.bytes) {
            Ok(text) => line::parse(text),
            Err(error) => Err(Wrong::new(error.valid_up_to(), "the line is not UTF-8")),
        }
    }

    /// Handles an invalid line: a cut, if the file is torn or `recover` is set, otherwise an error.
    fn cut(&self, index: usize, wrong: Wrong, options: &OpenOptions) -> Result<Cut, TraceError> {
        let text = &self.lines[index];
        let torn = wrong.cut_off && self.unended && index + 1 == self.lines.len();
        let (reason, finding) = if torn {
            (StopReason::Torn, Finding::Torn { missing: 1 })
        } else if options.recover {
            (StopReason::Corrupt, Finding::Recovered(self.error(index, wrong).to_string()))
        } else {
            return Err(self.error(index, wrong));
        };
        let notice = Notice { path: self.path.into(), offset: Some(text.offset), finding };
        Ok(Cut { line: index, reason, notice })
    }

    fn error(&self, index: usize, wrong: Wrong) -> TraceError {
        let (line, column) = self.lines.get(index).map_or((1, 1), |text| {
            let before = &text.bytes[..wrong.at.min(text.bytes.len())];
            (text.number, String::from_utf8_lossy(before).chars().count() as u64 + 1)
        });
        TraceError::JsonLine { path: self.path.into(), line, column, problem: wrong.problem }
    }
}

enum FileHeader {
    None,
    Ours(Box<Header>),
    /// A header of another tool: it is kept, and its seed is used.
    Foreign(Map<String, Value>),
}

impl FileHeader {
    fn actions(&self) -> &[Declaration] {
        match self {
            Self::Ours(header) => &header.actions,
            _ => &[],
        }
    }

    /// What it declares of the run, without what it declares of actions.
    fn run(&self) -> Run {
        match self {
            Self::None => Run::default(),
            Self::Ours(header) => Run { actions: Vec::new(), ..header.run.clone() },
            Self::Foreign(keys) => {
                let mut run = Run { seed: keys.get("seed").and_then(Value::as_u64), ..Run::default() };
                run.other.insert("header".into(), keys.clone().into());
                run
            }
        }
    }
}

/// Data shared by all lines.
#[derive(Default)]
struct Survey {
    /// Actions by name; several if the header or a line declares several.
    actions: HashMap<String, Vec<Surveyed>>,
    numbers: BTreeSet<u32>,
    /// Named threads, in order of first appearance.
    names: Vec<String>,
    /// An index of the same.
    known: HashSet<String>,
}

struct Surveyed {
    params: Vec<String>,
    /// An index of the same; only if `declared` is false.
    known: HashSet<String>,
    /// Whether the header declares the parameters; otherwise they are those of the lines so far.
    declared: bool,
}

impl Survey {
    fn new(header: &FileHeader) -> Self {
        let mut survey = Self::default();
        for Declaration { name, params, .. } in header.actions() {
            survey.declare(ActionLine { name: name.clone(), params: params.clone() });
        }
        if let FileHeader::Ours(header) = header {
            survey.numbers.extend(header.lanes.iter().map(|lane| lane.thread));
        }
        survey
    }

    fn declare(&mut self, ActionLine { name, params }: ActionLine) {
        let known = self.actions.entry(name).or_default();
        known.retain(|action| action.declared);
        if known.iter().all(|action| action.params != params) {
            known.push(Surveyed { params, known: HashSet::new(), declared: true });
        }
    }

    fn see(&mut self, line: &Line) -> Result<(), Wrong> {
        let (Line::Event(EventLine { thread, .. }) | Line::Terminated { thread, .. }) = line;
        match thread {
            Thread::Number(number) => drop(self.numbers.insert(*number)),
            Thread::Name(name) if self.known.contains(name) => {}
            Thread::Name(name) => {
                self.names.push(name.clone());
                self.known.insert(name.clone());
            }
        }
        let Line::Event(event) = line else { return Ok(()) };
        let operations = event.operations.as_slice();
        for operation in operations {
            if let Some(action) = operation.declared() {
                check_params(operation, &action.params)?;
                self.declare(action);
            }
        }
        for operation in operations.iter().filter(|operation| operation.params.is_none()) {
            let known = self.actions.entry(operation.name.clone()).or_default();
            if known.is_empty() {
                known.push(Surveyed { params: Vec::new(), known: HashSet::new(), declared: false });
            }
            if let ([action], Operations::One(_)) = (known.as_mut_slice(), &event.operations) {
                for arg in event.args.iter().filter(|_| !action.declared) {
                    if !action.known.contains(&arg.param) {
                        action.known.insert(arg.param.clone());
                        action.params.push(arg.param.clone());
                    }
                }
            }
        }
        Ok(())
    }
}

impl Operations {
    fn as_slice(&self) -> &[Operation] {
        match self {
            Self::One(operation) => std::slice::from_ref(operation),
            Self::Several(operations) => operations,
        }
    }
}

/// Converts lines to events.
struct Builder {
    trace: TraceBuilder,
    survey: Survey,
    named: HashMap<String, u32>,
}

impl Builder {
    fn new(header: &FileHeader, survey: Survey) -> Result<Self, Wrong> {
        let at_header = |problem: String| Wrong::new(0, problem);
        let (spec, next, lanes) = match header {
            FileHeader::Ours(header) => (header.spec.as_str(), header.next.as_str(), header.lanes.as_slice()),
            _ => ("", "", &[][..]),
        };
        let mut trace = TraceBuilder::new(spec, next, header.run());
        for action in header.actions() {
            table::check_params(&action.name, &action.params).map_err(|problem| at_header(problem.to_string()))?;
            trace.vocabulary().intern_action(&action.name, &action.params);
        }
        let declared_of_run = match header {
            FileHeader::Ours(header) => header.run.actions.as_slice(),
            _ => &[],
        };
        for declaration in declared_of_run.iter().chain(header.actions()) {
            if declaration.says_something() {
                declare(&mut trace, declaration.clone()).map_err(at_header)?;
            }
        }
        for lane in lanes {
            trace.lane(lane.thread, &lane.name);
            if let Some(stop) = &lane.stopped {
                let unknown = || at_header(format!("unknown reason to stop `{}`", stop.reason));
                trace.stop(lane.thread, stop.at, StopReason::from_word(&stop.reason).ok_or_else(unknown)?);
            }
        }
        let mut free = (0..=u32::MAX).filter(|number| !survey.numbers.contains(number));
        let mut named = HashMap::new();
        for name in &survey.names {
            let number = free.next().ok_or_else(|| at_header("more than 2^32 threads".into()))?;
            trace.lane(number, name);
            named.insert(name.clone(), number);
        }
        Ok(Self { trace, survey, named })
    }

    fn push(&mut self, line: Line, offset: u64) -> Result<(), Wrong> {
        match line {
            Line::Event(event) => {
                let at = event.start.at;
                let event = self.event(event, offset)?;
                self.record(at, Record::Event(event))
            }
            Line::Terminated { thread, time, meta } => {
                let termination = Termination { lane: self.lane(&thread), time: time.ticks, meta };
                self.record(time.at, Record::Terminated(termination))
            }
        }
    }

    fn record(&mut self, at: usize, record: Record) -> Result<(), Wrong> {
        self.trace.push(record).map_err(|error| Wrong::new(at, rule(error)))
    }

    fn lane(&self, thread: &Thread) -> u32 {
        match thread {
            Thread::Number(number) => *number,
            Thread::Name(name) => self.named.get(name).copied().unwrap_or_default(),
        }
    }

    fn event(&mut self, line: EventLine, offset: u64) -> Result<Event, Wrong> {
        let (mut actions, mut known) = (Vec::new(), HashSet::new());
        for operation in line.operations.as_slice() {
            let action = self.action(operation)?;
            if known.insert(action) {
                actions.push(action);
            }
        }
        self.declare(&line.declared, &actions)?;
        let params = self.trace.vocabulary().union_of_params(&actions);
        let mut args: Vec<_> = params.into_iter().map(|param| Argument { param, value: None }).collect();
        // Most events have few arguments, for which a linear search is faster than a table.
        let is_long = args.len() > 16;
        let places: HashMap<_, _> =
            args.iter().enumerate().filter(|_| is_long).map(|(at, arg)| (arg.param, at)).collect();
        for given in line.args {
            let param = self.trace.vocabulary().find(&given.param);
            let place = match param {
                Some(param) if is_long => places.get(&param).map(|at| &mut args[*at]),
                _ => args.iter_mut().find(|arg| Some(arg.param) == param),
            };
            let place = place.ok_or_else(|| {
                let names: Vec<_> = line.operations.as_slice().iter().map(|operation| &*operation.name).collect();
                let problem = match names.as_slice() {
                    [] => format!("argument `{}` without `op`", given.param),
                    names => format!("`{}` is not a parameter of {}", given.param, names.join(", ")),
                };
                Wrong::new(given.at, problem)
            })?;
            place.value = given.value;
        }
        let candidates = match (&line.operations, actions.as_slice()) {
            (Operations::One(_), [action]) => Candidates::One(*action),
            _ => Candidates::Several(actions.into()),
        };
        let effects = line.effects.into_iter().map(|effect| Effect {
            variable: self.trace.vocabulary().intern(&effect.variable),
            path: effect.path,
            operation: effect.operation.into(),
            args: effect.args,
        });
        let effects = effects.collect();
        Ok(Event {
            lane: self.lane(&line.thread),
            index: 0,
            candidates,
            args,
            timebox: Timebox { start: line.start.ticks, end: line.end },
            outcome: line.outcome,
            effects,
            meta: line.meta,
            offset,
        })
    }

    /// Takes over what a line declares of its actions.
    fn declare(&mut self, line: &DeclaredLine, actions: &[ActionId]) -> Result<(), Wrong> {
        let DeclaredLine { at, results, operation } = line;
        if results.is_none() && operation.is_none() {
            return Ok(());
        }
        let wrong = |problem: String| Wrong::new(*at, problem);
        if actions.is_empty() {
            return Err(wrong("`results` and `operation` are those of an action: `op` is missing".into()));
        }
        let union = self.trace.vocabulary().union_of_params(actions);
        for result in results.iter().flatten() {
            let param = self.trace.vocabulary().find(result);
            if !param.is_some_and(|param| union.contains(&param)) {
                return Err(wrong(format!(
                    "`{result}` is declared to be a result, but it is no parameter of the action"
                )));
            }
        }
        for &action in actions {
            let vocabulary = self.trace.vocabulary();
            let action = vocabulary.action(action);
            let params: Vec<_> = action.params.iter().map(|&param| vocabulary.name(param).to_owned()).collect();
            let own =
                |results: &Vec<String>| results.iter().filter(|result| params.contains(result)).cloned().collect();
            let declaration = Declaration {
                name: action.name.to_string(),
                results: results.as_ref().map(own),
                params,
                operation: operation.clone(),
                ..Declaration::default()
            };
            declare(&mut self.trace, declaration).map_err(wrong)?;
        }
        Ok(())
    }

    fn action(&mut self, operation: &Operation) -> Result<ActionId, Wrong> {
        let known = self.survey.actions.get(&operation.name).map_or(&[][..], Vec::as_slice);
        let params = match (&operation.params, known) {
            (Some(params), _) => params,
            (None, [only]) => &only.params,
            (None, _) => {
                let problem = format!(
                    "several actions are called `{0}`; write {{\"name\":\"{0}\",\"params\":[…]}} to say which",
                    operation.name
                );
                return Err(Wrong::new(operation.at, problem));
            }
        };
        table::check_params(&operation.name, params)
            .map_err(|problem| Wrong::new(operation.at, problem.to_string()))?;
        Ok(self.trace.vocabulary().intern_action(&operation.name, params))
    }
}

fn check_params(operation: &Operation, params: &[String]) -> Result<(), Wrong> {
    table::check_params(&operation.name, params).map_err(|problem| Wrong::new(operation.at, problem.to_string()))
}

fn declare(trace: &mut TraceBuilder, declaration: Declaration) -> Result<(), String> {
    trace.declare(declaration).map_err(rule)
}

/// Which rule is broken; where is known better here.
fn rule(error: TraceError) -> String {
    match error {
        TraceError::Build { problem, .. } => problem.to_string(),
        other => other.to_string(),
    }
}
