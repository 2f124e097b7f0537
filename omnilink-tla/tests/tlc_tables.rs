//! The committed tables say what the real TLC says. Ignored by default, because TLC needs Java and minutes;
//! `scripts/tlc-expected.sh` runs it, and with `--write` replaces the tables instead of comparing.

mod support;

use std::path::Path;
use support::tlc::Tlc;
use support::{corpus, expressions};

#[test]
#[ignore = "needs Java, runs TLC on the whole corpus: scripts/tlc-expected.sh"]
fn specifications() {
    let tlc = Tlc::fetch();
    let rows = corpus::cases()
        .into_iter()
        .map(|case| {
            let report = tlc.check(&case.spec, &case.cfg, case.deadlock);
            let row = corpus::Expected {
                generated: report.generated,
                distinct: report.distinct,
                depth: report.depth,
                verdict: report.verdict.to_string(),
            };
            (case.name, row)
        })
        .collect();
    compare_or_write(&corpus::table_path(), &corpus::render(&rows));
}

#[test]
#[ignore = "needs Java, runs TLC on thousands of expressions: scripts/tlc-expected.sh"]
fn expressions_with_values() {
    compare_or_write(&expressions::table_path("values"), &table(&expressions::generate(VALUES_SEED, 5200)));
}

#[test]
#[ignore = "needs Java, runs TLC once per failing expression: scripts/tlc-expected.sh"]
fn expressions_with_mistakes() {
    compare_or_write(&expressions::table_path("mistakes"), &table(&expressions::generate_failing(MISTAKES_SEED, 120)));
}

const VALUES_SEED: u64 = 1;
const MISTAKES_SEED: u64 = 2;

/// Each expression with what TLC prints for it.
fn table(expressions: &[String]) -> String {
    let results = Tlc::fetch().evaluate(expressions);
    let row = |(expression, result): (&String, &Result<String, String>)| match result {
        Ok(value) => format!("{expression}\t{value}\n"),
        Err(words) => format!("{expression}\terror: {words}\n"),
    };
    expressions.iter().zip(&results).map(row).collect()
}

/// Fails with the first differing line, unless the tables are being written.
fn compare_or_write(path: &Path, now: &str) {
    if std::env::var_os("OMNILINK_WRITE_TABLES").is_some() {
        return std::fs::write(path, now).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let committed = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for (index, (was, is)) in committed.lines().zip(now.lines()).enumerate() {
        assert_eq!(was, is, "{}, line {}: the table (left) is not what TLC says", path.display(), index + 1);
    }
    assert_eq!(committed.lines().count(), now.lines().count(), "{} has other rows than TLC", path.display());
}
