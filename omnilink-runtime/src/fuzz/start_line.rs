//! All threads begin at once.

use std::hint;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// How often a thread that is awake looks for the others before it gives its processor away: some tens of microseconds, about what
/// a thread takes to wake up. Who yields on a busy machine is away for milliseconds.
const LOOKS_WITHOUT_YIELD: u32 = 1000;

/// Where threads wait until all of them are ready.
///
/// A barrier alone would not do. Its waiters wake up one after the other, tens of microseconds apart: the first of
/// them would be through a short run before the last begins, and calls that never overlap show no races. So threads
/// sleep until the last one is ready, and then meet a second time, awake.
#[derive(Debug, Default)]
pub(super) struct StartLine {
    signal: Mutex<Signal>,
    given: Condvar,
    awake: AtomicUsize,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Signal {
    #[default]
    Wait,
    Go {
        threads: usize,
    },
    GoHome,
}

impl StartLine {
    /// Lets all `threads` threads go.
    pub fn go(&self, threads: usize) {
        self.give(Signal::Go { threads });
    }

    /// Tells the threads that wait that the run is called off.
    pub fn call_off(&self) {
        self.give(Signal::GoHome);
    }

    fn give(&self, signal: Signal) {
        *self.signal.lock().unwrap_or_else(PoisonError::into_inner) = signal;
        self.given.notify_all();
    }

    /// Waits for the signal; false if the run is called off.
    pub fn wait(&self) -> bool {
        let signal = self.signal.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = |signal: &mut Signal| *signal == Signal::Wait;
        let signal = *self.given.wait_while(signal, waiting).unwrap_or_else(PoisonError::into_inner);
        let Signal::Go { threads } = signal else { return false };
        // Relaxed: the counter says only who is awake; everything shared was handed over under the lock.
        self.awake.fetch_add(1, Ordering::Relaxed);
        let mut looks = 0;
        while self.awake.load(Ordering::Relaxed) < threads {
            if looks < LOOKS_WITHOUT_YIELD {
                looks += 1;
                hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
        true
    }
}
