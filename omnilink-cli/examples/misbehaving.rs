//! A fuzzer for the tests that run programs in a loop: threads increment a counter under a lock, and in the middle of the
//! run something goes wrong as `--how` says, or nothing.

use std::process::{self, ExitCode};
use std::sync::Mutex;

use omnilink_runtime::fuzz::Fuzz;

/// When it goes wrong.
const FATAL: u64 = 6;

struct Counter {
    value: Mutex<u64>,
    other: Mutex<()>,
    how: String,
}

fn main() -> ExitCode {
    Fuzz::<Counter>::new("Counter")
        .option("how", "NAME", "what goes wrong: abort, panic, exit, hang or deadlock [default: nothing]")
        .action("Increment", &["result"], |cx| {
            let result = cx.call(|counter, ()| counter.increment());
            cx.set("result", &result);
            Ok(())
        })
        .threads(2)
        .operations(5)
        .main(|options| {
            let how = options.get("how").unwrap_or_default().to_owned();
            Ok(Counter { value: Mutex::new(0), other: Mutex::new(()), how })
        })
}

impl Counter {
    fn increment(&self) -> u64 {
        let mut value = self.value.lock().expect("nobody panics with the lock");
        let result = *value + 1;
        if result == FATAL {
            match self.how.as_str() {
                "abort" => process::abort(),
                "exit" => process::exit(7),
                // The other thread soon gets here, too.
                "hang" => {
                    drop(value);
                    loop {
                        std::thread::yield_now();
                    }
                }
                "panic" => {
                    drop(value);
                    panic!("the sixth increment");
                }
                "deadlock" => {
                    let _forever = self.other.lock();
                    let _never = self.other.lock();
                }
                _ => {}
            }
        }
        *value = result;
        result
    }
}
