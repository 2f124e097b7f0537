//! Buggy: flags that are checked and then set, so that two threads may both believe to be the first.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::thread;

const CELLS: usize = 20;

static DONE: [AtomicBool; CELLS] = [const { AtomicBool::new(false) }; CELLS];
static TIMES: [AtomicU32; CELLS] = [const { AtomicU32::new(0) }; CELLS];

fn each_once() {
    for (done, times) in DONE.iter().zip(&TIMES) {
        if !done.load(SeqCst) {
            done.store(true, SeqCst);
            times.fetch_add(1, SeqCst);
        }
    }
}

fn main() -> ExitCode {
    let threads: Vec<_> = (0..2).map(|_| thread::spawn(each_once)).collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let once = TIMES.iter().all(|times| times.load(SeqCst) == 1);
    if once { ExitCode::SUCCESS } else { ExitCode::from(42) }
}
