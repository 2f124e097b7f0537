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
    /// What `--omnilink` says cannot be used.
    #[error(
        "--omnilink: `{given}` {problem}; give a checkout of OmniLink or the directory of the crate `omnilink`, a version \
         such as {}, or git+https://… with the address of a repository",
        crate::dependency::VERSION
    )]
    Dependency {
        /// What it says.
        given: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A new project needs the crate `omnilink`, and nobody says where it is.
    #[error(
        "where the project gets the crate `omnilink` from is not known: this program was not installed from a registry, and \
         the checkout that it was built from is not there; give --omnilink PATH with a checkout of OmniLink, --omnilink \
         git+URL with the address of its repository, or --omnilink {} if that version is in your registry",
        crate::dependency::VERSION
    )]
    NoDependency,
    /// A line of a project file is not understood.
    #[error("{}{}: {problem}; `omnilink run --help` says what the file holds", path.display(), at(*line))]
    ProjectFile {
        /// The file.
        path: PathBuf,
        /// The line, from 1; 0 if it is about the whole file.
        line: usize,
        /// What is wrong.
        problem: String,
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

/// The line after a file's name.
fn at(line: usize) -> String {
    if line == 0 { String::new() } else { format!(":{line}") }
}
