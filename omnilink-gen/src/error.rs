//! Errors of the generator.

use std::io;
use std::path::PathBuf;

use omnilink_tla::TlaError;
use thiserror::Error;

/// Errors of the generator. Each text has the error and, after a semicolon, what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Errors of the specification, with positions, carets and hints.
    #[error(transparent)]
    Specification(#[from] Box<TlaError>),
    /// An option names an action that does not exist.
    #[error("{option} names `{name}`, which is not an action; {advice}")]
    UnknownAction {
        /// `--only` or `--exclude`.
        option: &'static str,
        /// The name.
        name: String,
        /// A suggestion.
        advice: String,
    },
    /// Nothing is left to generate.
    #[error("no action is left to generate; {advice}")]
    NothingLeft {
        /// The available actions.
        advice: String,
    },
    /// An existing file has the name of a file of the new project.
    #[error(
        "{} exists and was not generated; name another directory with -o, or move the file away",
        path.display()
    )]
    InTheWay {
        /// The file.
        path: PathBuf,
    },
    /// The options in a generated file cannot be read.
    #[error(
        "{}: no readable line that begins with `// omnilink-gen:`; restore the file from version \
         control, or make it empty and give all options again",
        path.display()
    )]
    UnreadableHeader {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
