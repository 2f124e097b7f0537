//! The checker against TLC.
//!
//! TLC's verdicts are in a committed table, so that comparing with them needs no Java. A row is a family and a kind of
//! histories; a letter is a history's verdict, A or R, in the order of the seeds. A row also has a hash of its
//! histories: whoever changes how those are made has to ask TLC again.

use std::path::PathBuf;

use omnilink_tla::{Spec, with_stack};

use crate::batch;
use crate::family::{FAMILIES, Family};
use crate::generate::{Kind, history};
use crate::plan::Plan;
use crate::tlc::Tlc;
use crate::verdict::{Verdict, verdict};

/// Histories in a row.
const COUNT: u64 = 160;
/// The first seed, far from those that brute force uses.
const FIRST: u64 = 1 << 40;

/// A row of the table.
struct Row {
    family: &'static Family,
    kind: Kind,
    hash: u64,
    verdicts: String,
}

fn rows() -> impl Iterator<Item = (&'static Family, Kind)> {
    let families = FAMILIES.iter().filter(|family| family.has_events());
    families.flat_map(|family| [Kind::Plain, Kind::Rich].map(|kind| (family, kind)))
}

fn plans(family: &'static Family, spec: &Spec, kind: Kind) -> Vec<Plan> {
    (FIRST..FIRST + COUNT).map(|seed| history(family, spec, kind, seed)).collect()
}

fn table_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/oracles/tlc_verdicts.txt")
}

/// FNV-1a.
fn hash(plans: &[Plan]) -> u64 {
    let text: String = plans.iter().map(Plan::to_string).collect();
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn read_table() -> Vec<Row> {
    let text = std::fs::read_to_string(table_path()).expect("the table is there");
    let row = |line: &str| {
        let mut fields = line.split_whitespace();
        let mut field = || fields.next().unwrap_or_else(|| panic!("a row with too few fields: {line}")).to_owned();
        let family = Family::named(&field());
        let kind = if field() == "Plain" { Kind::Plain } else { Kind::Rich };
        let hash = u64::from_str_radix(&field(), 16).expect("a hash");
        Row { family, kind, hash, verdicts: field() }
    };
    text.lines().map(row).collect()
}

#[test]
fn tlc_agrees() {
    let table = read_table();
    assert_eq!(table.len(), rows().count(), "the table has a row for every family and kind");
    let disagreements = with_stack(1 << 26, || table.iter().flat_map(disagreements).collect::<Vec<_>>());
    let disagreements = disagreements.expect("a thread");
    assert!(disagreements.is_empty(), "{} disagreements:\n{}", disagreements.len(), disagreements.join("\n"));
}

fn disagreements(row: &Row) -> Vec<String> {
    let spec = row.family.load();
    let plans = plans(row.family, &spec, row.kind);
    let again = "histories are made otherwise than they were: run scripts/check-oracles.sh --write";
    assert_eq!(hash(&plans), row.hash, "{again}");
    assert_eq!(plans.len(), row.verdicts.len(), "{again}");
    let mut found = Vec::new();
    for (plan, expected) in plans.iter().zip(row.verdicts.chars()) {
        let verdict = verdict(row.family, &spec, plan);
        let expected = if expected == 'A' { Verdict::Accepted } else { Verdict::Rejected };
        if verdict.as_ref() != Ok(&expected) {
            found.push(format!("{}: {verdict:?}, TLC: {expected:?}\n{plan}", row.family.name));
        }
    }
    found
}

/// Asks the real TLC; with `OMNILINK_WRITE_TABLES` replaces the table, else compares.
#[test]
#[ignore = "needs Java and takes minutes: scripts/check-oracles.sh"]
fn tlc_says_what_the_table_says() {
    let tlc = Tlc::fetch();
    let mut text = String::new();
    for (family, kind) in rows() {
        let spec = family.load();
        let plans = plans(family, &spec, kind);
        let accepted = batch::accepted(&tlc, family, &spec, &plans);
        let verdicts: String = accepted.into_iter().map(|accepted| if accepted { 'A' } else { 'R' }).collect();
        text += &format!("{} {kind:?} {:016x} {verdicts}\n", family.name, hash(&plans));
    }
    if std::env::var_os("OMNILINK_WRITE_TABLES").is_some() {
        std::fs::write(table_path(), text).expect("the table can be written");
    } else {
        assert_eq!(std::fs::read_to_string(table_path()).expect("the table is there"), text);
    }
}
