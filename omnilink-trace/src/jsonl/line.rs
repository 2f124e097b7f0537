//! The content of one line, before actions and lanes are resolved.

use std::borrow::Cow;

use omnilink_budget::poll;

use crate::event::Outcome;
use crate::record::Meta;
use crate::value::Value;

use super::ActionLine;
use super::cursor::{Cursor, Wrong};
use super::json::{self, Json, Kind, Member};

/// The content of one line.
#[derive(Debug)]
pub(super) enum Line<'a> {
    /// A call. Its arguments are in [`Scratch::args`].
    Event(EventLine<'a>),
    Terminated {
        thread: Thread<'a>,
        time: Time,
        meta: Meta,
    },
}

/// A number and its position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Time {
    pub at: usize,
    pub ticks: u64,
}

#[derive(Debug)]
pub(super) struct EventLine<'a> {
    pub thread: Thread<'a>,
    pub start: Time,
    pub end: Option<u64>,
    pub operations: Operations<'a>,
    pub outcome: Outcome,
    /// What few lines have.
    pub extras: Option<Box<Extras>>,
}

#[derive(Debug, Default)]
pub(super) struct Extras {
    pub declared: DeclaredLine,
    pub effects: Vec<EffectLine>,
    pub meta: Meta,
}

/// What a line declares of its actions.
#[derive(Debug, Default)]
pub(super) struct DeclaredLine {
    /// Where it does.
    pub at: usize,
    pub results: Option<Vec<String>>,
    pub operation: Option<String>,
}

/// A lane: by its number, or by a name.
#[derive(Debug)]
pub(super) enum Thread<'a> {
    Number(u32),
    Name(Cow<'a, str>),
}

#[derive(Debug)]
pub(super) enum Operations<'a> {
    One(Operation<'a>),
    Several(Vec<Operation<'a>>),
}

/// An action: by its name, or by name and parameters.
#[derive(Debug)]
pub(super) struct Operation<'a> {
    pub at: usize,
    pub name: Cow<'a, str>,
    pub params: Option<Vec<String>>,
}

#[derive(Debug)]
pub(super) struct ArgLine<'a> {
    pub at: usize,
    pub param: Cow<'a, str>,
    pub value: Option<Value>,
}

#[derive(Debug)]
pub(super) struct EffectLine {
    pub variable: String,
    pub path: Vec<Value>,
    pub operation: String,
    pub args: Vec<Value>,
}

/// Buffers for one line, kept so that lines share their memory.
#[derive(Debug, Default)]
pub(super) struct Scratch<'a> {
    /// The arguments of the line that was read last, if it is an event.
    pub args: Vec<ArgLine<'a>>,
    /// The members of `args`.
    inner: Vec<Member<'a>>,
    /// All members of the line but those of [`Usual`].
    others: Vec<Member<'a>>,
}

/// The members that most lines have.
#[derive(Default)]
struct Usual<'a> {
    thread: Option<Json<'a>>,
    start: Option<Json<'a>>,
    end: Option<Json<'a>>,
    op: Option<Json<'a>>,
    /// If it is an object, its members are in [`Scratch::inner`] and not here.
    args: Option<Json<'a>>,
    /// Whether a member of `others` has a meaning of its own: it is an argument otherwise, if there is no `args`.
    has_unusual: bool,
    /// The first key that was there already.
    twice: Option<(usize, Cow<'a, str>)>,
}

/// Keys that have a meaning of their own, but are not in most lines.
const UNUSUAL: [&str; 6] = ["outcome", "ops", "effects", "meta", "terminated", "header"];

