//! A fuzzer for `Counter`: threads count and read at random, and every call is recorded as an action of `Counter.tla`.

// The generated file stays as it was generated, so that `omnilink gen-fuzzer --check` can compare it.
#[rustfmt::skip]
mod actions;
mod counter;

use std::process::ExitCode;

use actions::*;
use counter::Counter;

struct CounterFuzzer;

impl Fuzzer for CounterFuzzer {
    /// Shared by all threads.
    type System = Counter;
    /// Threads keep nothing to themselves.
    type State = ();

    fn system(options: &Options) -> Result<Self::System, String> {
        Ok(Counter::new(options.is_set("buggy")))
    }

    fn state(_start: Start<'_, Self::System>) -> Self::State {}

    fn configure(fuzz: Fuzz<'static, Self::System, Self::State>) -> Fuzz<'static, Self::System, Self::State> {
        // Of all parameters, these are the ones that the calls return.
        fuzz.flag("buggy", "the counter with a bug").results(&[("Increment", "new"), ("Read", "value")])
    }

    fn increment(cx: &mut Context<'_, Self>) -> Attempt {
        let new = cx.call(|counter, _| counter.increment());
        Ok(Increment { new }.into())
    }

    fn read(cx: &mut Context<'_, Self>) -> Attempt {
        let value = cx.call(|counter, _| counter.read());
        Ok(Read { value }.into())
    }
}

fn main() -> ExitCode {
    run::<CounterFuzzer>()
}
