//! Correct: a hundred threads with thread-local values, whose destructors use a lock and send what they counted.

use std::cell::RefCell;
use std::process::ExitCode;
use std::sync::{Mutex, mpsc};
use std::thread;

const THREADS: usize = 100;

static DROPPED: Mutex<usize> = Mutex::new(0);

struct Local {
    count: usize,
    send: mpsc::Sender<usize>,
}

impl Drop for Local {
    fn drop(&mut self) {
        *DROPPED.lock().unwrap() += 1;
        self.send.send(self.count).unwrap();
    }
}

thread_local! {
    static LOCAL: RefCell<Option<Local>> = const { RefCell::new(None) };
}

fn main() -> ExitCode {
    let (send, receive) = mpsc::channel();
    let threads: Vec<_> = (1..=THREADS)
        .map(|count| {
            let send = send.clone();
            thread::spawn(move || LOCAL.set(Some(Local { count, send })))
        })
        .collect();
    drop(send);
    for thread in threads {
        thread.join().unwrap();
    }
    let sum: usize = receive.iter().sum();
    let good = sum == THREADS * (THREADS + 1) / 2 && *DROPPED.lock().unwrap() == THREADS;
    if good { ExitCode::SUCCESS } else { ExitCode::from(42) }
}
