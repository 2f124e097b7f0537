//! A fuzzer for `Register`: threads read and write at random, and every call is recorded as an action of `Register.tla`.

// The generated file stays as it was generated, so that `omnilink gen-fuzzer --check` can compare it.
#[rustfmt::skip]
mod actions;
mod register;

use std::process::ExitCode;

use actions::*;
use register::Register;

struct RegisterFuzzer;

impl Fuzzer for RegisterFuzzer {
    /// Shared by all threads.
    type System = Register;
    /// What a thread writes next. No two writes have the same value, nor a half of it.
    type State = i64;

    fn system(options: &Options) -> Result<Self::System, String> {
        Ok(Register::new(options.is_set("buggy")))
    }

    fn state(start: Start<'_, Self::System>) -> Self::State {
        (start.thread as i64 + 1) * 1_000_000 * HALVES
    }

    fn configure(fuzz: Fuzz<'static, Self::System, Self::State>) -> Fuzz<'static, Self::System, Self::State> {
        // Of all parameters, this is the one that the call returns.
        fuzz.flag("buggy", "the register with a bug").results(&[("Read", "result")])
    }

    fn write(cx: &mut Context<'_, Self>) -> Attempt {
        *cx.state += HALVES;
        let new = *cx.state;
        cx.set("new", &new);
        cx.call(|register, _| register.write(new));
        Ok(Write { new }.into())
    }

    fn read(cx: &mut Context<'_, Self>) -> Attempt {
        let result = cx.call(|register, _| register.read());
        Ok(Read { result }.into())
    }
}

/// A number times this has the number in both halves.
const HALVES: i64 = (1 << 32) + 1;

fn main() -> ExitCode {
    run::<RegisterFuzzer>()
}
