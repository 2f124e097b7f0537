//! What TLC said, and what it means.
//!
//! In its tool mode, TLC frames each message by its code and severity:
//!
//! ```text
//! @!@!@STARTMSG 2110:1 @!@!@
//! Invariant OmniLinkNotAtEnd is violated.
//! @!@!@ENDMSG 2110 @!@!@
//! ```
//!
//! Lines outside of frames are what the specification printed, or the parser's talk.

use super::export::INVARIANT;
use crate::error::CheckError;

/// What TLC said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub finding: Finding,
    /// Distinct states, if it got so far as to count them.
    pub states: u64,
}

/// What it found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Finding {
    /// An order.
    Order(Vec<Moved>),
    /// That there is none.
    NoOrder,
    /// That it needs more memory.
    OutOfMemory,
    /// Something that it cannot evaluate or read, in its words. It stops at the first, whatever there is elsewhere.
    Failed(String),
}

/// A step of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moved {
    /// Place in the history's lanes.
    pub lane: u32,
    pub became: Became,
}

/// What became of the lane's next event, as which choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Became {
    Happened(u16),
    Inner(u16),
    Nothing,
}

/// Codes of messages.
mod code {
    pub const OUT_OF_MEMORY: [u32; 2] = [1001, 1004];
    pub const INVARIANT_VIOLATED: [u32; 2] = [2107, 2110];
    /// Introduces a trace; of severity "error", though the error came before.
    pub const TRACE_FOLLOWS: u32 = 2121;
    pub const SUCCESS: u32 = 2193;
    pub const COUNTS: u32 = 2199;
    pub const STATE: u32 = 2217;
    pub const PARSING_FAILED: u32 = 3002;
}

/// The severity of errors.
const ERROR: u32 = 1;

impl Answer {
    /// Reads what TLC said in its tool mode.
    ///
    /// # Errors
    /// If that cannot be understood.
    pub fn read(said: &str) -> Result<Self, CheckError> {
        let mut reading = Reading::default();
        let mut talk = Vec::new();
        let mut lines = said.lines();
        while let Some(line) = lines.next() {
            let Some((code, severity)) = message_start(line) else {
                talk.push(line);
                continue;
            };
            let end = format!("@!@!@ENDMSG {code} @!@!@");
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != end).collect();
            reading.message(code, severity, &body, &talk)?;
        }
        let Reading { violated, moves, complete, failed, states, out_of_memory } = reading;
        let finding = match failed {
            _ if violated => Finding::Order(moves),
            _ if out_of_memory => Finding::OutOfMemory,
            Some(words) => Finding::Failed(words),
            // Without an initial state there is nothing that an order could begin with.
            None if complete && states == 0 => Finding::Failed("the specification has no initial state".to_owned()),
            None if complete => Finding::NoOrder,
            None => return Err(CheckError::Tlc(format!("TLC ended without an answer: {}", last_words(&talk)))),
        };
        Ok(Self { finding, states })
    }
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    violated: bool,
    moves: Vec<Moved>,
    complete: bool,
    /// The first error.
    failed: Option<String>,
    out_of_memory: bool,
    states: u64,
}

impl Reading {
    fn message(&mut self, code: u32, severity: u32, body: &[&str], talk: &[&str]) -> Result<(), CheckError> {
        match code {
            _ if code::INVARIANT_VIOLATED.contains(&code) && body.iter().any(|line| line.contains(INVARIANT)) => {
                self.violated |= self.failed.is_none();
            }
            _ if code::OUT_OF_MEMORY.contains(&code) => self.out_of_memory = true,
            code::STATE => self.moves.extend(moved(body)?),
            code::SUCCESS => self.complete = true,
            code::COUNTS => self.states = numbers(&body.join(" ")).nth(1).unwrap_or(0),
            code::TRACE_FOLLOWS => {}
            _ if severity == ERROR && !self.violated => {
                let words = if code == code::PARSING_FAILED { parser_words(talk) } else { plain(body) };
                self.failed.get_or_insert(words);
            }
            _ => {}
        }
        Ok(())
    }
}

/// The move that led to a state of the error trace; none to the first.
fn moved(state: &[&str]) -> Result<Option<Moved>, CheckError> {
    let last = state.iter().find_map(|line| line.strip_prefix("/\\ omnilink_last = <<")?.strip_suffix(">>"));
    let unclear = || CheckError::Tlc(format!("TLC's trace has a state without its move: {}", state.join(" ")));
    let mut parts = last.ok_or_else(unclear)?.split(", ");
    let mut part = || parts.next().ok_or_else(unclear);
    let (lane, became, nth) = (part()?, part()?, part()?);
    let lane: u32 = lane.parse().map_err(|_| unclear())?;
    let nth: u16 = nth.parse().map_err(|_| unclear())?;
    // In TLA+, sequences begin at 1.
    let Some(lane) = lane.checked_sub(1) else { return Ok(None) };
    let became = match (became, nth.checked_sub(1)) {
        ("\"happened\"", Some(nth)) => Became::Happened(nth),
        ("\"inner\"", Some(nth)) => Became::Inner(nth),
        ("\"nothing\"", None) => Became::Nothing,
        _ => return Err(unclear()),
    };
    Ok(Some(Moved { lane, became }))
}

/// Code and severity, if a line is the beginning of a message.
pub(super) fn message_start(line: &str) -> Option<(u32, u32)> {
    let (code, severity) = line.strip_prefix("@!@!@STARTMSG ")?.strip_suffix(" @!@!@")?.split_once(':')?;
    Some((code.parse().ok()?, severity.parse().ok()?))
}

/// A message without frames of others inside of it, and without the preface of an exception.
fn plain(body: &[&str]) -> String {
    let lines = body.iter().map(|line| line.split("@!@!@").next().unwrap_or_default().trim_end());
    let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    // "The exception was a java.lang.RuntimeException\n: Attempted to …"
    let exception = text.split_once("The exception was a ").and_then(|(_, exception)| exception.split_once("\n:"));
    exception.map_or(text.clone(), |(_, words)| words.trim_start().to_owned())
}

/// What the parser complained about: what it lists as errors, if it got so far as to list them.
fn parser_words(talk: &[&str]) -> String {
    let is_list = |line: &&str| line.starts_with("*** Errors: ") || line.starts_with("*** Abort messages: ");
    let listed = talk.iter().position(is_list).map_or(0, |at| at + 1);
    let is_said = |line: &&&str| {
        let is_progress = line.starts_with("Parsing file") || line.starts_with("Semantic processing");
        !is_progress && **line != "Unknown location"
    };
    plain(&talk[listed..].iter().filter(is_said).copied().collect::<Vec<_>>())
}

/// The last lines of what was said outside of messages, such as the complaint of a Java that does not start.
fn last_words(talk: &[&str]) -> String {
    let from = talk.len().saturating_sub(5);
    if talk.is_empty() { "it said nothing".to_owned() } else { talk[from..].join("\n") }
}

/// The numbers in a text. TLC separates no thousands in its final counts.
fn numbers(text: &str) -> impl Iterator<Item = u64> + '_ {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}
