//! A program that dies at any moment, in any way, leaves a trace of exactly what it did.
//!
//! The victim's workers perform calls whose every value follows from worker and number ([`script`]), and report how far they are
//! through a page that survives them ([`progress`]). After the victim's death the trace is compared with that page
//! ([`verdict`]): every call whose end returned is there, the call in flight is pending with the inputs that were
//! set, and nothing else is there.

mod death;
mod progress;
mod script;
#[path = "../support/mod.rs"]
mod support;
mod verdict;
mod victim;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::Stdio;

use death::{Death, Manner};
use progress::{Page, WORKERS};
use support::program::Program;

/// Deaths per manner.
const DEATHS: u64 = 36;

#[test]
fn killed_by_sigkill() {
    die(Manner::Kill);
}

#[test]
fn killed_by_a_segmentation_fault() {
    die(Manner::SegmentationFault);
}

#[test]
fn killed_by_abort() {
    die(Manner::Abort);
}

#[test]
fn ended_by_an_immediate_exit() {
    die(Manner::ImmediateExit);
}

#[test]
fn ended_by_exit_while_other_threads_go_on() {
    die(Manner::Exit);
}

#[test]
fn killed_by_a_panic_that_aborts() {
    die(Manner::Panic);
}

/// Lets a victim die in this manner, again and again at other moments.
fn die(manner: Manner) {
    for seed in 0..DEATHS {
        let checked = catch_unwind(AssertUnwindSafe(|| die_once(manner, seed)));
        if let Err(failure) = checked {
            eprintln!("the victim died by {manner:?} with seed {seed}");
            resume_unwind(failure);
        }
    }
}

fn die_once(manner: Manner, seed: u64) {
    let seed_or_given = || std::env::var(victim::SEED).map_or(seed, |seed| seed.parse().expect("a seed"));
    let mut program = Program::new(|shared| victim::live(shared, Death::new(manner, seed_or_given())));
    let page = Page::create(program.shared());
    let command = program.command().env(victim::SEED, seed.to_string());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let death = Death::new(manner, seed);
    if manner == Manner::Kill {
        while page.calls_ended() < death.after_calls {
            assert!(child.try_wait().unwrap().is_none(), "the victim died before its time");
            std::thread::yield_now();
        }
        child.kill().unwrap();
    }
    let status = child.wait().unwrap();
    assert!(manner.shows_in(status), "{status}");
    verdict::compare(&victim::run_directory(program.shared()), &page, manner);
    assert!((0..WORKERS).any(|worker| page.worker(worker).ended() > 0) || death.step == 0, "the victim did nothing");
}
