//! The race of the hasty queue, made to happen, recorded and held against the specification.

use std::thread;

use bulk_queue_demo::{BulkQueue, HastyQueue, PatientQueue};
use examples_support::{calls, has_order, record, window};
use omnilink_trace::Value;

const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/BulkQueue.tla");

#[omnilink::action(EnqueueBulk(elems))]
fn enqueue(queue: &dyn BulkQueue, elems: &[i64]) {
    queue.enqueue_bulk(elems);
}

#[omnilink::action(DequeueBulk(max, elems = ret))]
fn dequeue(queue: &dyn BulkQueue, max: usize) -> Vec<i64> {
    queue.dequeue_bulk(max)
}

/// Records what the queue does when a consumer that asks for one of three elements is interrupted with the others in
/// its hands.
fn interrupted(interlude: impl FnOnce(&HastyQueue)) -> examples_support::Recording {
    let (window, between) = window();
    let queue = HastyQueue::with_window(window);
    record("BulkQueue", || {
        enqueue(&queue, &[1, 2, 3]);
        thread::scope(|scope| {
            scope.spawn(|| dequeue(&queue, 1));
            between.perform(|| interlude(&queue));
        });
    })
}

#[test]
fn a_younger_element_overtakes_and_the_trace_shows_it() {
    let trace = interrupted(|queue| {
        enqueue(queue, &[4]);
        assert_eq!(dequeue(queue, 1), [4]);
    });
    assert!(!has_order(&trace, SPEC));
}

#[test]
fn a_full_queue_looks_empty_and_the_trace_shows_it() {
    let trace = interrupted(|queue| assert!(dequeue(queue, 1).is_empty()));
    assert!(!has_order(&trace, SPEC));
}

#[test]
fn what_happens_beside_the_race_is_a_behaviour() {
    let trace = interrupted(|queue| enqueue(queue, &[4, 5]));
    assert!(has_order(&trace, SPEC));
}

/// Two batches that enter at the same time may mix. That is what `_Step` is for: neither of these orders is one of
/// whole calls.
#[test]
fn batches_may_mix_but_not_change_their_order() {
    let recorded = |dequeued: &'static [i64]| {
        let (window, interlude) = window();
        // Says what it is told to, to have overlapping calls with known results.
        struct Told<W>(W, &'static [i64]);
        impl<W: Fn() + Sync> BulkQueue for Told<W> {
            fn enqueue_bulk(&self, _: &[i64]) {
                self.0();
            }
            fn dequeue_bulk(&self, _: usize) -> Vec<i64> {
                self.1.to_vec()
            }
        }
        let queue = Told(window, dequeued);
        record("BulkQueue", || {
            thread::scope(|scope| {
                scope.spawn(|| enqueue(&queue, &[1, 2]));
                interlude.perform(|| enqueue(&queue, &[3, 4]));
            });
            dequeue(&queue, 4);
        })
    };
    for mixed in [&[1, 3, 2, 4], &[3, 1, 4, 2], &[1, 2, 3, 4], &[3, 4, 1, 2]] {
        assert!(has_order(&recorded(mixed), SPEC), "{mixed:?}");
    }
    for wrong in [&[2, 1, 3, 4], &[1, 4, 3, 2], &[1, 3, 2, 2]] {
        assert!(!has_order(&recorded(wrong), SPEC), "{wrong:?}");
    }
}

#[test]
fn whatever_the_correct_queue_does_is_a_behaviour() {
    let queue = PatientQueue::default();
    let trace = record("BulkQueue", || {
        thread::scope(|scope| {
            for thread in 0..3 {
                let queue = &queue;
                scope.spawn(move || {
                    for round in 0..10 {
                        let first = thread * 1000 + round * 10;
                        enqueue(queue, &[first, first + 1, first + 2]);
                        dequeue(queue, 4);
                    }
                });
            }
        });
    });
    let moved = |action: &str| -> usize {
        let calls = calls(&trace).into_iter().filter(|call| call.action == action);
        let sizes = calls.map(|call| match call.arg("elems") {
            Value::Tuple(elems) => elems.len(),
            other => panic!("{other}"),
        });
        sizes.sum()
    };
    assert_eq!(moved("EnqueueBulk"), 90);
    assert!(moved("DequeueBulk") <= 90);
    assert!(has_order(&trace, SPEC));
}
