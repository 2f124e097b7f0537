//! A run can be read while it is being recorded: every look shows a consistent prefix.

mod support;

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use omnilink_runtime::{Session, begin, open_lane};
use omnilink_trace::{Trace, TraceError};
use support::alone;
use support::reading::{Recorded, read};

const THREADS: usize = 2;
/// Runs; a look takes about as long as one of them, so each is seen once or a few times on its way.
const RUNS: usize = 15;
/// Lanes that a thread records to in a run, one after the other, each as a thread of its own.
const SHIFTS: u64 = 3;
/// Calls on one lane.
const SHIFT: u64 = 1500;

fn call(thread: usize, n: u64) -> String {
    format!("Put(n={n}, text=\"{thread}:{n}\", result={})", n + 1)
}

/// Checks that the lanes show what the threads have done, up to some moment, and that nothing is missing that was over before.
fn check(recorded: &Recorded, surely_ended: &[u64; THREADS]) {
    for (thread, &surely_ended) in surely_ended.iter().enumerate() {
        let mut seen = 0;
        let mut shifts: Vec<_> =
            recorded.lanes.iter().filter(|lane| lane.name.starts_with(&format!("{thread}."))).collect();
        shifts.sort_by_key(|lane| lane.name[2..].parse::<u64>().unwrap());
        for lane in shifts {
            assert_eq!(lane.name, format!("{thread}.{}", seen / SHIFT), "the lanes before are whole");
            for found in &lane.calls {
                let pending = found.ends_with(" Pending");
                if !pending {
                    assert_eq!(*found, call(thread, seen));
                    seen += 1;
                    continue;
                }
                let known = found.starts_with(&format!("Put(n={seen}, ")) || found.starts_with("Put(n=?, ");
                assert!(known && std::ptr::eq(found, lane.calls.last().unwrap()), "{found} after {seen} calls");
            }
        }
        assert!(seen >= surely_ended, "thread {thread} had ended {surely_ended} calls, {seen} are there");
    }
    if recorded.trace.complete() {
        return;
    }
    // Else lanes say up to when they are complete: what they have of others is not to be compared beyond that.
    assert!(recorded.notices().iter().any(|notice| notice.contains("being recorded")), "{:?}", recorded.notices());
}

/// What one of the threads does in a run.
fn work(thread: usize, ended: &AtomicU64) {
    for shift in 0..SHIFTS {
        let record = move || {
            open_lane(&format!("{thread}.{shift}"));
            for n in shift * SHIFT..(shift + 1) * SHIFT {
                let mut op = begin(site!(Put(n, text, result)));
                op.set("n", &n);
                op.set("text", &format!("{thread}:{n}"));
                op.set("result", &(n + 1));
                op.end();
                ended.store(n + 1, Ordering::Release);
            }
        };
        thread::scope(|scope| scope.spawn(record).join().unwrap());
    }
}

#[test]
fn every_look_shows_a_consistent_prefix() {
    let _alone = alone();
    let mut looks_in_the_middle = 0;
    for _ in 0..RUNS {
        let directory = tempfile::tempdir().unwrap();
        let session = Session::builder().directory(directory.path()).start().unwrap();
        let ended: [AtomicU64; THREADS] = Default::default();
        let surely_ended = || ended.each_ref().map(|ended| ended.load(Ordering::Acquire));
        thread::scope(|scope| {
            let threads: Vec<_> =
                ended.iter().enumerate().map(|(thread, ended)| scope.spawn(move || work(thread, ended))).collect();
            while threads.iter().any(|thread| !thread.is_finished()) {
                let before = surely_ended();
                match Trace::open(directory.path()) {
                    Err(TraceError::EmptyRun { .. }) => continue,
                    Err(error) => panic!("{error}"),
                    Ok(_) => {}
                }
                check(&read(directory.path()), &before);
                looks_in_the_middle += 1;
            }
        });
        assert_eq!(session.finish().events, THREADS as u64 * SHIFTS * SHIFT);
        let recorded = read(directory.path());
        check(&recorded, &[SHIFTS * SHIFT; THREADS]);
        assert!(recorded.trace.complete());
        assert_eq!(recorded.calls().len() as u64, THREADS as u64 * SHIFTS * SHIFT);
    }
    assert!(looks_in_the_middle > 0, "the runs were over before anybody looked");
}
