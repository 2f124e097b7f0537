//! The records of a lane's stream, and its header, as MessagePack.
//!
//! Each is read in one of two ways: *scanned*, once, when the trace is opened (everything is checked, no value is
//! built), and *decoded*, whenever events are requested.

use crate::decode::{Cursor, Fault};
use crate::error::Problem;
use crate::event::{Argument, Effect, Event, LaneId, NameId, Outcome, Record, Termination, Timebox, Vocabulary};
use crate::layout;
use crate::run::ClockKind;
use crate::table::{Entry, Table};
use crate::value::Value;

/// Metadata of the user.
pub(crate) type Meta = Vec<(Box<str>, Value)>;

/// The first item of a lane.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    pub spec: String,
    pub next: String,
    pub clock: ClockKind,
    pub lane: LaneId,
    pub name: String,
    pub seed: Option<u64>,
    /// The actions of the table: names and parameters.
    pub actions: Vec<(String, Vec<String>)>,
}

impl Header {
    pub fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let at = cursor.at();
        let (mut spec, mut next, mut clock, mut lane, mut name, mut seed, mut actions) =
            (None, None, None, None, None, None, None);
        for _ in 0..cursor.map_len("the lane's header, a map,")? {
            match cursor.str("a key of the header")? {
                "spec" => spec = Some(cursor.str("the name of the specification")?.to_owned()),
                "next" => next = Some(cursor.str("the name of the next-state relation")?.to_owned()),
                "clock" => {
                    let at = cursor.at();
                    let word = cursor.str("the kind of clock")?;
                    let unknown = || Problem::UnknownWord { what: "clock", found: word.into() };
                    clock = Some(ClockKind::from_word(word).ok_or_else(|| Fault::bad(at, unknown()))?);
                }
                "lane" => {
                    let at = cursor.at();
                    let found = cursor.uint("the lane's index")?;
                    let too_large = |_| Problem::Control { field: "the lane's index", found, expected: "32 bits" };
                    lane = Some(found.try_into().map_err(too_large).map_err(|problem| Fault::bad(at, problem))?);
                }
                "name" => name = Some(cursor.str("the name of the lane")?.to_owned()),
                "seed" if cursor.take_nil() => {}
                "seed" => seed = Some(cursor.uint("the seed")?),
                "table" => actions = Some(actions_of(cursor)?),
                _ => cursor.skip_any()?,
            }
        }
        let missing = |key| Fault::bad(at, Problem::MissingKey { map: "the lane's header", key });
        Ok(Self {
            spec: spec.ok_or_else(|| missing("spec"))?,
            next: next.ok_or_else(|| missing("next"))?,
            clock: clock.ok_or_else(|| missing("clock"))?,
            lane: lane.ok_or_else(|| missing("lane"))?,
            name: name.ok_or_else(|| missing("name"))?,
            seed,
            actions: actions.ok_or_else(|| missing("table"))?,
        })
    }
}

fn actions_of(cursor: &mut Cursor<'_>) -> Result<Vec<(String, Vec<String>)>, Fault> {
    let mut actions = Vec::new();
    for _ in 0..cursor.array_len("the table of actions")? {
        expect_len(cursor.at(), "an action of the table", cursor.array_len("an action")?, 2)?;
        let (name, params) = action(cursor)?;
        actions.push((name.into(), params.into_iter().map(Into::into).collect()));
    }
    Ok(actions)
}

fn action<'a>(cursor: &mut Cursor<'a>) -> Result<(&'a str, Vec<&'a str>), Fault> {
    let name = cursor.str("the name of an action")?;
    let mut params = Vec::new();
    for _ in 0..cursor.array_len("the parameters of an action")? {
        params.push(cursor.str("the name of a parameter")?);
    }
    Ok((name, params))
}

fn expect_len(at: usize, record: &'static str, found: usize, expected: usize) -> Result<(), Fault> {
    if found == expected { Ok(()) } else { Err(Fault::bad(at, Problem::Length { record, found, expected })) }
}

/// The result of scanning a record.
#[derive(Debug)]
pub(crate) enum Scanned {
    Definition,
    Event { start: u64, end: u64, unknown: bool },
    Terminated { time: u64 },
}

