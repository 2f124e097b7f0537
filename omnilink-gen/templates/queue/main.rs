//! A fuzzer for `Queue`: threads push and pop at random, and every call is recorded as an action of `Queue.tla`.

// The generated file stays as it was generated, so that `omnilink gen-fuzzer --check` can compare it.
#[rustfmt::skip]
mod actions;
mod queue;

use std::process::ExitCode;

use actions::*;
use queue::Queue;

struct QueueFuzzer;

impl Fuzzer for QueueFuzzer {
    /// Shared by all threads.
    type System = Queue;
    /// What a thread enqueues next. Threads have numbers of their own, so a dequeue tells which enqueue it belongs to.
    type State = i64;

    fn system(options: &Options) -> Result<Self::System, String> {
        Ok(Queue::new(options.is_set("buggy")))
    }

    fn state(start: Start<'_, Self::System>) -> Self::State {
        start.thread as i64 * 1_000_000
    }

    fn configure(fuzz: Fuzz<'static, Self::System, Self::State>) -> Fuzz<'static, Self::System, Self::State> {
        // More is taken than put in, so the queue stays short: threads meet at its ends, and runs are checked quickly.
        // The longer an element waits, the more orders of the calls before it are possible.
        let fuzz = fuzz.weight("Enqueue", 2).weight("Dequeue", 3).flag("buggy", "the queue with a bug");
        // Of all parameters, this is the one that the call returns.
        fuzz.results(&[("Dequeue", "elem")])
    }

    fn enqueue(cx: &mut Context<'_, Self>) -> Attempt {
        let elem = *cx.state;
        *cx.state += 1;
        cx.set("elem", &elem);
        cx.call(|queue, _| queue.push(elem));
        Ok(Enqueue { elem }.into())
    }

    /// The result decides which action it was.
    const DEQUEUE: &'static [Name] = &[Name::Dequeue, Name::DequeueEmpty];
    fn dequeue(cx: &mut Context<'_, Self>) -> Attempt {
        match cx.call(|queue, _| queue.pop()) {
            Some(elem) => Ok(Dequeue { elem }.into()),
            None => Ok(DequeueEmpty.into()),
        }
    }

    /// Recorded by `dequeue`.
    fn dequeue_empty(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }
}

fn main() -> ExitCode {
    run::<QueueFuzzer>()
}
