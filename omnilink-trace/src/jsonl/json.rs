//! A JSON parser that keeps positions.
//!
//! `serde_json` is not used, because a trace is evidence: duplicate keys must be errors, integers beyond 64 bits must
//! stay exact, values may nest as deep as TLA+ values do, and an error about the *meaning* of a value must have its
//! column.

use omnilink_budget::poll;

use crate::layout;
use crate::value::Value;

use super::{FUNCTION, SET};

/// How deep texts may nest: sets and functions take two levels each.
const MAX_DEPTH: usize = 2 * layout::MAX_DEPTH + STRUCTURE;

/// How deep the structure of a line goes: `effects`, an effect, its `path`. What is deeper can only be inside a TLA+
/// value, and becomes one as soon as it is read, so that nothing recurses over the depth of a text.
const STRUCTURE: usize = 4;

/// A JSON value and where it begins, in bytes.
#[derive(Debug)]
pub(super) struct Json {
    pub at: usize,
    pub kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer beyond 64 bits, by its digits.
    BigInt(String),
    Str(String),
    Array(Vec<Json>),
    Object(Vec<Member>),
    /// A list or an object that is inside a value.
    Value(Value),
}

/// A key and its value.
#[derive(Debug)]
pub(super) struct Member {
    pub at: usize,
    pub key: String,
    pub value: Json,
}

/// What is wrong, and where.
#[derive(Debug)]
pub(super) struct Wrong {
    pub at: usize,
    pub problem: String,
    /// True if the text ends too early, and may have been cut off.
    pub cut_off: bool,
}

impl Wrong {
    pub fn new(at: usize, problem: impl Into<String>) -> Self {
        Self { at, problem: problem.into(), cut_off: false }
    }
}

/// Reads a text that is one JSON value.
pub(super) fn parse(text: &str) -> Result<Json, Wrong> {
    let mut parser = Parser { text, at: 0 };
    let value = parser.value()?;
    parser.space();
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(Wrong::new(parser.at, "something follows the end of the object")),
    }
}

/// A list or an object whose end was not read yet.
enum Open {
    Array { at: usize, elements: Vec<Json> },
    Object { at: usize, members: Vec<Member>, key_at: usize, key: String },
}

/// What became of a container to which a value was added.
enum Put {
    Open(Open),
    Complete(Json),
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// Consumes `byte`, if it is next.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    #[cold]
    fn expected(&self, what: &str) -> Wrong {
        match self.text[self.at..].chars().next() {
            Some(found) => Wrong::new(self.at, format!("expected {what}, found {found:?}")),
            None => Wrong { at: self.at, problem: format!("the line ends where {what} should follow"), cut_off: true },
        }
    }