/// Checks a record; `previous` is the end of the record before it in the lane.
#[inline]
pub(crate) fn scan(
    cursor: &mut Cursor<'_>,
    table: &mut Table,
    vocabulary: &mut Vocabulary,
    previous: u64,
) -> Result<Scanned, Fault> {
    let at = cursor.at();
    let len = cursor.array_len("a record, an array,")?;
    let kind = cursor.int("the kind of a record")?;
    if let Ok(entry) = u64::try_from(kind) {
        let (head, entry) = EventHead::read(cursor, at, len, entry, table)?;
        if head.start < previous {
            return Err(Fault::bad(at, Problem::Order { start: head.start, previous }));
        }
        let mut unknown = 0;
        for _ in 0..entry.params.len() {
            if cursor.take_nil() {
                unknown += 1;
            } else {
                cursor.skip_value(0)?;
            }
        }
        let flag = head.has(layout::FLAG_UNKNOWN);
        if flag != (unknown > 0) {
            return Err(Fault::bad(at, Problem::UnknownFlag { flag, unknown }));
        }
        if head.has(layout::FLAG_EFFECTS) {
            effects(cursor, |name| Some(vocabulary.intern(name)))?;
        }
        if head.has(layout::FLAG_META) {
            meta(cursor)?;
        }
        return Ok(Scanned::Event { start: head.start, end: head.end, unknown: unknown > 0 });
    }
    match kind {
        layout::RECORD_ACTION => {
            expect_len(at, "the definition of an action", len, 3)?;
            let (name, params) = action(cursor)?;
            table.define_action(vocabulary, name, &params).map_err(|problem| Fault::bad(at, problem))?;
            Ok(Scanned::Definition)
        }
        layout::RECORD_CHOICE => {
            expect_len(at, "the definition of a choice", len, 2)?;
            let mut numbers = Vec::new();
            for _ in 0..cursor.array_len("the actions of a choice")? {
                numbers.push(cursor.uint("a table entry")?);
            }
            table.define_choice(vocabulary, &numbers).map_err(|problem| Fault::bad(at, problem))?;
            Ok(Scanned::Definition)
        }
        layout::RECORD_TERMINATED => {
            let time = terminated_at(cursor, at, len)?;
            if time < previous {
                return Err(Fault::bad(at, Problem::Order { start: time, previous }));
            }
            meta(cursor)?;
            Ok(Scanned::Terminated { time })
        }
        kind => Err(Fault::bad(at, Problem::UnknownRecord(kind))),
    }
}

fn terminated_at(cursor: &mut Cursor<'_>, at: usize, len: usize) -> Result<u64, Fault> {
    expect_len(at, "the end of a thread", len, 3)?;
    cursor.uint("a clock reading")
}

/// What a record is decoded with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    pub lane: LaneId,
    pub table: &'a Table,
    pub vocabulary: &'a Vocabulary,
    /// Added to every end, of calls and of threads.
    pub widening: u64,
}

impl Context<'_> {
    /// Reads a record that was scanned before; nothing for a definition. The caller fills in index and offset.
    #[inline]
    pub fn decode(&self, cursor: &mut Cursor<'_>) -> Result<Option<Record>, Fault> {
        let at = cursor.at();
        let len = cursor.array_len("a record, an array,")?;
        let kind = cursor.int("the kind of a record")?;
        if let Ok(entry) = u64::try_from(kind) {
            return self.event(cursor, at, len, entry).map(|event| Some(Record::Event(event)));
        }
        if kind == layout::RECORD_TERMINATED {
            let time = terminated_at(cursor, at, len)?.saturating_add(self.widening);
            let termination = Termination { lane: self.lane, time, meta: meta(cursor)? };
            return Ok(Some(Record::Terminated(termination)));
        }
        for _ in 1..len {
            cursor.skip_any()?;
        }
        Ok(None)
    }

    #[inline]
    fn event(&self, cursor: &mut Cursor<'_>, at: usize, len: usize, entry: u64) -> Result<Event, Fault> {
        let (head, entry) = EventHead::read(cursor, at, len, entry, self.table)?;
        let mut args = Vec::with_capacity(entry.params.len());
        for &param in &entry.params {
            if let Some(value) = cursor.take_small_int() {
                args.push(Argument { param, value: Some(Value::Int(value)) });
            } else if cursor.take_nil() {
                args.push(Argument { param, value: None });
            } else {
                args.push(Argument { param, value: Some(cursor.value(0)?) });
            }
        }
        let effects = if head.has(layout::FLAG_EFFECTS) {
            effects(cursor, |name| self.vocabulary.find(name))?
        } else {
            Vec::new()
        };
        let meta = if head.has(layout::FLAG_META) { meta(cursor)? } else { Vec::new() };
        Ok(Event {
            lane: self.lane,
            index: 0,
            candidates: entry.candidates.clone(),
            args,
            timebox: Timebox { start: head.start, end: Some(head.end.saturating_add(self.widening)) },
            outcome: head.outcome(),
            effects,
            meta,
            offset: 0,
        })
    }
}

