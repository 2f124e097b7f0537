//! Why no project could be generated.

use std::io;
use std::path::PathBuf;

use omnilink_tla::TlaError;
use thiserror::Error;

/// Why no project could be generated. Texts say what is wrong and, after a semicolon, what to do.
#[derive(Debug, Error)]
pub enum Error {
    /// The specification cannot be used: with places, carets and hints.
    #[error(transparent)]
    Specification(#[from] Box<TlaError>),
    /// An action that was chosen is none.
    #[error("{option} names `{name}`, which is no action; {advice}")]
    UnknownAction {
        /// `--only` or `--exclude`.
        option: &'static str,
        /// What it names.
        name: String,
        /// What it may have meant.
        advice: String,
    },
    /// Nothing is left to generate.
    #[error("no action is left to generate; {advice}")]
    NothingLeft {
        /// What there is.
        advice: String,
    },
    /// A file of somebody else is where one of a new project belongs.
    #[error(
        "{} is there already and was not generated; name another directory with -o, or move the file away",
        path.display()
    )]
    InTheWay {
        /// The file.
        path: PathBuf,
    },
    /// The options in a generated file cannot be read.
    #[error(
        "{}: there is no line that begins with `// omnilink-gen:` and can be read; restore the file from version \
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