/// Reads a line.
pub(super) fn parse<'a>(text: &'a str, scratch: &mut Scratch<'a>) -> Result<Line<'a>, Box<Wrong>> {
    let Scratch { args, inner, others } = scratch;
    args.clear();
    let mut usual = Usual::default();
    let at = members(text, &mut usual, inner, others)?;
    let (mut named_outcome, mut ops, mut extras) = (None, None, None);
    if usual.has_unusual || (usual.args.is_some() && !others.is_empty()) {
        if let Some(header) = take(others, "header") {
            return Err(misplaced_header(&header));
        }
        if let Some(json) = take(others, "terminated") {
            return terminated(&json, usual, others, at);
        }
        named_outcome = take(others, "outcome").map(outcome).transpose()?;
        ops = take(others, "ops");
        extras = Some(Box::<Extras>::default());
    }
    let thread = thread(required(usual.thread, "thread", at)?)?;
    let start = time(&required(usual.start, "start", at)?, "`start` is a point in time")?;
    let end = match usual.end {
        None if named_outcome.is_some_and(|(_, outcome)| outcome == Outcome::Pending) => None,
        None => return Err(Wrong::new(at, "`end` is missing; for a call that never ended write \"end\":null")),
        Some(Json { kind: Kind::Null, .. }) => None,
        Some(json) => Some(time(&json, "`end` is a point in time or null")?.ticks),
    };
    let outcome = match (named_outcome, end) {
        (None, Some(_)) => Outcome::Done,
        (None, None) | (Some((_, Outcome::Pending)), None) => Outcome::Pending,
        (Some((_, outcome)), Some(_)) if outcome != Outcome::Pending => outcome,
        (Some((at, _)), _) => return Err(Wrong::new(at, "exactly the pending calls have no end")),
    };
    let operations = operations(usual.op, ops)?;
    if let Some(extras) = &mut extras {
        extras.effects = effects(take(others, "effects"))?;
        extras.meta = meta(take(others, "meta"))?;
    }
    let given = match usual.args {
        None => others,
        Some(json) => {
            if !matches!(json.kind, Kind::Object(_)) {
                return Err(json.not("`args` is an object"));
            }
            if let Some(extras) = &mut extras {
                extras.declared = declaration(others)?;
                none_left(others, "a line with `args` has all its arguments there")?;
            }
            inner
        }
    };
    for member in given.drain(..) {
        args.push(arg(member)?);
    }
    Ok(Line::Event(EventLine { thread, start, end, operations, outcome, extras }))
}

#[cold]
fn misplaced_header(header: &Json<'_>) -> Box<Wrong> {
    match header.kind {
        Kind::Bool(true) => Wrong::new(header.at, "only the first line can be a header"),
        _ => header.not("`header` is true and only in the first line; an argument of that name belongs into `args`"),
    }
}

/// A line with `terminated`.
fn terminated<'a>(
    json: &Json<'a>,
    usual: Usual<'a>,
    others: &mut Vec<Member<'a>>,
    at: usize,
) -> Result<Line<'a>, Box<Wrong>> {
    let thread = thread(required(usual.thread, "thread", at)?)?;
    let (time, meta) = (time(json, "`terminated` is a point in time")?, meta(take(others, "meta"))?);
    let why = "a line with `terminated` has only `thread` and `meta` besides";
    let known = [("start", usual.start), ("end", usual.end), ("op", usual.op), ("args", usual.args)];
    for (key, json) in known {
        if let Some(json) = json {
            return Err(Wrong::new(json.at, format!("`{key}` does not belong here: {why}")));
        }
    }
    none_left(others, why)?;
    Ok(Line::Terminated { thread, time, meta })
}

/// Reads the members of the object that a line is, and returns where it begins.
#[inline]
fn members<'a>(
    text: &'a str,
    usual: &mut Usual<'a>,
    inner: &mut Vec<Member<'a>>,
    others: &mut Vec<Member<'a>>,
) -> Result<usize, Box<Wrong>> {
    inner.clear();
    others.clear();
    let mut cursor = Cursor::new(text);
    cursor.space();
    let begin = cursor.at;
    if !cursor.take(b'{') {
        let json = cursor.value(0)?;
        cursor.end()?;
        return Err(json.not("a line is an object"));
    }
    let mut next = cursor.first_key()?;
    while let Some((at, key)) = next {
        let place = match &*key {
            "thread" => &mut usual.thread,
            "start" => &mut usual.start,
            "end" => &mut usual.end,
            "op" => &mut usual.op,
            "args" => &mut usual.args,
            _ => {
                poll();
                usual.has_unusual |= UNUSUAL.contains(&&*key);
                others.push(Member { at, key, value: cursor.value(1)? });
                next = cursor.next_key()?;
                continue;
            }
        };
        match place {
            Some(_) => {
                cursor.value(1)?;
                usual.twice.get_or_insert((at, key));
            }
            None if key == "args" => *place = Some(args_object(&mut cursor, inner)?),
            None => *place = Some(cursor.value(1)?),
        }
        next = cursor.next_key()?;
    }
    if let Some((at, key)) = &usual.twice {
        return Err(json::duplicate(*at, key));
    }
    json::refuse_duplicates(others)?;
    cursor.end()?;
    Ok(begin)
}