/// What precedes the arguments of an event.
#[derive(Debug)]
struct EventHead {
    start: u64,
    end: u64,
    flags: u8,
}

impl EventHead {
    #[inline]
    fn read<'t>(
        cursor: &mut Cursor<'_>,
        at: usize,
        len: usize,
        number: u64,
        table: &'t Table,
    ) -> Result<(Self, &'t Entry), Fault> {
        let entry = table.entry(number).map_err(|problem| Fault::bad(at, problem))?;
        let plain = 4 + entry.params.len();
        if len < plain {
            return Err(Fault::bad(at, Problem::Length { record: "an event", found: len, expected: plain }));
        }
        let start = cursor.uint("the start of a call")?;
        let duration = cursor.uint("the duration of a call")?;
        let end =
            start.checked_add(duration).ok_or_else(|| Fault::bad(at, Problem::EndOverflow { start, duration }))?;
        let flags_at = cursor.at();
        let flags = cursor.uint("the flags of an event")?;
        let known = layout::FLAG_OUTCOME | layout::FLAG_UNKNOWN | layout::FLAG_EFFECTS | layout::FLAG_META;
        let head = match u8::try_from(flags) {
            Ok(flags) if flags & !known == 0 && flags & layout::FLAG_OUTCOME != layout::FLAG_OUTCOME => {
                Self { start, end, flags }
            }
            _ => return Err(Fault::bad(flags_at, Problem::Flags(flags))),
        };
        let extras = usize::from(head.has(layout::FLAG_EFFECTS)) + usize::from(head.has(layout::FLAG_META));
        expect_len(at, "an event", len, plain + extras)?;
        Ok((head, entry))
    }

    #[inline]
    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    #[inline]
    fn outcome(&self) -> Outcome {
        match self.flags & layout::FLAG_OUTCOME {
            layout::OUTCOME_DONE => Outcome::Done,
            layout::OUTCOME_ABORTED => Outcome::Aborted,
            _ => Outcome::Indeterminate,
        }
    }
}

/// Updates of variables; `name` gives the identities of the variables.
fn effects(cursor: &mut Cursor<'_>, mut name: impl FnMut(&str) -> Option<NameId>) -> Result<Vec<Effect>, Fault> {
    let mut effects = Vec::new();
    for _ in 0..cursor.array_len("the list of effects")? {
        let at = cursor.at();
        expect_len(at, "an effect", cursor.array_len("an effect")?, 4)?;
        let variable = cursor.str("the name of a variable")?;
        let unknown = || Fault::bad(at, Problem::UnknownWord { what: "variable", found: variable.into() });
        let variable = name(variable).ok_or_else(unknown)?;
        let path = cursor.array_len("the path of an effect")?;
        let path = cursor.values(path, 0)?;
        let operation = cursor.str("the operation of an effect")?.into();
        let args = cursor.array_len("the arguments of an effect")?;
        let args = cursor.values(args, 0)?;
        effects.push(Effect { variable, path, operation, args });
    }
    Ok(effects)
}

fn meta(cursor: &mut Cursor<'_>) -> Result<Meta, Fault> {
    let at = cursor.at();
    let mut meta: Meta = Vec::new();
    for _ in 0..cursor.map_len("the meta map")? {
        let key = cursor.str("a meta key")?;
        meta.push((key.into(), cursor.value(0)?));
    }
    refuse_duplicates(&meta).map_err(|problem| Fault::bad(at, problem))?;
    Ok(meta)
}

/// Two values under one key are an error in meta maps as in functions.
pub(crate) fn refuse_duplicates(meta: &[(Box<str>, Value)]) -> Result<(), Problem> {
    if meta.len() < 2 {
        return Ok(());
    }
    let mut keys: Vec<_> = meta.iter().map(|(key, _)| &**key).collect();
    keys.sort_unstable();
    match keys.windows(2).find(|two| two[0] == two[1]) {
        Some(two) => Err(crate::value::DuplicateKey(Value::from(two[0])).into()),
        None => Ok(()),
    }
}
