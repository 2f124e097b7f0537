//! Builds traces from records in memory, for imports and tests.
//!
//! The records are checked and encoded as the streams of lanes of the binary format. So an imported trace takes little memory,
//! follows the same rules as a recorded one, and is written to disk by copying.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _};

use crate::encode::{self, Buffer, EncodeError, Encoder, EventPrefix};
use crate::error::{Finding, Notice, Problem, TraceError};
use crate::event::{ActionId, Candidates, Event, LaneId, Outcome, Record, Termination, Timebox, Vocabulary};
use crate::lane::{Lane, LaneEnd, StopReason};
use crate::layout;
use crate::msgpack;
use crate::record::{self, Header};
use crate::run::Run;
use crate::signature::{Declaration, Declarations};
use crate::slot::Pending;
use crate::source::Source;
use crate::table::{self, Entry, Table};
use crate::trace::{Assembly, Trace};
use crate::value::Value;

/// Builds a trace from records.
///
/// ```
/// use omnilink_trace::{Candidates, Argument, Event, Outcome, Record, Run, Timebox, TraceBuilder};
/// let mut builder = TraceBuilder::new("Queue", "Next", Run::default());
/// let enqueue = builder.action("Enqueue", &["elem"])?;
/// let elem = builder.vocabulary().intern("elem");
/// builder.push(Record::Event(Event {
///     lane: 0,
///     index: 0,
///     candidates: Candidates::One(enqueue),
///     args: vec![Argument { param: elem, value: Some(3.into()) }],
///     timebox: Timebox { start: 10, end: Some(20) },
///     outcome: Outcome::Done,
///     effects: vec![],
///     meta: vec![],
///     offset: 0,
/// }))?;
/// let trace = builder.finish("queue")?;
/// assert_eq!(trace.lanes()[0].events(), 1);
/// # Ok::<(), omnilink_trace::TraceError>(())
/// ```
#[derive(Debug)]
pub struct TraceBuilder {
    spec: String,
    next: String,
    run: Run,
    vocabulary: Vocabulary,
    lanes: Vec<LaneBuilder>,
    /// Places in `lanes`, by index of the lane.
    places: HashMap<LaneId, usize>,
    notices: Vec<Notice>,
    declarations: Declarations,
}

#[derive(Debug, Default)]
struct LaneBuilder {
    index: LaneId,
    name: String,
    /// Records of the stream, without the header.
    records: Vec<u8>,
    table: Table,
    /// Numbers of the table's entries.
    entries: HashMap<Candidates, u16>,
    events: u64,
    /// How many of them have unknown arguments.
    unknown: u64,
    first_start: Option<u64>,
    /// End of the last record; a pending call has none.
    last_end: u64,
    pending: Option<Pending>,
    origins: Vec<u64>,
    stop: Option<(u64, StopReason)>,
}

impl TraceBuilder {
    /// A trace without lanes, of a run of this specification.
    pub fn new(spec: &str, next: &str, run: Run) -> Self {
        Self {
            spec: spec.into(),
            next: next.into(),
            run,
            vocabulary: Vocabulary::default(),
            lanes: Vec::new(),
            places: HashMap::new(),
            notices: Vec::new(),
            declarations: Declarations::default(),
        }
    }

    /// The identity of an action, which is added if it is new.
    pub fn action<S: AsRef<str>>(&mut self, name: &str, params: &[S]) -> Result<ActionId, TraceError> {
        table::check_params(name, params).map_err(build_error)?;
        Ok(self.vocabulary.intern_action(name, params))
    }

    /// Actions and names so far.
    pub fn vocabulary(&mut self) -> &mut Vocabulary {
        &mut self.vocabulary
    }

    /// Declares results and operation of an action; see [`Trace::signature`].
    pub fn declare(&mut self, declaration: Declaration) -> Result<(), TraceError> {
        self.declarations.add(&declaration).map_err(build_error)?;
        if !self.run.actions.contains(&declaration) {
            self.run.actions.push(declaration);
        }
        Ok(())
    }

    /// Adds a lane, or names it; pushing a record adds its lane, too.
    pub fn lane(&mut self, lane: LaneId, name: &str) {
        self.builder(lane).name = name.into();
    }

    /// States that calls of the lane are missing.
    pub fn stop(&mut self, lane: LaneId, at: u64, reason: StopReason) {
        self.builder(lane).stop = Some((at, reason));
    }

