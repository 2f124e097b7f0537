//! Children that are forked without exec are not recorded, and leave their parent's trace alone.

mod support;

use std::path::{Path, PathBuf};

use omnilink_runtime::{Session, begin, current, enter_async, open_lane, terminate};
use support::program::{Program, report};
use support::reading::read;

fn run_directory(shared: &Path) -> PathBuf {
    shared.join("run")
}

/// Forks; the child does `body` and exits immediately with the code that it returns, which this returns in the parent.
fn in_child(body: impl FnOnce() -> i32) -> i32 {
    // SAFETY: the child uses what another thread might have locked only through `body`, where that is what is tested.
    match unsafe { libc::fork() } {
        -1 => panic!("cannot fork"),
        0 => {
            let code = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)).unwrap_or(101);
            // SAFETY: ends the child.
            unsafe { libc::_exit(code) }
        }
        child => wait(child),
    }
}

/// The exit code of a child, -1 if it did not exit.
fn wait(child: libc::pid_t) -> i32 {
    let mut status = 0;
    // SAFETY: `status` is valid for the write.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -1 }
}

#[test]
fn a_child_is_not_recorded_and_says_so() {
    let program = Program::new(|shared| {
        let session = Session::builder().directory(run_directory(shared)).start().unwrap();
        begin(site!(Before())).end();
        let code = in_child(|| {
            for _ in 0..10_000 {
                let mut op = begin(site!(InChild(n)));
                op.set("n", &1);
                op.end();
            }
            open_lane("child");
            terminate(|meta| meta.set("who", "child"));
            enter_async(site!(InChild(n))).end();
            std::thread::spawn(|| begin(site!(InChild(n))).end()).join().unwrap();
            i32::from(begin(site!(InChild(n))).is_recording())
        });
        assert_eq!(code, 0);
        begin(site!(After())).end();
        assert_eq!(session.finish().events, 2);
        0
    });
    let ended = program.run();
    ended.expect_code(0);
    let messages = ended.messages();
    assert!(messages.len() == 1 && messages[0].contains("is not recorded"), "{messages:?}");
    let recorded = read(&run_directory(ended.shared()));
    assert_eq!(recorded.calls(), ["Before()", "After()"]);
    assert_eq!(recorded.trace.run().unrecorded_forks, 1);
    assert!(recorded.notices()[0].contains("forked without exec"), "{:?}", recorded.notices());
    assert_eq!(support::files(&run_directory(ended.shared())), ["00000.lane", "run.json"]);
}

#[test]
fn a_child_that_performs_no_action_is_of_no_interest() {
    let program = Program::new(|shared| {
        let session = Session::builder().directory(run_directory(shared)).start().unwrap();
        begin(site!(Before())).end();
        assert_eq!(in_child(|| 3), 3);
        session.finish();
        0
    });
    let ended = program.run();
    ended.expect_code(0);
    assert_eq!(ended.messages(), [""; 0]);
    assert_eq!(read(&run_directory(ended.shared())).trace.run().unrecorded_forks, 0);
}

#[test]
fn a_call_that_is_open_when_the_process_forks_belongs_to_the_parent() {
    let program = Program::new(|shared| {
        let session = Session::builder().directory(run_directory(shared)).start().unwrap();
        let mut waiting = enter_async(site!(Waiting(n)));
        waiting.start();
        let mut op = begin(site!(Open(n)));
        op.set("n", &1);
        let mut op = Some(op);
        let mut waiting = Some(waiting);
        let code = in_child(|| {
            let mut op = op.take().unwrap();
            op.set("n", &2);
            op.set("n", "a longer value, which would be seen in the parent's slot");
            op.meta("who", "child");
            op.abort("by the child");
            op.refine_start();
            current::meta("who", "child");
            current::refine_end();
            op.returned();
            op.end();
            drop(waiting.take());
            begin(site!(InChild(n))).end();
            0
        });
        assert_eq!(code, 0);
        op.take().unwrap().end();
        let mut waiting = waiting.take().unwrap();
        waiting.set("n", &3);
        waiting.end();
        begin(site!(After())).end();
        session.finish();
        0
    });
    let ended = program.run();
    ended.expect_code(0);
    let recorded = read(&run_directory(ended.shared()));
    assert_eq!(recorded.calls(), ["Waiting(n=3)", "Open(n=1)", "After()"]);
}

#[test]
fn a_call_that_is_open_when_the_process_forks_stays_pending_when_the_parent_dies() {
    let program = Program::new(|shared| {
        let _session = Session::builder().directory(run_directory(shared)).start().unwrap();
        let mut op = begin(site!(Open(n)));
        op.set("n", &1);
        // SAFETY: the child ends the call and exits; the parent waits for it.
        let child = unsafe { libc::fork() };
        if child == 0 {
            op.set("n", &2);
            op.end();
            // SAFETY: ends the child.
            unsafe { libc::_exit(0) };
        }
        assert_eq!(wait(child), 0);
        // SAFETY: ends the parent without any clean-up.
        unsafe { libc::_exit(4) }
    });
    let ended = program.run();
    ended.expect_code(4);
    assert_eq!(read(&run_directory(ended.shared())).calls(), ["Open(n=1) Pending"]);
}

