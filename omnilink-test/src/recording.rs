//! One recording: the calls of instrumented functions while a closure runs.

use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

use omnilink_runtime::{Session, StartError};
use tempfile::TempDir;

use crate::neighbours::{self, Mark};
use crate::turn::Turn;

/// The trace of a closure. Its directory is removed unless it is kept.
pub(crate) struct Recording {
    directory: TempDir,
}

/// Where traces are written, and what is noted in them.
pub(crate) struct Recorder<'a> {
    /// The directory for traces; that for temporary files if there is none.
    pub traces: Option<&'a Path>,
    /// The seed of the run.
    pub seed: u64,
    /// Who asked for it.
    pub place: &'a Location<'a>,
}

impl Recorder<'_> {
    /// Runs a closure and records it. If it panics, the trace is kept and the panic goes on.
    pub fn record(&self, body: impl FnOnce()) -> Result<Recording, String> {
        neighbours::refuse_listing()?;
        let turn = Turn::take(self.place)?;
        let directory = self.directory()?;
        let mark = Mark::set();
        let session = Session::builder().directory(directory.path()).seed(self.seed).start().map_err(explain)?;
        let result = catch_unwind(AssertUnwindSafe(body));
        let summary = session.finish();
        drop(mark);
        // Checking needs no turn: others may record meanwhile.
        drop(turn);
        let recording = Recording { directory };
        if let Err(panic) = result {
            if summary.events > 0 {
                let kept = recording.keep();
                eprintln!("omnilink-test: the calls up to this panic are kept: omnilink show {}", shell(&kept));
            }
            resume_unwind(panic);
        }
        if let Some(reason) = summary.stopped {
            return Err(format!("recording stopped before the closure ended: {reason}; calls are missing"));
        }
        if summary.lanes == 0 {
            let advice = "are the functions that the closure calls instrumented with #[omnilink::action]?";
            return Err(format!("no call was recorded, so nothing was checked; {advice}"));
        }
        neighbours::check(recording.path())?;
        Ok(recording)
    }

    fn directory(&self) -> Result<TempDir, String> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("omnilink-test-");
        let made = match self.traces {
            Some(traces) => std::fs::create_dir_all(traces).and_then(|()| builder.tempdir_in(traces)),
            None => builder.tempdir(),
        };
        let place = || self.traces.map_or_else(std::env::temp_dir, Path::to_owned);
        made.map_err(|error| format!("{}: a directory for the trace could not be made: {error}", place().display()))
    }
}

impl Recording {
    /// Its directory.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Keeps the directory.
    pub fn keep(self) -> PathBuf {
        self.directory.keep()
    }
}

fn explain(error: StartError) -> String {
    match error {
        StartError::AlreadyRecording if std::env::var_os("OMNILINK_TRACE_DIR").is_some() => {
            "this process is being recorded already, because OMNILINK_TRACE_DIR is set; run the tests without it"
                .to_owned()
        }
        error => error.to_string(),
    }
}

/// A path as a word of a command line.
pub(crate) fn shell(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:@%".contains(c);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
