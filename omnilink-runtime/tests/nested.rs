//! Calls inside calls.

mod support;

use omnilink_runtime::{Nested, Session, begin, current, enter_async};
use support::{record, record_with};

fn both() -> omnilink_runtime::SessionBuilder {
    Session::builder().nested(Nested::Both)
}

/// A call inside a call inside a call.
fn three_deep() {
    let mut outer = begin(site!(Outer(n)));
    outer.set("n", &1);
    {
        let mut middle = begin(site!(Middle(n)));
        middle.set("n", &2);
        let mut inner = begin(site!(Inner(n)));
        inner.set("n", &3);
        inner.end();
        middle.end();
    }
    outer.end();
}

#[test]
fn the_outermost_call_is_recorded() {
    let recorded = record(|| {
        three_deep();
        begin(site!(Inner(n))).end();
    });
    assert_eq!(recorded.calls(), ["Outer(n=1)", "Inner(n=?)"]);
    assert_eq!(recorded.lanes.len(), 1);
}

#[test]
fn an_inner_call_that_is_not_recorded_cannot_change_the_outer_one() {
    let recorded = record(|| {
        let mut outer = begin(site!(Outer(n)));
        let mut inner = begin(site!(Inner(n)));
        assert!(!inner.is_recording());
        inner.set("no such parameter", &1);
        inner.choose(7);
        inner.abort("not the outer one");
        inner.meta("who", "inner");
        inner.call(|| current::meta("who", "below both"));
        drop(inner);
        outer.set("n", &1);
        outer.end();
    });
    assert_eq!(recorded.calls(), [r#"Outer(n=1) who="below both""#]);
}

#[test]
fn both_calls_are_recorded_on_request_each_on_a_lane_of_its_own() {
    let (summary, recorded) = record_with(both(), || (0..100).for_each(|_| three_deep()));
    assert_eq!((summary.events, summary.lanes), (300, 3));
    let mut lanes: Vec<_> = recorded.lanes.iter().map(|lane| lane.calls.clone()).collect();
    lanes.iter_mut().for_each(|calls| calls.dedup());
    assert_eq!(lanes[0], ["Outer(n=1)"]);
    assert_eq!(lanes[1..].concat().iter().filter(|call| call.starts_with("Outer")).count(), 0);
    for two in recorded.lanes[0].events.windows(2) {
        assert!(two[0].timebox.end.unwrap() - recorded.trace.run().clock.widening() <= two[1].timebox.start);
    }
}

#[test]
fn what_is_said_of_the_current_call_is_said_of_the_innermost() {
    let (_, recorded) = record_with(both(), || {
        let outer = begin(site!(Outer()));
        let inner = begin(site!(Inner()));
        current::meta("who", "inner");
        inner.end();
        current::meta("who", "outer");
        outer.end();
    });
    assert_eq!(recorded.calls(), [r#"Outer() who="outer""#, r#"Inner() who="inner""#]);
}

#[test]
fn calls_may_end_out_of_order() {
    let (_, recorded) = record_with(both(), || {
        let outer = begin(site!(Outer()));
        let middle = begin(site!(Middle()));
        let inner = begin(site!(Inner()));
        outer.end();
        inner.end();
        current::meta("who", "middle");
        middle.end();
        begin(site!(After())).end();
    });
    let calls = recorded.calls();
    assert!(calls.contains(&r#"Middle() who="middle""#), "{calls:?}");
    assert_eq!(recorded.lanes[0].calls, ["Outer()", "After()"], "the thread has its own lane again");
}

#[test]
fn a_thread_whose_calls_ended_out_of_order_can_be_recorded_again() {
    for _ in 0..2 {
        let (_, recorded) = record_with(both(), || {
            let outer = begin(site!(Outer()));
            let inner = begin(site!(Inner()));
            outer.end();
            inner.end();
            begin(site!(After())).end();
        });
        assert_eq!(recorded.lanes[0].calls, ["Outer()", "After()"]);
    }
}

#[test]
fn an_asynchronous_call_inside_a_call_is_inner() {
    let recorded = record(|| {
        let outer = begin(site!(Outer()));
        assert!(!enter_async(site!(Inner())).is_recording());
        outer.end();
    });
    assert_eq!(recorded.calls(), ["Outer()"]);
}
