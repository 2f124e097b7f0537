//! A fuzzer for concurrent queues: threads push, pop and look. Every call is recorded as an action of
//! `BoundedQueue.tla`.

// The generated file stays as it was generated, so that `omnilink gen-fuzzer --check` can compare it.
#[rustfmt::skip]
mod actions;
mod subjects;

use std::process::ExitCode;

use actions::*;
use subjects::Queue;

struct QueueFuzzer;

/// What a thread pushes: its own numbers, counting up. No element is ever pushed twice, so a pop tells exactly which
/// push it belongs to.
struct Producer {
    next: i64,
}

impl Producer {
    /// Numbers of different threads are this far apart, which also makes them easy to read.
    const SHARE: i64 = 1_000_000_000;
}

/// A new element, which is an input of the call.
fn new_elem(cx: &mut Context<'_, QueueFuzzer>) -> i64 {
    cx.state.next += 1;
    let elem = cx.state.next;
    cx.set("elem", &elem);
    elem
}

impl Fuzzer for QueueFuzzer {
    type System = Box<dyn Queue>;
    type State = Producer;

    fn system(options: &Options) -> Result<Self::System, String> {
        let name = options.get("queue").unwrap_or("array");
        subjects::by_name(name).ok_or(format!("--queue: `{name}` is none of {}", subjects::NAMES))
    }

    fn state(start: Start<'_, Self::System>) -> Self::State {
        Producer { next: start.thread as i64 * Producer::SHARE }
    }

    fn configure(fuzz: Fuzz<'static, Self::System, Self::State>) -> Fuzz<'static, Self::System, Self::State> {
        fuzz.option("queue", "NAME", "the queue to call: array, seg, thingbuf or static-thingbuf [default: array]")
    }

    const PUSH: &'static [Name] = &[Name::Push, Name::PushFull];
    fn push(cx: &mut Context<'_, Self>) -> Attempt {
        let elem = new_elem(cx);
        Ok(match cx.call(|queue, _| queue.push(elem)) {
            true => Push { elem }.into(),
            false => PushFull { elem }.into(),
        })
    }

    const FORCE_PUSH: &'static [Name] = &[Name::ForcePush, Name::ForcePushOver];
    fn force_push(cx: &mut Context<'_, Self>) -> Attempt {
        let elem = new_elem(cx);
        Ok(match cx.call(|queue, _| queue.force_push(elem))? {
            None => ForcePush { elem }.into(),
            Some(old) => ForcePushOver { elem, old }.into(),
        })
    }

    const POP: &'static [Name] = &[Name::Pop, Name::PopEmpty];
    fn pop(cx: &mut Context<'_, Self>) -> Attempt {
        Ok(match cx.call(|queue, _| queue.pop()) {
            Some(elem) => Pop { elem }.into(),
            None => PopEmpty.into(),
        })
    }

    fn size(cx: &mut Context<'_, Self>) -> Attempt {
        let len = cx.call(|queue, _| queue.len());
        Ok(Size { size: i64::try_from(len).unwrap_or(i64::MAX) }.into())
    }

    fn is_empty(cx: &mut Context<'_, Self>) -> Attempt {
        let yes = cx.call(|queue, _| queue.is_empty());
        Ok(IsEmpty { yes }.into())
    }

    fn is_full(cx: &mut Context<'_, Self>) -> Attempt {
        let yes = cx.call(|queue, _| queue.is_full())?;
        Ok(IsFull { yes }.into())
    }

    /// Recorded by [`Fuzzer::force_push`].
    fn force_push_over(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }

    /// Recorded by [`Fuzzer::push`].
    fn push_full(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }

    /// Recorded by [`Fuzzer::pop`].
    fn pop_empty(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }
}

fn main() -> ExitCode {
    run::<QueueFuzzer>()
}
