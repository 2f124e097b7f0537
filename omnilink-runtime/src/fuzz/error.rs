//! Why a fuzzer could not run.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::StartError;

/// Why a fuzzer could not run. What happens to single threads once it runs is in the
/// [`Report`](super::Report) instead.
#[derive(Debug)]
#[non_exhaustive]
pub enum FuzzError {
    /// Two actions have this name.
    DuplicateAction(&'static str),
    /// A weight was given for an action that was not declared.
    UnknownAction {
        /// The name.
        name: String,
        /// Those that were declared.
        declared: Vec<&'static str>,
    },
    /// A result was declared that no action has as a parameter.
    UnknownResult {
        /// Name of the action.
        action: &'static str,
        /// Name of the parameter.
        param: &'static str,
    },
    /// No action was declared, or all weights are 0.
    NothingToDo,
    /// A setting is 0 that must not be.
    ZeroSetting {
        /// The builder's method.
        setting: &'static str,
    },
    /// No directory could be made for the trace.
    TraceDirectory {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Recording did not start.
    Record(StartError),
    /// The operating system gave no further thread.
    Spawn {
        /// Index of the thread.
        thread: usize,
        /// Why.
        source: io::Error,
    },
    /// Making a thread's state panicked.
    StatePanicked {
        /// Index of the thread.
        thread: usize,
        /// The panic's message.
        message: String,
    },
}

impl fmt::Display for FuzzError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateAction(name) => write!(f, "the action `{name}` is declared twice"),
            Self::UnknownAction { name, declared } => {
                write!(f, "a weight is given for `{name}`, but the actions are {}", declared.join(", "))
            }
            Self::UnknownResult { action, param } => {
                write!(f, "`{param}` is declared to be a result of `{action}`, but no such action has this parameter")
            }
            Self::NothingToDo => f.write_str("there is nothing to do: no action has a weight above 0"),
            Self::ZeroSetting { setting } => write!(f, "`{setting}` is 0, but must be at least 1"),
            Self::TraceDirectory { path, source } => {
                write!(f, "cannot make the trace directory {}: {source}", path.display())
            }
            Self::Record(error) => write!(f, "cannot record: {error}"),
            Self::Spawn { thread, source } => write!(f, "cannot start thread {thread}: {source}"),
            Self::StatePanicked { thread, message } => {
                write!(f, "making the state of thread {thread} panicked: {message}")
            }
        }
    }
}

impl std::error::Error for FuzzError {}

impl FuzzError {
    /// The exit code for this error, see the [module](super).
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::StatePanicked { .. } => super::EXIT_PANIC,
            _ => super::EXIT_USAGE,
        }
    }
}
