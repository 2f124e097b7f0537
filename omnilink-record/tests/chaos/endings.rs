//! How runs end, and that they do.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use omnilink_record::campaign::{Campaign, Modes, Until};
use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::{Ending, Limits, Mode, Stopped};

use crate::subjects::{plan, run, subject, wait_until};

#[test]
fn endless_programs_are_stopped() {
    let mut endless = plan(&subject("endless"), StrategyKind::RandomWalk, 1);
    endless.limits = Limits { decisions: 1000, wall_clock: Duration::from_secs(60) };
    let observed = run(&endless).unwrap();
    assert_eq!(observed.ending, Ending::Stopped(Stopped::DecisionLimit));
    assert_eq!(run(&endless).unwrap(), observed, "at the same place every time");
    endless.limits = Limits { decisions: u64::MAX, wall_clock: Duration::from_millis(300) };
    assert_eq!(run(&endless).unwrap().ending, Ending::Stopped(Stopped::WallClock));
}

/// A deadlock of some threads beside others that go on is no deadlock, but who is stuck is named.
#[test]
fn threads_that_are_stuck_are_named() {
    let limited = |arguments: &[&str]| {
        let mut plan = plan(&subject("livelocks"), StrategyKind::RandomWalk, 1);
        plan.arguments = arguments.iter().map(ToString::to_string).collect();
        plan.limits = Limits { decisions: 2000, wall_clock: Duration::from_secs(60) };
        run(&plan).unwrap()
    };
    for how in ["sleep", "yield", "load"] {
        let observed = limited(&[how, "others wait"]);
        assert_eq!(observed.ending, Ending::Stopped(Stopped::DecisionLimit), "{how}");
        let told: Vec<&String> = observed.notes.iter().filter(|note| note.contains("waited for a lock")).collect();
        assert!(matches!(told[..], [note] if note.starts_with("thread 1 has waited")), "{how}: {:?}", observed.notes);
        assert!(limited(&[how]).notes.iter().all(|note| !note.contains("waited for a lock")), "{how}");
    }
    assert!(!limited(&["sleep"]).ending.to_string().contains("too many"));
}

#[test]
fn interruptions_end_campaigns() {
    for mode in [Mode::Chaos(StrategyKind::RandomWalk), Mode::Free] {
        let scratch = tempfile::tempdir().unwrap();
        let campaign = Campaign {
            plan: plan(&subject("endless"), StrategyKind::RandomWalk, 1),
            modes: Modes::Only(mode),
            seed: 1,
            first: 1,
            vary: false,
            until: Until::default(),
            jobs: 2,
            directory: scratch.path().to_owned(),
        };
        let interrupt = AtomicBool::new(false);
        let tally = thread::scope(|scope| {
            let running = scope.spawn(|| campaign.run(&interrupt, &mut |_, _| {}));
            wait_until("both have begun", || (begun(scratch.path()) == 2).then_some(()));
            interrupt.store(true, Ordering::Relaxed);
            running.join().unwrap().unwrap()
        });
        assert_eq!((tally.runs, tally.failures()), (2, 0), "both are kept, and neither is a failure");
    }
}

/// How many runs have begun: their programs have somewhere to write.
fn begun(directory: &Path) -> usize {
    let runs = std::fs::read_dir(directory).unwrap();
    runs.filter(|run| run.as_ref().unwrap().path().join("stdout").exists()).count()
}

#[test]
fn campaigns_end_when_they_should() {
    let scratch = tempfile::tempdir().unwrap();
    let mut campaign = Campaign {
        plan: plan(&subject("racy_counter"), StrategyKind::RandomWalk, 1),
        modes: Modes::Mix(StrategyKind::RandomWalk),
        seed: 3,
        first: 1,
        vary: false,
        until: Until { failure: true, ..Until::default() },
        jobs: 1,
        directory: scratch.path().join("until failure"),
    };
    let run = |campaign: &Campaign| {
        std::fs::create_dir(&campaign.directory).unwrap();
        let mut modes = Vec::new();
        let tally = campaign.run(&AtomicBool::new(false), &mut |finished, _| modes.push(finished.record.plan.mode));
        (tally.unwrap(), modes)
    };
    assert_eq!(run(&campaign).0.failed, 1);
    campaign.until = Until { runs: Some(40), ..Until::default() };
    campaign.directory = scratch.path().join("forty");
    let (tally, modes) = run(&campaign);
    assert_eq!(tally.runs, 40);
    assert!(modes.contains(&Mode::Free) && modes.contains(&Mode::Chaos(StrategyKind::RandomWalk)), "{modes:?}");
    campaign.until = Until { time: Some(Duration::ZERO), ..Until::default() };
    campaign.directory = scratch.path().join("no time");
    assert_eq!(run(&campaign).0.runs, 0);
}

#[test]
fn what_cannot_be_run_leaves_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let campaign = Campaign {
        plan: plan(Path::new("/etc/passwd"), StrategyKind::RandomWalk, 1),
        modes: Modes::Only(Mode::Chaos(StrategyKind::RandomWalk)),
        seed: 1,
        first: 1,
        vary: false,
        until: Until::default(),
        jobs: 2,
        directory: scratch.path().to_owned(),
    };
    let error = campaign.run(&AtomicBool::new(false), &mut |_, _| {}).unwrap_err().to_string();
    assert!(error.starts_with("/etc/passwd: "), "{error}");
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}
