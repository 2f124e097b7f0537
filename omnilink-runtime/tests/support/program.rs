//! Programs under test that may die, fork, or run out of space: a part of a test that runs in a process of its own.

use std::path::Path;
use std::process::{Command, Output, exit};
use std::str::FromStr;

use tempfile::TempDir;

/// Set in the process that a test started: the directory that the two share.
const SHARED: &str = "OMNILINK_TEST_SHARED_DIRECTORY";

/// The part of a test that runs in a process of its own: this very test again, which finds itself to be that process.
#[derive(Debug)]
pub struct Program {
    shared: TempDir,
    command: Command,
}

impl Program {
    /// The program that does `body`, with the directory that it shares with its test, and then exits with the code that
    /// `body` returns. Must be the first thing that a test does.
    pub fn new(body: impl FnOnce(&Path) -> i32) -> Self {
        if let Some(shared) = std::env::var_os(SHARED) {
            exit(body(Path::new(&shared)));
        }
        let shared = tempfile::tempdir().unwrap();
        let test = std::thread::current().name().expect("tests run in threads that bear their name").to_owned();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([&test, "--exact", "--include-ignored", "--nocapture", "--test-threads=1"])
            .env(SHARED, shared.path());
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("OMNILINK_")) {
            command.env_remove(name);
        }
        Self { shared, command }
    }

    /// The directory that the program and its test share.
    pub fn shared(&self) -> &Path {
        self.shared.path()
    }

    /// Sets a variable of the program's environment.
    pub fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs the program inside another command, such as `unshare -m`.
    pub fn inside(mut self, wrapper: &[&str]) -> Self {
        let mut command = Command::new(wrapper[0]);
        command.args(&wrapper[1..]).arg(self.command.get_program()).args(self.command.get_args());
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        self.command = command;
        self
    }

    /// Runs the program to its end.
    pub fn run(mut self) -> Ended {
        let output = self.command.output().unwrap();
        Ended { shared: self.shared, output }
    }

    /// The command that runs it, for those who do more than wait for its end.
    pub fn command(&mut self) -> &mut Command {
        &mut self.command
    }
}

/// A program that has ended.
#[derive(Debug)]
pub struct Ended {
    shared: TempDir,
    output: Output,
}

impl Ended {
    /// The directory that the program and its test share.
    pub fn shared(&self) -> &Path {
        self.shared.path()
    }

    /// The exit code, if no signal killed the program.
    pub fn code(&self) -> Option<i32> {
        self.output.status.code()
    }

    /// What the recorder said on standard error.
    pub fn messages(&self) -> Vec<String> {
        let lines = String::from_utf8_lossy(&self.output.stderr).into_owned();
        lines.lines().filter_map(|line| line.strip_prefix("omnilink: ")).map(str::to_owned).collect()
    }

    /// What the program reported under this name with [`report`].
    pub fn report<T: FromStr>(&self, name: &str) -> T {
        let text = String::from_utf8_lossy(&self.output.stdout).into_owned();
        let prefix = format!("report {name}=");
        let value = text.lines().find_map(|line| line.strip_prefix(&prefix));
        value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name} in {:?}", self.output))
    }

    /// Fails the test unless the program exited with this code.
    pub fn expect_code(&self, code: i32) {
        assert_eq!(self.code(), Some(code), "{}", String::from_utf8_lossy(&self.output.stderr));
    }
}

/// Tells the test something; in the program.
pub fn report(name: &str, value: impl std::fmt::Display) {
    println!("\nreport {name}={value}");
}
