//! One recording: the calls of instrumented functions while a closure runs.

use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use omnilink_runtime::{Session, StartError};
use tempfile::TempDir;

use crate::neighbours::{self, Mark};
use crate::turn::Turn;

/// Set by `omnilink test`: where traces are written, as a path that is the same in a replay.
const TRACES: &str = "OMNILINK_TEST_TRACES";

/// The trace of a closure. Its directory is removed unless it is kept.
pub(crate) struct Recording {
    directory: PathBuf,
    is_kept: bool,
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
        let recording = Recording { directory, is_kept: false };
        let mark = Mark::set();
        let session = Session::builder().directory(recording.path()).seed(self.seed).start().map_err(explain)?;
        let result = catch_unwind(AssertUnwindSafe(body));
        let summary = session.finish();
        drop(mark);
        // Checking needs no turn: others may record meanwhile.
        drop(turn);
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

    fn directory(&self) -> Result<PathBuf, String> {
        let failed =
            |place: &Path, error| format!("{}: a directory for the trace could not be made: {error}", place.display());
        if let (None, Some(traces)) = (self.traces, std::env::var_os(TRACES).filter(|name| !name.is_empty())) {
            // Numbers instead of random names: a replay makes the same directory in another place.
            static COUNT: AtomicU32 = AtomicU32::new(1);
            let directory = Path::new(&traces).join(format!("recording-{}", COUNT.fetch_add(1, Relaxed)));
            return std::fs::create_dir_all(&directory)
                .map(|()| directory)
                .map_err(|error| failed(traces.as_ref(), error));
        }
        let place = self.traces.map_or_else(std::env::temp_dir, Path::to_owned);
        let made = std::fs::create_dir_all(&place)
            .and_then(|()| tempfile::Builder::new().prefix("omnilink-test-").tempdir_in(&place));
        made.map(TempDir::keep).map_err(|error| failed(&place, error))
    }
}

impl Recording {
    /// Its directory.
    pub fn path(&self) -> &Path {
        &self.directory
    }

    /// Keeps the directory.
    pub fn keep(mut self) -> PathBuf {
        self.is_kept = true;
        self.directory.clone()
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = std::fs::remove_dir_all(&self.directory);
        }
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

/// A path as a word of a command line. In a run of `omnilink test`, RUN stands for the directory of the run.
pub(crate) fn shell(path: &Path) -> String {
    let traces = std::env::var_os(TRACES).unwrap_or_default();
    let text = match path.strip_prefix(&traces) {
        Ok(below) if !traces.is_empty() => format!("RUN/trace/{}", below.display()),
        _ => path.display().to_string(),
    };
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:@%".contains(c);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
