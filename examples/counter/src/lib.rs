//! Counters that many threads share, instrumented where they are: every call is an action of `Counter.tla`.
//!
//! The attributes are all that OmniLink adds. A program that uses these counters runs as before; with
//! `OMNILINK_TRACE_DIR` in its environment it also leaves a trace.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counter.
pub trait Counter: Sync {
    /// Counts, and tells the new value.
    fn increment(&self) -> u64;
    /// How far it has counted.
    fn read(&self) -> u64;
}

/// The correct one: an increment is one atomic operation.
#[derive(Debug, Default)]
pub struct AtomicCounter {
    count: AtomicU64,
}

impl Counter for AtomicCounter {
    #[omnilink::action(Increment(new = ret))]
    fn increment(&self) -> u64 {
        // Relaxed: the count orders nothing but itself.
        self.count.fetch_add(1, Ordering::Relaxed) + 1
    }

    #[omnilink::action(Read(value = ret))]
    fn read(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

/// One that loses updates: between its load and its store other threads may count, and what they did is overwritten.
///
/// Each of the two operations is atomic, so there is no data race for the compiler or a sanitizer to complain about.
/// The fix is to make one of both, as [`AtomicCounter`] does.
#[derive(Default)]
pub struct RacyCounter {
    count: AtomicU64,
    window: Option<Box<dyn Fn() + Send + Sync>>,
}

impl RacyCounter {
    /// A counter at 0 that calls `window` between load and store, for those who want to meet another thread there.
    pub fn with_window(window: impl Fn() + Send + Sync + 'static) -> Self {
        Self { window: Some(Box::new(window)), ..Self::default() }
    }
}

impl Counter for RacyCounter {
    #[omnilink::action(Increment(new = ret))]
    fn increment(&self) -> u64 {
        let new = self.count.load(Ordering::Relaxed) + 1;
        if let Some(window) = &self.window {
            window();
        }
        self.count.store(new, Ordering::Relaxed);
        new
    }

    #[omnilink::action(Read(value = ret))]
    fn read(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for RacyCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RacyCounter").field("count", &self.count).finish_non_exhaustive()
    }
}
