//! Counts with several threads. There is nothing about recording here: that is in the counters, and in the environment.

use std::process::ExitCode;
use std::thread;

use counter_demo::{AtomicCounter, Counter, RacyCounter};

const USAGE: &str = "\
Usage: counter-demo [COUNTER [THREADS [INCREMENTS]]]

  COUNTER     atomic (correct) or buggy (loses updates) [default: atomic]
  THREADS     threads that count [default: 4]
  INCREMENTS  how often each of them does [default: 100000]

OMNILINK_TRACE_DIR=DIR records what the threads do.";

/// A thread looks at the counter each time it has counted so often.
const INCREMENTS_PER_READ: u64 = 10;

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(outcome) => {
            println!("{outcome}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("counter-demo: {problem}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Vec<String>) -> Result<String, String> {
    let argument = |at: usize, default| arguments.get(at).map_or(default, String::as_str);
    let number = |at, default| match argument(at, default).parse::<u32>() {
        Ok(number) if number > 0 => Ok(u64::from(number)),
        _ => Err(format!("`{}` is not a number above 0", argument(at, default))),
    };
    let counter: Box<dyn Counter> = match argument(0, "atomic") {
        "atomic" => Box::new(AtomicCounter::default()),
        "buggy" => Box::new(RacyCounter::default()),
        other => return Err(format!("`{other}` is neither atomic nor buggy")),
    };
    let (threads, increments) = (number(1, "4")?, number(2, "100000")?);
    if let Some(surplus) = arguments.get(3) {
        return Err(format!("`{surplus}` is one argument too many"));
    }
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| count(&*counter, increments));
        }
    });
    Ok(format!("{} increments, counted to {}", threads * increments, counter.read()))
}

fn count(counter: &dyn Counter, increments: u64) {
    for done in 1..=increments {
        counter.increment();
        if done % INCREMENTS_PER_READ == 0 {
            counter.read();
        }
    }
}
