//! Traces that are longer than what the search keeps in memory of its path.

mod support;

use omnilink_check::search::Limits;
use omnilink_tla::{Options, Spec, with_stack};
use omnilink_trace::LaneId;
use support::History;

/// Events before the two that overlap.
const BEFORE: u64 = 100;
/// Events between them and those that tell what happened: an even number, after which the cells are as they were.
const BETWEEN: u64 = 5000;

/// Two writes to one cell overlap; only a read thousands of exchanges later tells which came last. What was written to
/// the other cell before is read as well.
fn verdict(read: i64, threads: usize) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/specs/Cells.tla");
    let spec = Spec::load(path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut history = History::of("Cells");
    let mut push = |lane: LaneId, action: &str, value: Option<i64>, time: u64| {
        let args: Vec<_> = value.map(|value| ("value", value)).into_iter().collect();
        history.push(lane, action, &args, 10 * time, 10 * time + 5);
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
    let checked = history.check(&spec, Limits { threads, parallel_after: 1, ..Limits::default() });
    match checked.last {
        Some(last) => format!("{} with {}", checked.verdict, last.values()[0]),
        None => checked.verdict,
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
