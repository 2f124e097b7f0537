//! Many threads, at once and one after the other.

mod support;

use std::sync::{Arc, Barrier};
use std::thread::{self, Builder};

use omnilink_runtime::{Session, begin};
use support::program::{Program, report};
use support::reading::read;
use support::{record, record_with};

fn put(thread: u64, n: u64) {
    let mut op = begin(site!(Put(thread, n)));
    op.set("thread", &thread);
    op.set("n", &n);
    op.end();
}

fn puts(thread: u64, calls: u64) -> Vec<String> {
    (0..calls).map(|n| format!("Put(thread={thread}, n={n})")).collect()
}

#[test]
fn a_thousand_threads_at_once() {
    const THREADS: usize = 1000;
    let (summary, recorded) = record_with(Session::builder(), || {
        let all_there = Arc::new(Barrier::new(THREADS));
        let spawn = |thread: usize| {
            let all_there = Arc::clone(&all_there);
            let body = move || {
                put(thread as u64, 0);
                all_there.wait();
                put(thread as u64, 1);
            };
            Builder::new().stack_size(64 * 1024).spawn(body).unwrap()
        };
        let threads: Vec<_> = (0..THREADS).map(spawn).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    assert_eq!((summary.events, summary.lanes), (2 * THREADS as u64, THREADS as u32));
    assert!(recorded.trace.complete());
    let mut calls: Vec<_> = recorded.lanes.into_iter().map(|lane| lane.calls).collect();
    let mut expected: Vec<_> = (0..THREADS as u64).map(|thread| puts(thread, 2)).collect();
    calls.sort();
    expected.sort();
    assert_eq!(calls, expected);
}

#[test]
fn two_thousand_threads_one_after_the_other() {
    const THREADS: u64 = 2000;
    let program = Program::new(|shared| {
        let session = Session::builder().directory(shared.join("run")).start().unwrap();
        let mappings = || std::fs::read_to_string("/proc/self/maps").unwrap().lines().count();
        let descriptors = || std::fs::read_dir("/proc/self/fd").unwrap().count();
        thread::spawn(|| put(0, 0)).join().unwrap();
        let before = (mappings(), descriptors());
        for thread in 1..THREADS {
            thread::spawn(move || put(thread, 0)).join().unwrap();
        }
        report("mappings", mappings().saturating_sub(before.0));
        report("descriptors", descriptors().saturating_sub(before.1));
        assert_eq!(session.finish().events, THREADS);
        0
    });
    let ended = program.run();
    ended.expect_code(0);
    assert!(ended.report::<usize>("mappings") < 100, "every thread gives back what it had mapped");
    assert!(ended.report::<usize>("descriptors") < 10);
    let recorded = read(&ended.shared().join("run"));
    assert_eq!(recorded.calls(), (0..THREADS).map(|thread| format!("Put(thread={thread}, n=0)")).collect::<Vec<_>>());
}

#[test]
fn threads_that_end_while_their_lanes_grow() {
    const ROUNDS: u64 = 2;
    const THREADS: u64 = 24;
    // More than the first window has room for, so that the next is on order or just arriving when the thread ends.
    const CALLS: u64 = 2500;
    let recorded = record(|| {
        for round in 0..ROUNDS {
            thread::scope(|scope| {
                for thread in 0..THREADS {
                    scope.spawn(move || (0..CALLS - 50 * thread).for_each(|n| put(round * THREADS + thread, n)));
                }
            });
        }
    });
    assert!(recorded.trace.complete());
    assert_eq!(recorded.lanes.len() as u64, ROUNDS * THREADS);
    let mut lanes: Vec<_> = recorded.lanes.iter().map(|lane| (lane.events.len() as u64, &lane.calls)).collect();
    lanes.sort();
    let mut expected: Vec<_> =
        (0..ROUNDS * THREADS).map(|thread| puts(thread, CALLS - 50 * (thread % THREADS))).collect();
    expected.sort_by_key(|calls| (calls.len(), calls.clone()));
    for ((_, calls), expected) in lanes.into_iter().zip(&expected) {
        assert_eq!(calls, expected);
    }
}

#[test]
fn threads_that_outlive_main() {
    let program = Program::new(|shared| {
        let session = Session::builder().directory(shared.join("run")).start().unwrap();
        let (begun, has_begun) = std::sync::mpsc::channel();
        for thread in 0..4 {
            let begun = begun.clone();
            thread::spawn(move || {
                for n in 0.. {
                    put(thread, n);
                    if n == 1000 {
                        begun.send(()).unwrap();
                    }
                }
            });
        }
        has_begun.into_iter().take(4).for_each(drop);
        // The session goes on to the very end, as with one that the environment has started.
        std::mem::forget(session);
        9
    });
    let ended = program.run();
    ended.expect_code(9);
    assert_eq!(ended.messages(), [""; 0]);
    let recorded = read(&ended.shared().join("run"));
    assert!(recorded.trace.complete());
    assert_eq!(recorded.lanes.len(), 4);
    for lane in &recorded.lanes {
        let events = &lane.events;
        assert!(events.len() > 1000);
        let pending = events.iter().filter(|event| event.timebox.end.is_none()).count();
        assert!(pending == 0 || (pending == 1 && events.last().unwrap().timebox.end.is_none()));
    }
    assert!(recorded.trace.run().end.is_some());
}

#[test]
fn threads_that_outlive_their_session() {
    let program = Program::new(|shared| {
        let session = Session::builder().directory(shared.join("run")).start().unwrap();
        let (begun, has_begun) = std::sync::mpsc::channel();
        for thread in 0..4 {
            let begun = begun.clone();
            thread::spawn(move || {
                (0..1000).for_each(|n| put(thread, n));
                begun.send(()).unwrap();
                for n in 1000.. {
                    put(thread, n);
                }
            });
        }
        has_begun.into_iter().take(4).for_each(drop);
        let summary = session.finish();
        report("events", summary.events);
        9
    });
    let ended = program.run();
    ended.expect_code(9);
    let recorded = read(&ended.shared().join("run"));
    assert!(recorded.trace.complete());
    let done = recorded.events().iter().filter(|event| event.timebox.end.is_some()).count() as u64;
    let counted: u64 = ended.report("events");
    assert!(counted <= done && done <= counted + 4, "{counted} {done}: at most the calls that were just ending");
}
