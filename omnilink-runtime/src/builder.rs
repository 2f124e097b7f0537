//! How a recorder is configured and started.
//!
//! | setting | builder | environment |
//! | --- | --- | --- |
//! | run directory | [`directory`](SessionBuilder::directory) | `OMNILINK_TRACE_DIR` |
//! | seed, for the record | [`seed`](SessionBuilder::seed) | `OMNILINK_SEED` |
//! | clock: `tsc`, `cntvct`, `monotonic` | [`clock`](SessionBuilder::clock) | `OMNILINK_CLOCK` |
//! | relaxed fences, `1` | [`relaxed`](SessionBuilder::relaxed) | `OMNILINK_RELAXED` |
//! | slack of relaxed fences in nanoseconds | | `OMNILINK_RELAXED_SLACK_NS` (1000) |
//! | record nested calls too, `both` | [`nested`](SessionBuilder::nested) | `OMNILINK_NESTED` |
//! | no helper threads, `0` | | `OMNILINK_HELPER_THREADS` |
//!
//! What the builder says wins over the environment.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use omnilink_trace::layout::{self, RUN_FILE};

use crate::channel::thread;
use crate::clock::{self, Clock, ClockKind, Fences, Pair};
use crate::declared::Declarations;
use crate::fork::SharedCount;
use crate::mapping::LaneFile;
use crate::pool::Pool;
use crate::run_file::{Fuzzed, Moment, Origin, RunFile};
use crate::session::{self, Nested, Session, SessionCore};
use crate::site::ActionDef;
use crate::supply::{Orders, mapper};
use crate::thread::process_name;

/// What relaxed fences are taken to leave open, unless the environment says otherwise: far more than a store buffer needs to drain,
/// though no manual promises a bound.
const DEFAULT_SLACK_NS: u64 = 1000;
/// Ticks per second of a clock whose rate is not known: more than any has, so that the slack is not too small.
const FASTEST_CLOCK: u64 = 10_000_000_000;
/// Idle pooled lanes that are kept; more are closed.
const POOL_CAPACITY: usize = 4096;

/// A recorder to be started; see [`Session::builder`].
#[derive(Debug, Clone, Default)]
pub struct SessionBuilder {
    directory: Option<PathBuf>,
    spec: String,
    next: String,
    actions: &'static [ActionDef],
    seed: Option<u64>,
    clock: Option<ClockKind>,
    fences: Option<Fences>,
    nested: Option<Nested>,
    fuzzed: Option<Fuzzed>,
    declarations: Declarations,
}

