//! JSON values with their positions, and the TLA+ values that they stand for.
//!
//! `serde_json` is not used, because a trace is evidence: duplicate keys must be errors, integers beyond 64 bits must
//! stay exact, values may nest as deep as TLA+ values do, and an error about the *meaning* of a value must have its
//! column.

use std::borrow::Cow;

use omnilink_budget::poll;

use crate::layout;
use crate::value::Value;

use super::cursor::{Cursor, Wrong};
use super::{FUNCTION, SET};

/// How deep texts may nest: sets and functions take two levels each.
const MAX_DEPTH: usize = 2 * layout::MAX_DEPTH + STRUCTURE;

/// How deep the structure of a line goes: `effects`, an effect, its `path`. What is deeper can only be inside a TLA+
/// value, and becomes one as soon as it is read, so that nothing recurses over the depth of a text.
const STRUCTURE: usize = 4;

/// A JSON value and where it begins, in bytes.
#[derive(Debug)]
pub(super) struct Json<'a> {
    pub at: usize,
    pub kind: Kind<'a>,
}

#[derive(Debug)]
pub(super) enum Kind<'a> {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer beyond 64 bits, by its digits.
    BigInt(&'a str),
    Str(Cow<'a, str>),
    Array(Vec<Json<'a>>),
    Object(Vec<Member<'a>>),
    /// A list or an object that is inside a value.
    Value(Value),
}

/// A key and its value.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub at: usize,
    pub key: Cow<'a, str>,
    pub value: Json<'a>,
}

/// A list or an object whose end was not read yet.
enum Open<'a> {
    Array { at: usize, elements: Vec<Json<'a>> },
    Object { at: usize, members: Vec<Member<'a>>, key_at: usize, key: Cow<'a, str> },
}

/// What became of a container to which a value was added.
enum Put<'a> {
    Open(Open<'a>),
    Complete(Json<'a>),
}

impl<'a> Cursor<'a> {
    /// A value, with everything in it. `depth` is the number of lists and objects around it.
    #[inline(always)]
    pub fn value(&mut self, depth: usize) -> Result<Json<'a>, Box<Wrong>> {
        self.space();
        match self.peek() {
            Some(b'{' | b'[') => self.container(depth),
            _ => Ok(Json { at: self.at, kind: self.scalar()? }),
        }
    }

    fn container(&mut self, depth: usize) -> Result<Json<'a>, Box<Wrong>> {
        let mut open: Vec<Open<'a>> = Vec::new();
        loop {
            poll();
            self.space();
            let at = self.at;
            let mut complete = match self.peek() {
                Some(b'{' | b'[') if depth + open.len() > MAX_DEPTH => {
                    return Err(Wrong::new(at, format!("nests deeper than {MAX_DEPTH} levels")));
                }
                Some(b'{') => {
                    self.at += 1;
                    if let Some((key_at, key)) = self.first_key()? {
                        open.push(Open::Object { at, members: Vec::new(), key_at, key });
                        continue;
                    }
                    Json { at, kind: Kind::Object(Vec::new()) }
                }
                Some(b'[') => {
                    self.at += 1;
                    self.space();
                    if !self.take(b']') {
                        open.push(Open::Array { at, elements: Vec::new() });
                        continue;
                    }
                    Json { at, kind: Kind::Array(Vec::new()) }
                }
                _ => Json { at, kind: self.scalar()? },
            };
            // A complete value belongs to the open container, which it may complete in turn.
            loop {
                let Some(container) = open.pop() else { return Ok(complete) };
                match self.put(container, complete)? {
                    Put::Open(container) => {
                        open.push(container);
                        break;
                    }
                    Put::Complete(json) if depth + open.len() > STRUCTURE => {
                        complete = Json { at: json.at, kind: Kind::Value(json.into_value()?) };
                    }
                    Put::Complete(json) => complete = json,
                }
            }
        }
    }

    /// Adds a value to the container around it, and reads what follows.
    fn put(&mut self, container: Open<'a>, value: Json<'a>) -> Result<Put<'a>, Box<Wrong>> {
        match container {
            Open::Array { at, mut elements } => {
                elements.push(value);
                self.space();
                if self.take(b']') {
                    return Ok(Put::Complete(Json { at, kind: Kind::Array(elements) }));
                }
                if !self.take(b',') {
                    return Err(self.expected("`,` or `]`"));
                }
                Ok(Put::Open(Open::Array { at, elements }))
            }
            Open::Object { at, mut members, key_at, key } => {
                members.push(Member { at: key_at, key, value });
                match self.next_key()? {
                    Some((key_at, key)) => Ok(Put::Open(Open::Object { at, members, key_at, key })),
                    None => {
                        refuse_duplicates(&members)?;
                        Ok(Put::Complete(Json { at, kind: Kind::Object(members) }))
                    }
                }
            }
        }
    }

    /// Refuses what follows the text's only value.
    #[inline]
    pub fn end(&mut self) -> Result<(), Box<Wrong>> {
        self.space();
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(Wrong::new(self.at, "something follows the end of the object")),
        }
    }
}

