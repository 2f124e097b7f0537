//! A progress line on the terminal.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// The minimum time between two updates.
const PERIOD: Duration = Duration::from_millis(500);

/// The line, on standard error. There is none if standard error is not a terminal.
pub struct StatusLine {
    /// The time of the last update; `None` if standard error is not a terminal.
    last: Option<Instant>,
    shown: bool,
}

impl StatusLine {
    /// Starts the line.
    pub fn begin() -> Self {
        Self { last: stderr().is_terminal().then(Instant::now), shown: false }
    }

    /// A line that is never written.
    pub fn none() -> Self {
        Self { last: None, shown: false }
    }

    /// Whether an update is due.
    pub fn is_due(&self) -> bool {
        self.last.is_some_and(|last| last.elapsed() >= PERIOD)
    }

    /// Writes the line.
    pub fn show(&mut self, text: &str) {
        let _ = write!(stderr(), "\r\x1b[K{text}");
        self.last = Some(Instant::now());
        self.shown = true;
    }

    /// Clears the line, so that other text can be written.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
