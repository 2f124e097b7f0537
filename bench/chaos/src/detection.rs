//! How often each way of scheduling finds each bug.

use std::path::Path;

use omnilink_record::chaos::strategy::StrategyKind;

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
const CORRECT: [&str; 4] = ["locks", "sleepers", "exceptions", "many_threads"];
/// How much more often per second than free running the random walk must find the racy counter.
const ADVANTAGE: f64 = 10.0;

/// Prints a table; false if a bar was missed.
pub fn report(scratch: &Path, seeds: u64) -> bool {
    println!("\n| subject | scheduling | found | 95% interval | wall s per find | CPU s per find |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut met = true;
    for (name, bar) in BUGGY {
        let subject = Subject::compile(name, scratch);
        let walked = strategies(name, &subject, seeds);
        // A deadlock under free running would be waited for.
        if bar.is_some() {
            let free = freely(name, &subject, seeds);
            if name == "racy_counter" {
                let advantage = walked.per_second() / free.per_second();
                met &= tell("racy_counter, finds per second against free running", advantage, ADVANTAGE);
            }
        }
        if let Some(bar) = bar {
            met &= tell(name, wilson(walked.found, seeds).0, bar);
        }
    }
    for name in CORRECT {
        let subject = Subject::compile(name, scratch);
        met &= strategies(name, &subject, seeds / 10).found == 0;
    }
    met
}

fn tell(what: &str, seen: f64, bar: f64) -> bool {
    println!("{} {what}: {seen:.3}, bar {bar}", if seen >= bar { "met:" } else { "MISSED:" });
    seen >= bar
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
        let (ending, took) = subject.free(&[]);
        finds.found += u64::from(ending.is_failure());
        finds.took += took;
    }
    finds.print(name, "free", trials);
    finds
}
