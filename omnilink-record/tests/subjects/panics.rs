//! Correct: panics that unwind through frames with destructors and are caught, an mpsc channel, scoped threads.

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Mutex, mpsc};
use std::thread;

static DROPPED: AtomicU32 = AtomicU32::new(0);

struct Scope;

impl Drop for Scope {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, SeqCst);
    }
}

fn step(number: u32, sum: &Mutex<u32>) -> u32 {
    let _scope = Scope;
    if number % 3 == 0 {
        panic!("three");
    }
    *sum.lock().unwrap() += 1;
    number
}

fn main() -> ExitCode {
    panic::set_hook(Box::new(|_| {}));
    let rounds: u32 = std::env::args().nth(1).map_or(1, |rounds| rounds.parse().unwrap());
    let (send, receive) = mpsc::channel();
    let sum = Mutex::new(0);
    let received: u32 = thread::scope(|scope| {
        for thread in 0..3 {
            let (send, sum) = (send.clone(), &sum);
            scope.spawn(move || {
                for number in (0..rounds).flat_map(|_| 0..10) {
                    let stepped = panic::catch_unwind(AssertUnwindSafe(|| step(thread * 10 + number, sum)));
                    send.send(u32::from(stepped.is_err())).unwrap();
                }
            });
        }
        drop(send);
        receive.iter().sum()
    });
    let good = received == 10 * rounds && *sum.lock().unwrap() == 20 * rounds && DROPPED.load(SeqCst) == 30 * rounds;
    if good { ExitCode::SUCCESS } else { ExitCode::from(42) }
}
