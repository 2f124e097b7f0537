//! How often each way of scheduling finds each bug.

use std::path::Path;
use std::time::Duration;

use omnilink_record::chaos::strategy::StrategyKind;

use crate::bar::Bars;
use crate::interval::wilson;
use crate::subject::{Subject, Took};

/// Buggy subjects, with the share of seeds under which the random walk must find the bug (the lower end of the
/// interval).
const BUGGY: [(&str, Option<f64>); 5] = [
    ("racy_counter", Some(0.40)),
    ("aba_stack", Some(0.06)),
    ("four_preemptions", Some(0.01)),
    ("lock_order", None),
    ("lost_wakeup", None),
];
const CORRECT: [&str; 6] = ["locks", "mutexes", "sleepers", "exceptions", "many_threads", "std_sync"];
/// How long a free run may take before it counts as a deadlock: only waiting tells.
const STUCK: Duration = Duration::from_millis(500);
/// How much more often per second than free running the random walk must find the racy counter.
const ADVANTAGE: f64 = 10.0;

/// Prints a table of how often, and in what time, each way finds each bug.
pub fn report(scratch: &Path, seeds: u64, bars: &mut Bars) {
    println!("\n| subject | scheduling | found | 95% interval | wall s per find | CPU s per find |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut verdicts = Vec::new();
    for (name, bar) in BUGGY {
        let subject = Subject::compile(name, scratch);
        let walked = strategies(name, &subject, seeds);
        let free = freely(name, &subject, seeds);
        verdicts.push((name, walked, free, bar));
    }
    let mut failed = 0;
    for name in CORRECT {
        let subject = Subject::compile(name, scratch);
        failed += strategies(name, &subject, seeds.div_ceil(10)).found;
    }
    println!();
    for (name, walked, free, bar) in verdicts {
        if let Some(bar) = bar {
            bars.at_least(&format!("{name}, lower end of the share of seeds"), wilson(walked.found, seeds).0, bar);
        }
        if name == "racy_counter" {
            let advantage = walked.per_second() / free.per_second();
            bars.at_least("racy_counter, finds per second against free running", advantage, ADVANTAGE);
        }
    }
    bars.at_most("correct subjects that failed", failed as f64, 0.0);
}

/// What was found, and in what time.
struct Finds {
    found: u64,
    took: Took,
}

impl Finds {
    /// Finds per second on the wall; with nothing found, what the rule of three allows at most.
    fn per_second(&self) -> f64 {
        self.found.max(3) as f64 / self.took.wall.as_secs_f64()
    }

    fn print(&self, subject: &str, scheduling: &str, trials: u64) {
        let (low, high) = wilson(self.found, trials);
        let per_find = |seconds: f64| match self.found {
            0 => format!("> {:.3}", seconds / 3.0),
            found => format!("{:.4}", seconds / found as f64),
        };
        println!(
            "| {subject} | {scheduling} | {}/{trials} | {:.1}–{:.1}% | {} | {} |",
            self.found,
            low * 100.0,
            high * 100.0,
            per_find(self.took.wall.as_secs_f64()),
            per_find(self.took.cpu.as_secs_f64()),
        );
    }
}

/// Runs a subject with every strategy; gives what the first one, the random walk, found.
fn strategies(name: &str, subject: &Subject, seeds: u64) -> Finds {
    let mut all = StrategyKind::ALL.map(|kind| {
        let mut finds = Finds { found: 0, took: Took::default() };
        for seed in 1..=seeds {
            let (observed, took) = subject.chaos(&[], &mut *kind.seeded(seed), seed);
            finds.found += u64::from(observed.ending.is_failure());
            finds.took += took;
        }
        finds.print(name, kind.name(), seeds);
        Some(finds)
    });
    all[0].take().expect("there is a first strategy")
}

fn freely(name: &str, subject: &Subject, trials: u64) -> Finds {
    let mut finds = Finds { found: 0, took: Took::default() };
    for _ in 0..trials {
        let (ending, took) = subject.free(&[], STUCK);
        finds.found += u64::from(ending.is_failure());
        finds.took += took;
    }
    finds.print(name, "free", trials);
    finds
}
