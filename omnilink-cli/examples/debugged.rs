//! A fuzzer for the tests that replay and debug one: three threads add to a counter, not atomically.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use omnilink_runtime::fuzz::Fuzz;

fn main() -> ExitCode {
    Fuzz::<AtomicU64, ()>::new("Counter")
        .action("Add", &["amount", "sum"], |cx| {
            let amount = 1 + cx.thread() as u64;
            cx.set("amount", &amount);
            let sum = cx.call(|counter, _| add(counter, amount));
            cx.set("sum", &sum);
            Ok(())
        })
        .action("Read", &["value"], |cx| {
            let value = cx.call(|counter, _| counter.load(SeqCst));
            cx.set("value", &value);
            Ok(())
        })
        .threads(3)
        .operations(30)
        .main(|_| Ok(AtomicU64::new(0)))
}

/// A breakpoint is set here.
#[inline(never)]
fn add(counter: &AtomicU64, amount: u64) -> u64 {
    let before = counter.load(SeqCst);
    let sum = before + amount;
    counter.store(sum, SeqCst);
    sum
}
