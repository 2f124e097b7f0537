//! Runs of a fuzzer, to be replayed.

use std::fs;
use std::path::{Path, PathBuf};

use super::stdout_of;

/// The fuzzer: cargo builds it with the tests.
pub fn fuzzer() -> String {
    let deps = std::env::current_exe().expect("a test has a file");
    deps.ancestors().nth(2).expect("it is in a directory of cargo's").join("examples/debugged").display().to_string()
}

/// Some runs of it, with these arguments.
pub fn recorded(scratch: &Path, runs: &str, arguments: &[&str]) -> Vec<PathBuf> {
    let (directory, fuzzer) = (scratch.join("runs").display().to_string(), fuzzer());
    let mut all = vec!["record", "--chaos", "--runs", runs, "--seed", "3", "-o", &directory, "--", &fuzzer];
    all.extend(arguments);
    stdout_of(all);
    let entries = fs::read_dir(&directory).expect("runs were recorded");
    let mut runs: Vec<_> = entries.map(|entry| entry.expect("a directory can be read").path()).collect();
    runs.sort();
    runs
}
