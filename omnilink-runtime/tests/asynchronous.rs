//! Calls that wait, move between threads, and overlap on one thread.

mod support;

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::thread;

use omnilink_runtime::{AsyncOp, Session, begin, current, enter_async};
use omnilink_trace::Outcome;
use support::{record, record_with};

fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Waits until it is polled again.
async fn pause() {
    let mut polled = false;
    poll_fn(|_| if std::mem::replace(&mut polled, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

fn started(n: u32) -> AsyncOp {
    let mut op = enter_async(site!(Wait(n)));
    op.start();
    op.set("n", &n);
    op
}

#[test]
fn a_call_may_move_to_another_thread_while_it_waits() {
    let recorded = record(|| {
        let mut future: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(async {
            let mut op = started(1);
            op.call(async {
                current::meta("first", "poll");
                pause().await;
                current::meta("second", "poll");
            })
            .await;
            op.end();
        });
        assert!(poll(future.as_mut()).is_pending());
        current::meta("nobody", "is open here");
        thread::spawn(move || assert!(poll(future.as_mut()).is_ready())).join().unwrap();
    });
    assert_eq!(recorded.calls(), [r#"Wait(n=1) first="poll" second="poll""#]);
}

#[test]
fn there_are_as_many_lanes_as_calls_overlap() {
    let (summary, recorded) = record_with(Session::builder(), || {
        for round in 0..50 {
            let mut open: Vec<_> = (0..4).map(started).collect();
            if round % 2 == 0 {
                open.reverse();
            }
            open.into_iter().for_each(AsyncOp::end);
        }
    });
    assert_eq!((summary.events, summary.lanes), (200, 4));
    assert_eq!(recorded.lanes.len(), 4);
}

#[test]
fn lanes_go_from_thread_to_thread() {
    let (summary, _) = record_with(Session::builder(), || {
        for _ in 0..20 {
            let op = started(1);
            thread::spawn(move || {
                op.end();
                started(2).end();
            })
            .join()
            .unwrap();
        }
    });
    assert_eq!((summary.events, summary.lanes), (40, 1));
}

#[test]
fn many_threads_share_the_lanes() {
    const THREADS: u32 = 8;
    const CALLS: u32 = 500;
    let (summary, recorded) = record_with(Session::builder(), || {
        thread::scope(|scope| {
            for thread in 0..THREADS {
                scope.spawn(move || {
                    for n in 0..CALLS {
                        let op = started(thread * CALLS + n);
                        thread::yield_now();
                        op.end();
                    }
                });
            }
        });
    });
    assert_eq!(summary.events, u64::from(THREADS * CALLS));
    assert!(summary.lanes <= THREADS, "{summary:?}");
    let mut calls: Vec<_> = recorded.calls().into_iter().map(str::to_owned).collect();
    let mut expected: Vec<_> = (0..THREADS * CALLS).map(|n| format!("Wait(n={n})")).collect();
    calls.sort();
    expected.sort();
    assert_eq!(calls, expected);
}

#[test]
fn a_future_that_is_dropped_leaves_its_call_indeterminate() {
    let recorded = record(|| {
        let mut future = Box::pin(async {
            let mut op = started(1);
            op.call(pause()).await;
            op.end();
        });
        assert!(poll(future.as_mut()).is_pending());
        drop(future);
        started(2).end();
    });
    assert_eq!(
        recorded.calls(),
        [r#"Wait(n=1) Indeterminate omnilink.dropped="dropped before it ended""#, "Wait(n=2)"]
    );
    assert_eq!(recorded.lanes.len(), 1);
}

#[test]
fn a_panic_of_the_body_goes_on_and_leaves_the_call_indeterminate() {
    let recorded = record(|| {
        let mut future = Box::pin(async {
            let mut op = started(1);
            op.call(async {
                pause().await;
                panic!("in the second poll");
            })
            .await;
            op.end();
        });
        assert!(poll(future.as_mut()).is_pending());
        assert!(catch_unwind(AssertUnwindSafe(|| poll(future.as_mut()))).is_err());
        begin(site!(After())).end();
    });
    assert_eq!(recorded.calls(), [r#"Wait(n=1) Indeterminate omnilink.panic="in the second poll""#, "After()"]);
}

#[test]
fn a_discarded_call_gives_its_lane_back() {
    let (summary, recorded) = record_with(Session::builder(), || {
        started(1).discard();
        enter_async(site!(Wait(n))).discard();
        drop(enter_async(site!(Wait(n))));
        started(2).end();
    });
    assert_eq!((summary.events, summary.lanes), (1, 1));
    assert_eq!(recorded.calls(), ["Wait(n=2)"]);
}

#[test]
fn a_call_inside_the_body_is_inner_and_one_beside_it_is_not() {
    let recorded = record(|| {
        let mut op = started(1);
        let mut future = pin!(op.call(async {
            assert!(!begin(site!(Inner())).is_recording());
            pause().await;
        }));
        assert!(poll(future.as_mut()).is_pending());
        begin(site!(Beside())).end();
        assert!(poll(future.as_mut()).is_ready());
    });
    let events = recorded.events();
    assert_eq!(events.len(), 2);
    assert_eq!(recorded.calls()[1], "Beside()");
    assert_eq!(events[0].outcome, Outcome::Indeterminate, "the call was dropped without end");
}

#[test]
fn a_call_that_ends_inside_a_poll_which_it_encloses_does_not_confuse_its_thread() {
    let recorded = record(|| {
        let mut op = started(1);
        let outer = begin(site!(Outer()));
        assert!(poll(pin!(op.call(async move { outer.end() }))).is_ready());
        op.end();
        begin(site!(After())).end();
    });
    assert_eq!(recorded.calls(), ["Wait(n=1)", "Outer()", "After()"]);
}
