//! Why a test failed.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::recording::shell;

/// Why a test failed.
#[derive(Debug)]
pub struct Failure {
    text: String,
    trace: Option<PathBuf>,
}

impl Failure {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), trace: None }
    }

    /// Adds where the trace is, and commands that look at it.
    pub(crate) fn with_trace(mut self, trace: PathBuf, spec: Option<&Path>) -> Self {
        let (text, name) = (self.text.trim_end(), shell(&trace));
        let check = spec.map_or_else(String::new, |spec| format!("\n  check:  omnilink check {} {name}", shell(spec)));
        self.text = format!("{text}\n\nthe trace is kept: {name}\n  show:   omnilink show {name}{check}");
        self.trace = Some(trace);
        self
    }

    /// Says first which of several runs it was.
    pub(crate) fn in_run(mut self, run: &str) -> Self {
        self.text = format!("{run}: {}", self.text);
        self
    }

    /// The directory of the trace, if there is one.
    pub fn trace(&self) -> Option<&Path> {
        self.trace.as_deref()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Failure {}
