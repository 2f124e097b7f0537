//! `run.json`: the description of a run.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::layout;
use crate::signature::Declaration;

/// Which clock the times of a trace come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockKind {
    /// The time stamp counter of x86.
    Tsc,
    /// The virtual counter of aarch64.
    Cntvct,
    /// `CLOCK_MONOTONIC`, in nanoseconds.
    Monotonic,
    /// Imported points in time, without a unit.
    #[default]
    Logical,
}

impl ClockKind {
    /// The clock with this name in the format.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Tsc, Self::Cntvct, Self::Monotonic, Self::Logical].into_iter().find(|kind| kind.word() == word)
    }

    /// Its name in the format.
    pub fn word(self) -> &'static str {
        match self {
            Self::Tsc => "tsc",
            Self::Cntvct => "cntvct",
            Self::Monotonic => "monotonic",
            Self::Logical => "logical",
        }
    }
}

impl fmt::Display for ClockKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Keys that this version does not know; kept when the file is written again.
type Unknown = Map<String, serde_json::Value>;

/// The description of a run; `docs/trace-format.md` documents the fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    /// Always `omnilink-run`.
    pub format: String,
    /// Version of the format.
    pub version: u32,
    /// Program and arguments.
    pub command: Vec<String>,
    /// The environment variables that matter.
    pub environment: BTreeMap<String, String>,
    /// The seed, if the run has one.
    pub seed: Option<u64>,
    /// Process id.
    pub pid: Option<u64>,
    /// The clock and its calibration.
    pub clock: Clock,
    /// When recording began.
    pub start: Option<Instant>,
    /// When it was finished; none if the program did not finish normally.
    pub end: Option<Instant>,
    /// How the program ended, if it was observed.
    pub exit: Option<Exit>,
    /// Number of lanes, if the end was observed.
    pub lanes: Option<u64>,
    /// Children that were forked without exec, and not recorded.
    pub unrecorded_forks: u64,
    /// Its sizes, if it is a run of the fuzz loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuzz: Option<Fuzzed>,
    /// What it declares of its actions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Declaration>,
    /// Unknown keys.
    #[serde(flatten)]
    pub other: Unknown,
}

/// The sizes of a run of the fuzz loop.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Fuzzed {
    /// Threads that call the system.
    pub threads: u64,
    /// The maximum number of operations per thread, if there is one.
    pub operations: Option<u64>,
    /// Whether `OMNILINK_VARY` chose one of these or both.
    pub varied: bool,
}

/// The clock of a run and its calibration.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Clock {
    /// Which clock.
    pub kind: ClockKind,
    /// `full`, or `relaxed` if stores may drain after a box's end.
    pub fences: Option<String>,
    /// Its rate, if known.
    pub ticks_per_second: Option<u64>,
    /// Largest backward warp seen between two cores, in ticks.
    pub uncertainty: u64,
    /// The additional uncertainty from relaxed fences, in ticks.
    pub slack: u64,
    /// Unknown keys.
    #[serde(flatten)]
    pub other: Unknown,
}

impl Clock {
    /// Ticks that readers add to the end of every timebox.
    pub fn widening(&self) -> u64 {
        self.uncertainty.saturating_add(self.slack)
    }
}

/// A moment on two clocks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Instant {
    /// Nanoseconds since 1970.
    pub unix_ns: u64,
    /// Reading of the run's clock.
    pub ticks: u64,
    /// Unknown keys.
    #[serde(flatten)]
    pub other: Unknown,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Exit {
    /// Its exit code, if it exited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// The signal that killed it, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Unknown keys.
    #[serde(flatten)]
    pub other: Unknown,
}

impl Run {
    /// The value of `format`.
    pub const FORMAT: &'static str = "omnilink-run";

