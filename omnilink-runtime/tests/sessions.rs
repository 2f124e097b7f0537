//! The life of a recorder.

mod support;

use std::fs;
use std::sync::mpsc;
use std::thread;

use omnilink_runtime::{ActionDef, Session, StartError, Summary, begin, open_lane, terminate};
use support::reading::read;
use support::{alone, record, record_with};

#[test]
fn without_a_recorder_nothing_is_recorded() {
    let _alone = alone();
    let mut op = begin(site!(Put(key)));
    assert!(!op.is_recording());
    op.set("key", &1);
    assert_eq!(op.call(|| 7), 7);
    op.end();
    open_lane("nobody");
    terminate(|_| {});
}

#[test]
fn what_the_builder_says_is_in_the_trace() {
    static ACTIONS: [ActionDef; 2] =
        [ActionDef { name: "Unused", params: &["x"] }, ActionDef { name: "Put", params: &["key"] }];
    let builder = Session::builder().spec("Queue", "NextStep").actions(&ACTIONS).seed(u64::MAX);
    let (summary, recorded) = record_with(builder, || {
        open_lane("worker");
        let mut op = begin(site!(Put(key)));
        op.set("key", &1);
        op.end();
        terminate(|meta| meta.set("reason", "done"));
    });
    assert_eq!(summary, Summary { events: 1, lanes: 1, stopped: None });
    let trace = &recorded.trace;
    assert_eq!((trace.spec(), trace.next()), ("Queue", "NextStep"));
    assert_eq!((trace.run().seed, trace.lanes()[0].seed()), (Some(u64::MAX), Some(u64::MAX)));
    assert_eq!(trace.run().lanes, Some(1));
    assert_eq!(trace.run().pid, Some(std::process::id().into()));
    let actions: Vec<_> = trace.vocabulary().actions().map(|(_, action)| action.name.to_string()).collect();
    assert_eq!(actions, ["Unused", "Put"]);
    assert_eq!(recorded.lanes[0].name, "worker");
    assert_eq!(recorded.lanes[0].calls, ["Put(key=1)", r#"terminated reason="done""#]);
}

#[test]
fn the_exit_code_is_kept() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let session = Session::builder().directory(directory.path()).start().unwrap();
    begin(site!(Put())).end();
    session.set_exit_code(17);
    drop(session);
    assert_eq!(read(directory.path()).trace.run().exit.as_ref().and_then(|exit| exit.code), Some(17));
}

#[test]
fn a_call_that_is_open_at_the_end_is_pending() {
    let mut open = None;
    let recorded = record(|| {
        begin(site!(Before())).end();
        let mut op = begin(site!(Open(a, b)));
        op.set("a", &1);
        open = Some(op);
    });
    assert_eq!(recorded.calls(), ["Before()", "Open(a=1, b=?) Pending"]);
    assert!(recorded.trace.complete());
    let mut op = open.unwrap();
    op.set("b", &2);
    op.end();
    assert_eq!(recorded.trace.lanes().len(), 1);
}

#[test]
fn one_recorder_after_the_other() {
    for n in 0..3 {
        let recorded = record(|| {
            let mut op = begin(site!(Put(n)));
            op.set("n", &n);
            op.end();
        });
        assert_eq!(recorded.calls(), [format!("Put(n={n})")]);
    }
}

#[test]
fn there_is_one_recorder_at_a_time() {
    let recorded = record(|| {
        let other = tempfile::tempdir().unwrap();
        let second = Session::builder().directory(other.path()).start();
        assert!(matches!(second, Err(StartError::AlreadyRecording)));
        assert_eq!(support::files(other.path()), [""; 0], "the directory was left alone");
        begin(site!(Put())).end();
    });
    assert_eq!(recorded.calls(), ["Put()"]);
}

#[test]
fn threads_and_calls_of_an_old_recorder_go_on_into_the_new_one() {
    let _alone = alone();
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (to_worker, orders) = mpsc::channel::<()>();
    let (to_main, done) = mpsc::channel::<()>();
    let session = Session::builder().directory(first.path()).start().unwrap();
    let worker = thread::spawn(move || {
        begin(site!(InFirst())).end();
        let mut open = begin(site!(OpenInFirst(n)));
        to_main.send(()).unwrap();
        orders.recv().unwrap();
        open.set("n", &1);
        open.end();
        begin(site!(InSecond())).end();
        to_main.send(()).unwrap();
        orders.recv().unwrap();
    });
    done.recv().unwrap();
    assert_eq!(session.finish().events, 1);
    let session = Session::builder().directory(second.path()).start().unwrap();
    to_worker.send(()).unwrap();
    done.recv().unwrap();
    begin(site!(MainInSecond())).end();
    assert_eq!(session.finish().events, 2);
    assert_eq!(read(first.path()).calls(), ["InFirst()", "OpenInFirst(n=?) Pending"]);
    assert_eq!(read(second.path()).calls(), ["InSecond()", "MainInSecond()"]);
    to_worker.send(()).unwrap();
    worker.join().unwrap();
    assert_eq!(read(second.path()).calls(), ["InSecond()", "MainInSecond()"]);
}

#[test]
fn a_directory_with_another_run_is_refused() {
    let _alone = alone();
    for file in ["run.json", "00007.lane"] {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join(file), "somebody else's").unwrap();
        let error = Session::builder().directory(directory.path()).start().unwrap_err();
        assert!(matches!(&error, StartError::Occupied { file: found, .. } if found == file), "{error:?}");
        let text = error.to_string();
        assert!(text.contains(file) && text.contains("choose another trace directory"), "{text}");
        assert_eq!(fs::read_to_string(directory.path().join(file)).unwrap(), "somebody else's");
    }
}

#[test]
fn other_files_in_the_directory_do_not_matter() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("notes.txt"), "mine").unwrap();
    let session = Session::builder().directory(directory.path()).start().unwrap();
    begin(site!(Put())).end();
    drop(session);
    assert_eq!(support::files(directory.path()), ["00000.lane", "notes.txt", "run.json"]);
}

#[test]
fn a_directory_that_cannot_be_is_an_error_that_names_it() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    for path in [file.clone(), file.join("below"), "/proc/omnilink".into()] {
        let error = Session::builder().directory(&path).start().unwrap_err();
        assert!(matches!(&error, StartError::Directory { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains(&*path.to_string_lossy()) && text.contains("choose a trace directory"), "{text}");
    }
    let error = Session::builder().start().unwrap_err();
    assert!(error.to_string().contains("OMNILINK_TRACE_DIR"), "{error}");
}

#[test]
fn after_an_error_another_recorder_can_be_started() {
    let _alone = alone();
    assert!(Session::builder().directory("/proc/omnilink").start().is_err());
    let directory = tempfile::tempdir().unwrap();
    let session = Session::builder().directory(directory.path()).start().unwrap();
    begin(site!(Put())).end();
    assert_eq!(session.finish().events, 1);
}

#[test]
fn a_finished_lane_takes_no_more_room_than_it_needs() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let session = Session::builder().directory(directory.path()).start().unwrap();
    begin(site!(Put())).end();
    thread::spawn(|| begin(site!(Put())).end()).join().unwrap();
    drop(session);
    for lane in ["00000.lane", "00001.lane"] {
        let len = fs::metadata(directory.path().join(lane)).unwrap().len();
        assert!(len < 8192 + 1024, "{lane} has {len} bytes");
    }
}
