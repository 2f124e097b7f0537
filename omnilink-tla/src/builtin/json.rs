//! `Json`: values as JSON and back.
//!
//! Objects are records, arrays are tuples, and sets are written as arrays. A file that is read is taken to be constant,
//! as TLC takes it: it is read once for each place that names it.

use std::fmt::Display;
use std::path::Path;

use serde_json::{Map, Value as Json};

use super::entries::entries;
use super::{BuiltinModule, Native, Outcome, exactly};
use crate::eval::{Failure, Host, World};
use crate::value::{Problem, Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "Json",
    standard: false,
    extends: &[],
    operators: &[
        Native::one("ToJson", |value| text(value, "apply ToJson")),
        Native::one("ToJsonArray", |value| match value.is_set() || value.is_function() {
            true => text(value, "apply ToJsonArray"),
            false => Err(not_a("a set or a sequence", value, "apply ToJsonArray")),
        }),
        Native::one("ToJsonObject", |value| match value.is_function() {
            true => Ok(Value::string(&numbered_object(value, "apply ToJsonObject")?.to_string())),
            false => Err(not_a("a function", value, "apply ToJsonObject")),
        }),
        Native::reads("JsonDeserialize", &[0], |world, arguments| {
            let (path, text) = read(world, arguments, "apply JsonDeserialize")?;
            parse(&text, path, 1)
        }),
        Native::reads("ndJsonDeserialize", &[0], read_lines),
        Native::hosted("JsonSerialize", &[0, 0], |host, arguments| write(host, arguments, "[\n", ",\n", "\n]\n")),
        Native::hosted("ndJsonSerialize", &[0, 0], |host, arguments| write(host, arguments, "", "\n", "\n")),
    ],
};

fn not_a(expected: &'static str, found: &Value, doing: &'static str) -> ValueError {
    Problem::NotA { expected, found: found.clone(), doing }.into()
}

fn text(value: &Value, doing: &'static str) -> Outcome {
    Ok(Value::string(&to_json(value, doing)?.to_string()))
}

fn to_json(value: &Value, doing: &'static str) -> Result<Json, ValueError> {
    Ok(match value {
        Value::Bool(value) => Json::from(*value),
        Value::Int(value) => Json::from(*value),
        Value::Str(text) | Value::Model(text) => Json::from(text.as_str()),
        Value::Tuple(tuple) => array(tuple.iter().cloned(), doing)?,
        Value::Set(_) | Value::Symbolic(_) => array(value.to_set(doing)?.iter(), doing)?,
        Value::Lambda(lambda) => to_json(lambda.to_function()?, doing)?,
        Value::Function(_) => object(value, doing)?,
    })
}

fn array(elements: impl Iterator<Item = Value>, doing: &'static str) -> Result<Json, ValueError> {
    elements.map(|element| to_json(&element, doing)).collect::<Result<_, _>>().map(Json::Array)
}

/// Keys that are no strings are written as TLA+ has them.
fn object(function: &Value, doing: &'static str) -> Result<Json, ValueError> {
    let mut object = Map::new();
    for (key, value) in entries(function, doing)? {
        let name = key.as_str().map_or_else(|| key.to_string(), |name| name.as_str().to_owned());
        object.insert(name, to_json(&value, doing)?);
    }
    Ok(Json::Object(object))
}

/// As TLC has it, the elements of a sequence are numbered from 0 in an object.
fn numbered_object(value: &Value, doing: &'static str) -> Result<Json, ValueError> {
    let Value::Tuple(tuple) = value else { return object(value, doing) };
    let fields = tuple.iter().enumerate().map(|(index, value)| Ok((index.to_string(), to_json(value, doing)?)));
    fields.collect::<Result<Map<_, _>, ValueError>>().map(Json::Object)
}

fn read(world: &World, arguments: &[Value], doing: &'static str) -> Result<(&'static str, String), ValueError> {
    let [path] = exactly(arguments);
    let path = path.expect_str(doing)?.as_str();
    let cannot = |why: &dyn Display| ValueError::rule(format!("cannot {doing}: {path}: {why}"));
    let content = world.read_file(Path::new(path)).map_err(|error| cannot(&error))?;
    Ok((path, String::from_utf8(content).map_err(|_| cannot(&"it is not UTF-8 text"))?))
}

/// The values of a file that has one on each line; empty lines are skipped.
fn read_lines(world: &World, arguments: &[Value]) -> Outcome {
    let (path, text) = read(world, arguments, "apply ndJsonDeserialize")?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    Value::tuple(lines.map(|(number, line)| parse(line, path, number)).collect::<Result<Vec<_>, _>>()?)
}

/// The value that a JSON text says, which begins at a line of a file.
fn parse(text: &str, path: &str, first_line: usize) -> Outcome {
    let at = |line: usize, problem: &str| ValueError::rule(format!("{path}:{line}: {problem}"));
    let json = serde_json::from_str(text)
        .map_err(|error| at(first_line + error.line().saturating_sub(1), &error.to_string()))?;
    from_json(json).map_err(|problem| match problem {
        Unusable::Value(error) => error,
        Unusable::Json(problem) => at(first_line, &problem),
    })
}

/// Why a JSON value is not a TLA+ value.
enum Unusable {
    Value(ValueError),
    Json(String),
}

impl From<ValueError> for Unusable {
    fn from(error: ValueError) -> Self {
        Self::Value(error)
    }
}

fn from_json(json: Json) -> Result<Value, Unusable> {
    Ok(match json {
        Json::Null => return Err(Unusable::Json("null is no TLA+ value".to_owned())),
        Json::Bool(value) => Value::Bool(value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Int(number),
            None => return Err(Unusable::Json(format!("{number} is not a 64-bit integer"))),
        },
        Json::String(text) => Value::string(&text),
        Json::Array(elements) => Value::tuple(elements.into_iter().map(from_json).collect::<Result<Vec<_>, _>>()?)?,
        Json::Object(fields) => {
            let field = |(name, value): (String, Json)| Ok((Value::string(&name), from_json(value)?));
            Value::function(fields.into_iter().map(field).collect::<Result<Vec<_>, Unusable>>()?)?
        }
    })
}

/// Writes the elements of a sequence to a file whose directories are made if need be.
fn write(host: &dyn Host, arguments: &[Value], open: &str, separator: &str, close: &str) -> Result<Value, Failure> {
    const DOING: &str = "write a JSON file";
    let [path, values] = exactly(arguments);
    let path = Path::new(path.expect_str(DOING)?.as_str());
    let elements = values.to_tuple(DOING)?;
    let lines =
        elements.iter().map(|value| Ok(to_json(value, DOING)?.to_string())).collect::<Result<Vec<_>, Failure>>()?;
    let text = if lines.is_empty() { String::new() } else { lines.join(separator) };
    host.world()
        .write_file(path, &format!("{open}{text}{close}"))
        .map_err(|error| Failure::unplaced(format!("cannot {DOING}: {}: {error}", path.display())))?;
    Ok(Value::Bool(true))
}
