//! The content of one line, before actions and lanes are resolved.

use crate::event::Outcome;
use crate::record::Meta;
use crate::value::Value;

use super::ActionLine;
use super::json::{self, Json, Kind, Member, Wrong};

/// The content of one line.
#[derive(Debug)]
pub(super) enum Line {
    Event(EventLine),
    Terminated { thread: Thread, time: Time, meta: Meta },
}

/// A number and its position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Time {
    pub at: usize,
    pub ticks: u64,
}

#[derive(Debug)]
pub(super) struct EventLine {
    pub thread: Thread,
    pub start: Time,
    pub end: Option<u64>,
    pub operations: Operations,
    pub args: Vec<ArgLine>,
    pub declared: DeclaredLine,
    pub outcome: Outcome,
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
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Thread {
    Number(u32),
    Name(String),
}

#[derive(Debug)]
pub(super) enum Operations {
    One(Operation),
    Several(Vec<Operation>),
}

/// An action: by its name, or by name and parameters.
#[derive(Debug)]
pub(super) struct Operation {
    pub at: usize,
    pub name: String,
    pub params: Option<Vec<String>>,
}

#[derive(Debug)]
pub(super) struct ArgLine {
    pub at: usize,
    pub param: String,
    pub value: Option<Value>,
}

#[derive(Debug)]
pub(super) struct EffectLine {
    pub variable: String,
    pub path: Vec<Value>,
    pub operation: String,
    pub args: Vec<Value>,
}

/// Reads a line.
pub(super) fn parse(text: &str) -> Result<Line, Wrong> {
    let json = json::parse(text)?;
    let at = json.at;
    let mut fields = Fields::of(json, "a line is an object")?;
    if let Some(header) = fields.take("header") {
        return match header.kind {
            Kind::Bool(true) => Err(Wrong::new(header.at, "only the first line can be a header")),
            _ => {
                Err(header
                    .not("`header` is true and only in the first line; an argument of that name belongs into `args`"))
            }
        };
    }
    let thread = thread(fields.required("thread", at)?)?;
    if let Some(json) = fields.take("terminated") {
        let (time, meta) = (time(&json, "`terminated` is a point in time")?, meta(fields.take("meta"))?);
        fields.none_left("a line with `terminated` has only `thread` and `meta` besides")?;
        return Ok(Line::Terminated { thread, time, meta });
    }
    let start = time(&fields.required("start", at)?, "`start` is a point in time")?;
    let named_outcome = fields.take("outcome").map(outcome).transpose()?;
    let end = match fields.take("end") {
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
    let operations = match (fields.take("op"), fields.take("ops")) {
        (Some(one), None) => Operations::One(operation(one)?),
        (None, None) => Operations::Several(Vec::new()),
        (None, Some(Json { kind: Kind::Array(several), .. })) => {
            Operations::Several(several.into_iter().map(operation).collect::<Result<_, _>>()?)
        }
        (None, Some(other)) => return Err(other.not("`ops` is a list of actions")),
        (Some(_), Some(several)) => return Err(Wrong::new(several.at, "a line has `op` or `ops`, not both")),
    };
    let effects = effects(fields.take("effects"))?;
    let meta = meta(fields.take("meta"))?;
    let mut declared = DeclaredLine::default();
    let args = match fields.take("args") {
        None => fields.members,
        Some(json) => {
            let args = Fields::of(json, "`args` is an object")?.members;
            declared = declaration(&mut fields)?;
            fields.none_left("a line with `args` has all its arguments there")?;
            args
        }
    };
    let args = args.into_iter().map(arg).collect::<Result<_, _>>()?;
    Ok(Line::Event(EventLine { thread, start, end, operations, args, declared, outcome, effects, meta }))
}

/// The members of an object that are not used yet.
struct Fields {
    members: Vec<Member>,
}

impl Fields {
    fn of(json: Json, what: &str) -> Result<Self, Wrong> {
        match json.kind {
            Kind::Object(members) => Ok(Self { members }),
            _ => Err(json.not(what)),
        }
    }

    fn take(&mut self, key: &str) -> Option<Json> {
        let position = self.members.iter().position(|member| member.key == key)?;
        Some(self.members.remove(position).value)
    }

    fn required(&mut self, key: &str, at: usize) -> Result<Json, Wrong> {
        self.take(key).ok_or_else(|| Wrong::new(at, format!("`{key}` is missing")))
    }

    fn none_left(&self, why: &str) -> Result<(), Wrong> {
        match self.members.first() {
            None => Ok(()),
            Some(member) => Err(Wrong::new(member.at, format!("`{}` does not belong here: {why}", member.key))),
        }
    }
}

fn thread(json: Json) -> Result<Thread, Wrong> {
    let what = "`thread` is a number from 0 to 4294967295 or a name";
    match json.kind {
        Kind::Int(number) => u32::try_from(number).map(Thread::Number).map_err(|_| Wrong::new(json.at, what)),
        Kind::Str(name) => Ok(Thread::Name(name)),
        _ => Err(json.not(what)),
    }
}

fn time(json: &Json, what: &str) -> Result<Time, Wrong> {
    let ticks = match &json.kind {
        Kind::Int(number) => u64::try_from(*number).ok(),
        Kind::BigInt(digits) => digits.parse().ok(),
        _ => return Err(json.not(&format!("{what}, an integer from 0 to 18446744073709551615"))),
    };
    let wrong = || Wrong::new(json.at, format!("{what}, an integer from 0 to 18446744073709551615"));
    Ok(Time { at: json.at, ticks: ticks.ok_or_else(wrong)? })
}

fn outcome(json: Json) -> Result<(usize, Outcome), Wrong> {
    let Kind::Str(word) = &json.kind else { return Err(json.not("`outcome` is a word")) };
    let outcome = match word.as_str() {
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

fn string(json: Json, what: &str) -> Result<String, Wrong> {
    match json.kind {
        Kind::Str(text) => Ok(text),
        _ => Err(json.not(what)),
    }
}

fn operation(json: Json) -> Result<Operation, Wrong> {
    let at = json.at;
    if matches!(json.kind, Kind::Str(_)) {
        return Ok(Operation { at, name: string(json, "")?, params: None });
    }
    let mut fields = Fields::of(json, "an action is its name, or an object with `name` and `params`")?;
    let name = string(fields.required("name", at)?, "`name` is a string")?;
    let params = names(fields.required("params", at)?, "`params` is a list of names")?;
    fields.none_left("an action has `name` and `params`")?;
    Ok(Operation { at, name, params: Some(params) })
}

fn declaration(fields: &mut Fields) -> Result<DeclaredLine, Wrong> {
    let mut declared = DeclaredLine::default();
    if let Some(json) = fields.take("operation") {
        declared.at = json.at;
        declared.operation = Some(string(json, "`operation` is the name of an operation")?);
    }
    if let Some(json) = fields.take("results") {
        declared.at = json.at;
        declared.results = Some(names(json, "`results` is a list of parameters")?);
    }
    Ok(declared)
}

fn names(json: Json, what: &str) -> Result<Vec<String>, Wrong> {
    let Kind::Array(names) = json.kind else { return Err(json.not(what)) };
    names.into_iter().map(|name| string(name, "a parameter is a string")).collect()
}

fn arg(member: Member) -> Result<ArgLine, Wrong> {
    let value = match member.value.kind {
        Kind::Null => None,
        _ => Some(member.value.into_value()?),
    };
    Ok(ArgLine { at: member.at, param: member.key, value })
}

fn effects(json: Option<Json>) -> Result<Vec<EffectLine>, Wrong> {
    let Some(json) = json else { return Ok(Vec::new()) };
    let Kind::Array(effects) = json.kind else { return Err(json.not("`effects` is a list")) };
    effects.into_iter().map(effect).collect()
}

fn effect(json: Json) -> Result<EffectLine, Wrong> {
    let at = json.at;
    let mut fields = Fields::of(json, "an effect is an object")?;
    let variable = string(fields.required("variable", at)?, "`variable` is a string")?;
    let path = fields.take("path").map_or(Ok(Vec::new()), |path| path.into_values("`path` is a list of values"))?;
    let operation = string(fields.required("operation", at)?, "`operation` is a string")?;
    let args = fields.take("args").map_or(Ok(Vec::new()), |args| args.into_values("`args` is a list of values"))?;
    fields.none_left("an effect has `variable`, `path`, `operation` and `args`")?;
    Ok(EffectLine { variable, path, operation, args })
}

fn meta(json: Option<Json>) -> Result<Meta, Wrong> {
    let Some(json) = json else { return Ok(Vec::new()) };
    let members = Fields::of(json, "`meta` is an object")?.members;
    members.into_iter().map(|member| Ok((member.key.into(), member.value.into_value()?))).collect()
}

impl Operation {
    /// The action, if the line says which parameters it has.
    pub fn declared(&self) -> Option<ActionLine> {
        self.params.as_ref().map(|params| ActionLine { name: self.name.clone(), params: params.clone() })
    }
}