    /// Reads the text of a `run.json`; the error says what is wrong.
    pub fn from_json(text: &[u8]) -> Result<Self, RunError> {
        /// The keys that decide whether the rest can be read.
        #[derive(Deserialize)]
        struct Preamble {
            format: Option<String>,
            version: Option<u64>,
        }
        let unreadable = |error: serde_json::Error| RunError::Unreadable(error.to_string());
        let preamble: Preamble = serde_json::from_slice(text).map_err(unreadable)?;
        if preamble.format.as_deref() != Some(Self::FORMAT) {
            let found = preamble.format.unwrap_or_default();
            return Err(RunError::Unreadable(format!("`format` is `{found}`, expected `{}`", Self::FORMAT)));
        }
        match preamble.version {
            Some(version) if version == u64::from(layout::VERSION) => {}
            Some(version) => return Err(RunError::Version(version)),
            None => return Err(RunError::Unreadable("`version` is missing".into())),
        }
        serde_json::from_slice(text).map_err(unreadable)
    }

    /// Reads the `run.json` of a run directory; none if there is none that can be used.
    pub fn read(directory: impl AsRef<std::path::Path>) -> Option<Self> {
        Self::from_json(&std::fs::read(directory.as_ref().join(layout::RUN_FILE)).ok()?).ok()
    }

    /// The text of the run's `run.json`.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_else(|error| {
            unreachable!("strings, numbers and maps with string keys always serialize: {error}")
        });
        text.push('\n');
        text
    }
}

/// A run without information.
impl Default for Run {
    fn default() -> Self {
        Self {
            format: Self::FORMAT.into(),
            version: layout::VERSION,
            command: Vec::new(),
            environment: BTreeMap::new(),
            seed: None,
            pid: None,
            clock: Clock::default(),
            start: None,
            end: None,
            exit: None,
            lanes: None,
            unrecorded_forks: 0,
            fuzz: None,
            actions: Vec::new(),
            other: Map::new(),
        }
    }
}

/// Why a `run.json` cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// It is of another version of the format.
    #[error("format version {0}, but this reader knows only version {version}", version = layout::VERSION)]
    Version(u64),
    /// It is not a run description.
    #[error("{0}")]
    Unreadable(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_survive_at_every_level() {
        let text = r#"{
            "format": "omnilink-run", "version": 1, "host": "a",
            "clock": {"kind": "tsc", "ticks_per_second": 2100000000, "uncertainty": 3, "slack": 4, "cores": [0, 1],
                "drift": 9.223372037203685e22},
            "start": {"unix_ns": 1700000000000000000, "ticks": 18446744073709551615, "zone": "UTC"},
            "exit": {"signal": 11, "core": true}
        }"#;
        let run = Run::from_json(text.as_bytes()).unwrap();
        assert_eq!(run.clock.widening(), 7);
        assert_eq!(run.start.as_ref().unwrap().ticks, u64::MAX);
        let again = Run::from_json(run.to_json().as_bytes()).unwrap();
        assert_eq!(run, again);
        let json: serde_json::Value = serde_json::from_str(&again.to_json()).unwrap();
        assert_eq!(json["host"], "a");
        assert_eq!(json["clock"]["cores"][1], 1);
        assert_eq!(json["clock"]["drift"].to_string(), "9.223372037203685e+22");
        assert_eq!(json["start"]["zone"], "UTC");
        assert_eq!(json["exit"], serde_json::json!({"signal": 11, "core": true}));
    }

    #[test]
    fn wrong_files_are_told_apart() {
        let error = |text: &str| Run::from_json(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(error("{"), "EOF while parsing an object at line 1 column 1");
        assert_eq!(error("{}"), "`format` is ``, expected `omnilink-run`");
        assert_eq!(error(r#"{"format": "omnilink-run"}"#), "`version` is missing");
        assert_eq!(
            error(r#"{"format": "omnilink-run", "version": 2, "pid": "later"}"#),
            "format version 2, but this reader knows only version 1"
        );
        assert!(
            error("{\"format\": \"omnilink-run\", \"version\": 1,\n\"pid\": \"x\"}").contains("invalid type: string")
        );
    }
}
