//! Nanoseconds per recorded action with three integer arguments, side by side.
//!
//! `cargo run --release -p bench-record`
//!
//! Contestants take turns within each round, so that whatever else the machine does hits all of them; medians over the
//! rounds are reported, and ratios of medians. Every contestant does the same "work": three integers that change with
//! each call.

mod contestants;
mod table;

use std::sync::Barrier;
use std::time::Instant;

use contestants::Contestant;
use table::Measurements;

const ROUNDS: usize = 31;
const CALLS: u64 = 100_000;

fn main() {
    let contestants = contestants::all();
    let mut measurements = Measurements::new(contestants.iter().map(|contestant| contestant.name).collect());
    for round in 0..ROUNDS {
        eprint!("\rround {} of {ROUNDS}", round + 1);
        for (index, contestant) in contestants.iter().enumerate() {
            for threads in [1, 2] {
                measurements.add(index, threads, time(contestant, threads));
            }
        }
    }
    eprintln!();
    for contestant in contestants {
        (contestant.finish)();
    }
    println!("{measurements}");
}

/// Nanoseconds per call on each of `threads` threads that all call at once: the mean over the threads.
fn time(contestant: &Contestant, threads: usize) -> f64 {
    let barrier = Barrier::new(threads);
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..threads)
            .map(|thread| {
                let (barrier, run) = (&barrier, &contestant.run);
                scope.spawn(move || {
                    run(thread as u64, CALLS / 10);
                    barrier.wait();
                    let begin = Instant::now();
                    run(thread as u64, CALLS);
                    begin.elapsed().as_nanos() as f64 / CALLS as f64
                })
            })
            .collect();
        let times = runs.into_iter().map(|run| run.join().expect("contestants do not panic"));
        times.sum::<f64>() / threads as f64
    })
}
