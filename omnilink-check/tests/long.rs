//! Traces that are longer than what the search keeps in memory of its path.

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

/// Events before the two that overlap.
const BEFORE: u64 = 100;
/// Events between them and those that tell what happened: an even number, after which the cells are as they were.
const BETWEEN: u64 = 5000;

/// Two writes to one cell overlap; only a read thousands of exchanges later tells which came last. What was written to
/// the other cell before is read as well.
fn verdict(read: i64, threads: usize) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/specs/Cells.tla");
    let spec = Spec::load(path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut builder = TraceBuilder::new("Cells", "Next", Run::default());
    let mut push = |lane: LaneId, action: &str, value: Option<i64>, time: u64| {
        let params = if value.is_some() { &["value"][..] } else { &[] };
        let action = builder.action(action, params).expect("one parameter or none");
        let param = builder.vocabulary().intern("value");
        let args = value.map(|value| Argument { param, value: Some(Recorded::Int(value)) });
        let event = Event {
            lane,
            index: 0,
            candidates: Candidates::One(action),
            args: args.into_iter().collect(),
            timebox: Timebox { start: 10 * time, end: Some(10 * time + 5) },
            outcome: Outcome::Done,
            effects: Vec::new(),
            meta: Vec::new(),
            offset: 0,
        };
        builder.push(Record::Event(event)).expect("events are in order");
    };
    for time in 0..BEFORE {
        push(0, "Right!Set", Some((time % 2) as i64 + 1), time);
    }
    push(1, "Left!Set", Some(1), BEFORE);
    push(2, "Left!Set", Some(2), BEFORE);
    for time in 1..=BETWEEN {
        push(0, "Exchange", None, BEFORE + time);
    }
    let last = BEFORE + BETWEEN + 1;
    push(1, "Left!Get", Some(read), last);
    push(2, "Right!Get", Some(2), last);
    let trace = builder.finish("long").expect("a trace");
    let prepared = prepare(&spec, &trace, &Rules::default()).expect("it fits the specification");
    let mut control = Control {
        interrupt: &AtomicBool::new(false),
        progress: &mut |_| {},
        limits: Limits { threads, parallel_after: 1, ..Limits::default() },
        began: Instant::now(),
    };
    let checked = check(&spec, &prepared, &check::Options::default(), &mut control).expect("it has an initial state");
    match checked.verdict {
        Verdict::Accepted(order) => {
            let mut last = None;
            let walked = order.walk(&spec, &prepared, &mut |stride| {
                last = Some(stride.state.clone());
                std::ops::ControlFlow::Continue(())
            });
            assert!(walked.is_ok(), "the order can be walked");
            format!("accepted with {}", last.expect("it has steps").values()[0])
        }
        Verdict::Rejected(stuck) => format!("rejected after {} in {} ways", stuck.placed, stuck.count),
        other => format!("{other:?}"),
    }
}

#[test]
fn the_search_goes_back_over_thousands_of_events() {
    let all_but_one = BEFORE + 2 + BETWEEN + 1;
    let expected =
        ["accepted with 1".to_owned(), "accepted with 2".to_owned(), format!("rejected after {all_but_one} in 2 ways")];
    for threads in [1, 3] {
        let verdicts = with_stack(1 << 26, || [1, 2, 3].map(|read| verdict(read, threads))).expect("a thread");
        assert_eq!(verdicts, expected, "{threads} threads");
    }
}
