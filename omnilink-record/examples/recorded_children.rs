//! A fuzzer that starts other processes and waits for them while its other threads record: what the tests of this crate
//! run when they need one.

use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use omnilink::fuzz::Fuzz;

fn main() -> ExitCode {
    Fuzz::<AtomicU64, ()>::new("Counter")
        .action("Increment", &["value"], |cx| {
            let value = cx.call(|counter, _| counter.fetch_add(1, SeqCst));
            cx.set("value", &value);
            Ok(())
        })
        .action("Ask", &["code"], |cx| {
            let status = cx.call(|_, _| Command::new("/bin/sh").args(["-c", "exit 3"]).status());
            cx.set("code", &status.ok().and_then(|status| status.code()).unwrap_or(-1));
            Ok(())
        })
        .threads(3)
        .operations(4)
        .main(|_| Ok(AtomicU64::new(0)))
}
