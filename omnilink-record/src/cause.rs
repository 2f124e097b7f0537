//! Why a run went wrong by itself, in words that are the same for runs that went wrong alike.
//!
//! | ending | what counts |
//! | --- | --- |
//! | killed by a signal | the signal, and the user's function in which it was; if that was not seen, what the program complained about |
//! | exit code | the code, and what the program complained about |
//! | deadlock | the traced calls that the threads were in; if there are none, the user's functions |
//! | stopped | why |
//!
//! What a program complained about is one line of its standard error: a panic, a failed assertion, what a sanitizer found, else the
//! last line. Numbers in it that differ from run to run (addresses, values, process ids) are left out, but not where the
//! complaint comes from.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;

use crate::directory::{Record, RunDirectory};
use crate::ending::Ending;
use crate::observed::Observed;
use crate::stacks::crash_frame;

/// How much of standard error is looked at.
const READ: u64 = 256 << 10;
/// Complaints are cut to this.
const LONGEST: usize = 160;
/// Lines with one of these are complaints; the first that has one counts, those above before those below.
const COMPLAINTS: [&str; 7] = [
    "panicked at",
    "ERROR: ",
    "runtime error: ",
    "Assertion ",
    "terminate called",
    "what():",
    "WARNING: ThreadSanitizer",
];

/// Why the run of a directory ended as it did.
pub fn of_run(record: &Record, directory: &RunDirectory) -> String {
    let Observed { ending, stacks, .. } = &record.observed;
    match ending {
        Ending::Exited(0) | Ending::Stopped(_) => ending.to_string(),
        Ending::Deadlocked(threads) => {
            let mut places = waiting_calls(threads);
            if places.is_empty() {
                let frames = stacks.iter().filter_map(|stack| stack.own_frame());
                places.extend(frames.map(|(_, frame)| frame.function.clone()));
            }
            match places.into_iter().collect::<Vec<_>>().join(", ") {
                places if places.is_empty() => ending.to_string(),
                places => format!("{ending} in {places}"),
            }
        }
        Ending::Exited(_) | Ending::Killed(_) => match (crash_frame(stacks), complaint(&standard_error(directory))) {
            (Some(frame), _) => format!("{ending} in {frame}"),
            (None, Some(complaint)) => format!("{ending}: {complaint}"),
            (None, None) => ending.to_string(),
        },
    }
}

fn standard_error(directory: &RunDirectory) -> String {
    let mut bytes = Vec::new();
    // That it cannot be read is no reason to complain.
    let _ = File::open(directory.stderr()).and_then(|file| file.take(READ).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The actions whose calls threads were in when nobody could run, from the description of a deadlock.
fn waiting_calls(threads: &str) -> BTreeSet<String> {
    let calls = threads.lines().filter(|line| line.starts_with("thread ")).filter_map(|line| {
        let (_, calls) = line.split_once(", in ")?;
        Some(calls.split_once(", called by ").map_or(calls, |(calls, _)| calls))
    });
    // `Put(1, 2), Get(3)`: arguments differ from run to run.
    let mut actions = BTreeSet::new();
    for calls in calls {
        let mut depth = 0_usize;
        let mut name = String::new();
        for c in calls.chars().chain([',']) {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    actions.insert(std::mem::take(&mut name).trim().to_owned());
                }
                c if depth == 0 => name.push(c),
                _ => {}
            }
        }
    }
    actions.remove("");
    actions
}

/// What a program complained about.
fn complaint(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let of_kind = |kind: &&'static str| lines.iter().position(|line| line.contains(*kind)).map(|at| (at, *kind));
    let said = match COMPLAINTS.iter().find_map(of_kind) {
        Some((at, "panicked at")) => {
            let (_, place) = lines[at].split_once("panicked at")?;
            // The message is on the next line, or, of old compilers, before the place.
            let message = lines.get(at + 1).filter(|_| place.ends_with(':')).copied().unwrap_or_default();
            format!("panicked at {} {}", place.trim(), without_numbers(message))
        }
        Some((at, _)) => without_numbers(lines[at]),
        // What the fuzz loop says of a run is about the run.
        None => without_numbers(lines.iter().rfind(|line| !line.starts_with("fuzz: "))?),
    };
    let visible: String = said.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let cut = visible.trim().char_indices().nth(LONGEST).map_or(visible.len(), |(at, _)| at);
    Some(visible[..cut].trim().to_owned())
}

/// A line without what differs from run to run: numbers and addresses, unless they are the line of a source file.
fn without_numbers(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let is_new_word = !out.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        let digits = if let Some(hex) = rest.strip_prefix("0x").filter(|_| is_new_word) {
            2 + hex.bytes().take_while(u8::is_ascii_hexdigit).count()
        } else {
            rest.bytes().take_while(u8::is_ascii_digit).count()
        };
        // `queue.rs:17`, and names such as `push2`.
        let is_place =
            out.ends_with(':') && out.trim_end_matches(|c: char| c == ':' || c.is_ascii_digit()).contains('.');
        if digits > 0 && is_new_word && !is_place {
            out.push('#');
            rest = &rest[digits..];
        } else {
            let taken = digits.max(c.len_utf8());
            out.push_str(&rest[..taken]);
            rest = &rest[taken..];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_alike_whatever_the_values() {
        let cases = [
            (
                "fuzz: 2 threads\nthread 'fuzz-1' (77) panicked at src/queue.rs:17:5:\nindex 9 of 4\nnote: run with\n",
                "panicked at src/queue.rs:17:5: index # of #",
            ),
            (
                "queue.cpp:44: void pop2(): Assertion `n > 0' failed.\n",
                "queue.cpp:44: void pop2(): Assertion `n > #' failed.",
            ),
            (
                "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x60200000eff0 at pc 0x1f\n#0 in pop\n",
                "==#==ERROR: AddressSanitizer: heap-use-after-free on address # at pc #",
            ),
            ("lost 3 of 40 elements\n\nfuzz: 40 operations\n", "lost # of # elements"),
        ];
        for (stderr, expected) in cases {
            assert_eq!(complaint(stderr).as_deref(), Some(expected));
        }
        assert_eq!(complaint("fuzz: 40 operations\n"), None);
    }

    #[test]
    fn deadlocks_are_told_by_their_calls() {
        let threads = "thread 0 waits at 0x7f, in Put(1, <<2, 3>>), called by put at a.rs:3\n    futex\nthread 1 waits at 0x8f, in \
                       Get(2)\n    lock, in vain\nthread 2 sleeps\n";
        assert_eq!(waiting_calls(threads).into_iter().collect::<Vec<_>>(), ["Get", "Put"]);
    }
}
