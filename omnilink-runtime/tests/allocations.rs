//! Recording allocates nothing on the thread that records.

mod counting;
mod support;

use counting::ALLOCATIONS;
use omnilink_runtime::{ActionDef, Session, Site, begin, enter, enter_async};
use support::record_with;

static TRY_POP: Site =
    Site::new(&[ActionDef { name: "Pop", params: &["elem"] }, ActionDef { name: "PopEmpty", params: &[] }], &["elem"]);

/// Calls of every kind that a program makes all the time.
fn calls(n: u64) {
    let mut op = begin(site!(Put(key, value, old)));
    op.set("key", &n);
    op.set("value", "some text that makes the trace grow, so that windows are exchanged");
    op.set("old", &(1, n, [true, false]));
    op.end();
    let mut op = enter(&TRY_POP);
    op.start();
    op.arg(0, &n);
    op.choose((n % 2) as u16);
    op.end();
    let mut op = begin(site!(Refused(key)));
    op.abort("busy");
    op.meta("attempt", &n);
    op.refine_start();
    op.refine_end();
    op.end();
    begin(site!(Skipped())).discard();
    drop(begin(site!(Dropped())));
    let mut op = enter_async(site!(Wait(key)));
    op.start();
    op.set("key", &n);
    op.end();
}

/// The bytes of the largest window; a few times as many are recorded.
const WINDOW: u64 = 1024 * 1024;

fn allocations_of_many_calls() {
    let (summary, recorded) = record_with(Session::builder(), || {
        (0..100).for_each(calls);
        let before = ALLOCATIONS.get();
        (100..20_000).for_each(calls);
        assert_eq!(ALLOCATIONS.get(), before);
    });
    assert_eq!(summary.events, 5 * 20_000);
    let bytes = recorded.lanes[0].events.last().unwrap().offset;
    assert!(bytes > 3 * WINDOW, "{bytes} bytes are too few to see windows being exchanged");
}

#[test]
fn recording_does_not_allocate() {
    allocations_of_many_calls();
}

#[test]
fn without_a_recorder_nothing_is_allocated() {
    let _alone = support::alone();
    calls(0);
    let before = ALLOCATIONS.get();
    (0..1000).for_each(calls);
    assert_eq!(ALLOCATIONS.get(), before);
}