    /// States that calls of the lane after its last record are missing.
    pub(crate) fn stop_here(&mut self, lane: LaneId, reason: StopReason) {
        let builder = self.builder(lane);
        let at = builder.pending.as_ref().map_or(builder.last_end, |pending| pending.event.timebox.start);
        self.stop(lane, at, reason);
    }

    /// Indexes of the lanes so far.
    pub(crate) fn lane_ids(&self) -> Vec<LaneId> {
        self.lanes.iter().map(|lane| lane.index).collect()
    }

    /// Adds a notice.
    pub(crate) fn notice(&mut self, notice: Notice) {
        self.notices.push(notice);
    }

    /// Appends a record to its lane. Timeboxes are as recorded: readers widen them by the uncertainty of the run's clock.
    /// The `index` of an event is ignored, its `offset` is kept.
    pub fn push(&mut self, record: Record) -> Result<(), TraceError> {
        match record {
            Record::Event(event) => {
                let place = self.place_of(event.lane);
                self.push_event(place, &event)
            }
            Record::Terminated(termination) => {
                let builder = self.builder(termination.lane);
                let pushed = builder.terminated(&termination);
                pushed.map_err(|problem| builder.error(problem))
            }
        }
    }

    /// Appends an event to the lane at this place, as [`TraceBuilder::push`] does.
    #[inline]
    pub(crate) fn push_event(&mut self, place: usize, event: &Event) -> Result<(), TraceError> {
        let builder = &mut self.lanes[place];
        let pushed = builder.event(event, &self.vocabulary);
        pushed.map_err(|problem| builder.error(problem))
    }

    /// The place of a lane, which is added if it is new.
    pub(crate) fn place_of(&mut self, lane: LaneId) -> usize {
        *self.places.entry(lane).or_insert_with(|| {
            self.lanes.push(LaneBuilder { index: lane, ..LaneBuilder::default() });
            self.lanes.len() - 1
        })
    }

    /// The index of the lane at this place.
    #[inline]
    pub(crate) fn lane_at(&self, place: usize) -> LaneId {
        self.lanes[place].index
    }

    fn builder(&mut self, lane: LaneId) -> &mut LaneBuilder {
        let place = self.place_of(lane);
        &mut self.lanes[place]
    }

    /// The trace; `path` is its name in messages.
    pub fn finish(mut self, path: impl AsRef<Path>) -> Result<Trace, TraceError> {
        let path = path.as_ref();
        let mut assembly = Assembly::with_vocabulary(self.vocabulary);
        assembly.notices = self.notices;
        let mut header = Some(Header {
            spec: self.spec,
            next: self.next,
            clock: self.run.clock.kind,
            lane: 0,
            name: String::new(),
            seed: self.run.seed,
            actions: Vec::new(),
        });
        self.lanes.sort_unstable_by_key(|lane| lane.index);
        for builder in self.lanes {
            if builder.unknown > 0 {
                let finding = Finding::UnknownArguments { events: builder.unknown };
                assembly.notices.push(Notice { path: path.into(), offset: None, finding });
            }
            assembly.add(builder.finish(path, self.run.seed), header.take())?;
        }
        assembly.finish(path, Some((PathBuf::from(path), self.run)))
    }
}

impl LaneBuilder {
    /// The lane, which `path` names in messages.
    fn finish(self, path: &Path, seed: Option<u64>) -> Lane {
        let end = match self.stop {
            None => LaneEnd::Complete,
            // As a lane file would say it: neither time nor reason would mean that it did not stop, and without a time it
            // stopped after its last record.
            Some((0, StopReason::Unstated)) => LaneEnd::Stopped { at: 1, reason: StopReason::Unstated },
            Some((0, reason)) => LaneEnd::Stopped { at: self.last_end, reason },
            Some((at, reason)) => LaneEnd::Stopped { at, reason },
        };
        Lane {
            index: self.index,
            name: self.name,
            seed,
            path: path.into(),
            stream: 0,
            begin: 0,
            valid: self.records.len() as u64,
            source: Source::Memory(Arc::new(self.records)),
            events: self.events,
            first_start: self.first_start,
            end,
            pending: self.pending,
            table: Arc::new(self.table),
            vocabulary: Arc::default(),
            widening: 0,
            origins: Some(Arc::new(self.origins)),
            live: None,
        }
    }

    fn error(&self, problem: Problem) -> TraceError {
        TraceError::Build { lane: self.index, event: self.events, problem }
    }