/// Refuses members with the same key.
pub(super) fn refuse_duplicates(members: &[Member<'_>]) -> Result<(), Box<Wrong>> {
    // Few keys are compared faster than they are sorted.
    if members.len() <= 8 {
        for (at, member) in members.iter().enumerate() {
            if members[..at].iter().any(|earlier| earlier.key == member.key) {
                return Err(duplicate(member.at, &member.key));
            }
        }
        return Ok(());
    }
    let mut keys: Vec<_> = members.iter().map(|member| (&member.key, member.at)).collect();
    keys.sort_unstable();
    match keys.windows(2).find(|two| two[0].0 == two[1].0) {
        Some(two) => Err(duplicate(two[1].1, two[1].0)),
        None => Ok(()),
    }
}

/// The fault that an object has a key twice.
#[cold]
pub(super) fn duplicate(at: usize, key: &str) -> Box<Wrong> {
    Wrong::new(at, format!("duplicate key `{key}`"))
}

impl Json<'_> {
    /// What it is, for messages.
    pub fn describe(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Int(_) | Kind::BigInt(_) => "a number",
            Kind::Str(_) => "a string",
            Kind::Array(_) => "a list",
            Kind::Object(_) => "an object",
            Kind::Value(_) => "a value",
        }
    }

    /// The fault that something else belongs here.
    pub fn not(&self, what: &str) -> Box<Wrong> {
        Wrong::new(self.at, format!("{what}, not {}", self.describe()))
    }

    /// The TLA+ value that it stands for.
    #[inline]
    pub fn into_value(self) -> Result<Value, Box<Wrong>> {
        let at = self.at;
        match self.kind {
            Kind::Null => Err(Wrong::new(at, "null stands for an unknown argument and cannot be inside a value")),
            Kind::Bool(value) => Ok(Value::Bool(value)),
            Kind::Int(value) => Ok(Value::Int(value)),
            Kind::BigInt(digits) => Ok(Value::from(digits)),
            Kind::Str(value) => Ok(Value::from(&*value)),
            Kind::Value(value) => Ok(value),
            Kind::Array(elements) => values(elements).map(Value::Tuple),
            Kind::Object(mut members) => match members.as_mut_slice() {
                [only] if only.key.starts_with('$') => {
                    let member = members.remove(0);
                    marked(member)
                }
                _ => {
                    let mut pairs = Vec::with_capacity(members.len());
                    for member in members {
                        pairs.push((Value::from(&*member.key), member.value.into_value()?));
                    }
                    Value::function(pairs).map_err(|duplicate| Wrong::new(at, duplicate.to_string()))
                }
            },
        }
    }

    /// The TLA+ values in a list.
    pub fn into_values(self, what: &str) -> Result<Vec<Value>, Box<Wrong>> {
        match self.kind {
            Kind::Array(elements) => values(elements),
            Kind::Value(Value::Tuple(elements)) => Ok(elements),
            _ => Err(self.not(what)),
        }
    }
}

