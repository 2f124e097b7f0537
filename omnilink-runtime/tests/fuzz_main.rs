//! A fuzzer as a program: settings from three places, exit codes.

mod fuzz_support;

use std::ffi::OsString;
use std::path::Path;

use fuzz_support::{Recorded, alone, lengths, read};
use omnilink_runtime::fuzz::{EXIT_EMPTY, EXIT_OK, EXIT_PANIC, EXIT_USAGE, Fuzz, Unsupported};

fn fuzzer() -> Fuzz<'static, u64> {
    Fuzz::<u64>::new("Program")
        .action("Read", &["value"], |cx| {
            cx.op.set("value", cx.system);
            Ok(())
        })
        .action("Write", &[], |_| Err(Unsupported))
        .action("Crash", &[], |_| panic!("crashed"))
        .weight("Crash", 0)
        .option("system", "N", "the number to read")
}

/// Runs the program with these arguments and variables, and `--trace-dir`.
fn main(fuzz: Fuzz<'_, u64>, arguments: &[&str], variables: &[(&str, &str)], directory: &Path) -> u8 {
    let _alone = alone();
    let trace_directory = [OsString::from("--trace-dir"), directory.into()];
    let arguments = arguments.iter().map(OsString::from).chain(trace_directory);
    let variable = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
    fuzz.main_with("program".into(), arguments, variable, |options| match options.get("system") {
        Some(text) => text.parse().map_err(|_| format!("--system: `{text}` is not a number")),
        None => Ok(options.threads() as u64 * 1000 + options.seed()),
    })
}

fn run(fuzz: Fuzz<'_, u64>, arguments: &[&str], variables: &[(&str, &str)]) -> (u8, Recorded) {
    let directory = tempfile::tempdir().unwrap();
    let code = main(fuzz, arguments, variables, directory.path());
    (code, read(directory.path()))
}

#[test]
fn command_line_over_environment_over_builder_over_defaults() {
    let fuzz = fuzzer().threads(1).operations(3).seed(1).consecutive_failures(9999);
    let variables =
        [("OMNILINK_THREADS", "2"), ("OMNILINK_SEED", "2"), ("OMNILINK_WEIGHTS", "Write=5,Read=0"), ("OTHER", "x")];
    let (code, recorded) = run(fuzz, &["--threads", "3", "--weights", "Read=1"], &variables);
    assert_eq!(code, EXIT_OK);
    assert_eq!(lengths(&recorded), [3, 3, 3]);
    assert_eq!(recorded.seed, Some(2));
    assert_eq!(recorded.calls[0][0], "Read(value=3002)");
    assert_eq!(recorded.exit, Some(0));
}

#[test]
fn own_options_make_the_system() {
    let (code, recorded) = run(fuzzer(), &["--ops=1", "--system", "42", "--threads=1"], &[]);
    assert_eq!(code, EXIT_OK);
    assert_eq!(recorded.calls, [["Read(value=42)"]]);
}

#[test]
fn an_empty_trace() {
    let (code, recorded) = run(fuzzer(), &["--weights", "Read=0", "--consecutive-failures", "5"], &[]);
    assert_eq!(code, EXIT_EMPTY);
    assert_eq!(lengths(&recorded), [0, 0, 0, 0]);
    assert_eq!(recorded.exit, Some(EXIT_EMPTY.into()));
}

#[test]
fn a_panic() {
    let (code, recorded) = run(fuzzer(), &["--weights", "Read=0,Write=0,Crash=1", "--threads", "2"], &[]);
    assert_eq!(code, EXIT_PANIC);
    assert_eq!(recorded.calls, [[r#"Crash() Indeterminate omnilink.panic="crashed""#]; 2]);
    assert_eq!(recorded.exit, Some(EXIT_PANIC.into()));
}

#[test]
fn wrong_use_records_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("trace");
    let refused = |fuzz, arguments: &[&str], variables: &[(&str, &str)]| {
        assert_eq!(main(fuzz, arguments, variables, &trace), EXIT_USAGE, "{arguments:?} {variables:?}");
        assert!(!trace.exists());
    };
    refused(fuzzer(), &["--threads", "0"], &[]);
    refused(fuzzer(), &["--unheard-of"], &[]);
    refused(fuzzer(), &[], &[("OMNILINK_DURATION", "long")]);
    refused(fuzzer(), &["--system", "seven"], &[]);
    refused(fuzzer(), &["--weights", "Read=0,Write=0"], &[]);
    refused(fuzzer().threads(0), &[], &[]);
}
