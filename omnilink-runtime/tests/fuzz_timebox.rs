//! `Context::call` narrows the timebox to the calls, and to no less; `Context::moment` to nothing.

mod fuzz_support;

use fuzz_support::alone;
use omnilink_runtime::clock::{Clock, ClockKind, Fences};
use omnilink_runtime::fuzz::{Context, Fuzz};
use omnilink_trace::{Event, Record, Trace, Value};

fn clock() -> Clock {
    Clock { kind: ClockKind::detect(), fences: Fences::Full }
}

/// Performs two calls of the system, the second being `second`, and notes when what happened.
fn two_calls(cx: &mut Context<'_, (), ()>, second: fn()) {
    cx.op.meta("before", &clock().end());
    cx.call(|(), ()| ());
    let first = clock().start();
    cx.op.meta("first", &first);
    cx.op.meta("last", &clock().end());
    cx.call(|(), ()| second());
    cx.op.meta("after", &clock().start());
}

/// The only event of a run that does `perform`, and by how much readers widen boxes.
fn event_of(perform: fn(&mut Context<'_, (), ()>)) -> (Event, u64) {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let fuzz = Fuzz::<()>::new("Boxes").action("Act", &[], move |cx| {
        perform(cx);
        Ok(())
    });
    fuzz.threads(1).operations(1).trace_directory(directory.path()).run(&()).unwrap();
    let trace = Trace::open(directory.path()).unwrap();
    let widening = trace.run().clock.widening();
    let event = trace.records().map(Result::unwrap).find_map(|record| match record {
        Record::Event(event) => Some(event),
        Record::Terminated(_) => None,
    });
    (event.unwrap(), widening)
}

fn noted(event: &Event, key: &str) -> u64 {
    let (_, value) = event.meta.iter().find(|(other, _)| **other == *key).unwrap();
    let Value::Int(value) = value else { panic!("{value}") };
    u64::try_from(*value).unwrap()
}

#[test]
fn the_box_is_that_of_the_calls() {
    let (event, widening) = event_of(|cx| two_calls(cx, || ()));
    let end = event.timebox.end.unwrap();
    assert!((noted(&event, "before")..=noted(&event, "first")).contains(&event.timebox.start));
    assert!((noted(&event, "last")..=noted(&event, "after") + widening).contains(&end));
}

#[test]
fn a_call_that_panics_is_inside_the_box() {
    let (event, _) = event_of(|cx| two_calls(cx, || panic!("the second call fails")));
    assert!(event.timebox.end.unwrap() >= noted(&event, "last"));
}

#[test]
fn a_moment_is_an_empty_box_where_it_is_said() {
    let (event, widening) = event_of(|cx| {
        cx.op.meta("before", &clock().end());
        cx.moment();
        cx.op.meta("after", &clock().start());
    });
    let start = event.timebox.start;
    assert_eq!(event.timebox.end, Some(start + widening));
    assert!((noted(&event, "before")..=noted(&event, "after")).contains(&start));
}
