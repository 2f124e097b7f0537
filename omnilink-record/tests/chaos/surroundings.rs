//! What a program shares with the world: signals, timers, random numbers, other processes. None of it makes a false deadlock, and
//! what the scheduler decides repeats itself.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::{Ending, Limits, Observed, Plan, Stopped};

use crate::repetition::{CHAOS, campaign};
use crate::subjects::{compile, plan, run, subject};

/// Programs without other processes: runs are the same, and nothing is to be noted.
#[test]
fn signals_and_timers_are_the_schedulers() {
    for name in ["cancellation", "credentials", "timers"] {
        for seed in 1..=8 {
            let plan = plan(&subject(name), StrategyKind::RandomWalk, seed);
            let observed = run(&plan).unwrap();
            assert_eq!(observed.ending, Ending::Exited(0), "{name}, seed {seed}: {:?}", observed.notes);
            assert_eq!(observed.notes, Vec::<String>::new(), "{name}, seed {seed}");
            assert_eq!(run(&plan).unwrap(), observed, "{name}, seed {seed}");
        }
        for strategy in StrategyKind::ALL {
            let observed = run(&plan(&subject(name), strategy, 1)).unwrap();
            assert_eq!(observed.ending, Ending::Exited(0), "{name}, {strategy:?}: {:?}", observed.notes);
        }
    }
}

/// Other processes wake threads of the program, and are woken, at words that they share and by signals.
#[test]
fn other_processes_are_heard() {
    for seed in 1..=10 {
        let observed = run(&plan(&subject("shared_words"), StrategyKind::RandomWalk, seed)).unwrap();
        assert_eq!(observed.ending, Ending::Exited(0), "seed {seed}: {:?}", observed.notes);
        assert!(observed.notes.iter().any(|note| note.contains("other processes")), "{:?}", observed.notes);
    }
}

fn with(name: &str, arguments: &[&str], limits: Limits) -> Plan {
    let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
    Plan { arguments, limits, ..plan(&subject(name), StrategyKind::RandomWalk, 3) }
}

const USUAL: Limits = Limits { decisions: 1_000_000, wall_clock: Duration::from_secs(60) };

/// A deadlock is one whatever else there is that cannot change it.
#[test]
fn deadlocks_are_told() {
    for beside in ["nothing", "zombie", "child", "timer", "signals", "shared"] {
        let observed = run(&with("deadlocks", &[beside], USUAL)).unwrap();
        let Ending::Deadlocked(report) = observed.ending else {
            panic!("{beside}: {} {:?}", observed.ending, observed.notes);
        };
        assert!(report.contains("thread 0 waits at "), "{beside}: {report}");
    }
}

/// Where somebody outside could wake a thread, nothing is claimed, and it is said why.
#[test]
fn what_cannot_be_told_is_no_deadlock() {
    let limits = Limits { wall_clock: Duration::from_millis(200), ..USUAL };
    let cases = [
        ("named memory", "thread 1 waits at memory that other processes may share"),
        ("child", "a process that it started (undecided) has not ended"),
        ("signal", "thread 0 waits for a signal"),
        ("sigwait", "thread 0 waits for a signal"),
        ("input", "thread 0 waits for input or output"),
        ("locked file", "thread 0 waits in the kernel"),
    ];
    for (who, why) in cases {
        let observed = run(&with("undecided", &[who], limits)).unwrap();
        assert_eq!(observed.ending, Ending::Stopped(Stopped::WallClock), "{who}: {:?}", observed.notes);
        let told = observed.notes.iter().find(|note| note.contains("deadlock is unknown")).unwrap();
        assert!(told.contains(why), "{who}: {told}");
    }
}

/// Whoever spins, alone or with others, in whatever way, is stopped at the same place every time.
#[test]
fn livelocks_end_by_decisions() {
    let limits = Limits { decisions: 20_000, wall_clock: Duration::from_secs(60) };
    for how in ["pause", "yield", "load", "sleep"] {
        for arguments in [&[how][..], &[how, "alone"]] {
            stops_at_the_same_place(&with("livelocks", arguments, limits));
        }
    }
}

/// So is who spins where there is nothing to count.
#[test]
fn livelocks_without_points_end_by_decisions() {
    let limits = Limits { decisions: 1_000_000, wall_clock: Duration::from_secs(4) };
    stops_at_the_same_place(&with("livelocks", &["none", "alone"], limits));
    let observed = stops_at_the_same_place(&with("livelocks", &["none"], limits));
    assert!(observed.notes.iter().any(|note| note.contains("code without points")), "{:?}", observed.notes);
}

