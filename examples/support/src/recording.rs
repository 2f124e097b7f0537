//! Calls that the test itself makes and records.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use omnilink::Session;
use omnilink_trace::Trace;
use tempfile::TempDir;

/// A trace with the directory that it is in.
#[derive(Debug)]
pub struct Recording {
    trace: Trace,
    _directory: TempDir,
}

impl Recording {
    /// What `body` records, completely, into the directory that it is given.
    #[track_caller]
    pub fn of(body: impl FnOnce(&Path)) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("trace");
        body(&path);
        let trace = Trace::open(&path).expect("a trace");
        assert!(trace.complete(), "{:?}", trace.notices());
        Self { trace, _directory: directory }
    }
}

impl Deref for Recording {
    type Target = Trace;

    fn deref(&self) -> &Trace {
        &self.trace
    }
}

/// Records the instrumented calls that `body` makes, on whatever threads, as actions of the specification `spec`.
/// Tests must make none outside of it, since they would be in the trace of whichever test has its turn.
pub fn record(spec: &str, body: impl FnOnce()) -> Recording {
    // A process has one session at a time, but runs its tests at once.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    Recording::of(|path| {
        let session = Session::builder().directory(path).spec(spec, "Next").start().expect("a session");
        body();
        session.finish();
    })
}
