//! How far TLC is, as it says itself: after three seconds, and then every minute.
//!
//! ```text
//! @!@!@STARTMSG 2200:0 @!@!@
//! Progress(7) at …: 58,323 states generated (…), 41,300 distinct states found (…), 9,814 states left on queue.
//! @!@!@ENDMSG 2200 @!@!@
//! ```
//!
//! Its states are configurations, and those of level 7 have six moves behind them. How it separates thousands depends
//! on where it is run.

use std::io::{self, Read};

use super::answer::message_start;
use crate::search::Progress;

/// The code of its messages about that.
const PROGRESS: u32 = 2200;

/// Follows what TLC says while it says it.
pub(super) struct Listener<R> {
    said: R,
    /// A line that has not ended yet.
    rest: Vec<u8>,
    /// The next line says how far it is.
    announced: bool,
}

impl<R: Read> Listener<R> {
    /// Of what was said and will be, from the beginning; that it ends means that no more was said yet.
    pub(super) fn new(said: R) -> Self {
        Self { said, rest: Vec::new(), announced: false }
    }

    /// Brings `progress` up to date; gives whether there was something new.
    pub(super) fn hear(&mut self, progress: &mut Progress) -> io::Result<bool> {
        self.said.read_to_end(&mut self.rest)?;
        let whole = self.rest.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let lines: Vec<u8> = self.rest.drain(..whole).collect();
        let mut is_news = false;
        for line in String::from_utf8_lossy(&lines).lines() {
            if let (true, Some(at)) = (self.announced, read(line, progress.events)) {
                *progress = at;
                is_news = true;
            }
            self.announced = message_start(line).is_some_and(|(code, _)| code == PROGRESS);
        }
        Ok(is_news)
    }
}

/// How far it is with so many events; none if that is said in other words than we know.
fn read(line: &str, events: u64) -> Option<Progress> {
    let (level, counts) = line.strip_prefix("Progress(")?.split_once(')')?;
    let level: u64 = level.parse().ok()?;
    Some(Progress {
        placed: level.saturating_sub(1).min(events),
        events,
        configurations: number_before(counts, " distinct states found")?,
        open: number_before(counts, " states left on queue")?,
    })
}

/// The number that stands before some words.
fn number_before(text: &str, words: &str) -> Option<u64> {
    let (before, _) = text.split_once(words)?;
    let number = before.rsplit(' ').next()?;
    number.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: u64 = 8;

    /// What is heard of a text that comes in two parts.
    fn heard(text: &[u8], at: usize) -> Vec<(u64, u64, u64)> {
        struct Parts<'a>(Vec<&'a [u8]>);
        impl Read for Parts<'_> {
            fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
                let Some(part) = self.0.first_mut() else { return Ok(0) };
                let read = part.read(room)?;
                if read == 0 {
                    self.0.remove(0);
                }
                Ok(read)
            }
        }
        let (first, second) = text.split_at(at);
        let mut listener = Listener::new(Parts(vec![first, second]));
        let mut progress = Progress { events: EVENTS, ..Progress::default() };
        let mut heard = Vec::new();
        for _ in 0..2 {
            if listener.hear(&mut progress).unwrap() {
                heard.push((progress.placed, progress.configurations, progress.open));
            }
        }
        heard
    }

    fn framed(code: u32, line: &str) -> String {
        format!("@!@!@STARTMSG {code}:0 @!@!@\n{line}\n@!@!@ENDMSG {code} @!@!@\n")
    }

    const LINE: &str = "Progress(7) at 2024-01-31 10:00:03: 58,323 states generated (58,323 s/min), 41,300 distinct \
                        states found (41,300 ds/min), 9,814 states left on queue.";

    #[test]
    fn numbers_are_read_however_they_are_written() {
        let others = [",", ".", "\u{a0}", "\u{202f}", "'", ""].map(|mark| LINE.replace(',', mark));
        let short =
            "Progress(7) at 10:00: 58323 states generated, 41300 distinct states found, 9814 states left on queue.";
        for line in others.iter().map(String::as_str).chain([short]) {
            assert_eq!(heard(framed(PROGRESS, line).as_bytes(), 0), [(6, 41_300, 9_814)], "{line}");
        }
        let beyond = framed(PROGRESS, &LINE.replace("(7)", "(12)"));
        assert_eq!(heard(beyond.as_bytes(), 0), [(EVENTS, 41_300, 9_814)], "inner steps are moves, too");
    }

    #[test]
    fn only_whole_messages_of_tlc_itself_count() {
        let printed = format!("{LINE}\n");
        for other in [&*printed, &framed(2199, LINE), &framed(PROGRESS, "Progress: 58,323 states checked."), LINE] {
            assert!(heard(other.as_bytes(), 0).is_empty(), "{other}");
        }
        let text = framed(2185, "Starting... (2024-01-31 ü)") + &framed(PROGRESS, LINE);
        for at in 0..text.len() {
            assert_eq!(heard(text.as_bytes(), at), [(6, 41_300, 9_814)], "cut at {at}");
        }
    }
}
