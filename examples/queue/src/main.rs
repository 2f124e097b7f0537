//! A fuzzer for `Queue`: threads enqueue and dequeue at random, and every call is recorded as an action of `Queue.tla`.

// The generated file stays as it was generated, so that `omnilink gen-fuzzer --check` can compare it.
#[rustfmt::skip]
mod actions;

use std::process::ExitCode;
use std::thread;

use actions::*;
use queue_demo::{Queue, RingQueue, SegQueue};

struct QueueFuzzer;

/// What a thread enqueues: its own numbers, counting up. No element is ever enqueued twice, so a dequeue tells exactly
/// which enqueue it belongs to.
struct Producer {
    next: i64,
    enqueued: i64,
}

impl Producer {
    /// Numbers of different threads are this far apart, which also makes them easy to read.
    const SHARE: i64 = 1_000_000_000;
}

impl Fuzzer for QueueFuzzer {
    type System = Box<dyn Queue>;
    type State = Producer;

    fn system(options: &Options) -> Result<Self::System, String> {
        let ring = match options.get("window").unwrap_or("short") {
            "short" => RingQueue::new(),
            "long" => RingQueue::with_window(thread::yield_now),
            other => return Err(format!("--window: `{other}` is neither short nor long")),
        };
        match options.get("queue").unwrap_or("seg") {
            "seg" => Ok(Box::new(SegQueue::new())),
            "buggy" => Ok(Box::new(ring)),
            other => Err(format!("--queue: `{other}` is neither seg nor buggy")),
        }
    }

    fn state(start: Start<'_, Self::System>) -> Self::State {
        Producer { next: start.thread as i64 * Producer::SHARE, enqueued: 0 }
    }

    fn configure(fuzz: Fuzz<'static, Self::System, Self::State>) -> Fuzz<'static, Self::System, Self::State> {
        fuzz.option("queue", "NAME", "the queue to call: seg (correct) or buggy (has a race) [default: seg]")
            .option(
                "window",
                "KIND",
                "whether the buggy queue lets others run in its race: short or long [default: short]",
            )
            .cleanup(|end| end.meta.set("enqueued", &end.state.enqueued))
            .results(&[("Dequeue", "elem")])
    }

    fn enqueue(cx: &mut Context<'_, Self>) -> Attempt {
        let elem = cx.state.next;
        cx.set("elem", &elem);
        cx.call(|queue, _| queue.push(elem)).map_err(|_full| Unsupported)?;
        cx.state.next += 1;
        cx.state.enqueued += 1;
        Ok(Enqueue { elem }.into())
    }

    /// The result decides. That the queue was empty is recorded as well: it is a claim about the queue, and can be
    /// wrong.
    const DEQUEUE: &'static [Name] = &[Name::Dequeue, Name::DequeueEmpty];
    fn dequeue(cx: &mut Context<'_, Self>) -> Attempt {
        match cx.call(|queue, _| queue.pop()) {
            Some(elem) => Ok(Dequeue { elem }.into()),
            None => Ok(DequeueEmpty.into()),
        }
    }

    /// Recorded by [`Fuzzer::dequeue`].
    fn dequeue_empty(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }
}

fn main() -> ExitCode {
    run::<QueueFuzzer>()
}
