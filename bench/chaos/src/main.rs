//! How often each way of scheduling finds each bug, and what points and switches cost.
//!
//! ```text
//! cargo run --release -p bench-chaos                       1000 seeds
//! cargo run --release -p bench-chaos -- 100                fewer
//! ```
//!
//! Subjects are those of `omnilink-record/tests/subjects`, compiled by `g++ -O2` and `rustc -O`. Exits with 1 if a bar is
//! missed.

mod bar;
mod cost;
mod detection;
mod interval;
mod subject;

use std::process::ExitCode;

use bar::Bars;

fn main() -> ExitCode {
    let seeds = match std::env::args().nth(1).map(|seeds| seeds.parse()) {
        None => 1000,
        Some(Ok(seeds)) => seeds,
        Some(Err(error)) => {
            eprintln!("the argument is the number of seeds: {error}");
            return ExitCode::from(2);
        }
    };
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let mut bars = Bars::default();
    cost::report(scratch.path(), &mut bars);
    detection::report(scratch.path(), seeds, &mut bars);
    if bars.all_met() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