    /// A value, with everything in it.
    fn value(&mut self) -> Result<Json, Wrong> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            poll();
            self.space();
            let at = self.at;
            let mut complete = match self.peek() {
                Some(b'{' | b'[') if open.len() > MAX_DEPTH => {
                    return Err(Wrong::new(at, format!("nests deeper than {MAX_DEPTH} levels")));
                }
                Some(b'{') => {
                    self.at += 1;
                    self.space();
                    if !self.take(b'}') {
                        let (key_at, key) = self.key()?;
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
                    Put::Complete(json) if open.len() > STRUCTURE => {
                        complete = Json { at: json.at, kind: Kind::Value(json.into_value()?) };
                    }
                    Put::Complete(json) => complete = json,
                }
            }
        }
    }

    /// Adds a value to the container around it, and reads what follows.
    fn put(&mut self, container: Open, value: Json) -> Result<Put, Wrong> {
        self.space();
        match container {
            Open::Array { at, mut elements } => {
                elements.push(value);
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
                if self.take(b'}') {
                    refuse_duplicates(&members)?;
                    return Ok(Put::Complete(Json { at, kind: Kind::Object(members) }));
                }
                if !self.take(b',') {
                    return Err(self.expected("`,` or `}`"));
                }
                let (key_at, key) = self.key()?;
                Ok(Put::Open(Open::Object { at, members, key_at, key }))
            }
        }
    }

    /// A key and the colon after it.
    fn key(&mut self) -> Result<(usize, String), Wrong> {
        self.space();
        if self.peek() != Some(b'"') {
            return Err(self.expected("a key in quotes"));
        }
        let at = self.at;
        let key = self.string()?;
        self.space();
        if !self.take(b':') {
            return Err(self.expected("`:`"));
        }
        Ok((at, key))
    }

    fn scalar(&mut self) -> Result<Kind, Wrong> {
        match self.peek() {
            Some(b'"') => self.string().map(Kind::Str),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Kind::Bool(true)),
            Some(b'f') => self.word("false", Kind::Bool(false)),
            Some(b'n') => self.word("null", Kind::Null),
            _ => Err(self.expected("a value")),
        }
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<Kind, Wrong> {
        let rest = &self.text[self.at..];
        if rest.starts_with(word) {
            self.at += word.len();
            Ok(kind)
        } else {
            let cut_off = word.starts_with(rest);
            Err(Wrong { at: self.at, problem: format!("expected {word}"), cut_off })
        }
    }

    fn number(&mut self) -> Result<Kind, Wrong> {
        let begin = self.at;
        self.take(b'-');
        let digits = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if digits == self.at {
            return Err(self.expected("a digit"));
        }
        if matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return Err(Wrong::new(begin, "TLA+ has no floating-point numbers; write an integer or a string"));
        }
        let text = &self.text[begin..self.at];
        if self.at - digits > 1 && text[digits - begin..].starts_with('0') {
            return Err(Wrong::new(begin, "a number begins with 0"));
        }
        Ok(text.parse().map_or_else(|_| Kind::BigInt(text.into()), Kind::Int))
    }

    fn string(&mut self) -> Result<String, Wrong> {
        self.at += 1;
        let mut string = String::new();
        loop {
            let plain =
                self.text[self.at..].bytes().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)).count();
            string.push_str(&self.text[self.at..self.at + plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                Some(_) => return Err(Wrong::new(self.at, "a control character in a string; escape it")),
                None => return Err(self.expected("the end of a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Wrong> {
        let at = self.at;
        self.at += 1;
        let escaped = self.peek().ok_or_else(|| self.expected("the rest of an escape"))?;
        self.at += 1;
        Ok(match escaped {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(at),
            _ => return Err(Wrong::new(at, "unknown escape")),
        })
    }

    fn unicode(&mut self, at: usize) -> Result<char, Wrong> {
        let lone = || Wrong::new(at, "half of a surrogate pair");
        let first = self.hex()?;
        let code = match first {
            0xd800..=0xdbff => {
                if !(self.take(b'\\') && self.take(b'u')) {
                    return Err(lone());
                }
                let second = self.hex()?;
                if !(0xdc00..=0xdfff).contains(&second) {
                    return Err(lone());
                }
                0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
            }
            code => code,
        };
        char::from_u32(code).ok_or_else(lone)
    }

    fn hex(&mut self) -> Result<u32, Wrong> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            code = code * 16 + digit.ok_or_else(|| self.expected("a hexadecimal digit"))?;
            self.at += 1;
        }
        Ok(code)
    }
}

fn refuse_duplicates(members: &[Member]) -> Result<(), Wrong> {
    let mut keys: Vec<_> = members.iter().map(|member| (&member.key, member.at)).collect();
    keys.sort_unstable();
    match keys.windows(2).find(|two| two[0].0 == two[1].0) {
        Some(two) => Err(Wrong::new(two[1].1, format!("duplicate key `{}`", two[1].0))),
        None => Ok(()),
    }
}

impl Json {
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
    pub fn not(&self, what: &str) -> Wrong {
        Wrong::new(self.at, format!("{what}, not {}", self.describe()))
    }

    /// The TLA+ value that it stands for.
    pub fn into_value(self) -> Result<Value, Wrong> {
        let at = self.at;
        match self.kind {
            Kind::Null => Err(Wrong::new(at, "null stands for an unknown argument and cannot be inside a value")),
            Kind::Bool(value) => Ok(Value::Bool(value)),
            Kind::Int(value) => Ok(Value::Int(value)),
            Kind::BigInt(digits) => Ok(Value::from(digits.as_str())),
            Kind::Str(value) => Ok(Value::Str(value.into())),
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
                        pairs.push((Value::from(member.key.as_str()), member.value.into_value()?));
                    }
                    Value::function(pairs).map_err(|duplicate| Wrong::new(at, duplicate.to_string()))
                }
            },
        }
    }

    /// The TLA+ values in a list.
    pub fn into_values(self, what: &str) -> Result<Vec<Value>, Wrong> {
        match self.kind {
            Kind::Array(elements) => values(elements),
            Kind::Value(Value::Tuple(elements)) => Ok(elements),
            _ => Err(self.not(what)),
        }
    }
}

fn values(elements: Vec<Json>) -> Result<Vec<Value>, Wrong> {
    elements.into_iter().map(Json::into_value).collect()
}

/// The value of an object whose only key begins with `$`.
fn marked(member: Member) -> Result<Value, Wrong> {
    let at = member.at;
    match member.key.as_str() {
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
        parse(text)
            .and_then(Json::into_value)
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
