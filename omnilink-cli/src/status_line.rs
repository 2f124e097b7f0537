//! How far something is: one line that changes on a terminal, a new line every ten seconds elsewhere.
//!
//! In a log, lines come from a thread of their own, so that they come also while a single run or search takes long: a job
//! without output looks dead, and some CI systems end it.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::amount;
use crate::failure::complain;

/// How often the text changes.
const PERIOD: Duration = Duration::from_millis(500);
/// How often a line is written where there is no terminal.
const LOG_PERIOD: Duration = Duration::from_secs(10);
/// The variable that says how often instead: a time, or `never`.
const VARIABLE: &str = "OMNILINK_PROGRESS";

/// The line, on standard error.
pub struct StatusLine {
    /// When the text was last changed; `None` if nobody is looking.
    last: Option<Instant>,
    /// A line was written that is still there.
    shown: bool,
    log: Option<Log>,
}

impl StatusLine {
    /// From now on.
    pub fn begin() -> Self {
        if stderr().is_terminal() {
            return Self { last: Some(Instant::now()), shown: false, log: None };
        }
        match log_period() {
            Some(period) => {
                let log = Log::begin(period, |line| complain(format_args!("{line}")));
                Self { last: Some(Instant::now()), shown: false, log }
            }
            None => Self::none(),
        }
    }

    /// None, wherever standard error goes.
    pub fn none() -> Self {
        Self { last: None, shown: false, log: None }
    }

    /// Whether somebody is looking, and it is time for something new.
    pub fn is_due(&self) -> bool {
        self.last.is_some_and(|last| last.elapsed() >= PERIOD)
    }

    /// Changes the text.
    pub fn show(&mut self, text: &str) {
        self.last = Some(Instant::now());
        match &self.log {
            Some(log) => log.set(text),
            None => {
                let _ = write!(stderr(), "\r\x1b[K{text}");
                self.shown = true;
            }
        }
    }

    /// Takes the line away, so that something else can be written.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

/// How often to write a line to a log; nothing if never. What cannot be read counts as not given.
fn log_period() -> Option<Duration> {
    match std::env::var(VARIABLE).ok().as_deref() {
        Some("never") => None,
        Some(text) => Some(amount::duration(text).unwrap_or(LOG_PERIOD)),
        None => Some(LOG_PERIOD),
    }
}

/// Writes the newest text again and again. It ends when this is dropped.
struct Log {
    text: Arc<Mutex<String>>,
    _end: Sender<()>,
}

impl Log {
    /// None if there can be no further thread.
    fn begin(period: Duration, write: impl Fn(&str) + Send + 'static) -> Option<Self> {
        let text = Arc::new(Mutex::new(String::new()));
        let (end, ended) = mpsc::channel();
        let (newest, began) = (Arc::clone(&text), Instant::now());
        let lines = move || {
            while ended.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                let text = newest.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let doing = if text.is_empty() { "nothing is finished yet" } else { &text };
                write(&format!("after {} s: {doing}", began.elapsed().as_secs()));
            }
        };
        thread::Builder::new().name("progress".to_owned()).spawn(lines).ok()?;
        Some(Self { text, _end: end })
    }

    fn set(&self, text: &str) {
        text.clone_into(&mut self.text.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_gets_the_newest_text_again_and_again_until_the_end() {
        let (send, lines) = mpsc::channel();
        let log = Log::begin(Duration::from_millis(1), move |line| drop(send.send(line.to_owned()))).unwrap();
        assert_eq!(lines.recv().unwrap(), "after 0 s: nothing is finished yet");
        log.set("3 runs");
        let is_new = |line: &String| line.ends_with(" s: 3 runs");
        assert_eq!(lines.iter().filter(is_new).take(2).count(), 2);
        drop(log);
        // The thread drops its end: there is a last line.
        assert!(lines.iter().all(|line| is_new(&line)));
    }
}
