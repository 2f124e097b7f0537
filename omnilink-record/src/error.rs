//! Why a program could not be run. What a program itself does wrong is an [`Ending`](crate::Ending), not an error.

use std::io;
use std::path::{Path, PathBuf};

/// Why a program could not be run, and what to do about it.
///
/// Texts say what is wrong and, after a semicolon, what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A file or directory could not be used.
    #[error("{}: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The program cannot be run in this mode.
    #[error("{}: {reason}; {remedy}", program.display())]
    Unsupported {
        /// The program.
        program: PathBuf,
        /// What it has or lacks.
        reason: String,
        /// What works instead.
        remedy: String,
    },
    /// The machine does not let us do what the mode needs.
    #[error("{what}: {source}; {remedy}")]
    Forbidden {
        /// What was tried.
        what: &'static str,
        /// The kernel's answer.
        source: io::Error,
        /// How to allow it, or what works without.
        remedy: &'static str,
    },
    /// A system call that normally works did not.
    #[error("{what}: {source}")]
    System {
        /// What was tried.
        what: &'static str,
        /// The kernel's answer.
        source: io::Error,
    },
    /// A file of a run directory does not contain what it should.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A store could not be read or written.
    #[error("{}: {source}", path.display())]
    Store {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// A packed run could not be read or written.
    #[error(transparent)]
    Archive(#[from] omnilink_trace::TraceError),
    /// Something that was asked for cannot be done.
    #[error("{0}")]
    Usage(String),
}

impl RecordError {
    /// The file for which its file system had no room, if that is what is wrong.
    pub fn without_space(&self) -> Option<&Path> {
        let is_full =
            |error: &io::Error| matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        match self {
            Self::File { path, source } if is_full(source) => Some(path),
            Self::Store { path, source } => {
                let is_full = source.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull);
                is_full.then_some(path)
            }
            Self::Archive(omnilink_trace::TraceError::Io { path, source, .. }) if is_full(source) => Some(path),
            _ => None,
        }
    }

    pub(crate) fn file(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { path: path.as_ref().to_owned(), source }
    }

    pub(crate) fn system(what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::System { what, source }
    }
}
