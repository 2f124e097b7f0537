//! A run directory: what was run, how, and what came of it.
//!
//! ```text
//!  record.json   the plan, the program's hash, how it ended, the schedule's hash
//!  schedule      what the strategy answered, if the run was scheduled by us
//!  stdout, stderr
//!  trace/        what OmniLink's runtime recorded, if the program uses it
//!  rr/           rr's recording, in its modes
//! ```
//!
//! `record.json` is written last, whole or not at all: a directory without it is of a run that did not come to its end.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use omnilink_trace::layout::TRACE_DIRECTORY;
use omnilink_trace::run::Fuzzed;
use serde::{Deserialize, Serialize};

use crate::environment::Environment;
use crate::error::RecordError;
use crate::observed::Observed;
use crate::plan::{Mode, Plan};
use crate::program::ProgramIdentity;
use crate::rr::Rr;

/// The program finds its trace directory at this descriptor.
///
/// A path would be of another length in every directory, and would move what lies beside it in memory; this one is
/// always the same.
pub const TRACE_DESCRIPTOR: i32 = 200;

pub(crate) const RECORD: &str = "record.json";
const SCHEDULE: &str = "schedule";
const STDOUT: &str = "stdout";
const STDERR: &str = "stderr";
const RECORDINGS: &str = "rr";
/// In the directory of recordings, once `rr pack` has made them complete.
const PACKED: &str = "packed";
const FORMAT: &str = "omnilink-record";
const VERSION: u32 = 1;

/// What the program reads from and writes to.
#[derive(Debug)]
pub struct Streams {
    /// Its standard input.
    pub stdin: File,
    /// Its standard output.
    pub stdout: File,
    /// Its standard error.
    pub stderr: File,
    /// The directory of its trace.
    pub trace: File,
}

/// What `record.json` holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    format: String,
    version: u32,
    /// What was run, and how.
    pub plan: Plan,
    /// Which program that was.
    #[serde(flatten)]
    pub program: ProgramIdentity,
    /// What the run was seen to do.
    pub observed: Observed,
    /// The command of the program that recorded, if it is not the one that the scheduler controls: see
    /// [`outsider`](crate::outsider).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outsider: Option<Vec<String>>,
    /// How many calls were recorded, if somebody counted.
    #[serde(default)]
    pub events: Option<u64>,
    /// How large it was, if it is a run of a fuzz loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuzz: Option<Fuzzed>,
    /// When it began: milliseconds since 1970, if somebody looked.
    #[serde(default)]
    pub began: Option<u64>,
    /// How long it took.
    pub milliseconds: u64,
}

impl Record {
    /// A record of a run, as far as it is the same whenever the run is made.
    pub fn new(plan: Plan, program: ProgramIdentity, observed: Observed) -> Self {
        let (outsider, events, fuzz, began, milliseconds) = (None, None, None, None, 0);
        let format = FORMAT.to_owned();
        Self { format, version: VERSION, plan, program, observed, outsider, events, fuzz, began, milliseconds }
    }

    /// Reads the text of a record, which is in this file.
    pub(crate) fn parse(json: &str, path: &Path) -> Result<Self, RecordError> {
        let damaged = |reason: String| RecordError::Damaged { path: path.to_owned(), reason };
        let record: Self = serde_json::from_str(json).map_err(|error| damaged(error.to_string()))?;
        if (record.format.as_str(), record.version) != (FORMAT, VERSION) {
            let reason =
                format!("is {} version {}, this program reads version {VERSION}", record.format, record.version);
            return Err(damaged(reason));
        }
        Ok(record)
    }
}

/// A run directory.
#[derive(Debug, Clone)]
pub struct RunDirectory(PathBuf);

