//! The tests of test programs.

use std::process::{Command, Stdio};

use clap::Args;

use super::build::Program;
use crate::failure::{Failure, complain};

/// Which tests are run.
#[derive(Args)]
pub struct Selection {
    /// Only tests whose names contain one of these texts
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// The filters are whole names
    #[arg(long)]
    exact: bool,
    /// Leave out tests whose names contain this text; may be repeated
    #[arg(long, value_name = "FILTER")]
    skip: Vec<String>,
    /// Only tests with #[ignore]
    #[arg(long, conflicts_with = "include_ignored")]
    ignored: bool,
    /// Also tests with #[ignore]
    #[arg(long)]
    include_ignored: bool,
}

/// A test.
#[derive(Debug, Clone)]
pub struct TestCase<'a> {
    /// Its program.
    pub program: &'a Program,
    /// Its name there.
    pub name: String,
    /// Whether it has #[ignore].
    pub is_ignored: bool,
}

/// The tests that were selected.
#[derive(Debug, Default)]
pub struct Selected<'a> {
    /// These are run.
    pub tests: Vec<TestCase<'a>>,
    /// How many have #[ignore] and would have been selected otherwise.
    pub ignored: usize,
    /// The programs that do not say which tests they have.
    pub silent: Vec<&'a Program>,
}

impl Selection {
    /// The selected tests of programs.
    pub fn select<'a>(&self, programs: &'a [Program]) -> Result<Selected<'a>, Failure> {
        let mut selected = Selected::default();
        let mut all = 0;
        for program in programs {
            let Some((names, ignored)) = names(program, false).zip(names(program, true)) else {
                complain(format_args!(
                    "note: {} of {} does not list its tests (`--list`), so they are not run",
                    program.target, program.package
                ));
                selected.silent.push(program);
                continue;
            };
            all += names.len();
            for name in names.into_iter().filter(|name| self.is_wanted(name)) {
                let is_ignored = ignored.contains(&name);
                match (self.ignored, self.include_ignored) {
                    (false, false) if is_ignored => selected.ignored += 1,
                    (true, _) if !is_ignored => {}
                    _ => selected.tests.push(TestCase { program, name, is_ignored }),
                }
            }
        }
        if selected.tests.is_empty() {
            return Err(self.nothing(all, &selected));
        }
        Ok(selected)
    }

    fn is_wanted(&self, name: &str) -> bool {
        let fits = |filter: &String| if self.exact { name == filter } else { name.contains(filter.as_str()) };
        (self.filters.is_empty() || self.filters.iter().any(fits)) && !self.skip.iter().any(fits)
    }

    fn nothing(&self, all: usize, selected: &Selected<'_>) -> Failure {
        match (all, selected.ignored) {
            (0, _) => Failure::with_hint("there are no tests", "doctests are not run; `-p` names another package"),
            (_, 0) => Failure::with_hint(
                format!("none of the {all} tests is selected"),
                "a filter is a part of a test's name; `cargo test -- --list` prints the names",
            ),
            (_, ignored) => Failure::with_hint(
                format!("all {ignored} selected tests have #[ignore]"),
                "--include-ignored and --ignored run them",
            ),
        }
    }
}

/// The names that a program's harness lists; `None` if it lists none as the usual harness does.
fn names(program: &Program, only_ignored: bool) -> Option<Vec<String>> {
    let mut command = Command::new(&program.file);
    command.args(["--list", "--format", "terse"]).args(only_ignored.then_some("--ignored"));
    command.current_dir(&program.directory).stdin(Stdio::null()).stderr(Stdio::null());
    let variables = program.variables();
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut names = Vec::new();
    for line in text.lines() {
        match line.rsplit_once(": ") {
            Some((name, "test")) => names.push(name.to_owned()),
            Some((_, "benchmark" | "bench")) => {}
            _ => return None,
        }
    }
    Some(names)
}
