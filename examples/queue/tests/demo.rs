//! The fuzzer as its users start it.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Output};

use omnilink_trace::{Record, Trace, Value};

fn demo(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_queue-demo"));
    let inherited = std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("OMNILINK_"));
    for (variable, _) in inherited {
        command.env_remove(variable);
    }
    command.current_dir(directory).args(arguments).output().unwrap()
}

#[track_caller]
fn succeeds(directory: &Path, arguments: &[&str]) -> (String, String) {
    let output = demo(directory, arguments);
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{stderr}");
    (stdout, stderr)
}

struct Call {
    lane: u32,
    action: String,
    elem: Option<i64>,
}

/// All calls in the order in which they began.
fn calls(trace: &Trace) -> Vec<Call> {
    let events = trace.records().filter_map(|record| match record.unwrap() {
        Record::Event(event) => Some(event),
        Record::Terminated(_) => None,
    });
    let calls = events.map(|event| {
        let [action] = event.candidates.as_slice() else { panic!("{event:?}") };
        let elem = event.args.first().map(|arg| match arg.value {
            Some(Value::Int(elem)) => elem,
            ref other => panic!("{other:?}"),
        });
        Call { lane: event.lane, action: trace.vocabulary().action(*action).name.to_string(), elem }
    });
    calls.collect()
}

/// The elements of all calls of `action`.
fn elements(trace: &Trace, action: &str) -> Vec<i64> {
    calls(trace).into_iter().filter(|call| call.action == action).map(|call| call.elem.unwrap()).collect()
}

#[test]
fn the_correct_queue_gives_out_what_was_enqueued_and_nothing_twice() {
    let directory = tempfile::tempdir().unwrap();
    succeeds(directory.path(), &["--threads", "3", "--ops", "2000", "--seed", "5", "--trace-dir", "trace"]);
    let trace = Trace::open(directory.path().join("trace")).unwrap();
    assert_eq!((trace.spec(), trace.next(), trace.lanes().len()), ("Queue", "Next", 3));
    assert!(trace.lanes().iter().all(|lane| lane.events() == 2000));
    let enqueued: HashSet<_> = elements(&trace, "Enqueue").into_iter().collect();
    let dequeued = elements(&trace, "Dequeue");
    let distinct: HashSet<_> = dequeued.iter().copied().collect();
    assert_eq!(distinct.len(), dequeued.len());
    assert!(distinct.is_subset(&enqueued));
}

#[test]
fn one_thread_is_first_in_first_out_whatever_the_queue() {
    for queue in ["seg", "buggy"] {
        let directory = tempfile::tempdir().unwrap();
        succeeds(directory.path(), &["--threads=1", "--seed=3", "--queue", queue, "--trace-dir", "trace"]);
        let trace = Trace::open(directory.path().join("trace")).unwrap();
        let (enqueued, dequeued) = (elements(&trace, "Enqueue"), elements(&trace, "Dequeue"));
        assert_eq!(dequeued, enqueued[..dequeued.len()]);
        assert!(dequeued.len() > 100);
    }
}

#[test]
fn threads_say_at_their_end_how_much_they_enqueued() {
    let directory = tempfile::tempdir().unwrap();
    succeeds(directory.path(), &["--threads", "2", "--ops", "50", "--trace-dir", "trace"]);
    let trace = Trace::open(directory.path().join("trace")).unwrap();
    let calls = calls(&trace);
    let ends = trace.records().filter_map(|record| match record.unwrap() {
        Record::Event(_) => None,
        Record::Terminated(end) => Some(end),
    });
    let mut threads = 0;
    for end in ends {
        let enqueued = calls.iter().filter(|call| call.lane == end.lane && call.action == "Enqueue").count();
        let (key, value) = &end.meta[0];
        assert_eq!((&**key, value), ("enqueued", &Value::Int(enqueued as i64)));
        threads += 1;
    }
    assert_eq!(threads, 2);
}

#[test]
fn without_a_trace_directory_a_new_one_is_made_and_named() {
    let directory = tempfile::tempdir().unwrap();
    for n in 1..=2 {
        let (_, stderr) = succeeds(directory.path(), &["--ops", "10", "--seed", "4"]);
        assert!(stderr.contains(&format!("4 threads, seed 4, recording to omnilink-trace-{n}\n")), "{stderr}");
        assert!(stderr.ends_with(&format!("with seed 4, recorded in omnilink-trace-{n}\n")), "{stderr}");
        let trace = Trace::open(directory.path().join(format!("omnilink-trace-{n}"))).unwrap();
        assert_eq!(trace.records().count(), 44, "40 calls and the ends of 4 threads");
    }
}

#[test]
fn what_it_can_do() {
    let directory = tempfile::tempdir().unwrap();
    let (stdout, _) = succeeds(directory.path(), &["--list-actions", "--weights", "Enqueue=3"]);
    assert_eq!(stdout, "Enqueue(elem) weight 3\nTryDequeue: Dequeue(elem) | DequeueEmpty weight 1\n");
    let (stdout, _) = succeeds(directory.path(), &["--help"]);
    assert!(stdout.contains("Usage: queue-demo [OPTIONS]"), "{stdout}");
    assert!(stdout.contains("--queue NAME"), "{stdout}");
    assert_eq!(directory.path().read_dir().unwrap().count(), 0, "nothing was recorded");
}

#[test]
fn wrong_use() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str], expected: &str| {
        let output = demo(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("fuzz: {expected}\n"));
    };
    refused(&["--queue", "fast"], "--queue: `fast` is neither seg nor buggy");
    refused(
        &["--threads", "x"],
        &format!("--threads: `x` is not a whole number from 0 to {} (--help shows what can be given)", u64::MAX),
    );
    assert_eq!(directory.path().read_dir().unwrap().count(), 0, "nothing was recorded");
}
