//! The checker against brute force.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use omnilink_tla::with_stack;

use crate::brute::{self, Answer};
use crate::family::{FAMILIES, Family};
use crate::generate::{Kind, history};
use crate::verdict::{Verdict, verdict, verdict_of_threads, verdict_with_backjumps, verdict_with_reduction};

/// Histories of each family by default; `OMNILINK_HISTORIES` asks for another number in all.
const EACH: u64 = 400;
/// Every so many histories one is checked by several threads, one by a search that backjumps at once, and one that reduces
/// from the beginning.
const WAYS: u64 = 4;

#[test]
fn brute_force_agrees() {
    let asked = std::env::var("OMNILINK_HISTORIES").ok().map(|count| count.parse::<u64>().expect("a number"));
    let each = asked.map_or(EACH, |count| count.div_ceil(FAMILIES.len() as u64));
    let tallies: Vec<_> = FAMILIES.iter().map(|family| (family, compare(family, each))).collect();
    for (family, tally) in &tallies {
        println!("{:9} {:?}", family.name, tally.answers);
    }
    let disagreements: Vec<_> =
        tallies.iter().flat_map(|(_, tally)| &tally.disagreements).map(String::as_str).collect();
    assert!(disagreements.is_empty(), "{} disagreements:\n{}", disagreements.len(), disagreements.concat());
    for (family, tally) in &tallies {
        assert!(tally.count("GaveUp") * 200 <= each, "{}: brute force gave up too often", family.name);
        let both = tally.count("Accepted").min(tally.count("Rejected"));
        assert!(both * 50 >= each, "{}: only {both} of {each} histories have one of the verdicts", family.name);
    }
}

#[derive(Default)]
struct Tally {
    answers: BTreeMap<String, u64>,
    disagreements: Vec<String>,
}

impl Tally {
    fn count(&self, answer: &str) -> u64 {
        self.answers.get(answer).copied().unwrap_or(0)
    }
}

/// Compares the verdicts on a family's first histories.
fn compare(family: &'static Family, count: u64) -> Tally {
    let spec = family.load();
    let (next, tally) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Relaxed);
            if seed >= count {
                return;
            }
            let plan = history(family, &spec, Kind::Rich, seed);
            let answer = brute::decide(family, &spec, &plan);
            // Starting threads takes longer than most of these searches.
            let verdict = match seed % WAYS {
                0 => verdict_of_threads(family, &spec, &plan),
                1 => verdict_with_backjumps(family, &spec, &plan),
                2 => verdict_with_reduction(family, &spec, &plan),
                _ => verdict(family, &spec, &plan),
            };
            let mut tally = tally.lock().expect("nobody panics with it");
            *tally.answers.entry(format!("{answer:?}")).or_default() += 1;
            let looks_ahead = matches!(seed % WAYS, 0 | 2);
            if !agree(answer, &verdict, looks_ahead) {
                let name = family.name;
                tally.disagreements.push(format!("{name}, seed {seed}: {verdict:?}, brute force: {answer:?}\n{plan}"));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| with_stack(1 << 26, work).expect("a thread"));
        }
    });
    tally.into_inner().expect("nobody panicked with it")
}

/// Whether a verdict is right. A search that looks ahead may see that there is no order, whatever would become of what cannot
/// be evaluated.
fn agree(answer: Answer, verdict: &Result<Verdict, String>, looks_ahead: bool) -> bool {
    match (answer, verdict) {
        (_, Err(_)) => false,
        (Answer::Accepted, Ok(verdict)) => *verdict == Verdict::Accepted,
        (Answer::Rejected, Ok(verdict)) => *verdict == Verdict::Rejected,
        (Answer::Failed, Ok(Verdict::Rejected)) => looks_ahead,
        (Answer::Failed, Ok(verdict)) => *verdict == Verdict::Failed,
        (Answer::RejectedOrFailed, Ok(verdict)) => matches!(verdict, Verdict::Rejected | Verdict::Failed),
        (Answer::GaveUp, Ok(_)) => true,
    }
}