fn values(elements: Vec<Json<'_>>) -> Result<Vec<Value>, Box<Wrong>> {
    elements.into_iter().map(Json::into_value).collect()
}

/// The value of an object whose only key begins with `$`.
fn marked(member: Member<'_>) -> Result<Value, Box<Wrong>> {
    let at = member.at;
    match &*member.key {
        SET => member.value.into_values("a set is a list of its elements").map(Value::set),
        FUNCTION => {
            let flat = member.value.into_values("a function is a list of argument, value, argument, value, …")?;
            if !flat.len().is_multiple_of(2) {
                return Err(Wrong::new(at, "a function has an argument without value"));
            }
            let mut flat = flat.into_iter();
            let mut pairs = Vec::with_capacity(flat.len() / 2);
            while let (Some(argument), Some(value)) = (flat.next(), flat.next()) {
                pairs.push((argument, value));
            }
            Value::function(pairs).map_err(|duplicate| Wrong::new(at, duplicate.to_string()))
        }
        key => Err(Wrong::new(at, format!("unknown kind of value `{key}`; known are `{SET}` and `{FUNCTION}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<String, String> {
        let mut cursor = Cursor::new(text);
        let json = cursor.value(0).and_then(|json| cursor.end().map(|()| json));
        json.and_then(Json::into_value)
            .map(|value| value.to_string())
            .map_err(|wrong| format!("{}: {}", wrong.at, wrong.problem))
    }

    #[test]
    fn json_stands_for_tla_values() {
        let cases = [
            ("true", "TRUE"),
            (" -3 ", "-3"),
            ("9223372036854775807", "9223372036854775807"),
            ("9223372036854775808", "\"9223372036854775808\""),
            (r#""a\u00e9\ud83d\ude00\n""#, "\"aé😀\\n\""),
            ("[1, [2], []]", "<<1, <<2>>, <<>>>>"),
            (r#"{"a": 1, "b": {"$set": [2, 1, 2]}}"#, "[a |-> 1, b |-> {1, 2}]"),
            (r#"{"$fun": [3, "x", 1, "y"]}"#, r#"(1 :> "y" @@ 3 :> "x")"#),
            (r#"{"$fun": [2, "x", 1, "y"]}"#, r#"<<"y", "x">>"#),
            (r#"{"$fun": ["$set", 1]}"#, r#"("$set" :> 1)"#),
            (r#"{"$set": 1, "b": 2}"#, r#"("$set" :> 1 @@ "b" :> 2)"#),
            ("{}", "<<>>"),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn wrong_texts_are_told_with_their_place() {
        let cases = [
            ("", "0: the line ends where a value should follow"),
            ("{\"a\"", "4: the line ends where `:` should follow"),
            ("[1,]", "3: expected a value, found ']'"),
            ("1.5", "0: TLA+ has no floating-point numbers; write an integer or a string"),
            ("01", "0: a number begins with 0"),
            ("-", "1: the line ends where a digit should follow"),
            ("tru", "0: expected true"),
            (r#"{"a":1,"a":2}"#, "7: duplicate key `a`"),
            (r#"[null]"#, "1: null stands for an unknown argument and cannot be inside a value"),
            (r#""\ud800x""#, "1: half of a surrogate pair"),
            (r#""\q""#, "1: unknown escape"),
            ("\"a\tb\"", "2: a control character in a string; escape it"),
            (r#"{"$bag": []}"#, "1: unknown kind of value `$bag`; known are `$set` and `$fun`"),
            (r#"{"$fun": [1]}"#, "1: a function has an argument without value"),
            (r#"{"$fun": [1, 2, 1, 3]}"#, "1: a function has two values for 1"),
            (r#"{"$set": 1}"#, "9: a set is a list of its elements, not a number"),
            ("1 2", "2: something follows the end of the object"),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text), Err(expected.into()), "{text}");
        }
        let deep = "[".repeat(1_000_000);
        assert_eq!(value(&deep), Err(format!("{}: nests deeper than {MAX_DEPTH} levels", MAX_DEPTH + 1)));
    }
}
