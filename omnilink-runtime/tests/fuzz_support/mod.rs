//! What the tests of the fuzz loop share: one recorder at a time, and traces as text.
#![allow(dead_code, reason = "every test program uses a part of it")]

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use omnilink_runtime::fuzz::{Fuzz, Report};
use omnilink_trace::{Event, Outcome, Record, Trace};

/// A process has at most one recorder, and tests run in threads of one process.
pub fn alone() -> MutexGuard<'static, ()> {
    static RECORDER: Mutex<()> = Mutex::new(());
    RECORDER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A trace as text.
pub struct Recorded {
    /// The lanes' names.
    pub names: Vec<String>,
    /// The calls of every lane, such as `Put(key=3, value="x")`, with outcome and meta values if there are any.
    pub calls: Vec<Vec<String>>,
    /// What every lane notes about the end of its thread.
    pub ends: Vec<String>,
    /// The exit code in `run.json`.
    pub exit: Option<i32>,
    /// The seed in `run.json`.
    pub seed: Option<u64>,
}

/// Runs `fuzz` and reads what it recorded.
pub fn record<S: Sync, T>(fuzz: Fuzz<'_, S, T>, system: &S) -> (Report, Recorded) {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let report = fuzz.trace_directory(directory.path()).run(system).unwrap();
    (report, read(directory.path()))
}

/// Reads a trace.
pub fn read(directory: &Path) -> Recorded {
    let trace = Trace::open(directory).unwrap();
    assert!(trace.notices().is_empty(), "{:?}", trace.notices());
    let mut recorded = Recorded {
        names: Vec::new(),
        calls: Vec::new(),
        ends: Vec::new(),
        exit: trace.run().exit.as_ref().and_then(|exit| exit.code),
        seed: trace.run().seed,
    };
    for lane in trace.lanes() {
        let mut calls = Vec::new();
        for record in lane.records() {
            match record.unwrap() {
                Record::Event(event) => calls.push(call(&trace, &event)),
                Record::Terminated(end) => recorded.ends.push(pairs(&end.meta).join(" ")),
            }
        }
        recorded.names.push(lane.name().to_owned());
        recorded.calls.push(calls);
    }
    recorded
}

fn call(trace: &Trace, event: &Event) -> String {
    let vocabulary = trace.vocabulary();
    let candidates = event.candidates.as_slice().iter();
    let names: Vec<_> = candidates.map(|&action| vocabulary.action(action).name.to_string()).collect();
    let args = event.args.iter().map(|arg| {
        let value = arg.value.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string);
        format!("{}={value}", vocabulary.name(arg.param))
    });
    let mut parts = vec![format!("{}({})", names.join("|"), args.collect::<Vec<_>>().join(", "))];
    if event.outcome != Outcome::Done {
        parts.push(format!("{:?}", event.outcome));
    }
    parts.extend(pairs(&event.meta));
    parts.join(" ")
}

fn pairs(meta: &[(Box<str>, omnilink_trace::Value)]) -> Vec<String> {
    meta.iter().map(|(key, value)| format!("{key}={value}")).collect()
}

/// The number of calls of every lane.
pub fn lengths(recorded: &Recorded) -> Vec<usize> {
    recorded.calls.iter().map(Vec::len).collect()
}