impl RunDirectory {
    /// Makes a new directory.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, RecordError> {
        let path = path.into();
        fs::create_dir(&path).map_err(RecordError::file(&path))?;
        let trace = path.join(TRACE_DIRECTORY);
        fs::create_dir(&trace).map_err(RecordError::file(&trace))?;
        Ok(Self(path))
    }

    /// A directory that is there already.
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// True if it is the directory of a run that came to its end.
    pub fn is_finished(&self) -> bool {
        self.0.join(RECORD).exists()
    }

    /// Where the trace is.
    pub fn trace(&self) -> PathBuf {
        self.0.join(TRACE_DIRECTORY)
    }

    /// Where rr puts its recordings.
    pub fn recordings(&self) -> PathBuf {
        self.0.join(RECORDINGS)
    }

    /// Makes the recording of rr complete, so that it can be taken to another machine.
    pub fn pack_recording(&self, rr: &Rr) -> Result<(), RecordError> {
        rr.pack(&self.recordings())?;
        let mark = self.recordings().join(PACKED);
        fs::write(&mark, "").map_err(RecordError::file(mark))
    }

    /// True if there is a recording, and [`Self::pack_recording`] has made it complete.
    pub fn recording_is_packed(&self) -> bool {
        self.recordings().join(PACKED).exists()
    }

    /// The paths of all files in it, in order. (Links are none of its files: rr makes one to its latest recording.)
    pub fn files(&self) -> Result<Vec<String>, RecordError> {
        let mut files = Vec::new();
        list(&self.0, "", &mut files)?;
        files.sort();
        Ok(files)
    }

    /// What the program said.
    pub fn stdout(&self) -> PathBuf {
        self.0.join(STDOUT)
    }

    /// What the program complained about.
    pub fn stderr(&self) -> PathBuf {
        self.0.join(STDERR)
    }

    /// Opens what a program reads from and writes to.
    pub fn streams(&self) -> Result<Streams, RecordError> {
        let create = |name| {
            let path = self.0.join(name);
            File::create(&path).map_err(RecordError::file(path))
        };
        let trace = self.trace();
        let directory = OpenOptions::new().read(true).custom_flags(libc::O_DIRECTORY).open(&trace);
        Ok(Streams {
            stdin: File::open("/dev/null").map_err(RecordError::file("/dev/null"))?,
            stdout: create(STDOUT)?,
            stderr: create(STDERR)?,
            trace: directory.map_err(RecordError::file(&trace))?,
        })
    }

    /// Writes what came of the run. A trace directory that nobody wrote to is removed.
    pub fn write(&self, record: &Record, schedule: &[u8]) -> Result<(), RecordError> {
        // Fails unless it is empty.
        let _ = fs::remove_dir(self.trace());
        if let Mode::Chaos(_) = record.plan.mode {
            let path = self.0.join(SCHEDULE);
            fs::write(&path, schedule).map_err(RecordError::file(path))?;
        }
        let path = self.0.join(RECORD);
        let json = serde_json::to_string_pretty(record).map_err(|error| RecordError::Damaged {
            path: path.clone(),
            reason: format!("cannot be written: {error}"),
        })?;
        let unfinished = self.0.join("record.json.new");
        fs::write(&unfinished, json + "\n").map_err(RecordError::file(&unfinished))?;
        fs::rename(&unfinished, &path).map_err(RecordError::file(path))
    }

    /// Reads what came of a run.
    pub fn read(&self) -> Result<Record, RecordError> {
        let path = self.0.join(RECORD);
        let json = fs::read_to_string(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => RecordError::Usage(format!(
                "{}: no {RECORD}; it is not a run directory, or the run was not finished",
                self.0.display()
            )),
            _ => RecordError::File { path: path.clone(), source },
        })?;
        Record::parse(&json, &path)
    }

    /// What the strategy answered.
    pub fn schedule(&self) -> Result<Vec<u8>, RecordError> {
        let path = self.0.join(SCHEDULE);
        fs::read(&path).map_err(RecordError::file(path))
    }
}

fn list(directory: &Path, prefix: &str, files: &mut Vec<String>) -> Result<(), RecordError> {
    for entry in fs::read_dir(directory).map_err(RecordError::file(directory))? {
        let entry = entry.map_err(RecordError::file(directory))?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(RecordError::file(entry.path()))?;
        if kind.is_dir() {
            list(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// The variable that tells the runtime to record.
pub const TRACE_VARIABLE: &str = "OMNILINK_TRACE_DIR";

/// What a program sees: the user's part and what OmniLink's runtime is told.
pub fn complete(environment: &mut Environment, mode: Mode, seed: u64) {
    // Set to nothing, it says that the program is not to be recorded.
    if !environment.iter().any(|(name, value)| name == TRACE_VARIABLE && value.is_empty()) {
        environment.set(TRACE_VARIABLE, format!("/proc/self/fd/{TRACE_DESCRIPTOR}"));
    }
    environment.set("OMNILINK_SEED", seed.to_string());
    if let Mode::Chaos(_) = mode {
        environment.set("OMNILINK_HELPER_THREADS", "0");
        // Virtual time is what `rdtsc` reads, whatever this machine's kernel thinks of its counter.
        environment.set("OMNILINK_CLOCK", "tsc");
    }
}
