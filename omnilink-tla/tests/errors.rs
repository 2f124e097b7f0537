//! What evaluation says about what it cannot evaluate: the place, the values, the way there, and what to do.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use omnilink_tla::explore::{self, Verdict, explore};
use omnilink_tla::{Options, Spec, TlaError};
use tempfile::TempDir;

/// A module `Case` with this body, which extends the usual modules unless it extends others; a configuration may follow
/// after a line `%% cfg`.
fn load(case: &str) -> (TempDir, Result<Spec, Box<TlaError>>) {
    let directory = tempfile::tempdir().expect("there is room for a few files");
    let (body, config) = case.split_once("%% cfg\n").map_or((case, None), |(body, config)| (body, Some(config)));
    let usual = "EXTENDS Integers, Sequences, FiniteSets";
    let extends = if body.starts_with("EXTENDS") {
        format!("{usual}, {}", &body["EXTENDS ".len()..])
    } else {
        format!("{usual}\n{body}")
    };
    let path = directory.path().join("Case.tla");
    fs::write(&path, format!("---- MODULE Case ----\n{extends}\n====\n")).expect("there is room for a few files");
    let config = config.map(|text| {
        let path = directory.path().join("Case.cfg");
        fs::write(&path, text).expect("there is room for a few files");
        path
    });
    let spec = Spec::load(&path, &Options { config, ..Options::default() });
    (directory, spec)
}

/// What a case says: the value of `V`, or what exploring finds.
fn said(case: &str) -> String {
    let (directory, loaded) = load(case);
    let said = loaded.and_then(|spec| {
        if case.contains("V == ") {
            return spec.constant("V").map(|value| format!("value: {value}"));
        }
        let warnings: Vec<_> = spec.program().warnings.iter().map(|warning| warning.render(spec.sources())).collect();
        let options = explore::Options { check_deadlock: true, max_states: Some(20), workers: 1 };
        let report = explore(&spec, &options, &mut |_| ())?;
        let verdict = match report.verdict {
            Verdict::Failed { error, trace } => format!("{error}\nafter {} states", trace.len()),
            other => format!("{other:?}"),
        };
        Ok([warnings, vec![verdict]].concat().join("\n"))
    });
    let said = said.unwrap_or_else(|error| error.to_string());
    said.replace(&format!("{}/", directory.path().display()), "")
}

#[test]
fn errors_are_as_reviewed() {
    for table in ["values", "actions"] {
        let path: PathBuf =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/errors").join(table).with_extension("txt");
        let text = fs::read_to_string(&path).expect("the table can be read");
        let mut report = String::new();
        for case in text.split("####\n") {
            write!(report, "{case}{}\n{}\n\n\n", "-".repeat(60), said(case))
                .expect("writing to a string does not fail");
        }
        insta::assert_snapshot!(table, report);
    }
}

/// However deep evaluation goes, it ends with an error: the stack of a thread that was made for something else suffices
/// to say so.
#[test]
fn depth_is_an_error() {
    let nested = |open: &str, close: &str| format!("{}F(n + 1){}", open.repeat(60), close.repeat(60));
    let recursive = |body: String| format!("RECURSIVE F(_)\nF(n) == {body}\nV == F(0)\n");
    let folded =
        |body: &str| format!("EXTENDS FiniteSetsExt\nV == 5 \\in FoldSet(LAMBDA i, S : {body}, Nat, 1..20000)\n");
    let action = |body: &str| format!("VARIABLE x\nRECURSIVE A(_), v\n{body}\nInit == x = 0\nNext == A(0)\n");
    let long = (0..5000).map(|n| format!("    /\\ (x # {n} \\/ x = {n})\n")).collect::<String>();
    for case in [
        recursive("F(n + 1)".into()),
        recursive("1 + F(n + 1)".into()),
        recursive(nested("(1 + ", ")")),
        recursive(nested("(IF n = n THEN ", " ELSE 0)")),
        recursive(nested("(CASE n = n -> ", ")")),
        recursive(nested("<<", ">>")),
        recursive(nested("{", "}")),
        recursive(nested("[<<1>> EXCEPT ![1] = ", "]")),
        recursive("LET m == n IN m + F(m + 1)".into()),
        recursive("CHOOSE m \\in {1} : F(n + 1) = m".into()),
        recursive("\\A m \\in {1} : F(n + 1) = m".into()),
        recursive("Cardinality({F(n + m) : m \\in {1}})".into()),
        "RECURSIVE Sum(_, _)\nSum(n, all) == IF n = 0 THEN all ELSE Sum(n - 1, all + n)\nV == Sum(100000, 0)\n".into(),
        "f[n \\in Nat] == IF n = 0 THEN 0 ELSE 1 + f[n - 1]\nV == f[100000]\n".into(),
        "V == LET f[n \\in Nat] == 1 + f[n + 1] IN f[1]\n".into(),
        "V == LET RECURSIVE F(_) F(n) == 1 + F(n) IN F(1)\n".into(),
        "RECURSIVE a, b\na == b\nb == a\nV == a\n".into(),
        folded("S \\cup {i}"),
        folded("{x \\in S : x # i + 7}"),
        folded("{x \\in Nat : x \\in S}"),
        folded("SUBSET S"),
        folded("[x \\in Nat |-> S[x]]").replace("Nat, 1..", "[x \\in Nat |-> x], 1.."),
        action("A(n) == x' = n \\/ A(n + 1)\nv == 1"),
        action("A(n) == A(n + 1) /\\ x' = 0\nv == 1"),
        action("A(n) == ENABLED A(n + 1) /\\ x' = n\nv == 1"),
        action("A(n) == UNCHANGED v\nv == <<x, v>>"),
        action("A(n) == v' = 1\nv == v"),
        action("A(n) == (\\A i \\in 1..20000 : i > 0 \\/ x = i) /\\ x' = 1\nv == 1"),
        action(&format!("A(n) ==\n{long}    /\\ x' = 0\nv == 1")),
    ] {
        let said = said(&case);
        let message = said.lines().next().unwrap_or_default();
        let expected = ["error: this goes too deep for the stack", "error: a value is nested more than"];
        assert!(
            expected.iter().any(|expected| message.starts_with(expected)),
            "{}\n{said}",
            &case[..case.len().min(300)]
        );
    }
}
