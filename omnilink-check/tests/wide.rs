//! Calls whose boxes have thousands of other calls in them: how many configurations it takes to find their places.

mod support;

use std::path::Path;

use omnilink_check::search::Limits;
use omnilink_tla::{Options, Spec, with_stack};
use support::History;

/// More configurations than any history with an order takes.
const MOST: u64 = 50_000;

/// Who reads in the middle of what is added one by one.
#[derive(Debug, Clone, Copy)]
enum Reader {
    /// A call that takes a snapshot, and one after all is added that tells of it.
    TakeAndLook,
    /// One call of two steps.
    Scan,
}

/// The verdict on a history in which some readers' calls are open while another lane adds so many times, and which say
/// what they saw; and how many configurations it took.
fn verdict(reader: Reader, adds: u64, seen: &[i64], limits: Limits) -> (String, u64) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/specs/Snapshots.tla");
    let config = Some(Path::new(path).with_extension("many.cfg"));
    let options = Options { config, ..Options::default() };
    let spec = Spec::load(path, &options).unwrap_or_else(|error| panic!("{error}"));
    let mut history = History::of("Snapshots");
    let end = 10 * (adds + 1);
    for time in 1..=adds {
        history.push(0, "Add", &[], 10 * time, 10 * time + 5);
    }
    for (nth, &result) in (1u32..).zip(seen) {
        let (number, after) = (i64::from(nth), end + 10 * u64::from(nth));
        match reader {
            Reader::TakeAndLook => {
                history.push(nth, "Take", &[("reader", number)], 0, after);
                history.push(nth, "Look", &[("reader", number), ("result", result)], after + 1, after + 2);
            }
            Reader::Scan => history.push(nth, "Scan", &[("reader", number), ("result", result)], 0, after),
        }
    }
    let checked = history.check(&spec, limits);
    (checked.verdict, checked.configurations)
}

const READERS: [Reader; 2] = [Reader::TakeAndLook, Reader::Scan];

#[test]
fn the_place_of_a_wide_call_is_found_in_linear_time() {
    let n = 2000;
    let readers: [&[i64]; 8] = [
        &[0],
        &[n / 2],
        &[n],
        &[0, n / 2],
        &[n / 2, 0],
        &[n, n, 0],
        &[1, n / 2, n / 3, n / 5],
        &[n / 5, n / 3, n / 2, 1],
    ];
    let cases = READERS.into_iter().flat_map(|reader| readers.map(|seen| (reader, seen)));
    with_stack(1 << 26, || {
        for (reader, seen) in cases {
            let (verdict, configurations) =
                verdict(reader, n as u64, seen, Limits { configurations: Some(MOST), ..Limits::default() });
            assert_eq!(verdict, "accepted", "{reader:?} {seen:?}");
            // One way to the end, one more for each reader, and what it takes to see that it is stuck.
            let most = (1 + seen.len() as u64) * (n as u64 + 1000);
            assert!(configurations <= most, "{reader:?} {seen:?}: {configurations} configurations");
        }
    })
    .expect("a thread");
}

/// What is postponed is not forgotten: all is tried, once, in whatever order.
#[test]
fn a_rejection_is_exhaustive() {
    let n = 12;
    let cases = READERS
        .into_iter()
        .flat_map(|reader| [vec![n + 1], vec![3, n + 1], vec![n / 2, 0, n + 1]].map(|seen| (reader, seen)));
    with_stack(1 << 26, || {
        // When it begins to look ahead depends on the way that it has come.
        let unreduced = Limits { reduce_after: u64::MAX, ..Limits::default() };
        for (reader, seen) in cases {
            let (expected, visited) =
                verdict(reader, n as u64, &seen, Limits { backjump_after: u64::MAX, ..unreduced.clone() });
            assert!(expected.starts_with("rejected"), "{reader:?} {seen:?}: {expected}");
            for limits in [unreduced.clone(), Limits { threads: 3, parallel_after: 64, ..unreduced.clone() }] {
                let found = verdict(reader, n as u64, &seen, Limits { backjump_after: 4, ..limits });
                assert_eq!(found, (expected.clone(), visited), "{reader:?} {seen:?}");
            }
        }
    })
    .expect("a thread");
}
