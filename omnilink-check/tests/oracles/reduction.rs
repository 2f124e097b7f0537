//! Partial-order reduction and dead-end detection lose nothing: on histories that are too long for brute force, a search with
//! them finds what one without them finds, down to the configurations that got furthest.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_check::check::{self, Verdict, check};
use omnilink_check::prepare::prepare;
use omnilink_check::rules::Rules;
use omnilink_check::search::{Control, Limits};
use omnilink_tla::{Spec, with_stack};

use crate::family::{FAMILIES, Family};
use crate::generate::{Kind, history};
use crate::plan::Plan;

/// Histories of each family by default; `OMNILINK_HISTORIES` asks for another number in all.
const EACH: u64 = 200;
/// How many times as long as for brute force they are.
const LONGER: usize = 3;
/// Histories that a mistake was found with.
const REMEMBERED: &[(&str, u64)] = &[("Queue", 3631)];
/// More configurations than that are not waited for.
const MOST: u64 = 10_000;

/// What a search found, in words: the verdict, and where it was stuck.
#[derive(Debug)]
struct Finding {
    verdict: &'static str,
    stuck: Option<(u64, u64, BTreeSet<String>)>,
}

impl Finding {
    /// Whether a reduced search may give another verdict: it may detect that there is no order before it tries what cannot
    /// be evaluated.
    fn allows(&self, other: &Self) -> bool {
        self.verdict == other.verdict || (self.verdict, other.verdict) == ("failed", "rejected")
    }
}

#[test]
fn reduction_loses_nothing() {
    let asked = std::env::var("OMNILINK_HISTORIES").ok().map(|count| count.parse::<u64>().expect("a number"));
    let each = asked.map_or(EACH, |count| count.div_ceil(FAMILIES.len() as u64));
    let tell = || FAMILIES.iter().map(|family| compare(family, each)).collect::<Vec<_>>();
    let saved = with_stack(1 << 26, tell).expect("a thread");
    for (family, saved) in FAMILIES.iter().zip(saved) {
        println!("{:9} {saved}% of the configurations are not visited", family.name);
        let helps = ["Queue", "Shelf"].contains(&family.name);
        assert!(!helps || saved >= 5, "{}: reduction hardly helps", family.name);
    }
}

/// Compares the searches on a family's histories; tells how many percent of the configurations are saved.
fn compare(family: &'static Family, count: u64) -> u64 {
    let spec = family.load();
    let Family { name, operations, fails, events, spread } = *family;
    let longer: &'static Family =
        Box::leak(Box::new(Family { name, operations, fails, events: LONGER * events, spread }));
    let (mut with, mut without) = (0, 0);
    let remembered = REMEMBERED.iter().filter(|(family, _)| *family == name).map(|(_, seed)| *seed);
    for seed in (0..count).chain(remembered) {
        let kind = if seed % 2 == 0 { Kind::Plain } else { Kind::Rich };
        let plan = history(longer, &spec, kind, seed);
        let search = |reduce_after, dead_ends| search(longer, &spec, &plan, reduce_after, dead_ends);
        let Some((expected, took)) = search(u64::MAX, 0) else { continue };
        let (explored, _) = search(0, u64::MAX).expect("a reduced search visits no more");
        let (found, needed) = search(0, 0).expect("looking ahead takes no longer");
        let agree = expected.allows(&explored) && expected.allows(&found) && explored.stuck == expected.stuck;
        assert!(agree, "{name}, seed {seed}: {found:?}, {explored:?}, not {expected:?}\n{plan}");
        (with, without) = (with + needed, without + took);
    }
    100 - 100 * with / without
}

/// What a search with these limits finds, and how many configurations it visits.
fn search(
    family: &'static Family,
    spec: &Spec,
    plan: &Plan,
    reduce_after: u64,
    explored_dead_ends: u64,
) -> Option<(Finding, u64)> {
    let prepared = prepare(spec, &plan.trace(family), &Rules::default()).expect("it fits the specification");
    let limits = Limits {
        reduce_after,
        explored_dead_ends,
        configurations: Some(MOST),
        backjump_after: u64::MAX,
        ..Limits::default()
    };
    let interrupt = AtomicBool::new(false);
    let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began: Instant::now() };
    let checked = check(spec, &prepared, &check::Options::default(), &mut control).expect("it has an initial state");
    let (verdict, stuck) = match checked.verdict {
        Verdict::Accepted(_) => ("accepted", None),
        Verdict::Rejected(stuck) => ("rejected", Some(stuck)),
        Verdict::Failed { stuck, .. } => ("failed", Some(stuck)),
        Verdict::Unknown { .. } => return None,
    };
    let stuck = stuck.map(|stuck| {
        let kept = stuck.kept.iter().map(|dead_end| format!("{:?} {:?}", dead_end.positions, dead_end.state));
        (stuck.placed, stuck.count, kept.collect())
    });
    Some((Finding { verdict, stuck }, checked.progress.configurations))
}
