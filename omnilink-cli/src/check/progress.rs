//! The progress line of checks.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use omnilink_check::search::Progress;

use crate::status_line::StatusLine;

/// The progress of all searches.
pub struct Board {
    traces: usize,
    /// Whether the remaining time can be estimated.
    estimates: bool,
    state: Mutex<State>,
}

struct State {
    began: Instant,
    done: usize,
    /// The progress of the running searches, by trace.
    searches: BTreeMap<usize, Progress>,
    /// The time of the last update, and the number of configurations then.
    last: (Instant, u64),
    line: StatusLine,
}

impl Board {
    /// Starts now, for this many traces. `is_steady`: the number of placed events estimates the remaining time.
    pub fn begin(line: StatusLine, traces: usize, is_steady: bool) -> Self {
        let now = Instant::now();
        let state = State { began: now, done: 0, searches: BTreeMap::new(), last: (now, 0), line };
        Self { traces, estimates: is_steady && traces == 1, state: Mutex::new(state) }
    }

    /// Stores the progress of a search, and updates the line if it is due.
    pub fn note(&self, trace: usize, progress: &Progress) {
        let mut state = self.state();
        state.searches.insert(trace, *progress);
        if state.line.is_due() {
            let text = state.text(self.traces, self.estimates);
            state.line.show(&text);
        }
    }

    /// A trace is done.
    pub fn finish(&self, trace: usize) {
        let mut state = self.state();
        state.searches.remove(&trace);
        state.done += 1;
    }

    /// Clears the line, so that other text can be written.
    pub fn clear(&self) {
        self.state().line.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn text(&mut self, traces: usize, estimates: bool) -> String {
        let sum = |field: fn(&Progress) -> u64| self.searches.values().map(field).sum::<u64>();
        let (placed, events) = (sum(|it| it.placed), sum(|it| it.events));
        let (configurations, open) = (sum(|it| it.configurations), sum(|it| it.open));
        let (at, before) = self.last;
        let rate = configurations.saturating_sub(before) as f64 / at.elapsed().as_secs_f64();
        self.last = (Instant::now(), configurations);
        let several = if traces > 1 { format!("{} of {traces} traces; ", self.done) } else { String::new() };
        let left = estimate(self.began.elapsed(), placed, events).filter(|_| estimates && events > 0);
        let left = left.map_or_else(String::new, |left| format!(", about {} s left", left.as_secs()));
        // The search for a smaller reason does not know how many events it needs.
        let of = if events == 0 { String::new() } else { format!(" of {events}") };
        format!("{several}{placed}{of} events, {configurations} configurations ({rate:.0}/s), {open} open{left}")
    }
}

/// The remaining time at the present speed. A search that backtracks takes longer.
fn estimate(so_far: Duration, placed: u64, events: u64) -> Option<Duration> {
    let rest = events.saturating_sub(placed) as f64 / placed as f64;
    Duration::try_from_secs_f64(so_far.as_secs_f64() * rest).ok()
}
