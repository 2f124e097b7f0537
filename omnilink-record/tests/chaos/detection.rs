//! Buggy subjects are found and correct ones are left alone. Runs are determined by their seeds, so there is no luck in
//! this.

use std::sync::atomic::AtomicBool;

use omnilink_record::campaign::{Campaign, Modes, Until};
use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::{Ending, Mode};

use crate::subjects::{compile, fuzzer, plan, run, run_subject, subject};

const CORRECT: [&str; 12] = [
    "locks",
    "mutexes",
    "sleepers",
    "exceptions",
    "many_threads",
    "signals",
    "children",
    "identities",
    "waiting_in_kernel",
    "panics",
    "std_sync",
    "thread_locals",
];

/// The first seed from 1 on under which a subject goes wrong.
fn first_failure(name: &str, seeds: u64) -> Option<(u64, Ending)> {
    let endings = (1..=seeds).map(|seed| (seed, run_subject(name, seed).ending));
    endings.into_iter().find(|(_, ending)| ending.is_failure())
}

#[test]
fn races_show() {
    // How far one has to look depends on the compiler; these are several times what was needed.
    for (name, seeds) in [("racy_counter", 20), ("aba_stack", 150), ("four_preemptions", 1000), ("racy_once", 200)] {
        assert!(matches!(first_failure(name, seeds), Some((_, Ending::Exited(42)))), "{name} within {seeds} seeds");
    }
}

#[test]
fn deadlocks_show_with_stacks() {
    let cases = [("lock_order", 20, ["transfer", "main"]), ("lost_wakeup", 300, ["pthread_cond_wait", "main"])];
    for (name, seeds, functions) in cases {
        let Some((_, Ending::Deadlocked(report))) = first_failure(name, seeds) else {
            panic!("{name} within {seeds} seeds");
        };
        assert!(report.contains("thread 0 waits at "), "{report}");
        for function in functions {
            assert!(report.contains(function), "{function} is not in:\n{report}");
        }
    }
}

/// Traced calls that never end are named with the threads that are in them.
#[test]
fn deadlocks_show_with_calls() {
    let scratch = tempfile::tempdir().unwrap();
    let campaign = Campaign {
        plan: plan(&fuzzer("recorded_deadlock"), StrategyKind::RandomWalk, 0),
        modes: Modes::Only(Mode::Chaos(StrategyKind::RandomWalk)),
        seed: 1,
        first: 1,
        vary: false,
        until: Until { runs: Some(20), failure: true, ..Until::default() },
        jobs: 1,
        directory: scratch.path().to_owned(),
    };
    let mut report = String::new();
    let tally = campaign.run(&AtomicBool::new(false), &mut |finished, _| {
        if let Ending::Deadlocked(text) = &finished.record.observed.ending {
            report.clone_from(text);
        }
    });
    assert_eq!(tally.unwrap().deadlocked, 1);
    let calls: Vec<&str> = report.lines().filter_map(|line| Some(line.split_once(", in ")?.1)).collect();
    assert_eq!(calls, ["Transfer(0, 1)", "Transfer(1, 0)"], "{report}");
    assert!(report.contains("recorded_deadlock::main"), "{report}");
}

#[test]
fn correct_programs_never_fail() {
    for name in CORRECT {
        for seed in 1..=15 {
            let observed = run_subject(name, seed);
            assert_eq!(observed.ending, Ending::Exited(0), "{name}, seed {seed}: {:?}", observed.notes);
        }
        for strategy in StrategyKind::ALL {
            let observed = run(&plan(&subject(name), strategy, 1)).unwrap();
            assert_eq!(observed.ending, Ending::Exited(0), "{name}, {strategy:?}: {:?}", observed.notes);
        }
    }
}

/// Optimisation, linking and position change the code that is rewritten.
#[test]
fn however_they_were_compiled() {
    for flags in [
        &["-static"][..],
        &["-O0"],
        &["-O3", "-fno-omit-frame-pointer"],
        &["-no-pie"],
        &["-no-pie", "-static"],
        &["-static-pie"],
        &["-fno-plt"],
        &["-s"],
    ] {
        for name in ["exceptions", "locks"] {
            let program = compile(name, flags);
            for seed in 1..=5 {
                let observed = run(&plan(&program, StrategyKind::RandomWalk, seed)).unwrap();
                assert_eq!(observed.ending, Ending::Exited(0), "{name} {flags:?}, seed {seed}: {:?}", observed.notes);
            }
        }
        let program = compile("racy_counter", flags);
        let found = (1..=30)
            .any(|seed| run(&plan(&program, StrategyKind::RandomWalk, seed)).unwrap().ending == Ending::Exited(42));
        assert!(found, "racy_counter {flags:?}");
    }
}
