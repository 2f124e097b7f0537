//! A fuzzer that records: what the tests of this crate run when they need a program with OmniLink's runtime inside.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use omnilink::fuzz::Fuzz;

fn main() -> ExitCode {
    Fuzz::<AtomicU64, ()>::new("Counter")
        .action("Increment", &["value"], |cx| {
            let value = cx.call(|counter, _| counter.fetch_add(1, SeqCst));
            cx.set("value", &value);
            Ok(())
        })
        .action("Read", &["value"], |cx| {
            let value = cx.call(|counter, _| counter.load(SeqCst));
            cx.set("value", &value);
            Ok(())
        })
        .threads(3)
        .operations(50)
        .main(|_| Ok(AtomicU64::new(0)))
}
