//! Errors of reading and writing traces. Every text names the file, the position, what was found there and
//! what to do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::layout;
use crate::value::DuplicateKey;

/// Errors of reading and writing traces.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// There is nothing at the path.
    #[error(
        "{}: no such file or directory; a trace is a run directory, a .lane file, a packed run (.tar.zst), \
         JSON lines (.jsonl) or upstream logs (*.log)",
        path.display()
    )]
    NotFound {
        /// The path.
        path: PathBuf,
    },
    /// An error of the operating system.
    #[error("{}: {doing} failed: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The operation, such as `reading`.
        doing: &'static str,
        /// The error.
        source: io::Error,
    },
    /// The file is not a trace.
    #[error(
        "{}: not a trace: {found}; expected a lane file, a packed run (.tar.zst), JSON lines (.jsonl) or an upstream \
         log (*.log)",
        path.display()
    )]
    NotATrace {
        /// The file.
        path: PathBuf,
        /// How it begins.
        found: String,
    },
    /// A directory, or an archive, has no lane.
    #[error("{}: empty run: {why}", path.display())]
    EmptyRun {
        /// The run.
        path: PathBuf,
        /// What was found instead, and the likely cause.
        why: &'static str,
    },
    /// The file is of another version of the format.
    #[error(
        "{}: byte {offset}: format version {found}, but this reader knows only version {known}; read it with the \
         omnilink that recorded it, or with a newer one",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The offset of the version.
        offset: u64,
        /// The version found.
        found: u64,
        /// The version that this crate reads.
        known: u32,
    },
    /// `run.json` cannot be used.
    #[error("{}: unreadable run description: {problem}; repair it or move it away (the lanes can be read without it)", path.display())]
    Run {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column where there is one.
        problem: String,
    },
    /// The bytes of a lane or an upstream log violate the format.
    #[error("{}: byte {offset}: {problem}; the file is damaged here: `--recover` keeps what is before", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Where.
        offset: u64,
        /// What is wrong.
        problem: Problem,
    },
    /// A lane file has the name of another lane.
    #[error(
        "{}: byte {}: the header says lane {header}, the file name lane {name}; rename the file to {}",
        path.display(), layout::DATA_OFFSET, layout::lane_file_name(*header)
    )]
    LaneIndex {
        /// The file.
        path: PathBuf,
        /// The index in the header.
        header: u32,
        /// The index in the file name.
        name: u32,
    },
    /// Two files of one directory belong to different runs.
    #[error(
        "{}: {what} is `{found}`, but {} says `{expected}`; the files are of different runs: keep each run in a \
         directory of its own",
        path.display(), other.display()
    )]
    Disagreement {
        /// A file.
        path: PathBuf,
        /// Another file of the same directory.
        other: PathBuf,
        /// The property in which they differ.
        what: &'static str,
        /// The value in the first file.
        found: String,
        /// The value in the other file.
        expected: String,
    },
    /// A line of a JSON lines file is not an event.
    #[error("{}:{line}:{column}: {problem}", path.display())]
    JsonLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column in characters, from 1.
        column: u64,
        /// What is wrong.
        problem: String,
    },
    /// A packed run has an entry that it must not have.
    #[error("{}: entry `{entry}`: {problem}; the archive was not made by `omnilink pack`: nothing of it is used", path.display())]
    Archive {
        /// The archive.
        path: PathBuf,
        /// The entry, as the archive names it.
        entry: String,
        /// What is wrong.
        problem: String,
    },
    /// A place to write to is in use.
    #[error("{}: already exists and is not an empty directory; choose another place, or remove it first", path.display())]
    Occupied {
        /// The place.
        path: PathBuf,
    },
    /// An event that a trace is built from breaks a rule of the model.
    #[error("lane {lane}, event {event}: {problem}")]
    Build {
        /// The lane.
        lane: u32,
        /// Number of the event in its lane.
        event: u64,
        /// Which rule.
        problem: Problem,
    },
}

