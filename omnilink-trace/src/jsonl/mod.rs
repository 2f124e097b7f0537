//! JSON lines: one event per line, for people and for other tools. `docs/json-lines.md` describes the format.
//!
//! ```text
//! {"header":true,"format":"omnilink-jsonl","version":1,"spec":"Queue","next":"Next",…}
//! {"thread":0,"start":10,"end":25,"op":"Enqueue","args":{"elem":3}}
//! {"thread":1,"start":12,"end":null,"ops":["Dequeue","DequeueEmpty"],"args":{"elem":null}}
//! {"thread":0,"terminated":40,"meta":{"drained":true}}
//! ```
//!
//! Writing a trace and reading it again gives the same trace. Reading is generous to files that others write: the header
//! may be missing or somebody else's, and keys that have no meaning here are arguments.

mod cursor;
mod json;
mod line;
mod lines;
mod pass;
mod read;
mod survey;
mod write;

use serde::{Deserialize, Serialize};

use crate::run::Run;
use crate::signature::Declaration;

pub use read::{read, read_with};
pub use write::{RecordLines, write};

/// What some programs put at the beginning of UTF-8 texts.
pub(crate) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The value of the header's `format`.
const FORMAT: &str = "omnilink-jsonl";
/// The only version so far.
const VERSION: u64 = 1;

/// Key of the only pair of an object that stands for a set.
const SET: &str = "$set";
/// Key of the only pair of an object that stands for a function whose arguments are not all strings.
const FUNCTION: &str = "$fun";

/// The first line of our own files.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    header: bool,
    format: String,
    version: u64,
    #[serde(default)]
    spec: String,
    #[serde(default)]
    next: String,
    #[serde(default)]
    run: Run,
    #[serde(default)]
    actions: Vec<Declaration>,
    #[serde(default)]
    lanes: Vec<LaneLine>,
}

/// An action in a line of its own events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ActionLine {
    name: String,
    params: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct LaneLine {
    thread: u32,
    #[serde(default)]
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stopped: Option<StopLine>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StopLine {
    at: u64,
    reason: String,
}
