//! Timeboxes enclose their calls, and can be narrowed from inside.

mod support;

use omnilink_runtime::clock::{Clock, Fences};
use omnilink_runtime::{ClockKind, Op, Session, begin, current, enter};
use omnilink_trace::Timebox;
use support::{record, record_with};

fn now() -> u64 {
    Clock { kind: ClockKind::detect(), fences: Fences::Full }.end()
}

/// The boxes as they were recorded: what readers add for the uncertainty of the clock is taken off.
fn boxes(recorded: &support::reading::Recorded) -> Vec<(u64, u64)> {
    let widening = recorded.trace.run().clock.widening();
    let ends = |timebox: Timebox| (timebox.start, timebox.end.unwrap() - widening);
    recorded.events().iter().map(|event| ends(event.timebox)).collect()
}

#[test]
fn a_box_begins_with_start_and_ends_with_returned() {
    let mut times = Vec::new();
    let recorded = record(|| {
        let mut op = enter(site!(Put()));
        times.push(now());
        op.start();
        times.push(now());
        op.returned();
        times.push(now());
        op.returned();
        op.end();
    });
    let (start, end) = boxes(&recorded)[0];
    assert!(times[0] <= start && start <= times[1] && times[1] <= end && end <= times[2], "{start} {end} {times:?}");
}

#[test]
fn a_refined_box_lies_between_the_refinements() {
    type Refine = fn(&mut Op);
    let refinements: [(Refine, Refine); 2] =
        [(Op::refine_start, Op::refine_end), (|_| current::refine_start(), |_| current::refine_end())];
    for (refine_start, refine_end) in refinements {
        let mut times = Vec::new();
        let recorded = record(|| {
            let mut op = begin(site!(Put()));
            times.push(now());
            refine_start(&mut op);
            times.push(now());
            refine_end(&mut op);
            times.push(now());
            op.returned();
            op.end();
            begin(site!(Put())).end();
        });
        let (start, end) = boxes(&recorded)[0];
        assert!(
            times[0] <= start && start <= times[1] && times[1] <= end && end <= times[2],
            "{start} {end} {times:?}"
        );
        assert!(end <= boxes(&recorded)[1].0);
    }
}

#[test]
fn a_start_refined_after_the_end_gives_an_empty_box_not_an_inverted_one() {
    let recorded = record(|| {
        let mut op = begin(site!(Put()));
        op.refine_end();
        op.refine_start();
        op.end();
        begin(site!(Put())).end();
    });
    let boxes = boxes(&recorded);
    assert_eq!(boxes[0].0, boxes[0].1);
    assert!(boxes[0].1 <= boxes[1].0);
}

#[test]
fn a_call_in_flight_keeps_its_refined_start() {
    let (mut open, mut before) = (None, 0);
    let recorded = record(|| {
        let mut op = begin(site!(Put()));
        before = now();
        op.refine_start();
        open = Some(op);
    });
    let timebox = recorded.events()[0].timebox;
    assert!(timebox.start >= before);
    assert_eq!(timebox.end, None);
}

#[test]
fn boxes_of_one_thread_follow_each_other() {
    let recorded = record(|| (0..1000).for_each(|_| begin(site!(Put())).end()));
    let boxes = boxes(&recorded);
    assert_eq!(boxes.len(), 1000);
    assert!(boxes.windows(2).all(|two| two[0].0 <= two[0].1 && two[0].1 <= two[1].0));
}

#[test]
fn relaxed_fences_leave_a_slack_that_readers_add() {
    let mut times = Vec::new();
    let relaxed = Session::builder().relaxed(true);
    let (_, recorded) = record_with(relaxed, || {
        begin(site!(Put())).end();
        times.push(now());
    });
    let clock = &recorded.trace.run().clock;
    assert_eq!(clock.fences.as_deref(), Some("relaxed"));
    assert!(clock.slack > 0);
    let end = recorded.events()[0].timebox.end.unwrap();
    assert!(end - clock.slack - clock.uncertainty <= times[0], "the end as recorded");
    let notices = recorded.notices();
    assert!(notices[0].contains(&format!("widened by {} ticks", clock.slack)), "{notices:?}");
}

#[test]
fn the_kernels_clock_can_be_chosen() {
    let (_, recorded) = record_with(Session::builder().clock(ClockKind::Monotonic), || begin(site!(Put())).end());
    assert_eq!(recorded.trace.clock(), omnilink_trace::ClockKind::Monotonic);
    let run = recorded.trace.run();
    let start = recorded.events()[0].timebox.start;
    assert!(run.start.as_ref().unwrap().ticks <= start && start <= run.end.as_ref().unwrap().ticks);
}
