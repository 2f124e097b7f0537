//! A call that turns out to be an action that its constant does not list.

#[path = "../actions.rs"]
mod actions;

use std::process::ExitCode;

use actions::*;

struct QueueFuzzer;

impl Fuzzer for QueueFuzzer {
    type System = ();
    type State = ();

    fn system(_options: &Options) -> Result<Self::System, String> {
        Ok(())
    }

    fn state(_start: Start<'_, Self::System>) -> Self::State {}

    fn enqueue(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }

    fn dequeue(_cx: &mut Context<'_, Self>) -> Attempt {
        Ok(DequeueEmpty.into())
    }

    fn dequeue_empty(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }
}

fn main() -> ExitCode {
    run::<QueueFuzzer>()
}
