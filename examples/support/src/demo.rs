//! A demo as its users start it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::recording::Recording;

/// A program in a directory of its own.
#[derive(Debug)]
pub struct Demo {
    program: PathBuf,
    directory: TempDir,
}

impl Demo {
    /// Of an executable.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), directory: tempfile::tempdir().expect("a temporary directory") }
    }

    /// Where the program runs.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Runs the program, without any settings of OmniLink that the tests' own environment may have.
    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(&self.program);
        for (variable, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("OMNILINK_")) {
            command.env_remove(variable);
        }
        command.current_dir(self.directory()).args(arguments).output().expect("the program was built")
    }

    /// Runs the program, which must succeed, and returns what it said on standard output and standard error.
    #[track_caller]
    pub fn succeed(&self, arguments: &[&str]) -> (String, String) {
        let output = self.run(arguments);
        let [stdout, stderr] = [output.stdout, output.stderr].map(|said| String::from_utf8(said).expect("UTF-8"));
        assert!(output.status.success(), "{arguments:?}: {}\n{stderr}", output.status);
        (stdout, stderr)
    }

    /// Runs the program, which must refuse its arguments for this reason and record nothing.
    #[track_caller]
    pub fn refuse(&self, arguments: &[&str], reason: &str) {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(2), &*format!("fuzz: {reason}\n")), "{arguments:?}");
        assert_eq!(self.directory().read_dir().expect("the directory").count(), 0, "{arguments:?}");
    }

    /// Runs the program, which must succeed, and returns what it recorded.
    #[track_caller]
    pub fn trace(&self, arguments: &[&str]) -> Recording {
        Recording::of(|path| {
            let path = path.to_str().expect("a path in UTF-8");
            self.succeed(&[arguments, &["--trace-dir", path]].concat());
        })
    }
}
