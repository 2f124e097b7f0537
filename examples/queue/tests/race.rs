//! The race of the ring queue, made to happen, recorded and held against the specification.

use std::thread;

use examples_support::{calls, has_order, record, window};
use queue_demo::{Full, Queue, RingQueue, SegQueue};

const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Queue.tla");

#[omnilink::action(Enqueue(elem))]
fn enqueue(queue: &dyn Queue, elem: i64) -> Result<(), Full> {
    queue.push(elem)
}

#[omnilink::action(match ret { Some(elem) => Dequeue(elem), None => DequeueEmpty })]
fn dequeue(queue: &dyn Queue) -> Option<i64> {
    queue.pop()
}

/// A consumer takes an element while another one has read it and not taken it yet.
#[test]
fn two_consumers_get_the_same_element_and_the_trace_shows_it() {
    let (window, interlude) = window();
    let queue = RingQueue::with_window(window);
    let trace = record("Queue", || {
        enqueue(&queue, 1).unwrap();
        enqueue(&queue, 2).unwrap();
        thread::scope(|scope| {
            scope.spawn(|| dequeue(&queue));
            interlude.perform(|| dequeue(&queue));
        });
    });
    let dequeued = calls(&trace).into_iter().filter(|call| call.action == "Dequeue");
    assert_eq!(Vec::from_iter(dequeued.map(|call| call.int("elem"))), [1, 1]);
    assert!(!has_order(&trace, SPEC));
}

#[test]
fn whatever_the_correct_queue_does_is_a_behaviour() {
    let queue = SegQueue::new();
    let trace = record("Queue", || {
        thread::scope(|scope| {
            for thread in 0..3 {
                let queue = &queue;
                scope.spawn(move || {
                    for elem in 0..20 {
                        enqueue(queue, thread * 100 + elem).unwrap();
                        dequeue(queue);
                        dequeue(queue);
                    }
                });
            }
        });
    });
    assert_eq!(calls(&trace).len(), 180);
    assert!(has_order(&trace, SPEC));
}
