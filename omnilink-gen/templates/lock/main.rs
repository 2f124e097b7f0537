//! A fuzzer for `Lock`: threads take and release it at random, and every call is recorded as an action of `Lock.tla`.

// The generated file stays as it was generated, so that `omnilink gen-fuzzer --check` can compare it.
#[rustfmt::skip]
mod actions;
mod lock;

use std::process::ExitCode;

use actions::*;
use lock::Lock;

struct LockFuzzer;

/// What a thread knows of itself.
struct Thread {
    number: i64,
    holds: bool,
}

impl Fuzzer for LockFuzzer {
    /// Shared by all threads.
    type System = Lock;
    type State = Thread;

    fn system(options: &Options) -> Result<Self::System, String> {
        Ok(Lock::new(options.is_set("buggy")))
    }

    fn state(start: Start<'_, Self::System>) -> Self::State {
        Thread { number: start.thread as i64, holds: false }
    }

    fn configure(fuzz: Fuzz<'static, Self::System, Self::State>) -> Fuzz<'static, Self::System, Self::State> {
        // No parameter is something that a call returns.
        fuzz.flag("buggy", "the lock with a bug").results(&[])
    }

    /// The result decides which action it was.
    const ACQUIRE: &'static [Name] = &[Name::Acquire, Name::Busy];
    fn acquire(cx: &mut Context<'_, Self>) -> Attempt {
        if cx.state.holds {
            return Err(Unsupported);
        }
        let thread = cx.state.number;
        cx.set("thread", &thread);
        cx.state.holds = cx.call(|lock, _| lock.try_lock());
        Ok(if cx.state.holds { Acquire { thread }.into() } else { Busy { thread }.into() })
    }

    /// Recorded by `acquire`.
    fn busy(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }

    fn release(cx: &mut Context<'_, Self>) -> Attempt {
        if !cx.state.holds {
            return Err(Unsupported);
        }
        let thread = cx.state.number;
        cx.set("thread", &thread);
        cx.call(|lock, _| lock.unlock());
        cx.state.holds = false;
        Ok(Release { thread }.into())
    }
}

fn main() -> ExitCode {
    run::<LockFuzzer>()
}
