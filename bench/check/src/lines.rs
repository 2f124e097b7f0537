//! What the generator writes: a header, and a line for every call.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::{Map, Value};

use crate::Outcome;

/// What a line has besides the arguments of its operation.
const OWN: [&str; 4] = ["thread", "start", "end", "op"];

/// The kind of object that a history is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Set,
    Queue,
    Kv,
}

/// A call.
pub struct Line(Map<String, Value>);

/// Reads a history line by line, so that nobody has to hold it as text.
pub fn read(path: &Path, each: &mut dyn FnMut(Kind, &Line) -> Outcome<()>) -> Outcome<Kind> {
    let mut lines = BufReader::new(File::open(path)?).lines();
    let header: Value = serde_json::from_str(&lines.next().ok_or("an empty history")??)?;
    let kind = match header["kind"].as_str() {
        Some("set") => Kind::Set,
        Some("queue") => Kind::Queue,
        Some("kv") => Kind::Kv,
        _ => return Err(format!("a header without a kind: {header}").into()),
    };
    for line in lines {
        each(kind, &Line(serde_json::from_str(&line?)?))?;
    }
    Ok(kind)
}

impl Line {
    pub fn op(&self) -> Outcome<&str> {
        Ok(self.0.get("op").and_then(Value::as_str).ok_or("a line without op")?)
    }

    /// A number by its name.
    pub fn number(&self, name: &str) -> Outcome<u64> {
        let number = self.0.get(name).and_then(Value::as_u64);
        Ok(number.ok_or_else(|| format!("a line whose {name} is no number: {:?}", self.0))?)
    }

    /// A truth value by its name.
    pub fn truth(&self, name: &str) -> Outcome<bool> {
        let truth = self.0.get(name).and_then(Value::as_bool);
        Ok(truth.ok_or_else(|| format!("a line whose {name} is no truth value: {:?}", self.0))?)
    }

    /// A text by its name.
    pub fn text(&self, name: &str) -> Outcome<&str> {
        let text = self.0.get(name).and_then(Value::as_str);
        Ok(text.ok_or_else(|| format!("a line whose {name} is no text: {:?}", self.0))?)
    }

    /// The arguments and results of the operation, in the order of the line.
    pub fn args(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value)).filter(|(name, _)| !OWN.contains(name))
    }
}