/// The value of `args`: if it is an object, its members go to `members`.
#[inline]
fn args_object<'a>(cursor: &mut Cursor<'a>, members: &mut Vec<Member<'a>>) -> Result<Json<'a>, Box<Wrong>> {
    cursor.space();
    let at = cursor.at;
    if !cursor.take(b'{') {
        return cursor.value(1);
    }
    let mut next = cursor.first_key()?;
    while let Some((at, key)) = next {
        poll();
        members.push(Member { at, key, value: cursor.value(2)? });
        next = cursor.next_key()?;
    }
    json::refuse_duplicates(members)?;
    Ok(Json { at, kind: Kind::Object(Vec::new()) })
}

#[inline]
fn required<'a>(json: Option<Json<'a>>, key: &str, at: usize) -> Result<Json<'a>, Box<Wrong>> {
    json.ok_or_else(|| Wrong::new(at, format!("`{key}` is missing")))
}

/// Takes the member with this key.
fn take<'a>(members: &mut Vec<Member<'a>>, key: &str) -> Option<Json<'a>> {
    let position = members.iter().position(|member| member.key == key)?;
    Some(members.remove(position).value)
}

fn none_left(members: &[Member<'_>], why: &str) -> Result<(), Box<Wrong>> {
    match members.first() {
        None => Ok(()),
        Some(member) => Err(Wrong::new(member.at, format!("`{}` does not belong here: {why}", member.key))),
    }
}

/// The members of an object.
fn object<'a>(json: Json<'a>, what: &str) -> Result<Vec<Member<'a>>, Box<Wrong>> {
    match json.kind {
        Kind::Object(members) => Ok(members),
        _ => Err(json.not(what)),
    }
}

#[inline]
fn operations<'a>(op: Option<Json<'a>>, ops: Option<Json<'a>>) -> Result<Operations<'a>, Box<Wrong>> {
    Ok(match (op, ops) {
        (Some(one), None) => Operations::One(operation(one)?),
        (None, None) => Operations::Several(Vec::new()),
        (None, Some(Json { kind: Kind::Array(several), .. })) => {
            Operations::Several(several.into_iter().map(operation).collect::<Result<_, _>>()?)
        }
        (None, Some(other)) => return Err(other.not("`ops` is a list of actions")),
        (Some(_), Some(several)) => return Err(Wrong::new(several.at, "a line has `op` or `ops`, not both")),
    })
}

#[inline]
fn thread(json: Json<'_>) -> Result<Thread<'_>, Box<Wrong>> {
    let what = "`thread` is a number from 0 to 4294967295 or a name";
    match json.kind {
        Kind::Int(number) => u32::try_from(number).map(Thread::Number).map_err(|_| Wrong::new(json.at, what)),
        Kind::Str(name) => Ok(Thread::Name(name)),
        _ => Err(json.not(what)),
    }
}

#[inline]
fn time(json: &Json<'_>, what: &str) -> Result<Time, Box<Wrong>> {
    let ticks = match &json.kind {
        Kind::Int(number) => u64::try_from(*number).ok(),
        Kind::BigInt(digits) => digits.parse().ok(),
        _ => return Err(json.not(&format!("{what}, an integer from 0 to 18446744073709551615"))),
    };
    let wrong = || Wrong::new(json.at, format!("{what}, an integer from 0 to 18446744073709551615"));
    Ok(Time { at: json.at, ticks: ticks.ok_or_else(wrong)? })
}

fn outcome(json: Json<'_>) -> Result<(usize, Outcome), Box<Wrong>> {
    let Kind::Str(word) = &json.kind else { return Err(json.not("`outcome` is a word")) };
    let outcome = match &**word {
        "done" => Outcome::Done,
        "aborted" => Outcome::Aborted,
        "indeterminate" => Outcome::Indeterminate,
        "pending" => Outcome::Pending,
        other => {
            let problem = format!("unknown outcome `{other}`; known are done, aborted, indeterminate and pending");
            return Err(Wrong::new(json.at, problem));
        }
    };
    Ok((json.at, outcome))
}

fn string<'a>(json: Json<'a>, what: &str) -> Result<Cow<'a, str>, Box<Wrong>> {
    match json.kind {
        Kind::Str(text) => Ok(text),
        _ => Err(json.not(what)),
    }
}

