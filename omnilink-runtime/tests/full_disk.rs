//! When the trace cannot grow any more, recording stops for all threads, once and with a message; the program goes on, and what
//! was recorded is readable.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;

use omnilink_runtime::{Session, StopReason as Stopped, begin};
use omnilink_trace::{LaneEnd, StopReason};
use support::program::{Ended, Program, report};
use support::reading::read;

/// The exit code of the program under test, which recording must not change.
const CODE: i32 = 7;
/// More calls than any of the limits here has room for.
const CALLS: u64 = 1_000_000;

fn run_directory(shared: &Path) -> PathBuf {
    shared.join("run")
}

/// Records on two threads: one has a call in flight all the time, one records until `limit`, which comes into force when both have
/// begun, stops it.
fn record_until_it_stops(directory: &Path, limit: impl FnOnce()) -> Session {
    let session = Session::builder().directory(directory).start().unwrap();
    let (begun, has_begun) = mpsc::channel();
    let (stopped, has_stopped) = mpsc::channel::<()>();
    let waiting = thread::spawn(move || {
        let mut op = begin(site!(Wait(n)));
        op.set("n", &1);
        begun.send(()).unwrap();
        has_stopped.recv().unwrap();
        op.set("n", &2);
        op.end();
        assert!(!begin(site!(Wait(n))).is_recording());
    });
    has_begun.recv().unwrap();
    begin(site!(First())).end();
    limit();
    let ended = (0..CALLS).take_while(|n| {
        let mut op = begin(site!(Put(n, text)));
        op.set("n", n);
        op.set("text", "some text that takes room");
        let recording = op.is_recording();
        op.end();
        recording
    });
    // The last of them could not be written: it began, and did not end.
    report("ended", ended.count() - 1);
    stopped.send(()).unwrap();
    waiting.join().unwrap();
    session
}

/// Checks what a program left that did [`record_until_it_stops`].
fn check(ended: &Ended, directory: &Path, reason: StopReason, said: &str) {
    ended.expect_code(CODE);
    let messages = ended.messages();
    assert!(messages.len() == 1 && messages[0].contains(said), "{messages:?}");
    let recorded = read(directory);
    assert!(!recorded.trace.complete());
    for lane in &recorded.lanes {
        assert!(matches!(lane.end, LaneEnd::Stopped { reason: why, .. } if why == reason), "{lane:?}");
    }
    assert_eq!(recorded.lanes[0].calls, ["Wait(n=1) Pending"]);
    let (last, before) = recorded.lanes[1].calls.split_last().unwrap();
    let calls: usize = ended.report("ended");
    assert_eq!(before.len(), 1 + calls);
    assert!(calls > 0);
    let call = |n: usize| format!("Put(n={n}, text=\"some text that takes room\")");
    for (n, found) in before[1..].iter().enumerate() {
        assert_eq!(*found, call(n));
    }
    assert_eq!(*last, format!("{} Pending", call(calls)));
    let stop = recorded.trace.earliest_stop().unwrap();
    assert!(recorded.events().iter().all(|event| event.timebox.start <= stop), "calls in flight began before the stop");
}

fn limit(resource: libc::__rlimit_resource_t, bytes: u64) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: plain system call.
    assert_eq!(unsafe { libc::setrlimit(resource, &limit) }, 0);
}

#[test]
fn a_limit_on_the_size_of_files() {
    let program = Program::new(|shared| {
        let session = record_until_it_stops(&run_directory(shared), || limit(libc::RLIMIT_FSIZE, 300_000));
        assert_eq!(session.finish().stopped, Some(Stopped::NoSpace));
        CODE
    });
    let ended = program.run();
    check(&ended, &run_directory(ended.shared()), StopReason::NoSpace, "no space");
}

#[test]
fn a_limit_on_the_size_of_files_without_helper_threads() {
    let program = Program::new(|shared| {
        let session = record_until_it_stops(&run_directory(shared), || limit(libc::RLIMIT_FSIZE, 300_000));
        assert_eq!(session.finish().stopped, Some(Stopped::NoSpace));
        CODE
    });
    let ended = program.env("OMNILINK_HELPER_THREADS", "0").run();
    check(&ended, &run_directory(ended.shared()), StopReason::NoSpace, "no space");
}