/// Why a recorder could not be started.
#[derive(Debug)]
pub enum StartError {
    /// There can be one recorder at a time.
    AlreadyRecording,
    /// No run directory was given.
    NoDirectory,
    /// The directory holds files of another run.
    Occupied {
        /// The directory.
        directory: PathBuf,
        /// One of those files.
        file: String,
    },
    /// The directory cannot be made or written to.
    Directory {
        /// The directory.
        directory: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A setting has no such value.
    Setting {
        /// Name of the variable.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it can be.
        expected: &'static str,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlreadyRecording => f.write_str("this process is being recorded already; finish that session first"),
            Self::NoDirectory => f.write_str("no directory for the trace: set OMNILINK_TRACE_DIR or call directory()"),
            Self::Occupied { directory, file } => write!(
                f,
                "{} holds another run ({file}); remove it or choose another trace directory",
                directory.display()
            ),
            Self::Directory { directory, error } => {
                write!(
                    f,
                    "cannot record into {}: {error}; choose a trace directory that can be written to",
                    directory.display()
                )
            }
            Self::Setting { name, value, expected } => write!(f, "{name}={value:?} is not {expected}"),
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Directory { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl SessionBuilder {
    /// Where to record: a directory without another run, which is made if need be.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Name of the specification, and of the operator that is its next-state relation.
    pub fn spec(mut self, name: impl Into<String>, next: impl Into<String>) -> Self {
        self.spec = name.into();
        self.next = next.into();
        self
    }

    /// Actions that every lane's header lists. Others are added to a lane when they first happen there.
    pub fn actions(mut self, actions: &'static [ActionDef]) -> Self {
        self.actions = actions;
        self
    }

    /// The seed that the program takes its random choices from, for the record.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Which clock to read, instead of the best one.
    pub fn clock(mut self, clock: ClockKind) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Whether to leave stores in the store buffer at the end of a call; see [`crate::clock`].
    pub fn relaxed(mut self, relaxed: bool) -> Self {
        self.fences = Some(if relaxed { Fences::Relaxed } else { Fences::Full });
        self
    }

    /// Whether calls inside recorded calls are recorded.
    pub fn nested(mut self, nested: Nested) -> Self {
        self.nested = Some(nested);
        self
    }

    /// How large the run of the fuzz loop is, for the record.
    pub(crate) fn fuzzed(mut self, fuzzed: Fuzzed) -> Self {
        self.fuzzed = Some(fuzzed);
        self
    }

    /// What is declared of actions before any is performed.
    pub(crate) fn declarations(mut self, declarations: Declarations) -> Self {
        self.declarations = declarations;
        self
    }

    /// Starts recording.
    pub fn start(self) -> Result<Session, StartError> {
        self.start_core().map(Session::from_core)
    }

    /// The recorder that the environment asks for, if it asks for one.
    pub(crate) fn from_environment() -> Option<Self> {
        directory_from_environment().map(|directory| Self::default().directory(directory))
    }

    pub(crate) fn start_core(self) -> Result<&'static SessionCore, StartError> {
        session::start(|generation| self.build(generation))
    }

    fn build(self, generation: u32) -> Result<SessionCore, StartError> {
        let settings = Settings::from_environment()?;
        let directory = self.directory.or_else(directory_from_environment).ok_or(StartError::NoDirectory)?;
        claim(&directory)?;

        let kind = self.clock.or(settings.clock).unwrap_or_else(ClockKind::detect);
        let fences = self.fences.unwrap_or(settings.fences);
        let clock = Clock { kind, fences };
        let report = if settings.helper_threads { clock::measure(kind) } else { clock::nominal(kind) };
        let slack = match fences {
            Fences::Full => 0,
            Fences::Relaxed => {
                let ticks_per_second = report.ticks_per_second.unwrap_or(FASTEST_CLOCK);
                (u128::from(settings.slack_ns) * u128::from(ticks_per_second)).div_ceil(1_000_000_000) as u64
            }
        };
        let begin = Pair::read(clock);
        let seed = self.seed.or(settings.seed);
        let run = RunFile {
            origin: Origin::of_process(),
            seed,
            clock: report,
            fences,
            slack,
            start: Moment::at(begin.ticks),
            end: None,
            unrecorded_forks: 0,
            fuzzed: self.fuzzed,
            declarations: self.declarations,
        };
        run.write(&directory).map_err(|error| {
            let _ = fs::remove_file(directory.join(RUN_FILE));
            StartError::Directory { directory: directory.clone(), error }
        })?;
        Ok(SessionCore {
            generation,
            directory,
            spec: self.spec,
            next: self.next,
            actions: self.actions,
            seed,
            clock,
            nested: self.nested.unwrap_or(settings.nested),
            process_name: process_name(),
            pid: std::process::id(),
            calibration: settings.helper_threads.then_some(begin),
            run: Mutex::new(run),
            exit_code: Mutex::new(None),
            mapper: Mutex::new(if settings.helper_threads { start_mapper() } else { None }),
            register: Mutex::default(),
            pool: Pool::new(POOL_CAPACITY),
            forks: SharedCount::new(),
        })
    }
}

fn directory_from_environment() -> Option<PathBuf> {
    std::env::var_os("OMNILINK_TRACE_DIR").filter(|name| !name.is_empty()).map(PathBuf::from)
}

/// Makes the directory, and makes sure that no other run is in it.
fn claim(directory: &Path) -> Result<(), StartError> {
    let fail = |error| StartError::Directory { directory: directory.to_owned(), error };
    fs::create_dir_all(directory).map_err(fail)?;
    // Of two processes that start here at the same time, one creates the file and the other finds it.
    if let Err(error) = fs::File::create_new(directory.join(RUN_FILE)) {
        return Err(match error.kind() {
            io::ErrorKind::AlreadyExists => occupied(directory, RUN_FILE),
            _ => fail(error),
        });
    }
    for entry in fs::read_dir(directory).map_err(fail)? {
        let name = entry.map_err(fail)?.file_name();
        if let Some(lane) = name.to_str().filter(|name| layout::lane_index(name).is_some()) {
            let _ = fs::remove_file(directory.join(RUN_FILE));
            return Err(occupied(directory, lane));
        }
    }
    Ok(())
}

fn occupied(directory: &Path, file: &str) -> StartError {
    StartError::Occupied { directory: directory.to_owned(), file: file.to_owned() }
}

/// Starts the mapper's thread. Without it lanes help themselves.
fn start_mapper() -> Option<Orders<LaneFile>> {
    let (orders, deliver) = mapper();
    let spawn = || thread::Builder::new().name("omnilink-mapper".to_owned()).spawn(deliver);
    let mapper = without_signals(spawn).ok()?;
    Some(Orders::new(orders, mapper.thread().clone()))
}

/// Runs `spawn` with all signals blocked, which the new thread inherits: signals are meant for the program's own threads.
fn without_signals<R>(spawn: impl FnOnce() -> R) -> R {
    // SAFETY: the sets are initialised by the calls before they are read; only this thread's mask changes, and is restored.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let result = spawn();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        result
    }
}

/// What the environment says.
struct Settings {
    seed: Option<u64>,
    clock: Option<ClockKind>,
    fences: Fences,
    slack_ns: u64,
    nested: Nested,
    helper_threads: bool,
}

impl Settings {
    fn from_environment() -> Result<Self, StartError> {
        Ok(Self {
            seed: setting("OMNILINK_SEED", "an integer from 0 to 2^64-1", |value| value.parse().ok())?,
            clock: setting("OMNILINK_CLOCK", "a clock of this machine (tsc, cntvct, monotonic)", ClockKind::from_name)?,
            fences: setting("OMNILINK_RELAXED", "0 or 1", flag)?
                .map_or(Fences::Full, |relaxed| if relaxed { Fences::Relaxed } else { Fences::Full }),
            slack_ns: setting("OMNILINK_RELAXED_SLACK_NS", "a number of nanoseconds", |value| value.parse().ok())?
                .unwrap_or(DEFAULT_SLACK_NS),
            nested: setting("OMNILINK_NESTED", "outermost or both", |value| match value {
                "outermost" => Some(Nested::Outermost),
                "both" => Some(Nested::Both),
                _ => None,
            })?
            .unwrap_or_default(),
            helper_threads: setting("OMNILINK_HELPER_THREADS", "0 or 1", flag)?.unwrap_or(true),
        })
    }
}

fn flag(value: &str) -> Option<bool> {
    match value {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

/// The value of an environment variable; an empty one counts as not set.
fn setting<T>(
    name: &'static str,
    expected: &'static str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, StartError> {
    let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else { return Ok(None) };
    let value = value.to_string_lossy();
    parse(&value).map(Some).ok_or_else(|| StartError::Setting { name, value: value.clone().into_owned(), expected })
}
