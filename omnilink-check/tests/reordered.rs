//! Calls that overlapped and were placed in the wrong order, which shows only much later: how many configurations it takes to find
//! the right one.

mod support;

use omnilink_check::search::Limits;
use omnilink_tla::{Options, Spec, with_stack};
use support::{Checked, History};

/// Pairs of enqueues that overlap.
const PAIRS: u64 = 60;

/// Whether a queue can have worked like this: two threads enqueue at the same time, again and again, and afterwards a third thread
/// dequeues everything. There are few values, so that a value does not tell which enqueue it came from; of each pair either may have
/// been the first.
fn checked(limits: Limits) -> Checked {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/specs/Queue.tla");
    let spec = Spec::load(path, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut history = History::of("Queue");
    let mut dequeued = Vec::new();
    for nth in 0..PAIRS {
        let (one, other) = ((1 + nth * 7 % 5 % 3) as i64, (1 + nth * 5 % 7 % 3) as i64);
        for (lane, elem) in [(0, one), (1, other)] {
            history.push(lane, "Enqueue", &[("elem", elem)], 10 * nth, 10 * nth + 5);
        }
        dequeued.extend(if nth * nth % 11 < 5 { [one, other] } else { [other, one] });
    }
    for (time, elem) in (PAIRS..).zip(dequeued) {
        history.push(2, "Dequeue", &[("result", elem)], 10 * time, 10 * time + 5);
    }
    history.check(&spec, limits)
}

#[test]
fn pairs_in_the_wrong_order_are_found_one_by_one() {
    with_stack(1 << 26, || {
        let Checked { verdict, configurations, .. } =
            checked(Limits { configurations: Some(400_000), ..Limits::default() });
        assert_eq!(verdict, "accepted", "{configurations} configurations");
    })
    .expect("a thread");
}
