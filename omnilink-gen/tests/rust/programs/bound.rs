//! A queue bound as its users would do it.

#[path = "../actions.rs"]
mod actions;

use std::collections::VecDeque;
use std::process::ExitCode;
use std::sync::Mutex;

use actions::*;

struct QueueFuzzer;

impl Fuzzer for QueueFuzzer {
    /// Shared by all threads.
    type System = Mutex<VecDeque<i64>>;
    /// Of one thread: what it enqueues next.
    type State = i64;

    fn system(_options: &Options) -> Result<Self::System, String> {
        Ok(Mutex::default())
    }

    fn state(start: Start<'_, Self::System>) -> Self::State {
        start.thread as i64 * 1_000_000
    }

    fn enqueue(cx: &mut Context<'_, Self>) -> Attempt {
        let elem = *cx.state;
        *cx.state += 1;
        cx.set("elem", &elem);
        cx.call(|queue, _| queue.lock().unwrap().push_back(elem));
        Ok(Enqueue { elem }.into())
    }

    const DEQUEUE: &'static [Name] = &[Name::Dequeue, Name::DequeueEmpty];
    fn dequeue(cx: &mut Context<'_, Self>) -> Attempt {
        Ok(match cx.call(|queue, _| queue.lock().unwrap().pop_front()) {
            Some(elem) => Dequeue { elem }.into(),
            None => DequeueEmpty.into(),
        })
    }

    fn dequeue_empty(_cx: &mut Context<'_, Self>) -> Attempt {
        // Recorded by `dequeue`.
        Err(Unsupported)
    }
}

fn main() -> ExitCode {
    run::<QueueFuzzer>()
}
