//! A fuzzer for queues: threads enqueue and dequeue at random, and every call is recorded as an action of `Queue.tla`.
//!
//! The pieces that every fuzzer has: the system under test ([`Queue`]), what a thread keeps to itself
//! ([`Producer`]), one closure per action, and a `main` that hands them to [`omnilink::fuzz`].

mod queues;

use std::process::ExitCode;

use omnilink::ActionDef;
use omnilink::fuzz::{Fuzz, Unsupported};

use queues::{Queue, RingQueue, SegQueue};

/// What a thread enqueues: its own numbers, counting up. No element is ever enqueued twice, so a dequeue tells exactly
/// which enqueue it belongs to.
struct Producer {
    next: u64,
}

impl Producer {
    /// Numbers of different threads are this far apart, which also makes them easy to read.
    const SHARE: u64 = 1_000_000_000;

    fn new(thread: usize) -> Self {
        Self { next: thread as u64 * Self::SHARE }
    }
}

/// The two actions that a dequeue may turn out to be.
const DEQUEUE: [ActionDef; 2] =
    [ActionDef { name: "Dequeue", params: &["elem"] }, ActionDef { name: "DequeueEmpty", params: &[] }];

fn main() -> ExitCode {
    Fuzz::<Box<dyn Queue>, Producer>::with_state("Queue", |start| Producer::new(start.thread))
        .action("Enqueue", &["elem"], |cx| {
            let elem = cx.state.next;
            cx.set("elem", &elem);
            cx.call(|queue, _| queue.push(elem)).map_err(|_full| Unsupported)?;
            cx.state.next += 1;
            Ok(())
        })
        .choice("TryDequeue", &DEQUEUE, |cx| {
            match cx.call(|queue, _| queue.pop()) {
                Some(elem) => {
                    cx.choose("Dequeue");
                    cx.set("elem", &elem);
                }
                None => cx.choose("DequeueEmpty"),
            }
            Ok(())
        })
        .cleanup(|end| {
            let enqueued = end.state.next - Producer::new(end.thread).next;
            end.meta.set("enqueued", &enqueued);
        })
        .option("queue", "NAME", "the queue to call: seg (correct) or buggy (has a race) [default: seg]")
        .main(|options| match options.get("queue").unwrap_or("seg") {
            "seg" => Ok(Box::new(SegQueue::new())),
            "buggy" => Ok(Box::new(RingQueue::new())),
            other => Err(format!("--queue: `{other}` is neither seg nor buggy")),
        })
}