impl TraceError {
    /// For `map_err`: the operating system refused to do `doing` with `path`.
    pub(crate) fn io(path: impl Into<PathBuf>, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, doing, source }
    }
}

/// What is wrong at a place of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Another kind of MessagePack item.
    #[error("found {found} where {expected} belongs")]
    Unexpected {
        /// What the format asks for.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A string that is not UTF-8.
    #[error("a string is not UTF-8")]
    NotUtf8,
    /// Values nest too deep.
    #[error("a value nests deeper than {} levels", layout::MAX_DEPTH)]
    TooDeep,
    /// A function with two values for one argument.
    #[error(transparent)]
    DuplicateKey(#[from] DuplicateKey),
    /// An element that is longer than the set that holds it.
    #[error("an element of a set runs past the end of the set")]
    SetOverrun,
    /// A record that does not end where the valid bytes end.
    #[error("a record runs past the end of the committed bytes")]
    RecordOverrun,
    /// A field of the control block with a value that it cannot have.
    #[error("{field} is {found}, expected {expected}")]
    Control {
        /// The field.
        field: &'static str,
        /// Its value.
        found: u64,
        /// What it can be.
        expected: &'static str,
    },
    /// A required key of a map is missing.
    #[error("{map} has no `{key}`")]
    MissingKey {
        /// Which map.
        map: &'static str,
        /// The key.
        key: &'static str,
    },
    /// A word that the format does not know.
    #[error("unknown {what} `{found}`")]
    UnknownWord {
        /// What kind of word.
        what: &'static str,
        /// The word.
        found: String,
    },
    /// The first element of a record does not name a kind of record.
    #[error("record kind {0} is not known")]
    UnknownRecord(i64),
    /// An index behind the end of the table.
    #[error("table entry {entry} does not exist, the table has {entries} entries so far")]
    NoSuchEntry {
        /// The index.
        entry: u64,
        /// Entries defined before this record.
        entries: usize,
    },
    /// A choice that refers to a choice.
    #[error("table entry {0} is a choice; a choice is made of actions")]
    NestedChoice(u64),
    /// Too many of something.
    #[error("{found} {what}, at most {limit} are allowed")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// An action with two parameters of one name.
    #[error("action `{action}` has two parameters `{param}`")]
    DuplicateParameter {
        /// The action.
        action: String,
        /// The parameter.
        param: String,
    },
    /// A record with another number of elements than its kind has.
    #[error("{record} has {found} elements, expected {expected}")]
    Length {
        /// Kind of record.
        record: &'static str,
        /// Elements found.
        found: usize,
        /// Elements expected.
        expected: usize,
    },
    /// Flag bits that have no meaning.
    #[error("event flags are {0:#x}, which has no meaning")]
    Flags(u64),
    /// The flag for unknown arguments is wrong.
    #[error("the flag for unknown arguments is {flag}, but {unknown} arguments are unknown")]
    UnknownFlag {
        /// The flag.
        flag: bool,
        /// Arguments that are nil.
        unknown: usize,
    },
    /// A call that began before the one before it in the same lane had ended.
    #[error("starts at {start}, before the end of the record before it in the same lane, {previous}")]
    Order {
        /// Start of the call.
        start: u64,
        /// End of the call before it.
        previous: u64,
    },
    /// A timebox that ends before it starts.
    #[error("ends at {end}, before its start at {start}")]
    EndsBeforeStart {
        /// Start of the call.
        start: u64,
        /// Its end.
        end: u64,
    },
    /// `start + duration` is beyond the clock.
    #[error("starts at {start} and takes {duration} ticks, which exceeds 64 bits")]
    EndOverflow {
        /// Start of the call.
        start: u64,
        /// Its duration.
        duration: u64,
    },
    /// The slot belongs to an event that the stream has not reached.
    #[error("the call in flight is event {slot}, but the stream has only {events} events")]
    SlotAhead {
        /// Event number that the slot claims.
        slot: u64,
        /// Events of the stream.
        events: u64,
    },
    /// The slot's argument table is not consistent.
    #[error("argument {0} of the call in flight does not lie inside the argument area")]
    SlotArgument(usize),
    /// A pending call, which can only be the last of its lane, has a successor.
    #[error("follows a call of the same lane that never ended")]
    AfterPending,
    /// A call with an end and outcome pending, or without and another outcome.
    #[error("outcome and end do not fit: exactly the pending calls have no end")]
    PendingEnd,
    /// The arguments of an event are not those of its candidates' parameters.
    #[error("the arguments are not those of the parameters of its actions, in order")]
    Arguments,
    /// A declaration of an action that cannot be, or that contradicts another.
    #[error("{0}")]
    Declaration(String),
    /// A value that cannot be encoded.
    #[error("{0}")]
    Encode(crate::encode::EncodeError),
}

/// A notice: a problem of a trace that did not prevent reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The file.
    pub path: PathBuf,
    /// Where in it, if the notice is about a place.
    pub offset: Option<u64>,
    /// The kind of notice.
    pub finding: Finding,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        if let Some(offset) = self.offset {
            write!(f, "byte {offset}: ")?;
        }
        write!(f, "{}", self.finding)
    }
}

