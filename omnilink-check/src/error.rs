//! Why a trace could not be checked. None of these is a verdict.

use std::path::PathBuf;

use omnilink_tla::TlaError;
use omnilink_trace::TraceError;
use thiserror::Error;

/// Why a trace could not be checked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// Something is wrong with the specification.
    #[error("{0}")]
    Specification(#[from] Box<TlaError>),
    /// No state satisfies the initial predicate.
    #[error("the specification has no initial state: nothing satisfies its initial predicate")]
    NoInitialState,
    /// The trace cannot be read.
    #[error("{0}")]
    Trace(#[from] TraceError),
    /// An event does not fit the specification.
    #[error("{}: {problem}", .place)]
    Event {
        /// Which event.
        place: EventPlace,
        /// What is wrong with it.
        problem: Box<Misfit>,
    },
    /// A rule for events names something that it cannot be about.
    #[error("{0}")]
    Rule(String),
    /// A file could not be written or read.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: std::io::Error,
    },
    /// TLC could not be run, or said something that we do not understand.
    #[error("{0}")]
    Tlc(String),
    /// TLC could not evaluate something, in its words.
    #[error("TLC: {0}")]
    TlcFailed(String),
}

/// Which event of which file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPlace {
    /// The file.
    pub path: PathBuf,
    /// Where its record begins there.
    pub offset: u64,
    /// The lane.
    pub lane: u32,
    /// Its number in the lane, from 0.
    pub index: u64,
}

impl std::fmt::Display for EventPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { path, offset, lane, index } = self;
        write!(f, "{}: event {index} of lane {lane} (at byte {offset})", path.display())
    }
}

/// How an event does not fit the specification.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Misfit {
    /// There is no such action.
    #[error("the specification has no action `{name}`{}", suggestion(.closest, .why))]
    UnknownAction {
        /// The name in the trace.
        name: String,
        /// The action that may have been meant.
        closest: Option<String>,
        /// Why the definition of that name is no action, if there is one.
        why: Option<String>,
        /// The actions there are.
        known: Vec<String>,
    },
    /// Half of a pair is missing.
    #[error(
        "the specification has `{present}` and no `{missing}`; define both with equal parameters, or an action `{name}`"
    )]
    HalfAPair {
        /// The name in the trace.
        name: String,
        /// What there is.
        present: String,
        /// What there is not.
        missing: String,
    },
    /// The parameters differ.
    #[error("`{action}` is recorded with {recorded}, but {definition} has {expected}; arguments are matched by name")]
    Parameters {
        /// The action.
        action: String,
        /// The parameters in the trace.
        recorded: String,
        /// The parameters in the specification.
        expected: String,
        /// Where it is defined, with its name.
        definition: String,
    },
    /// A value has no meaning in TLA+.
    #[error("the value of `{param}` is not a TLA+ value: {problem}")]
    Value {
        /// The parameter.
        param: String,
        /// What is wrong.
        problem: String,
    },
    /// It records updates of variables.
    #[error("it records updates of variables, which only traces of distributed programs have; this is not checked")]
    Effects,
}

fn suggestion(closest: &Option<String>, why: &Option<String>) -> String {
    match (why, closest) {
        (Some(why), _) => format!("; {why}."),
        (None, Some(name)) => format!("; did you mean `{name}`?"),
        (None, None) => String::new(),
    }
}
