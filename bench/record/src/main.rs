//! Nanoseconds per recorded action with three integer arguments, side by side.
//!
//! `cargo run --release -p bench-record [ROUNDS]`
//!
//! Contestants take turns within each round, so that whatever else the machine does hits all of them; medians over the
//! rounds are reported, and ratios of medians. Every contestant does the same "work": three integers that change with
//! each call.

mod contestants;
mod table;
mod turn;

use std::process::ExitCode;

use table::Table;

const ROUNDS: usize = 31;

fn main() -> ExitCode {
    #[cfg(lttng)]
    if let Some(exit_code) = contestants::lttng_ust::run_again_under_daemon() {
        return exit_code;
    }
    match std::env::args().nth(1).map_or(Ok(ROUNDS), |rounds| rounds.parse()) {
        Ok(rounds @ 1..) => {
            compete(rounds);
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: bench-record [ROUNDS]");
            ExitCode::FAILURE
        }
    }
}

fn compete(rounds: usize) {
    let contestants = contestants::all();
    let names = || contestants.iter().map(|contestant| contestant.name());
    let mut wall = Table::new("wall time, ns per action", names());
    let mut cpu = Table::new("CPU time of the thread, ns per action", names());
    let mut tallies = vec![(0, 0); contestants.len()];
    for round in 0..rounds {
        eprint!("\rround {} of {rounds}", round + 1);
        for (index, contestant) in contestants.iter().enumerate() {
            for threads in [1, 2] {
                let turn = turn::take(&**contestant, threads);
                wall.add(index, threads, turn.wall);
                cpu.add(index, threads, turn.cpu);
                tallies[index].0 += turn.lost;
                tallies[index].1 += turn.actions;
            }
        }
    }
    eprintln!();
    println!("{wall}\n{cpu}");
    for (name, (lost, actions)) in names().zip(tallies).filter(|(_, (lost, _))| *lost > 0) {
        println!("{name} has lost {lost} of {actions} actions.");
    }
}
