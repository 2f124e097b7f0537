//! One line on the terminal that says how far checking is.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use omnilink_check::search::Progress;

use crate::status_line::StatusLine;

/// Shows how far all searches are.
pub struct Board {
    traces: usize,
    /// Tells how long it will take.
    estimates: bool,
    state: Mutex<State>,
}

struct State {
    began: Instant,
    done: usize,
    /// How far the searches are that are going on, by trace.
    searches: BTreeMap<usize, Progress>,
    /// When the line was last written and how many configurations there were.
    last: (Instant, u64),
    line: StatusLine,
}

impl Board {
    /// For so many traces, from now on. `is_steady` says that the events placed tell how much is left.
    pub fn begin(line: StatusLine, traces: usize, is_steady: bool) -> Self {
        let now = Instant::now();
        let state = State { began: now, done: 0, searches: BTreeMap::new(), last: (now, 0), line };
        Self { traces, estimates: is_steady && traces == 1, state: Mutex::new(state) }
    }

    /// Notes how far the search for a trace is, and shows it if that was not just done.
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

    /// Takes the line away, so that something else can be written.
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
        let left = estimate(self.began.elapsed(), placed, events).filter(|_| estimates);
        let left = left.map_or_else(String::new, |left| format!(", about {} s left", left.as_secs()));
        format!(
            "{several}{placed} of {events} events, {configurations} configurations ({rate:.0}/s), {open} open{left}"
        )
    }
}

/// How long the rest takes if it goes on as it did. A search that has to go back takes longer.
fn estimate(so_far: Duration, placed: u64, events: u64) -> Option<Duration> {
    let rest = events.saturating_sub(placed) as f64 / placed as f64;
    Duration::try_from_secs_f64(so_far.as_secs_f64() * rest).ok()
}
