//! Records into a temporary directory and reads the trace back.

#![allow(dead_code, reason = "every test binary uses another part of this")]

use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use omnilink::{Nested, Session};
use omnilink_trace::{Event, NameId, Outcome, Record, Trace};

/// A process has one recorder: tests take turns.
static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The events that `run` leaves, lane by lane.
pub fn record(run: impl FnOnce()) -> Vec<String> {
    lanes(Nested::Outermost, |_| run()).concat()
}

/// As [`record`], but recording ends when the session is dropped: what is open then is pending.
pub fn record_until(run: impl FnOnce(Session)) -> Vec<String> {
    lanes(Nested::Outermost, run).concat()
}

/// The events of each lane that `run` leaves.
pub fn lanes(nested: Nested, run: impl FnOnce(Session)) -> Vec<Vec<String>> {
    let _turn = turn();
    let directory = tempfile::tempdir().expect("a temporary directory");
    let session = Session::builder().directory(directory.path()).spec("Test", "Next").nested(nested).start();
    run(session.expect("a recorder"));
    read(directory.path())
}

/// What the trace of `run` declares of its actions, sorted: `Pop(limit, elem) -> elem of Pop`, `Other(x) ?` if nothing is known.
pub fn signatures(run: impl FnOnce()) -> Vec<String> {
    let _turn = turn();
    let directory = tempfile::tempdir().expect("a temporary directory");
    let session = Session::builder().directory(directory.path()).start().expect("a recorder");
    run();
    // As a process that is killed now leaves it.
    let trace = Trace::open(directory.path()).expect("a trace");
    drop(session);
    let words = trace.vocabulary();
    let names = |ids: &[NameId]| ids.iter().map(|&id| words.name(id)).collect::<Vec<_>>().join(", ");
    let mut signatures: Vec<_> = words
        .actions()
        .map(|(id, action)| {
            let signature = trace.signature(id);
            let results = match &signature.results {
                Some(results) if results.is_empty() => " ->".to_owned(),
                Some(results) => format!(" -> {}", names(results)),
                None if signature.contradictory => " contradictory".to_owned(),
                None => " ?".to_owned(),
            };
            let operation = signature.operation.as_ref().map(|name| format!(" of {name}")).unwrap_or_default();
            format!("{}({}){results}{operation}", action.name, names(&action.params))
        })
        .collect();
    signatures.sort();
    signatures
}

/// Runs `run` while nothing is recorded.
pub fn unrecorded<R>(run: impl FnOnce() -> R) -> R {
    let _turn = turn();
    run()
}

fn read(directory: &std::path::Path) -> Vec<Vec<String>> {
    let trace = Trace::open(directory).expect("a trace");
    let events = |lane: &omnilink_trace::Lane| {
        let records = lane.records().map(|record| record.expect("a record"));
        let events = records.filter_map(|record| match record {
            Record::Event(event) => Some(event),
            Record::Terminated(_) => None,
        });
        events.map(|event| line(&trace, &event)).collect()
    };
    trace.lanes().iter().map(events).collect()
}

/// `Dequeue|DequeueEmpty(elem = ?) indeterminate {omnilink.panic: "oh"}`
fn line(trace: &Trace, event: &Event) -> String {
    let words = trace.vocabulary();
    let names: Vec<_> = event.candidates.as_slice().iter().map(|id| &*words.action(*id).name).collect();
    let mut line = names.join("|");
    if !event.args.is_empty() {
        let args = event.args.iter().map(|arg| {
            let value = arg.value.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string);
            format!("{} = {value}", words.name(arg.param))
        });
        write!(line, "({})", args.collect::<Vec<_>>().join(", ")).expect("memory");
    }
    line += match event.outcome {
        Outcome::Done => "",
        Outcome::Aborted => " aborted",
        Outcome::Indeterminate => " indeterminate",
        Outcome::Pending => " pending",
    };
    if !event.meta.is_empty() {
        let meta: Vec<_> = event.meta.iter().map(|(key, value)| format!("{key}: {value}")).collect();
        write!(line, " {{{}}}", meta.join(", ")).expect("memory");
    }
    line
}
