//! A fuzzer with a deadlock: money moves between two accounts, and their locks are taken in both orders.

use std::process::ExitCode;
use std::sync::Mutex;

use omnilink::fuzz::Fuzz;

fn main() -> ExitCode {
    Fuzz::<[Mutex<i64>; 2], ()>::new("Accounts")
        .action("Transfer", &["from", "to"], |cx| {
            let from = cx.thread() % 2;
            cx.set("from", &(from as i64));
            cx.set("to", &(1 - from as i64));
            cx.call(|accounts, _| {
                let mut source = accounts[from].lock().unwrap();
                let mut destination = accounts[1 - from].lock().unwrap();
                *source -= 1;
                *destination += 1;
            });
            Ok(())
        })
        .threads(2)
        .operations(50)
        .main(|_| Ok([Mutex::new(0), Mutex::new(0)]))
}
