//! C++ programs, compiled by the system's compiler against `omnilink.hpp` and the static library, record what they
//! should.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use omnilink_trace::Trace;
use support::recorded::{all_lines, lines, open, signatures};
use support::{Library, WARNINGS, compile_cpp, crate_directory, is_installed, succeed};

/// Runs a program of `tests/cpp`, which gets the directory to record to as argument. Returns that, its exit code and
/// what it printed.
fn run(source: &str, directory: &Path, options: &[&str]) -> (PathBuf, Option<i32>, String) {
    let program = compile_cpp(source, directory, options, Library::Static);
    let run = directory.join("run");
    let output = Command::new(&program).arg(&run).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (run, output.status.code(), said)
}

/// The values of the calls of `values.cpp`, each of which is noted beside the argument as well.
fn values(trace: &Trace) -> Vec<String> {
    let value = |line: String| {
        let (argument, note) = line.strip_prefix("Put(value = ")?.split_once(") Done again: ")?;
        (argument == note).then(|| note.to_owned())
    };
    lines(trace, 0).into_iter().map(|line| value(line.clone()).unwrap_or_else(|| panic!("{line}"))).collect()
}

#[test]
fn every_kind_of_value() {
    let directory = tempfile::tempdir().unwrap();
    let (run, code, said) = run("values.cpp", directory.path(), &["-std=c++20"]);
    assert_eq!((code, &*said), (Some(0), ""));

    let wide = "abcd".chars().flat_map(|letter| (0..8).map(move |digit| format!("{letter}{digit} |-> 0")));
    let wide = format!("[{}]", wide.collect::<Vec<_>>().join(", "));
    let long = format!("<<{}>>", ["1"; 5000].join(", "));
    #[rustfmt::skip]
    let expected = [
        "TRUE", "FALSE",
        "-128", "127", "0", "255", "-32768", "32767", "0", "65535",
        "-2147483648", "2147483647", "0", "4294967295",
        "-9223372036854775808", "9223372036854775807", "0", r#""18446744073709551615""#,
        "-9223372036854775808", "9223372036854775807", "0", r#""18446744073709551615""#,
        "9223372036854775807",
        r#""x""#, r#""literal""#, r#""pointer""#, r#""with\u{0}nul""#, r#""ß""#, "\"\u{fffd}\"",
        "<<>>", "<<3>>", "<<<<>>>>",
        "<<1, 2, 3>>", "<<TRUE, FALSE>>", r#"<<"a", "b">>"#, "<<>>", r#"<<1, "18446744073709551615">>"#,
        "<<4, 5>>", "<<4, 5>>",
        r#"<<1, "one">>"#, r#"<<1, TRUE, "c">>"#, "<<>>", "<<>>",
        r#"{"a", "b"}"#, "{7}", r#"(1 :> "one" @@ 3 :> "three")"#, "[k |-> <<0>>]",
        r#"[balance |-> -3, owner |-> "ann"]"#, r#"[balance |-> -3, owner |-> "ann"]"#,
        r#"<<[balance |-> -3, owner |-> "ann"], [balance |-> 4, owner |-> "bob"]>>"#,
        r#""green""#, "9", r#"<<"yes", "don't know">>"#, "9", "<<2, 5>>",
        r#"[balance |-> -3, owner |-> "ann"]"#, r#""kept""#, r#"<<1, "a", TRUE, {2}, <<"kept">>>>"#,
        &wide, &long,
    ];
    let values = values(&open(&run));
    // One by one, because the last is long.
    for (value, expected) in values.iter().zip(expected) {
        assert_eq!(value, expected);
    }
    assert_eq!(values.len(), expected.len());
}

#[test]
fn every_outcome_of_a_call() {
    let directory = tempfile::tempdir().unwrap();
    let (run, code, said) = run("calls.cpp", directory.path(), &["-std=c++17"]);
    assert_eq!((code, &*said), (Some(3), "14 events, stopped: 0\n"));

    let trace = open(&run);
    assert_eq!((trace.spec(), trace.next(), trace.run().seed), ("Stack", "Next", Some(7)));
    assert_eq!(trace.run().exit.as_ref().and_then(|exit| exit.code), Some(3));
    assert!(
        signatures(&trace).contains(&"Pop(elem) results elem operation Pop".to_owned()),
        "{:?}",
        signatures(&trace)
    );
    insta::assert_debug_snapshot!(all_lines(&trace));
}

/// Other compilers and versions of the language than those that the programs are run with.
#[test]
fn compilers_and_versions() {
    let all = ["values.cpp", "calls.cpp", "fuzz.cpp", "perform.cpp"];
    let (values, others) = all.split_at(1);
    let cases = [("g++", "17", values), ("g++", "20", others), ("clang++-14", "17", &all), ("clang++-14", "20", &all)];
    for (compiler, version, sources) in cases {
        if is_installed(compiler) {
            let mut check = Command::new(compiler);
            check.args(WARNINGS).args(["-Wconversion", "-fsyntax-only", "-I"]).arg(crate_directory().join("include"));
            check.args(sources.iter().map(|source| crate_directory().join("tests/cpp").join(source)));
            succeed(check.arg(format!("-std=c++{version}")));
        }
    }
}