    /// Refuses a record of these times after the last one.
    #[inline]
    fn check_order(&self, start: u64, end: Option<u64>) -> Result<(), Problem> {
        if self.pending.is_some() {
            return Err(Problem::AfterPending);
        }
        if start < self.last_end {
            return Err(Problem::Order { start, previous: self.last_end });
        }
        match end {
            Some(end) if end < start => Err(Problem::EndsBeforeStart { start, end }),
            _ => Ok(()),
        }
    }

    /// Writes a record, or nothing if that fails.
    fn whole(&mut self, write: impl FnOnce(&mut Self) -> Result<(), Problem>) -> Result<(), Problem> {
        let before = self.records.len();
        write(self).inspect_err(|_| self.records.truncate(before))
    }

    #[inline]
    fn event(&mut self, event: &Event, vocabulary: &Vocabulary) -> Result<(), Problem> {
        let Timebox { start, end } = event.timebox;
        self.check_order(start, end)?;
        if end.is_none() != (event.outcome == Outcome::Pending) {
            return Err(Problem::PendingEnd);
        }
        if !event.args_are_of(vocabulary) {
            return Err(Problem::Arguments);
        }
        record::refuse_duplicates(&event.meta)?;
        let entry = self.entry(&event.candidates, vocabulary)?;
        match end {
            Some(end) => {
                self.whole(|lane| lane.write_event(event, end, entry, vocabulary))?;
                self.origins.push(event.offset);
                self.events += 1;
                self.unknown += u64::from(event.args.iter().any(|arg| arg.value.is_none()));
                self.last_end = end;
            }
            None => {
                // The record is encoded and removed: a pending call has no record, but its values must be valid.
                let before = self.records.len();
                self.whole(|lane| lane.write_event(event, start, entry, vocabulary))?;
                self.records.truncate(before);
                self.pending = Some(Pending { event: Event { index: self.events, ..event.clone() }, entry });
            }
        }
        self.first_start.get_or_insert(start);
        Ok(())
    }

    /// The table entry of these candidates, which is defined if it is new.
    #[inline]
    fn entry(&mut self, candidates: &Candidates, vocabulary: &Vocabulary) -> Result<u16, Problem> {
        if let Some(&entry) = self.entries.get(candidates) {
            return Ok(entry);
        }
        let mut numbers = Vec::new();
        if let Candidates::Several(actions) = candidates {
            for &action in actions {
                numbers.push(self.entry(&Candidates::One(action), vocabulary)?);
            }
        }
        let number = self.table.len();
        let params = vocabulary.union_of_params(candidates.as_slice());
        self.table.define(Entry { candidates: candidates.clone(), params })?;
        let entry = number as u16;
        append(&mut self.records, |out| match candidates {
            Candidates::One(action) => {
                let action = vocabulary.action(*action);
                let params: Vec<_> = action.params.iter().map(|&param| vocabulary.name(param)).collect();
                encode::write_action(out, &action.name, &params);
            }
            Candidates::Several(_) => encode::write_choice(out, &numbers),
        });
        self.entries.insert(candidates.clone(), entry);
        Ok(entry)
    }

    fn write_event(&mut self, event: &Event, end: u64, entry: u16, vocabulary: &Vocabulary) -> Result<(), Problem> {
        let mut flags = match event.outcome {
            Outcome::Done => layout::OUTCOME_DONE,
            Outcome::Aborted => layout::OUTCOME_ABORTED,
            Outcome::Indeterminate | Outcome::Pending => layout::OUTCOME_INDETERMINATE,
        };
        for (present, flag) in [
            (event.args.iter().any(|arg| arg.value.is_none()), layout::FLAG_UNKNOWN),
            (!event.effects.is_empty(), layout::FLAG_EFFECTS),
            (!event.meta.is_empty(), layout::FLAG_META),
        ] {
            flags |= if present { flag } else { 0 };
        }
        let start = event.timebox.start;
        let prefix = EventPrefix { entry, start, duration: end - start, flags, args: event.args.len() as u32 };
        append_small::<{ EventPrefix::MAX_LEN }>(&mut self.records, |out| prefix.write(out));
        for arg in &event.args {
            match &arg.value {
                Some(value) => append_value(&mut self.records, value)?,
                None => append(&mut self.records, encode::write_unknown),
            }
        }
        if !event.effects.is_empty() {
            append(&mut self.records, |out| encode::write_list_len(out, event.effects.len() as u32));
        }
        for effect in &event.effects {
            append(&mut self.records, |out| {
                encode::write_list_len(out, 4);
                msgpack::str(out, vocabulary.name(effect.variable));
                encode::write_list_len(out, effect.path.len() as u32);
            });
            append_values(&mut self.records, &effect.path)?;
            append(&mut self.records, |out| {
                msgpack::str(out, &effect.operation);
                encode::write_list_len(out, effect.args.len() as u32);
            });
            append_values(&mut self.records, &effect.args)?;
        }
        if !event.meta.is_empty() {
            append(&mut self.records, |out| encode::write_meta_len(out, event.meta.len() as u32));
            self.meta(&event.meta)?;
        }
        Ok(())
    }

