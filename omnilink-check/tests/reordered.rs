//! Calls that overlapped and were placed in the wrong order, which shows only much later: how many configurations it takes to find
//! the right one.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_check::check::{self, Verdict, check};
use omnilink_check::prepare::prepare;
use omnilink_check::rules::Rules;
use omnilink_check::search::{Control, Limits};
use omnilink_tla::{Options, Spec, with_stack};
use omnilink_trace::{
    Argument, Candidates, Event, LaneId, Outcome, Record, Run, Timebox, TraceBuilder, Value as Recorded,
};

/// Pairs of enqueues that overlap.
const PAIRS: u64 = 60;

/// Whether a queue can have worked like this: two threads enqueue at the same time, again and again, and afterwards a third thread
/// dequeues everything. There are few values, so that a value does not tell which enqueue it came from; of each pair either may have
/// been the first.
fn verdict(limits: Limits) -> (String, u64) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/specs/Queue.tla");
    let spec = Spec::load(path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut builder = TraceBuilder::new("Queue", "Next", Run::default());
    let mut push = |lane: LaneId, action: &str, param: &str, elem: i64, time: u64| {
        let action = builder.action(action, &[param]).expect("one parameter");
        let param = builder.vocabulary().intern(param);
        let event = Event {
            lane,
            index: 0,
            candidates: Candidates::One(action),
            args: vec![Argument { param, value: Some(Recorded::Int(elem)) }],
            timebox: Timebox { start: 10 * time, end: Some(10 * time + 5) },
            outcome: Outcome::Done,
            effects: Vec::new(),
            meta: Vec::new(),
            offset: 0,
        };
        builder.push(Record::Event(event)).expect("events are in order");
    };
    let mut dequeued = Vec::new();
    for nth in 0..PAIRS {
        let (one, other) = ((1 + nth * 7 % 5 % 3) as i64, (1 + nth * 5 % 7 % 3) as i64);
        push(0, "Enqueue", "elem", one, nth);
        push(1, "Enqueue", "elem", other, nth);
        dequeued.extend(if nth * nth % 11 < 5 { [one, other] } else { [other, one] });
    }
    for (time, elem) in (PAIRS..).zip(dequeued) {
        push(2, "Dequeue", "result", elem, time);
    }
    let trace = builder.finish("reordered").expect("a trace");
    let prepared = prepare(&spec, &trace, &Rules::default()).expect("it fits the specification");
    let mut control =
        Control { interrupt: &AtomicBool::new(false), progress: &mut |_| {}, limits, began: Instant::now() };
    let checked = check(&spec, &prepared, &check::Options::default(), &mut control).expect("it has an initial state");
    let verdict = match checked.verdict {
        Verdict::Accepted(order) => {
            let walked = order.walk(&spec, &prepared, &mut |_| std::ops::ControlFlow::Continue(()));
            assert!(walked.is_ok(), "the order can be walked");
            "accepted"
        }
        Verdict::Rejected(_) => "rejected",
        _ => "unknown",
    };
    (verdict.to_owned(), checked.progress.configurations)
}

#[test]
fn pairs_in_the_wrong_order_are_found_one_by_one() {
    with_stack(1 << 26, || {
        let limits = Limits { configurations: Some(400_000), ..Limits::default() };
        let (verdict, configurations) = verdict(limits);
        assert_eq!(verdict, "accepted", "{configurations} configurations");
    })
    .expect("a thread");
}
