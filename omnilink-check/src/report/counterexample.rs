//! The file that viewers of counterexamples open: one JSON document, described in `docs/counterexample-format.md`.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::calls::Calls;
use super::model::{Call, Report};
use crate::prepare::Prepared;
use crate::search::Deepest;
use crate::timeline::{EventRef, Lane};

/// How many events of a lane are kept on either side of where it got stuck.
pub(crate) const AROUND: u32 = 24;

/// A trace that no order explains, with all that is needed to look at it elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counterexample {
    /// Always [`Counterexample::FORMAT`].
    pub format: String,
    /// Version of the format.
    pub version: u32,
    /// Version of the program that wrote it.
    pub omnilink: String,
    /// SHA-256 of the trace's files, in hexadecimal.
    pub trace_hash: String,
    /// SHA-256 of the specification's files.
    pub spec_hash: String,
    /// What was found.
    pub report: Report,
    /// The part of the trace around where it got stuck.
    pub window: Vec<Window>,
}

/// Successive events of one lane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// The lane.
    pub lane: u32,
    /// Its name, which may be empty.
    pub thread: String,
    /// How many events it has.
    pub events: u64,
    /// How many come before those below.
    pub before: u64,
    /// The events, in order.
    pub calls: Vec<Call>,
    /// Calls at that time that can only have read and need not have happened, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Call>,
}

impl Counterexample {
    /// The value of `format`.
    pub const FORMAT: &'static str = "omnilink-counterexample";
    /// The version that is written.
    pub const VERSION: u32 = 1;

    /// Writes it to a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        writeln!(out, "{}", serde_json::to_value(self)?)?;
        out.flush()
    }

    /// Reads it from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is none of this version.
    pub fn read(path: impl AsRef<Path>) -> io::Result<Self> {
        /// Only what decides whether the rest may be read.
        #[derive(Deserialize)]
        struct Preamble {
            format: String,
            version: u32,
        }
        let document: serde_json::Value = serde_json::from_reader(BufReader::new(File::open(path)?))?;
        let wrong = |problem: String| io::Error::new(io::ErrorKind::InvalidData, problem);
        let Preamble { format, version } = Preamble::deserialize(&document)?;
        if format != Self::FORMAT {
            return Err(wrong(format!("`format` is `{format}`, expected `{}`", Self::FORMAT)));
        }
        if version != Self::VERSION {
            let known = Self::VERSION;
            return Err(wrong(format!("format version {version}, but this reader knows only version {known}")));
        }
        Ok(serde_json::from_value(document)?)
    }
}

/// Per lane the events around where the deepest configurations stand.
pub(super) fn windows(
    calls: &Calls<'_>,
    Prepared { history, unseen, .. }: &Prepared,
    deepest: &Deepest,
) -> Vec<Window> {
    let others = calls.of(unseen);
    let positions = |lane: usize| deepest.kept.iter().map(move |dead_end| dead_end.positions[lane]);
    let window = |(at, lane): (usize, &Lane)| {
        let first = positions(at).min().unwrap_or(0).saturating_sub(AROUND);
        let last = positions(at).max().unwrap_or(0).saturating_add(AROUND).min(lane.events.len() as u32);
        let place = |event| EventRef { lane: at as u32, at: event };
        Window {
            lane: lane.id,
            thread: calls.thread(lane.id).to_owned(),
            events: lane.events.len() as u64,
            before: u64::from(first),
            calls: (first..last).map(|event| calls.call(place(event))).collect(),
            unseen: others.within(lane.id, around(lane, first, last)),
        }
    };
    let mut windows: Vec<Window> = history.timeline.lanes.iter().enumerate().map(window).collect();
    for lane in &unseen.timeline.lanes {
        if windows.iter().all(|window| window.lane != lane.id) {
            let (thread, unseen) = (calls.thread(lane.id).to_owned(), others.within(lane.id, 0..u64::MAX));
            windows.push(Window { lane: lane.id, thread, events: 0, before: 0, calls: Vec::new(), unseen });
        }
    }
    windows
}

/// The places in the trace of some events of a lane, and of what is between them and their neighbours.
fn around(lane: &Lane, first: u32, last: u32) -> Range<u64> {
    let index = |at: u32| lane.events.get(at as usize).map(|event| u64::from(event.index));
    let after = first.checked_sub(1).and_then(index).map_or(0, |index| index + 1);
    after..index(last).unwrap_or(u64::MAX)
}
