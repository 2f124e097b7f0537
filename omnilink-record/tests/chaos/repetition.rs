//! The same plan gives the same run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use omnilink_record::campaign::{Modes, Until};
use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::replay::replay;
use omnilink_record::{Campaign, Mode};

use crate::subjects::{fuzzer, plan, run, subject};

const SUBJECTS: [&str; 9] = [
    "racy_counter",
    "aba_stack",
    "lock_order",
    "lost_wakeup",
    "locks",
    "sleepers",
    "exceptions",
    "many_threads",
    "panics",
];

#[test]
fn the_same_seed_makes_the_same_run() {
    for name in SUBJECTS {
        for seed in 1..=6 {
            let strategy = StrategyKind::ALL[seed as usize % 4];
            let plan = plan(&subject(name), strategy, seed);
            assert_eq!(run(&plan).unwrap(), run(&plan).unwrap(), "{name}, {strategy:?}, seed {seed}");
        }
    }
}

#[test]
fn other_seeds_make_other_runs() {
    let hashes: Vec<u64> = (1..=10)
        .map(|seed| run(&plan(&subject("locks"), StrategyKind::RandomWalk, seed)).unwrap().schedule_hash)
        .collect();
    let mut distinct = hashes.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), hashes.len());
}

/// Makes a campaign of a few runs.
fn campaign(program: &Path, directory: &Path, runs: u64, jobs: usize, modes: Modes) -> Vec<PathBuf> {
    fs::create_dir(directory).unwrap();
    let campaign = Campaign {
        plan: plan(program, StrategyKind::RandomWalk, 0),
        modes,
        seed: 11,
        until: Until { runs: Some(runs), ..Until::default() },
        jobs,
        directory: directory.to_owned(),
    };
    let mut directories = Vec::new();
    let tally = campaign.run(&AtomicBool::new(false), &mut |finished, _| directories.push(finished.directory.clone()));
    assert_eq!(tally.unwrap().runs, runs);
    directories.sort();
    directories
}

const CHAOS: Modes = Modes::Only(Mode::Chaos(StrategyKind::RandomWalk));

fn lanes(run: &Path) -> Vec<(String, Vec<u8>)> {
    let mut lanes: Vec<_> = fs::read_dir(run.join("trace"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_none_or(|extension| extension != "json"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap()))
        .collect();
    lanes.sort();
    lanes
}

#[test]
fn traces_repeat_byte_for_byte() {
    let scratch = tempfile::tempdir().unwrap();
    let first = campaign(&fuzzer("recorded_counter"), &scratch.path().join("first"), 5, 1, CHAOS);
    let second =
        campaign(&fuzzer("recorded_counter"), &scratch.path().join("a directory with a longer name"), 5, 2, CHAOS);
    for (first, second) in first.iter().zip(&second) {
        assert_eq!(lanes(first).len(), 3, "a lane for each thread");
        assert!(lanes(first) == lanes(second), "{} and {}", first.display(), second.display());
    }
    assert!(lanes(&first[0]) != lanes(&first[1]), "different seeds make the same trace");
}

#[test]
fn replays_are_the_same_run() {
    let scratch = tempfile::tempdir().unwrap();
    let runs = campaign(&fuzzer("recorded_counter"), &scratch.path().join("runs"), 2, 1, CHAOS);
    let deadlocks = campaign(&fuzzer("recorded_deadlock"), &scratch.path().join("deadlocks"), 2, 1, CHAOS);
    let identities = campaign(&subject("identities"), &scratch.path().join("identities"), 2, 1, CHAOS);
    let runs = runs.into_iter().chain(deadlocks).chain(identities);
    for (number, run) in runs.enumerate() {
        let replayed = replay(&run, &scratch.path().join(format!("again {number}")), &AtomicBool::new(false)).unwrap();
        assert_eq!(replayed.differences, Vec::<String>::new(), "{}", run.display());
    }
}

#[test]
fn a_run_that_cannot_be_repeated_is_noticed() {
    let scratch = tempfile::tempdir().unwrap();
    let runs = campaign(&subject("true_random"), &scratch.path().join("runs"), 1, 1, CHAOS);
    let replayed = replay(&runs[0], &scratch.path().join("again"), &AtomicBool::new(false)).unwrap();
    assert!(replayed.differences[0].starts_with("the schedule has hash"), "{:?}", replayed.differences);
}

#[test]
fn what_cannot_be_replayed_says_why() {
    let scratch = tempfile::tempdir().unwrap();
    let replay =
        |run: &Path| replay(run, &scratch.path().join("again"), &AtomicBool::new(false)).unwrap_err().to_string();
    let free = campaign(&subject("locks"), &scratch.path().join("free"), 1, 1, Modes::Only(Mode::Free));
    assert!(replay(&free[0]).contains("was run without control"));
    assert!(replay(scratch.path()).contains("it is not a run directory"));

    let program = scratch.path().join("program");
    fs::copy(subject("locks"), &program).unwrap();
    let runs = campaign(&program, &scratch.path().join("runs"), 1, 1, CHAOS);
    fs::copy(subject("panics"), &program).unwrap();
    assert!(replay(&runs[0]).contains("is not the program that was recorded"));
    fs::write(runs[0].join("record.json"), "{}").unwrap();
    assert!(replay(&runs[0]).contains("missing field"));
}
