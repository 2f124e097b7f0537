//! The corpus of specifications under `tests/specs` and the table of what TLC says about each.
//!
//! A case is a configuration: `Name.cfg` or `Name.variant.cfg` belongs to `Name.tla`. If its first line says
//! `\* deadlock: ignored`, states without successors are not an error. Modules without a configuration are there to be
//! extended or instantiated.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One specification with one configuration.
#[derive(Clone, Debug)]
pub struct Case {
    /// The configuration's file name without `.cfg`.
    pub name: String,
    /// The module.
    pub spec: PathBuf,
    /// The configuration.
    pub cfg: PathBuf,
    /// Whether a state without successors is an error.
    pub deadlock: bool,
}

/// All cases, by name.
pub fn cases() -> Vec<Case> {
    let directory = directory();
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&directory).expect("the corpus is there") {
        let cfg = entry.expect("the corpus can be listed").path();
        let file = cfg.file_name().and_then(|name| name.to_str()).expect("names in the corpus are UTF-8");
        let Some(name) = file.strip_suffix(".cfg") else { continue };
        let module = name.split('.').next().expect("a split has a first part");
        let text = std::fs::read_to_string(&cfg).expect("a configuration can be read");
        cases.push(Case {
            name: name.to_owned(),
            spec: directory.join(module).with_extension("tla"),
            deadlock: !text.starts_with("\\* deadlock: ignored"),
            cfg: cfg.clone(),
        });
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// Where the table of expected results is.
pub fn table_path() -> PathBuf {
    directory().join("expected.tsv")
}

/// A row of the table as TLC gave it: a number is `None` where TLC stopped before exploring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    pub generated: Option<u64>,
    pub distinct: Option<u64>,
    pub depth: Option<u64>,
    /// `ok`, `invariant NAME`, `initial property`, `step property`, `deadlock`, `assumption` or `error: TEXT`.
    pub verdict: String,
}

/// The first line of the table.
const HEADING: &str = "cfg\tgenerated\tdistinct\tdepth\tverdict";

/// The committed table, by the name of the case.
pub fn expected() -> BTreeMap<String, Expected> {
    let text = std::fs::read_to_string(table_path()).expect("the table is there");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(HEADING), "the table has this heading");
    lines.map(parse_row).collect()
}

/// The text of a table.
pub fn render(rows: &BTreeMap<String, Expected>) -> String {
    let number = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
    let mut text = format!("{HEADING}\n");
    for (name, row) in rows {
        let (generated, distinct, depth) = (number(row.generated), number(row.distinct), number(row.depth));
        text += &format!("{name}\t{generated}\t{distinct}\t{depth}\t{}\n", row.verdict);
    }
    text
}

fn parse_row(line: &str) -> (String, Expected) {
    let columns: Vec<&str> = line.split('\t').collect();
    let [name, generated, distinct, depth, verdict] = columns[..] else { panic!("five columns, not: {line}") };
    let number = |text: &str| (text != "-").then(|| text.parse().unwrap_or_else(|_| panic!("no number: {line}")));
    let (generated, distinct, depth) = (number(generated), number(distinct), number(depth));
    (name.to_owned(), Expected { generated, distinct, depth, verdict: verdict.to_owned() })
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specs")
}
