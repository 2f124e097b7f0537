//! Checking with a cache of verdicts and files of one's own.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use tempfile::TempDir;

use super::omnilink;

/// Files of a test, and its cache of verdicts.
pub struct Bench {
    dir: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// Where a file of the test is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file and gives its path as an argument.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub fn run(&self, args: &[&str]) -> Output {
        omnilink([&["check"], args].concat()).env("XDG_CACHE_HOME", self.path("cache")).output().unwrap()
    }

    /// Exit code and standard output, without times and places that differ from run to run.
    pub fn check(&self, args: &[&str]) -> (i32, String) {
        let output = self.run(args);
        let text = String::from_utf8(output.stdout).unwrap().replace(self.dir.path().to_str().unwrap(), "DIR");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{text}");
        (output.status.code().unwrap(), without_times(&text))
    }

    pub fn code(&self, args: &[&str]) -> i32 {
        self.run(args).status.code().unwrap()
    }

    /// What is said on standard error when nothing could be checked.
    pub fn refusal(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    }
}

/// `(6 configurations, 0.02 s)` becomes `(6 configurations, TIME)`.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line.strip_suffix(" s)").and_then(|rest| rest.rsplit_once(", ")) {
        Some((rest, _)) => format!("{rest}, TIME)"),
        None => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
