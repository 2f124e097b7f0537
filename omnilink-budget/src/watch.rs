//! One thread that watches all budgets.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use super::{Exhausted, memory};

/// The period of checking budgets.
pub const PERIOD: Duration = Duration::from_millis(10);

/// The number of exhausted budgets that still exist, plus one if no thread watches: then every poll checks its budget.
pub(super) static URGENT: AtomicUsize = AtomicUsize::new(0);

/// The number of budgets with a memory limit: they share the sum of their limits.
static SHARING: AtomicUsize = AtomicUsize::new(0);

static ROUND: Mutex<Round> = Mutex::new(Round { budgets: Vec::new(), has_watcher: false });
static NEWS: Condvar = Condvar::new();

/// The budgets that the watcher checks.
struct Round {
    budgets: Vec<Weak<Watched>>,
    has_watcher: bool,
}

/// The shared part of a budget.
pub(super) struct Watched {
    deadline: Option<Instant>,
    memory: Option<Memory>,
    interrupt: Arc<AtomicBool>,
    /// Why it is exhausted; 0 if it is not.
    exhausted: AtomicU8,
}

/// A limit of memory.
struct Memory {
    /// The memory use when the budget began.
    before: usize,
    limit: usize,
}

impl Watched {
    pub fn new(timeout: Option<Duration>, memory: Option<usize>, interrupt: Arc<AtomicBool>) -> Arc<Self> {
        let memory = memory.and_then(|limit| Some(Memory { before: memory::held()?, limit }));
        SHARING.fetch_add(usize::from(memory.is_some()), Relaxed);
        // A time beyond the range of the clock is no limit.
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let watched = Arc::new(Self { deadline, memory, interrupt, exhausted: AtomicU8::new(0) });
        let mut round = round();
        round.budgets.push(Arc::downgrade(&watched));
        if !round.has_watcher {
            round.has_watcher = true;
            let watcher = thread::Builder::new().name("budgets".into()).spawn(watch);
            if watcher.is_err() {
                URGENT.fetch_add(1, Relaxed);
            }
        }
        drop(round);
        NEWS.notify_one();
        watched
    }

    /// Why it is exhausted, if the watcher noticed it or a check of the time and the flag shows it.
    pub fn look(&self) -> Option<Exhausted> {
        let found = match self.exhausted.load(Relaxed) {
            0 if self.interrupt.load(Relaxed) => Exhausted::Interrupted,
            0 if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) => Exhausted::Timeout,
            0 => return None,
            1 => return Some(Exhausted::Interrupted),
            2 => return Some(Exhausted::Timeout),
            _ => return Some(Exhausted::Memory),
        };
        self.exhaust(found);
        Some(found)
    }

    fn look_at_memory(&self, held: usize) {
        let sharing = SHARING.load(Relaxed).max(1);
        let is_over = |Memory { before, limit }: &Memory| held.saturating_sub(*before) / sharing > *limit;
        if self.memory.as_ref().is_some_and(is_over) {
            self.exhaust(Exhausted::Memory);
        }
    }

    fn exhaust(&self, why: Exhausted) {
        let why = match why {
            Exhausted::Interrupted => 1,
            Exhausted::Timeout => 2,
            Exhausted::Memory => 3,
        };
        if self.exhausted.compare_exchange(0, why, Relaxed, Relaxed).is_ok() {
            URGENT.fetch_add(1, Relaxed);
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        URGENT.fetch_sub(usize::from(*self.exhausted.get_mut() != 0), Relaxed);
        SHARING.fetch_sub(usize::from(self.memory.is_some()), Relaxed);
    }
}

fn round() -> MutexGuard<'static, Round> {
    ROUND.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch() {
    loop {
        let mut round = round();
        while round.budgets.is_empty() {
            round = NEWS.wait(round).unwrap_or_else(PoisonError::into_inner);
        }
        let mut held = None;
        round.budgets.retain(|budget| {
            let Some(budget) = budget.upgrade() else { return false };
            if budget.look().is_none() && budget.memory.is_some() {
                budget.look_at_memory(*held.get_or_insert_with(|| memory::held().unwrap_or(0)));
            }
            true
        });
        drop(round);
        thread::sleep(PERIOD);
    }
}
