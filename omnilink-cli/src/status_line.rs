//! One line on the terminal that says how far something is, and changes.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// How often the line changes.
const PERIOD: Duration = Duration::from_millis(500);

/// The line, on standard error. There is none if that is not a terminal.
pub struct StatusLine {
    /// When it was last written; `None` if nobody is looking.
    last: Option<Instant>,
    shown: bool,
}

impl StatusLine {
    /// From now on.
    pub fn begin() -> Self {
        Self { last: stderr().is_terminal().then(Instant::now), shown: false }
    }

    /// None, wherever standard error goes.
    pub fn none() -> Self {
        Self { last: None, shown: false }
    }

    /// Whether somebody is looking, and it is time for something new.
    pub fn is_due(&self) -> bool {
        self.last.is_some_and(|last| last.elapsed() >= PERIOD)
    }

    /// Writes it.
    pub fn show(&mut self, text: &str) {
        let _ = write!(stderr(), "\r\x1b[K{text}");
        self.last = Some(Instant::now());
        self.shown = true;
    }

    /// Takes it away, so that something else can be written.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
