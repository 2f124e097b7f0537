//! The lines of a file, its header, and what happens at a line that cannot be read.

use std::path::Path;

use omnilink_budget::poll;
use serde_json::{Map, Value};

use crate::error::{Finding, Notice, TraceError};
use crate::lane::StopReason;
use crate::run::Run;
use crate::signature::Declaration;
use crate::trace::OpenOptions;

use super::cursor::Wrong;
use super::line::{self, Line, Scratch};
use super::{BYTE_ORDER_MARK, FORMAT, Header, VERSION};

/// The lines of a file that are not blank, one by one.
#[derive(Clone)]
pub(super) struct Lines<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    /// Where the next line begins, and its number.
    offset: usize,
    number: u64,
}

#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    number: u64,
    pub offset: u64,
    bytes: &'a [u8],
}

/// Where reading ended early.
pub(super) struct Cut {
    pub reason: StopReason,
    pub notice: Notice,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Text<'a>;

    #[inline]
    fn next(&mut self) -> Option<Text<'a>> {
        while self.offset < self.bytes.len() {
            poll();
            let rest = &self.bytes[self.offset..];
            let line = memchr::memchr(b'\n', rest).map_or(rest, |end| &rest[..end]);
            let text = Text { number: self.number, offset: self.offset as u64, bytes: line };
            self.offset += line.len() + 1;
            self.number += 1;
            if !line.trim_ascii_start().is_empty() {
                return Some(text);
            }
        }
        None
    }
}

impl<'a> Text<'a> {
    /// What the line says.
    #[inline]
    pub fn parse(&self, scratch: &mut Scratch<'a>) -> Result<Line<'a>, Box<Wrong>> {
        match std::str::from_utf8(self.bytes) {
            Ok(text) => line::parse(text, scratch),
            Err(error) => Err(Wrong::new(error.valid_up_to(), "the line is not UTF-8")),
        }
    }
}

impl<'a> Lines<'a> {
    pub fn of(path: &'a Path, bytes: &'a [u8]) -> Self {
        let mark = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Self { path, bytes, offset: mark, number: 1 }
    }

    /// How many bytes were read.
    pub fn read(&self) -> usize {
        self.offset
    }

    /// The first line, if it is a header.
    pub fn take_header(&mut self) -> Result<FileHeader, TraceError> {
        let mut after = self.clone();
        let Some(first) = after.next() else { return Ok(FileHeader::None) };
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
        *self = after;
        Ok(header)
    }

    /// Handles an invalid line: a cut, if the file is torn or `recover` is set, otherwise an error. These are the lines
    /// after it.
    pub fn cut(mut self, text: Text<'_>, wrong: Wrong, options: &OpenOptions) -> Result<Cut, TraceError> {
        let path = self.path;
        let torn = wrong.cut_off && !self.bytes.ends_with(b"\n") && self.next().is_none();
        let (reason, finding) = if torn {
            (StopReason::Torn, Finding::Torn { missing: 1 })
        } else if options.recover {
            (StopReason::Corrupt, Finding::Recovered(error(path, Some(text), wrong).to_string()))
        } else {
            return Err(error(path, Some(text), wrong));
        };
        Ok(Cut { reason, notice: Notice { path: path.into(), offset: Some(text.offset), finding } })
    }
}

/// The error that a line, or the header, is wrong.
pub(super) fn error(path: &Path, text: Option<Text<'_>>, wrong: Wrong) -> TraceError {
    let (line, column) = text.map_or((1, 1), |text| {
        let before = &text.bytes[..wrong.at.min(text.bytes.len())];
        (text.number, String::from_utf8_lossy(before).chars().count() as u64 + 1)
    });
    TraceError::JsonLine { path: path.into(), line, column, problem: wrong.problem }
}

pub(super) enum FileHeader {
    None,
    Ours(Box<Header>),
    /// A header of another tool: it is kept, and its seed is used.
    Foreign(Map<String, Value>),
}

impl FileHeader {
    pub fn actions(&self) -> &[Declaration] {
        match self {
            Self::Ours(header) => &header.actions,
            _ => &[],
        }
    }

    /// What it declares of the run, without what it declares of actions.
    pub fn run(&self) -> Run {
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
