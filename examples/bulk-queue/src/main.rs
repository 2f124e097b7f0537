//! A fuzzer for `BulkQueue`: threads enqueue and dequeue batches at random, and every call is recorded as one event,
//! which stands for as many steps of `BulkQueue.tla` as it needs.

// The generated file stays as it was generated, so that `omnilink gen-fuzzer --check` can compare it.
#[rustfmt::skip]
mod actions;

use std::process::ExitCode;

use actions::*;
use bulk_queue_demo::{BulkQueue, HastyQueue, PatientQueue};

struct BulkQueueFuzzer;

/// What a thread enqueues: its own numbers, counting up, since the specification tells batches apart by their elements.
struct Producer {
    next: i64,
}

impl Producer {
    /// Numbers of different threads are this far apart, which also makes them easy to read.
    const SHARE: i64 = 1_000_000_000;
}

impl Fuzzer for BulkQueueFuzzer {
    type System = Box<dyn BulkQueue>;
    type State = Producer;

    fn system(options: &Options) -> Result<Self::System, String> {
        match options.get("queue").unwrap_or("patient") {
            "patient" => Ok(Box::<PatientQueue>::default()),
            "hasty" => Ok(Box::<HastyQueue>::default()),
            other => Err(format!("--queue: `{other}` is neither patient nor hasty")),
        }
    }

    fn state(start: Start<'_, Self::System>) -> Self::State {
        Producer { next: start.thread as i64 * Producer::SHARE }
    }

    fn configure(fuzz: Fuzz<'static, Self::System, Self::State>) -> Fuzz<'static, Self::System, Self::State> {
        fuzz.option("queue", "NAME", "the queue to call: patient (correct) or hasty (has a race) [default: patient]")
    }

    fn enqueue_bulk(cx: &mut Context<'_, Self>) -> Attempt {
        let first = cx.state.next;
        let elems: Vec<i64> = (first..first + cx.random.range(1..=4)).collect();
        cx.set("elems", &elems);
        cx.call(|queue, _| queue.enqueue_bulk(&elems));
        cx.state.next += elems.len() as i64;
        Ok(EnqueueBulk { elems }.into())
    }

    fn dequeue_bulk(cx: &mut Context<'_, Self>) -> Attempt {
        let max = cx.random.range(1..=4);
        cx.set("max", &max);
        let elems = cx.call(|queue, _| queue.dequeue_bulk(max as usize));
        Ok(DequeueBulk { max, elems }.into())
    }
}

fn main() -> ExitCode {
    run::<BulkQueueFuzzer>()
}
