//! Checking, side by side with Porcupine, `porcupine-rs` and TLC.
//!
//! ```text
//! bench-check [ROUNDS [WORDS]]         all contestants, on the histories whose names contain the words
//! bench-check omnilink FILE            one contestant, on one history
//! bench-check omnilink-model FILE
//! bench-check porcupine-rs FILE
//! bench-check weak [HISTORIES]         weak consistency against linearizability
//! ```
//!
//! Contestants take turns on every history, each in a process of its own with limits on memory and CPU time. Compared
//! are CPU seconds of checking, all threads and the kernel included, reading excluded; and peak memory of the process.

mod bars;
mod contestants;
mod histories;
mod lines;
mod process;
mod table;
mod tournament;
mod usage;
mod weak;

use std::path::Path;
use std::process::ExitCode;

use contestants::{model, omnilink, porcupine_rs};

const ROUNDS: usize = 5;
const WEAK_HISTORIES: u64 = 4000;

/// What can go wrong here, to be told and given up on.
type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [omnilink::CHILD, file] => omnilink::check_here(Path::new(file)),
        [model::CHILD, file] => model::check_here(Path::new(file)),
        [porcupine_rs::CHILD, file] => porcupine_rs::check_here(Path::new(file)),
        ["weak"] => weak::measure(WEAK_HISTORIES),
        ["weak", count] => count.parse().map_err(Into::into).and_then(weak::measure),
        [] => tournament::hold(ROUNDS, ""),
        [rounds] => with_rounds(rounds, ""),
        [rounds, words] => with_rounds(rounds, words),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

const USAGE: &str = "usage: bench-check [ROUNDS [WORDS]] | bench-check omnilink|omnilink-model|porcupine-rs FILE | bench-check weak [HISTORIES]";

fn with_rounds(rounds: &str, words: &str) -> Outcome<()> {
    match rounds.parse() {
        Ok(rounds @ 1..) => tournament::hold(rounds, words),
        _ => Err(USAGE.into()),
    }
}