#[inline]
fn operation(json: Json<'_>) -> Result<Operation<'_>, Box<Wrong>> {
    let at = json.at;
    if let Kind::Str(name) = json.kind {
        return Ok(Operation { at, name, params: None });
    }
    let mut fields = object(json, "an action is its name, or an object with `name` and `params`")?;
    let name = string(required(take(&mut fields, "name"), "name", at)?, "`name` is a string")?;
    let params = names(required(take(&mut fields, "params"), "params", at)?, "`params` is a list of names")?;
    none_left(&fields, "an action has `name` and `params`")?;
    Ok(Operation { at, name, params: Some(params) })
}

fn declaration(fields: &mut Vec<Member<'_>>) -> Result<DeclaredLine, Box<Wrong>> {
    let mut declared = DeclaredLine::default();
    if let Some(json) = take(fields, "operation") {
        declared.at = json.at;
        declared.operation = Some(string(json, "`operation` is the name of an operation")?.into_owned());
    }
    if let Some(json) = take(fields, "results") {
        declared.at = json.at;
        declared.results = Some(names(json, "`results` is a list of parameters")?);
    }
    Ok(declared)
}

fn names(json: Json<'_>, what: &str) -> Result<Vec<String>, Box<Wrong>> {
    let Kind::Array(names) = json.kind else { return Err(json.not(what)) };
    names.into_iter().map(|name| string(name, "a parameter is a string").map(Cow::into_owned)).collect()
}

#[inline]
fn arg(member: Member<'_>) -> Result<ArgLine<'_>, Box<Wrong>> {
    let value = match member.value.kind {
        Kind::Null => None,
        _ => Some(member.value.into_value()?),
    };
    Ok(ArgLine { at: member.at, param: member.key, value })
}

fn effects(json: Option<Json<'_>>) -> Result<Vec<EffectLine>, Box<Wrong>> {
    let Some(json) = json else { return Ok(Vec::new()) };
    let Kind::Array(effects) = json.kind else { return Err(json.not("`effects` is a list")) };
    effects.into_iter().map(effect).collect()
}

fn effect(json: Json<'_>) -> Result<EffectLine, Box<Wrong>> {
    let at = json.at;
    let mut fields = object(json, "an effect is an object")?;
    let variable =
        string(required(take(&mut fields, "variable"), "variable", at)?, "`variable` is a string")?.into_owned();
    let path =
        take(&mut fields, "path").map_or(Ok(Vec::new()), |path| path.into_values("`path` is a list of values"))?;
    let operation =
        string(required(take(&mut fields, "operation"), "operation", at)?, "`operation` is a string")?.into_owned();
    let args =
        take(&mut fields, "args").map_or(Ok(Vec::new()), |args| args.into_values("`args` is a list of values"))?;
    none_left(&fields, "an effect has `variable`, `path`, `operation` and `args`")?;
    Ok(EffectLine { variable, path, operation, args })
}

fn meta(json: Option<Json<'_>>) -> Result<Meta, Box<Wrong>> {
    let Some(json) = json else { return Ok(Vec::new()) };
    let members = object(json, "`meta` is an object")?;
    members.into_iter().map(|member| Ok((member.key.into(), member.value.into_value()?))).collect()
}

impl Operation<'_> {
    /// The action, if the line says which parameters it has.
    pub fn declared(&self) -> Option<ActionLine> {
        self.params.as_ref().map(|params| ActionLine { name: self.name.to_string(), params: params.clone() })
    }
}

impl<'a> Operations<'a> {
    pub fn as_slice(&self) -> &[Operation<'a>] {
        match self {
            Self::One(operation) => std::slice::from_ref(operation),
            Self::Several(operations) => operations,
        }
    }
}

impl DeclaredLine {
    /// True if it declares nothing.
    pub fn is_empty(&self) -> bool {
        self.results.is_none() && self.operation.is_none()
    }
}
