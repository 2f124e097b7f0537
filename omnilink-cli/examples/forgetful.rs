//! A program for the tests of what is said about passes: threads increment a counter without any lock, and record it.
//!
//! `forgetful [ended] [atomic] [helper] [silent]`: whether the calls are ended, whether they are atomic, whether it starts
//! another program first, whether it makes no call at all. Anything else is wrong use.

use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use omnilink_runtime::{ActionDef, Site, begin};

static INCREMENT: Site = Site::new(&[ActionDef { name: "Increment", params: &["result"] }], &["result"]);
static VALUE: AtomicU64 = AtomicU64::new(0);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(word) = words.iter().find(|word| !["ended", "atomic", "helper", "silent"].contains(&word.as_str())) {
        eprintln!("forgetful: no such option: {word}");
        return ExitCode::from(2);
    }
    let given = |word: &str| words.iter().any(|given| given == word);
    if given("helper") {
        let status = Command::new("true").status().expect("true starts");
        assert!(status.success());
    }
    if given("silent") {
        omnilink_runtime::open_lane("silent");
        return ExitCode::SUCCESS;
    }
    let (is_ended, is_atomic) = (given("ended"), given("atomic"));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| (0..5).for_each(|_| increment(is_ended, is_atomic)));
        }
    });
    ExitCode::SUCCESS
}

fn increment(is_ended: bool, is_atomic: bool) {
    let mut op = begin(&INCREMENT);
    let result = if is_atomic {
        VALUE.fetch_add(1, Relaxed) + 1
    } else {
        let result = VALUE.load(Relaxed) + 1;
        VALUE.store(result, Relaxed);
        result
    };
    op.set("result", &result);
    if is_ended {
        op.end();
    }
}