/// A command that gives what it runs mounts of its own, if this machine and user allow that.
fn with_own_mounts() -> Option<&'static [&'static str]> {
    let candidates: [&[&str]; 2] = [&["unshare", "-m"], &["unshare", "-rm"]];
    let works = |command: &&&[&str]| {
        let mount = "mount -t tmpfs -o size=1m tmpfs /mnt";
        let output = Command::new(command[0]).args(&command[1..]).args(["sh", "-c", mount]).output();
        output.is_ok_and(|output| output.status.success())
    };
    candidates.iter().find(works).copied()
}

#[test]
fn a_full_disk() {
    let program = Program::new(|shared| {
        let disk = shared.join("disk");
        std::fs::create_dir(&disk).unwrap();
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(&disk).status();
        assert!(mount.unwrap().success());
        let session = record_until_it_stops(&run_directory(&disk), || {});
        assert_eq!(session.finish().stopped, Some(Stopped::NoSpace));
        // The mount goes with this process; the test reads a copy.
        std::fs::create_dir(run_directory(shared)).unwrap();
        for file in support::files(&run_directory(&disk)) {
            std::fs::copy(run_directory(&disk).join(&file), run_directory(shared).join(&file)).unwrap();
        }
        CODE
    });
    let Some(wrapper) = with_own_mounts() else {
        println!("skipped: this user can mount nothing, not even in a mount namespace of its own (unshare -rm)");
        return;
    };
    let ended = program.inside(wrapper).run();
    check(&ended, &run_directory(ended.shared()), StopReason::NoSpace, "no space");
}

#[test]
fn no_address_space() {
    let program = Program::new(|shared| {
        let session = record_until_it_stops(&run_directory(shared), || {
            let sizes = std::fs::read_to_string("/proc/self/statm").unwrap();
            let pages: u64 = sizes.split(' ').next().unwrap().parse().unwrap();
            limit(libc::RLIMIT_AS, pages * 4096 + 700_000);
        });
        assert_eq!(session.finish().stopped, Some(Stopped::MappingFailed));
        CODE
    });
    let ended = program.run();
    check(&ended, &run_directory(ended.shared()), StopReason::MappingFailed, "cannot map");
}

#[test]
fn the_directory_is_removed() {
    let program = Program::new(|shared| {
        let directory = run_directory(shared);
        let session = record_until_it_stops(&directory, || {
            std::fs::rename(&directory, shared.join("elsewhere")).unwrap();
        });
        assert_eq!(session.finish().stopped, Some(Stopped::InputOutput));
        CODE
    });
    let ended = program.run();
    ended.expect_code(CODE);
    check(&ended, &ended.shared().join("elsewhere"), StopReason::InputOutput, "cannot write");
}

#[test]
fn a_thread_that_gets_no_lane_makes_the_run_incomplete() {
    let program = Program::new(|shared| {
        let session = Session::builder().directory(run_directory(shared)).start().unwrap();
        thread::spawn(|| begin(site!(Recorded())).end()).join().unwrap();
        limit(libc::RLIMIT_FSIZE, 4096);
        thread::spawn(|| assert!(!begin(site!(Lost())).is_recording())).join().unwrap();
        assert_eq!(session.finish().stopped, Some(Stopped::NoSpace));
        CODE
    });
    let ended = program.run();
    ended.expect_code(CODE);
    let recorded = read(&run_directory(ended.shared()));
    assert_eq!(recorded.calls(), ["Recorded()"]);
    assert!(!recorded.trace.complete(), "a call is missing, and the trace must say so");
}

#[test]
fn a_limit_that_is_too_small_for_anything_is_an_error_at_the_start() {
    let program = Program::new(|shared| {
        limit(libc::RLIMIT_FSIZE, 0);
        let started = Session::builder().directory(run_directory(shared)).start();
        report("error", started.unwrap_err());
        CODE
    });
    let ended = program.run();
    ended.expect_code(CODE);
    assert!(ended.report::<String>("error").contains("cannot record into"));
    assert_eq!(
        support::files(&run_directory(ended.shared())),
        [""; 0],
        "another attempt would find the place occupied"
    );
}
