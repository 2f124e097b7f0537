//! The same plan gives the same run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use omnilink_record::campaign::{Modes, Until};
use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::directory::RunDirectory;
use omnilink_record::replay::replay;
use omnilink_record::{Campaign, Ending, Mode};
use omnilink_trace::Trace;

use crate::subjects::{fuzzer, plan, run, subject};

/// Subjects of which everything is drawn from the seed: not those that start other processes or wait in the kernel.
const SUBJECTS: [&str; 13] = [
    "racy_counter",
    "racy_once",
    "aba_stack",
    "four_preemptions",
    "lock_order",
    "lost_wakeup",
    "locks",
    "mutexes",
    "sleepers",
    "exceptions",
    "many_threads",
    "panics",
    "std_sync",
];
const FUZZERS: [&str; 2] = ["recorded_counter", "recorded_deadlock"];

#[test]
fn the_same_seed_makes_the_same_run() {
    assert_eq!(repeat(4), 4 * (SUBJECTS.len() + FUZZERS.len()) as u64);
}

#[test]
#[ignore = "takes minutes: scripts/check-determinism.sh"]
fn a_thousand_runs_repeat() {
    let runs = repeat(1000_u64.div_ceil((SUBJECTS.len() + FUZZERS.len()) as u64));
    println!("{runs} runs were the same when they were made again");
    assert!(runs >= 1000);
}

/// Makes this many runs of everybody, twice: the second time several at once, in a directory with a longer name. Gives
/// the number of runs.
fn repeat(of_each: u64) -> u64 {
    let programs = SUBJECTS.iter().map(|name| subject(name)).chain(FUZZERS.iter().map(|name| fuzzer(name)));
    let mut runs = 0;
    for (number, program) in programs.enumerate() {
        let scratch = tempfile::tempdir().unwrap();
        let modes = Modes::Only(Mode::Chaos(StrategyKind::ALL[number % StrategyKind::ALL.len()]));
        let first = campaign(&program, &scratch.path().join("first"), of_each, 1, modes);
        let second = campaign(&program, &scratch.path().join("a directory with a longer name"), of_each, 3, modes);
        assert_eq!(first.len(), second.len());
        for (first, second) in first.iter().zip(&second) {
            assert_same(first, second);
            runs += 1;
        }
    }
    runs
}

/// That two run directories are of the same run.
fn assert_same(first: &Path, second: &Path) {
    let what = format!("{} and {}", first.display(), second.display());
    let [before, after] = [first, second].map(|run| RunDirectory::open(run).read().unwrap());
    assert_eq!(before.plan.seed, after.plan.seed, "{what}");
    assert_eq!(before.observed, after.observed, "{what}, seed {}", before.plan.seed);
    for ((name, before), (other, after)) in lanes(first).iter().zip(&lanes(second)) {
        assert!(name == other && before == after, "{name} and {other} of {what}");
    }
    assert_eq!(lanes(first).len(), lanes(second).len(), "{what}");
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
pub fn campaign(program: &Path, directory: &Path, runs: u64, jobs: usize, modes: Modes) -> Vec<PathBuf> {
    fs::create_dir(directory).unwrap();
    let campaign = Campaign {
        plan: plan(program, StrategyKind::RandomWalk, 0),
        modes,
        seed: 11,
        first: 1,
        vary: false,
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

pub const CHAOS: Modes = Modes::Only(Mode::Chaos(StrategyKind::RandomWalk));

/// The files of a run's lanes, with their names.
pub fn lanes(run: &Path) -> Vec<(String, Vec<u8>)> {
    let mut lanes: Vec<_> = fs::read_dir(run.join("trace"))
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_none_or(|extension| extension != "json"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap()))
        .collect();
    lanes.sort();
    lanes
}

#[test]
fn traces_are_of_their_seeds() {
    let scratch = tempfile::tempdir().unwrap();
    let runs = campaign(&fuzzer("recorded_counter"), &scratch.path().join("runs"), 2, 1, CHAOS);
    assert_eq!(runs.iter().map(|run| lanes(run).len()).collect::<Vec<_>>(), [3, 3], "a lane for each thread");
    assert!(lanes(&runs[0]) != lanes(&runs[1]), "different seeds make the same trace");
}

/// Without symbols the runtime inside a fuzzer has points, too. Runs are others then, but runs all the same.
#[test]
fn stripped_fuzzers_repeat() {
    let scratch = tempfile::tempdir().unwrap();
    let stripped = scratch.path().join("stripped");
    let strip = Command::new("strip").arg("-o").arg(&stripped).arg(fuzzer("recorded_counter")).status();
    assert!(strip.is_ok_and(|status| status.success()), "binutils are installed");
    let first = campaign(&stripped, &scratch.path().join("first"), 3, 1, CHAOS);
    let second = campaign(&stripped, &scratch.path().join("second"), 3, 2, CHAOS);
    for (first, second) in first.iter().zip(&second) {
        assert_same(first, second);
        assert_eq!(RunDirectory::open(first).read().unwrap().observed.ending, Ending::Exited(0));
        let trace = Trace::open(first.join("trace")).unwrap();
        assert!(trace.complete() && trace.records().count() >= 150, "{} records", trace.records().count());
    }
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
    let notes = RunDirectory::open(&runs[0]).read().unwrap().observed.notes;
    assert!(notes.iter().any(|note| note.contains("the seed does not decide")), "{notes:?}");
    let replayed = replay(&runs[0], &scratch.path().join("again"), &AtomicBool::new(false)).unwrap();
    assert!(replayed.differences[0].starts_with("the schedule has hash"), "{:?}", replayed.differences);
}

#[test]
fn what_cannot_be_replayed_says_why() {
    let scratch = tempfile::tempdir().unwrap();
    let replay =
        |run: &Path| replay(run, &scratch.path().join("again"), &AtomicBool::new(false)).unwrap_err().to_string();
    let free = campaign(&subject("locks"), &scratch.path().join("free"), 1, 1, Modes::Only(Mode::Free));
    assert!(replay(&free[0]).contains("is a free run"));
    assert!(replay(scratch.path()).contains("it is not a run directory"));

    let program = scratch.path().join("program");
    fs::copy(subject("locks"), &program).unwrap();
    let runs = campaign(&program, &scratch.path().join("runs"), 1, 1, CHAOS);
    fs::copy(subject("panics"), &program).unwrap();
    assert!(replay(&runs[0]).contains("is not the program that was recorded"));
    fs::write(runs[0].join("record.json"), "{}").unwrap();
    assert!(replay(&runs[0]).contains("missing field"));
}
