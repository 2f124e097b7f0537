//! How errors look: one line that says what is wrong, one that says what to do.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use omnilink_check::error::CheckError;
use omnilink_tla::TlaError;
use omnilink_trace::TraceError;

use crate::file_system;
use crate::palette::{self, Palette};

/// Why a verb could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The reader closed the pipe (`| head`); this is not an error.
    ReaderGone,
    /// An error message.
    Message {
        /// The error, with file and position.
        text: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// Errors of a specification, with their positions.
    Specification(Box<TlaError>),
    /// A limit or Ctrl-C ended the verb.
    Stopped {
        /// What was stopped, and why.
        text: String,
        /// The exit code.
        code: u8,
    },
    /// The error was already reported; only the exit code remains.
    Reported,
}

impl Failure {
    /// An error that says what is wrong.
    pub fn new(text: impl Into<String>) -> Self {
        Self::Message { text: text.into(), hint: None }
    }

    /// An error that says what is wrong and what to do.
    pub fn with_hint(text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Message { text: text.into(), hint: Some(hint.into()) }
    }

    /// An error of a library, whose text has the error and, after a semicolon, the hint.
    fn with_advice(text: &str) -> Self {
        match text.split_once("; ") {
            Some((wrong, advice)) => Self::with_hint(wrong, advice),
            None => Self::new(text),
        }
    }

    /// A file could not be used.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        let text = format!("{}: {error}", path.display());
        match file_system::is_no_space(error) {
            true => Self::with_hint(text, file_system::no_space_hint(path)),
            false => Self::new(text),
        }
    }

    /// Prints the failure to standard error and returns the exit code.
    pub fn report(&self) -> ExitCode {
        let Palette { bad, heading, .. } = palette::stderr();
        match self {
            Self::ReaderGone => return ExitCode::SUCCESS,
            Self::Reported => {}
            Self::Stopped { text, code } => {
                complain(format_args!("{text}"));
                return ExitCode::from(*code);
            }
            Self::Specification(error) => complain(format_args!("{error}")),
            Self::Message { text, hint } => {
                complain(format_args!("{bad}error:{bad:#} {text}"));
                if let Some(hint) = hint {
                    complain(format_args!("{heading}hint:{heading:#} {hint}"));
                }
            }
        }
        ExitCode::from(2)
    }
}

/// What is wrong, without what to do about it.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message { text, .. } | Self::Stopped { text, .. } => f.write_str(text),
            Self::Specification(error) => write!(f, "{error}"),
            Self::ReaderGone => f.write_str("standard output was closed"),
            Self::Reported => f.write_str("see standard error"),
        }
    }
}

/// Writes a line to standard error; errors of writing are ignored.
pub fn complain(line: fmt::Arguments<'_>) {
    use io::Write;
    let _ = writeln!(io::stderr(), "{line}");
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        match &error {
            TraceError::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe => Self::ReaderGone,
            TraceError::Io { path, source, .. } if file_system::is_no_space(source) => {
                Self::with_hint(error.to_string(), file_system::no_space_hint(path))
            }
            _ => Self::with_advice(&error.to_string()),
        }
    }
}

impl From<omnilink_gen::Error> for Failure {
    fn from(error: omnilink_gen::Error) -> Self {
        match error {
            omnilink_gen::Error::Specification(error) => error.into(),
            other => Self::with_advice(&other.to_string()),
        }
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Specification(error) => error.into(),
            CheckError::Trace(error) => error.into(),
            other => Self::with_advice(&other.to_string()),
        }
    }
}

impl From<omnilink_record::RecordError> for Failure {
    fn from(error: omnilink_record::RecordError) -> Self {
        match error.without_space() {
            Some(path) => Self::with_hint(error.to_string(), file_system::no_space_hint(path)),
            None => Self::with_advice(&error.to_string()),
        }
    }
}

/// Diagnostics are complete: each has its source line, caret and hint.
impl From<Box<TlaError>> for Failure {
    fn from(error: Box<TlaError>) -> Self {
        Self::Specification(error)
    }
}

/// Errors of writing to standard output. Files are named: see [`Failure::file`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::new(format!("standard output: {error}")),
        }
    }
}