fn stops_at_the_same_place(plan: &Plan) -> Observed {
    let observed = run(plan).unwrap();
    assert_eq!(observed.ending, Ending::Stopped(Stopped::DecisionLimit), "{:?}: {observed:?}", plan.arguments);
    assert_eq!(run(plan).unwrap(), observed, "{:?}", plan.arguments);
    observed
}

/// What the kernel would answer is answered so that programs go on as they would with it, and the same every time.
#[test]
fn answers_are_those_of_the_kernel() {
    for what in ["all", "patience", "mappings", "times", "counted", "first thread", "operation"] {
        for seed in 1..=4 {
            let plan = Plan { seed, ..with("answers", &[what], USUAL) };
            let observed = run(&plan).unwrap();
            assert_eq!(observed.ending, Ending::Exited(0), "{what}, seed {seed}: {:?}", observed.notes);
            if !matches!(what, "all" | "operation") {
                assert_eq!(observed.notes, Vec::<String>::new(), "{what}, seed {seed}");
                assert_eq!(run(&plan).unwrap(), observed, "{what}, seed {seed}");
            }
        }
    }
}

/// What only the kernel knows is noted.
#[test]
fn answers_that_no_seed_decides_are_noted() {
    let cases = [
        ("files", "it reads /proc/sys/kernel/random/uuid, which the seed does not decide"),
        ("files", "it reads /proc/self/schedstat, which the seed does not decide"),
        ("port", "it lets the kernel choose a port, which the seed does not decide"),
        ("copied", "it has the kernel copy random numbers, which the seed does not decide"),
    ];
    for (what, expected) in cases {
        let notes = run(&with("answers", &[what], USUAL)).unwrap().notes;
        assert!(notes.iter().any(|note| note == expected), "{what}: {notes:?}");
    }
}

/// When the first thread has ended, the kernel tells less of the process by its id.
#[test]
fn a_deadlock_without_the_first_thread_has_its_stack() {
    let Ending::Deadlocked(report) = run(&with("answers", &["deadlock"], USUAL)).unwrap().ending else { panic!() };
    assert!(report.contains("pthread_mutex_lock"), "{report}");
}

/// Who only handles timers is stopped by decisions, too.
#[test]
fn handling_timers_costs_decisions() {
    stops_at_the_same_place(&with("answers", &["timers"], Limits { decisions: 20_000, ..USUAL }));
}

/// All random numbers come from the seed: what a program makes of them is the same, and another for another seed.
#[test]
fn random_numbers_are_of_the_seed() {
    let scratch = tempfile::tempdir().unwrap();
    let program = subject("random_numbers");
    let said = |name: &str| -> Vec<String> {
        let runs: Vec<PathBuf> = campaign(&program, &scratch.path().join(name), 4, 1, CHAOS);
        runs.iter().map(|run| fs::read_to_string(run.join("stdout")).unwrap()).collect()
    };
    let (first, second) = (said("first"), said("second"));
    assert_eq!(first, second);
    for source in ["random_device", "/dev/random", "getrandom", "getentropy", "/dev/urandom", "rdrand", "rdseed"] {
        let values: Vec<&str> =
            first.iter().filter_map(|said| said.lines().rfind(|line| line.starts_with(source))).collect();
        let mut distinct = values.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), values.len(), "{source}: {values:?}");
    }
}

/// A program with AddressSanitizer or LeakSanitizer comes to its end, without the search for leaks that needs ptrace.
#[test]
fn sanitizers_come_to_an_end() {
    for flags in [&["-fsanitize=address"][..], &["-fsanitize=leak"], &["-fsanitize=address", "-static-libasan"]] {
        let program = compile("leaks", flags);
        for options in [None, Some("verbosity=0"), Some("detect_leaks=1")] {
            let mut plan = plan(&program, StrategyKind::RandomWalk, 1);
            options.iter().for_each(|options| plan.environment.set("LSAN_OPTIONS", *options));
            let observed = run(&plan).unwrap();
            assert_eq!(observed.ending, Ending::Exited(0), "{flags:?}: {:?}", observed.notes);
            assert!(observed.notes.iter().any(|note| note.contains("leaks were not looked for")), "{flags:?}");
            assert_eq!(run(&plan).unwrap(), observed, "{flags:?}");
        }
    }
}