    fn terminated(&mut self, termination: &Termination) -> Result<(), Problem> {
        self.check_order(termination.time, Some(termination.time))?;
        record::refuse_duplicates(&termination.meta)?;
        self.whole(|lane| {
            append(&mut lane.records, |out| {
                encode::write_terminated(out, termination.time);
                encode::write_meta_len(out, termination.meta.len() as u32);
            });
            lane.meta(&termination.meta)
        })?;
        self.first_start.get_or_insert(termination.time);
        self.last_end = termination.time;
        Ok(())
    }

    fn meta(&mut self, meta: &[(Box<str>, Value)]) -> Result<(), Problem> {
        for (key, value) in meta {
            append(&mut self.records, |out| msgpack::str(out, key));
            append_value(&mut self.records, value)?;
        }
        Ok(())
    }
}

/// An action or a declaration of it breaks a rule.
fn build_error(problem: Problem) -> TraceError {
    TraceError::Build { lane: 0, event: 0, problem }
}

/// Writes the control block of a closed lane that ended like this; the slot stays empty.
pub(crate) fn write_control(control: &mut [u8], committed: u64, end: LaneEnd) {
    encode::write_control(control);
    control[layout::COMMITTED_AT..][..8].copy_from_slice(&committed.to_le_bytes());
    control[layout::STATE_AT..][..4].copy_from_slice(&layout::STATE_CLOSED.to_le_bytes());
    if let LaneEnd::Stopped { at, reason } = end {
        // Neither time nor reason would mean that the lane did not stop.
        let at = if reason == StopReason::Unstated { at.max(1) } else { at };
        control[layout::STOP_TIME_AT..][..8].copy_from_slice(&at.to_le_bytes());
        control[layout::STOP_REASON_AT..][..4].copy_from_slice(&reason.code().to_le_bytes());
    }
}

/// Appends what `write` writes, at most `N` bytes.
#[inline]
fn append_small<const N: usize>(bytes: &mut Vec<u8>, write: impl FnOnce(&mut Buffer<'_>)) {
    let mut room = [0; N];
    let mut buffer = Buffer::new(&mut room);
    write(&mut buffer);
    let len = buffer.len();
    bytes.extend_from_slice(&room[..len]);
}

/// Appends what `write` writes.
pub(crate) fn append(bytes: &mut Vec<u8>, write: impl Fn(&mut Buffer<'_>)) {
    let at = bytes.len();
    let mut room = 64;
    loop {
        bytes.resize(at + room, 0);
        let mut buffer = Buffer::new(&mut bytes[at..]);
        write(&mut buffer);
        let (len, fits) = (buffer.len(), buffer.fits());
        if fits {
            return bytes.truncate(at + len);
        }
        room = len;
    }
}

fn append_values(bytes: &mut Vec<u8>, values: &[Value]) -> Result<(), Problem> {
    values.iter().try_for_each(|value| append_value(bytes, value))
}

/// Appends a value.
#[inline]
pub(crate) fn append_value(bytes: &mut Vec<u8>, value: &Value) -> Result<(), Problem> {
    match value {
        Value::Int(value) => {
            let mut room = [0; encode::MAX_INT_LEN];
            let len = encode::write_int(&mut room, *value);
            bytes.extend_from_slice(&room[..len]);
            Ok(())
        }
        Value::Str(text) if u32::try_from(text.len()).is_ok() => {
            append_small::<5>(bytes, |out| msgpack::str_len(out, text.len() as u32));
            bytes.extend_from_slice(text.as_bytes());
            Ok(())
        }
        _ => append_any_value(bytes, value),
    }
}

fn append_any_value(bytes: &mut Vec<u8>, value: &Value) -> Result<(), Problem> {
    let at = bytes.len();
    let mut room = 16;
    loop {
        bytes.resize(at + room, 0);
        let mut encoder = Encoder::new(&mut bytes[at..]);
        value.encode(&mut encoder);
        match encoder.finish() {
            Ok(len) => {
                bytes.truncate(at + len);
                return Ok(());
            }
            Err(EncodeError::Overflow { needed }) => room = needed,
            Err(error) => return Err(Problem::Encode(error)),
        }
    }
}
