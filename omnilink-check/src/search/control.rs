//! When a search ends without an answer, and who hears how far it is.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use omnilink_budget::Exhausted;

/// How much a search may take.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Time.
    pub timeout: Option<Duration>,
    /// The option that sets the time, for texts.
    pub timeout_option: &'static str,
    /// Configurations visited.
    pub configurations: Option<u64>,
    /// Bytes that the search itself holds.
    pub memory: Option<usize>,
    /// Inner steps (`X_Step`) in a row.
    pub inner_steps: u32,
    /// Backjumping begins when the search has visited so many configurations without placing one more event.
    pub backjump_after: u64,
    /// Partial-order reduction and dead-end detection begin when so many moves have led nowhere.
    pub reduce_after: u64,
    /// From so many configurations that dead-end detection has recognised the search goes on all the same, to find out how
    /// many events can be placed.
    pub explored_dead_ends: u64,
    /// Independent parts of a history are looked for when so many moves, and some more for long histories, have led nowhere.
    pub partition_after: u64,
    /// Threads.
    pub threads: usize,
    /// The other threads start when the first has visited so many configurations: most searches end before threads could
    /// be started.
    pub parallel_after: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: None,
            timeout_option: "--timeout",
            configurations: None,
            memory: None,
            inner_steps: 1000,
            backjump_after: 256,
            reduce_after: 1 << 10,
            explored_dead_ends: 1 << 12,
            partition_after: 1 << 7,
            threads: 1,
            parallel_after: 1 << 17,
        }
    }
}

/// Why a search ended without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Somebody interrupted it.
    Interrupted,
    /// The time was up.
    Timeout,
    /// There were too many configurations.
    Configurations,
    /// They took too much memory.
    Memory,
    /// Somewhere `X_Step` could go on and on.
    InnerSteps,
    /// All orders were tried, but an inferred constant may have decided: see `dependence`.
    Inferred,
    /// All orders were tried, but a part of the next-state relation that has no name may be what a call was: see `dependence`.
    Nameless,
}

impl From<Exhausted> for Stopped {
    fn from(exhausted: Exhausted) -> Self {
        match exhausted {
            Exhausted::Interrupted => Self::Interrupted,
            Exhausted::Timeout => Self::Timeout,
            Exhausted::Memory => Self::Memory,
        }
    }
}

/// How far a search is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// The most events that an order could place so far.
    pub placed: u64,
    /// The events that are to be placed.
    pub events: u64,
    /// Configurations visited so far.
    pub configurations: u64,
    /// How many are to be looked at again or next.
    pub open: u64,
}

/// What a search asks from time to time.
pub struct Control<'a> {
    /// Set by Ctrl-C.
    pub interrupt: &'a AtomicBool,
    /// Called with how far it is.
    pub progress: &'a mut dyn FnMut(&Progress),
    /// How much it may take.
    pub limits: Limits,
    /// When it began.
    pub began: Instant,
}

impl Control<'_> {
    /// Configurations between two looks at the clock.
    pub(crate) const PERIOD: u64 = 1024;

    /// Whether to stop; called for every configuration.
    pub(crate) fn check(&mut self, progress: &Progress, bytes: impl FnOnce() -> usize) -> Result<(), Stopped> {
        let is_time = progress.configurations.is_multiple_of(Self::PERIOD);
        if is_time || self.is_beyond(progress) { self.ask(progress, bytes) } else { Ok(()) }
    }

    /// Whether to stop; reports how far the search is.
    pub(crate) fn ask(&mut self, progress: &Progress, bytes: impl FnOnce() -> usize) -> Result<(), Stopped> {
        let Limits { timeout, memory, .. } = self.limits;
        (self.progress)(progress);
        if self.is_beyond(progress) {
            return Err(Stopped::Configurations);
        }
        if self.interrupt.load(Relaxed) {
            return Err(Stopped::Interrupted);
        }
        if timeout.is_some_and(|limit| self.began.elapsed() > limit) {
            return Err(Stopped::Timeout);
        }
        if memory.is_some_and(|limit| bytes() > limit) {
            return Err(Stopped::Memory);
        }
        Ok(())
    }

    fn is_beyond(&self, progress: &Progress) -> bool {
        self.limits.configurations.is_some_and(|limit| progress.configurations > limit)
    }
}