/// The kind of notice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Finding {
    /// A file is shorter than what had been written to it.
    #[error("the file was cut off here; what followed is lost (at least {missing} bytes), the records before are kept")]
    Torn {
        /// Bytes that are known to be missing.
        missing: u64,
    },
    /// Corruption that [`OpenOptions::recover`](crate::OpenOptions::recover) cut away.
    #[error("damaged here: {0}; the records before are kept, the rest is dropped")]
    Recovered(String),
    /// A lane that was created, but to which nothing was written.
    #[error("the lane was being created when the program died; it has no events")]
    Unborn,
    /// An argument of the call in flight that had no room in the slot.
    #[error("argument `{param}` of the call in flight was too large to be kept; it is unknown")]
    Oversized {
        /// The parameter.
        param: String,
    },
    /// Events that lack arguments.
    #[error("events of this lane with unknown arguments: {events}, this is the first")]
    UnknownArguments {
        /// How many.
        events: u64,
    },
    /// The run has no `run.json`.
    #[error("missing; command, seed and the clock's rate are not known, times are in ticks")]
    NoRunFile,
    /// `run.json` and the directory disagree about the number of lanes.
    #[error("the run had {expected} lanes, but {found} are here; calls of the missing ones are not known")]
    LaneCount {
        /// Lanes according to `run.json`.
        expected: u64,
        /// Lanes found.
        found: u64,
    },
    /// Numbers are missing between the lanes' numbers.
    #[error("{count} lanes are missing, the first is lane {first}; their calls are not known")]
    MissingLanes {
        /// The lowest missing number.
        first: u32,
        /// How many numbers are missing.
        count: u64,
    },
    /// A file that looks like a lane, but has not a lane's name.
    #[error("not read: lane files are named by five digits and .lane")]
    Ignored,
    /// Processes that were forked and not recorded.
    #[error("{0} children were forked without exec; what they did is not recorded")]
    UnrecordedForks(u64),
    /// The run is going on.
    #[error("the run is being recorded right now; this is what it had written so far")]
    Recording,
    /// The clock's fences were relaxed.
    #[error("recorded with relaxed fences: every timebox is widened by {slack} ticks")]
    Relaxed {
        /// Ticks added to every end.
        slack: u64,
    },
    /// An upstream log without the record that ends it.
    #[error("the log has no __TerminateThread; if the program was killed, this thread's last records are missing")]
    NoTermination,
    /// A value that the binary format cannot hold for a pending call.
    #[error("lane {lane}: {what} of the pending call have no place in a lane file and were left out")]
    PendingDetail {
        /// The lane.
        lane: u32,
        /// What was left out.
        what: &'static str,
    },
}
