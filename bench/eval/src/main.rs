//! How fast specifications are explored and actions evaluated, beside TLC.
//!
//! `cargo run --release -p bench-eval [ROUNDS]`
//!
//! *Exploring*: TLC with one worker and `omnilink_tla::explore` take turns on the same specifications and count the same
//! states (it is an error if they do not). What is compared is CPU time of the process, all its threads and the kernel included;
//! for TLC the time of a run on a specification with one state is subtracted. Medians over the rounds.
//!
//! *Stepping*: calls of `Spec::step` on a dictionary, a function over a changing domain, with all arguments known.

mod corpus;
mod exploring;
mod process;
mod stepping;
mod tlc;

use std::process::ExitCode;

const ROUNDS: usize = 5;

const USAGE: &str = "usage: bench-eval [ROUNDS | step [CALLS] | corpus DIRECTORY [PART-OF-A-PATH…]]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [exploring::CHILD, spec, config] => exploring::explore_here(spec, config),
        ["corpus", directory, ref parts @ ..] => corpus::compare(directory.as_ref(), parts),
        ["step"] => stepping::measure(stepping::CALLS),
        ["step", calls] => calls.parse().map_err(Into::into).and_then(stepping::measure),
        [] => run(ROUNDS),
        [rounds] => match rounds.parse() {
            Ok(rounds @ 1..) => run(rounds),
            _ => Err(USAGE.into()),
        },
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

/// What can go wrong here, to be told and given up on.
type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn run(rounds: usize) -> Outcome<()> {
    exploring::compare(rounds)?;
    println!();
    stepping::measure(stepping::CALLS)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
