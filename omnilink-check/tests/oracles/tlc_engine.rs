//! The two engines on the same histories, each in a run of TLC by itself.

use std::collections::BTreeMap;

use omnilink_check::check;
use omnilink_check::tlc::{self, Tlc};
use omnilink_tla::{Spec, with_stack};

use crate::family::{FAMILIES, Family};
use crate::generate::{Kind, history};
use crate::plan::Plan;
use crate::verdict::{Verdict, verdict, verdict_by};

/// Histories of each family.
const EACH: u64 = 40;
/// The first seed: others than those of the table of TLC's verdicts.
const FIRST: u64 = 1 << 41;

#[test]
#[ignore = "needs Java and takes minutes: scripts/tlc-engine.sh"]
fn the_engines_agree() {
    let tlc = Tlc::find(None).unwrap_or_else(|error| panic!("{error}"));
    let mut tally = BTreeMap::new();
    let mut disagreements = Vec::new();
    for family in FAMILIES {
        let spec = family.load();
        for seed in FIRST..FIRST + EACH {
            let plan = history(family, &spec, if seed % 4 == 0 { Kind::Plain } else { Kind::Rich }, seed);
            let (native, by_tlc) = with_stack(1 << 26, || both(&tlc, family, &spec, &plan)).expect("a thread");
            if !is_agreement(&native, &by_tlc) {
                disagreements.push(format!("{}: {native:?}, TLC: {by_tlc:?}\n{plan}", family.name));
            }
            let told =
                |verdict: &Result<Verdict, String>| verdict.as_ref().map_or("error".to_owned(), |it| format!("{it:?}"));
            *tally.entry((family.name, told(&native), told(&by_tlc))).or_insert(0_u64) += 1;
        }
    }
    for ((family, native, by_tlc), count) in &tally {
        println!("{family:9} native {native:9} TLC {by_tlc:9} {count}");
    }
    assert!(disagreements.is_empty(), "{} disagreements:\n{}", disagreements.len(), disagreements.join("\n"));
    let is_verdict = |told: &str| told == "Accepted" || told == "Rejected";
    let compared: u64 = tally.iter().filter(|((_, _, by_tlc), _)| is_verdict(by_tlc)).map(|(_, count)| count).sum();
    assert!(compared >= 200, "TLC had a verdict on {compared} histories only");
}

fn both(
    tlc: &Tlc,
    family: &'static Family,
    spec: &Spec,
    plan: &Plan,
) -> (Result<Verdict, String>, Result<Verdict, String>) {
    let by_tlc = verdict_by(family, spec, plan, &|prepared, control| {
        tlc::check(tlc, spec, family.options().config.as_deref(), prepared, &check::Options::default(), control)
    });
    (verdict(family, spec, plan), by_tlc)
}

/// TLC stops at what it cannot evaluate, whatever other orders there are, and enumerates `Nat` where an argument is
/// unknown.
fn is_agreement(native: &Result<Verdict, String>, by_tlc: &Result<Verdict, String>) -> bool {
    match (native, by_tlc) {
        (Ok(Verdict::Accepted | Verdict::Rejected | Verdict::Failed), Err(words)) => {
            words.starts_with("TLC: ") && (words.contains("Attempted to ") || words.contains("non-enumerable"))
        }
        (Ok(native), Ok(by_tlc)) => native == by_tlc,
        (Ok(Verdict::Unknown) | Err(_), Err(_)) => false,
        (Err(_), Ok(_)) => false,
    }
}