#[test]
fn a_child_that_finishes_its_copy_of_the_session_leaves_the_run_alone() {
    let program = Program::new(|shared| {
        let session = Session::builder().directory(run_directory(shared)).start().unwrap();
        begin(site!(Before())).end();
        let mut session = Some(session);
        assert_eq!(in_child(|| session.take().map_or(1, |session| session.finish().events as i32 - 1)), 0);
        let run = std::fs::read_to_string(run_directory(shared).join("run.json")).unwrap();
        let end = run.lines().find(|line| line.contains("\"end\""));
        report("end", end.unwrap().trim());
        begin(site!(After())).end();
        drop(session);
        0
    });
    let ended = program.run();
    ended.expect_code(0);
    assert_eq!(ended.report::<String>("end"), "\"end\": null,", "the parent had not finished");
    let recorded = read(&run_directory(ended.shared()));
    assert_eq!(recorded.calls(), ["Before()", "After()"]);
    assert!(recorded.trace.run().end.is_some());
}

#[test]
fn a_child_that_exits_normally_leaves_the_run_alone() {
    let program = Program::new(|shared| {
        let _session = Session::builder().directory(run_directory(shared)).start().unwrap();
        begin(site!(Before())).end();
        // SAFETY: the child exits with all its handlers; the parent waits for it.
        let child = unsafe { libc::fork() };
        if child == 0 {
            std::process::exit(5);
        }
        assert_eq!(wait(child), 5);
        // SAFETY: ends the parent without any clean-up.
        unsafe { libc::_exit(4) }
    });
    let ended = program.run();
    ended.expect_code(4);
    let recorded = read(&run_directory(ended.shared()));
    assert_eq!(recorded.calls(), ["Before()"]);
    assert_eq!(recorded.trace.run().end, None);
}

#[test]
fn a_child_can_record_into_a_directory_of_its_own() {
    let program = Program::new(|shared| {
        let session = Session::builder().directory(run_directory(shared)).start().unwrap();
        begin(site!(Before())).end();
        let code = in_child(|| {
            let session = Session::builder().directory(shared.join("child")).start().unwrap();
            begin(site!(InChild())).end();
            std::thread::spawn(|| begin(site!(InThreadOfChild())).end()).join().unwrap();
            let summary = session.finish();
            i32::from((summary.events, summary.lanes) != (2, 2))
        });
        assert_eq!(code, 0);
        begin(site!(After())).end();
        session.finish();
        0
    });
    let ended = program.run();
    ended.expect_code(0);
    assert_eq!(ended.messages(), [""; 0]);
    let parent = read(&run_directory(ended.shared()));
    assert_eq!(parent.calls(), ["Before()", "After()"]);
    assert_eq!(parent.trace.run().unrecorded_forks, 0);
    let child = read(&ended.shared().join("child"));
    assert_eq!(child.calls(), ["InChild()", "InThreadOfChild()"]);
    assert_ne!(child.trace.run().pid, parent.trace.run().pid);
}

#[test]
fn children_forked_while_threads_record_do_no_harm() {
    const THREADS: u64 = 3;
    const CALLS: u64 = 3000;
    let program = Program::new(|shared| {
        let session = Session::builder().directory(run_directory(shared)).start().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for n in 0..CALLS {
                        let mut op = begin(site!(Put(n)));
                        op.set("n", &n);
                        op.end();
                    }
                });
            }
            for _ in 0..20 {
                assert_eq!(in_child(|| i32::from(begin(site!(InChild())).is_recording())), 0);
            }
        });
        assert_eq!(session.finish().events, THREADS * CALLS);
        0
    });
    let ended = program.run();
    ended.expect_code(0);
    let recorded = read(&run_directory(ended.shared()));
    for lane in &recorded.lanes {
        let expected: Vec<_> = (0..CALLS).map(|n| format!("Put(n={n})")).collect();
        assert_eq!(lane.calls, expected);
    }
    assert_eq!(recorded.trace.run().unrecorded_forks, 20);
}

#[test]
fn an_executed_child_does_not_touch_the_run_of_its_parent() {
    let program = Program::new(|shared| {
        if std::env::var_os("OMNILINK_TEST_EXECUTED").is_some() {
            assert!(!begin(site!(InChild())).is_recording(), "the directory is its parent's");
            return 6;
        }
        begin(site!(Before())).end();
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        let child = command.args(std::env::args_os().skip(1)).env("OMNILINK_TEST_EXECUTED", shared).status().unwrap();
        assert_eq!(child.code(), Some(6));
        begin(site!(After())).end();
        0
    });
    let directory = run_directory(program.shared());
    let ended = program.env("OMNILINK_TRACE_DIR", &directory).run();
    ended.expect_code(0);
    let messages = ended.messages();
    assert!(messages.len() == 1 && messages[0].contains("holds another run"), "{messages:?}");
    let recorded = read(&directory);
    assert_eq!(recorded.calls(), ["Before()", "After()"]);
    assert_eq!(recorded.trace.run().unrecorded_forks, 0);
    assert!(recorded.trace.run().end.is_some());
}
