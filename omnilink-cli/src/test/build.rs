//! Test programs, as Cargo builds them.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use serde::Deserialize;

use crate::failure::Failure;

/// The options that are passed on to `cargo test --no-run`.
#[derive(Args)]
pub struct CargoArgs {
    /// The package whose tests are run; may be repeated
    #[arg(short, long, value_name = "SPEC", help_heading = "Cargo")]
    package: Vec<String>,
    /// The tests of all packages of the workspace
    #[arg(long, help_heading = "Cargo")]
    workspace: bool,
    /// With --workspace: leave this package out; may be repeated
    #[arg(long, value_name = "SPEC", requires = "workspace", help_heading = "Cargo")]
    exclude: Vec<String>,
    /// Only the unit tests of the library
    #[arg(long, help_heading = "Cargo")]
    lib: bool,
    /// Only the unit tests of all binaries
    #[arg(long, help_heading = "Cargo")]
    bins: bool,
    /// Only the unit tests of this binary; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Cargo")]
    bin: Vec<String>,
    /// Only all test targets
    #[arg(long, help_heading = "Cargo")]
    tests: bool,
    /// Only this test target; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Cargo")]
    test: Vec<String>,
    /// Only the tests of this example; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Cargo")]
    example: Vec<String>,
    /// Features to activate, separated by spaces or commas; may be repeated
    #[arg(short = 'F', long, value_name = "FEATURES", help_heading = "Cargo")]
    features: Vec<String>,
    /// Activate all features
    #[arg(long, help_heading = "Cargo")]
    all_features: bool,
    /// Do not activate the default feature
    #[arg(long, help_heading = "Cargo")]
    no_default_features: bool,
    /// Build with the release profile
    #[arg(short, long, help_heading = "Cargo")]
    release: bool,
    /// Build with this profile
    #[arg(long, value_name = "NAME", help_heading = "Cargo")]
    profile: Option<String>,
    /// The directory for what is built
    #[arg(long, value_name = "DIR", help_heading = "Cargo")]
    target_dir: Option<PathBuf>,
    /// The package's Cargo.toml
    #[arg(long, value_name = "FILE", help_heading = "Cargo")]
    manifest_path: Option<PathBuf>,
    /// Cargo.lock is not to be changed
    #[arg(long, help_heading = "Cargo")]
    locked: bool,
    /// Do not use the network
    #[arg(long, help_heading = "Cargo")]
    offline: bool,
}

/// A test program.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file.
    pub file: PathBuf,
    /// The package.
    pub package: String,
    /// The directory of the package.
    pub directory: PathBuf,
    /// The target: the library, a binary, a test.
    pub target: String,
}

impl CargoArgs {
    /// Builds the test programs; Cargo's own messages go to standard error.
    pub fn build(&self) -> Result<Vec<Program>, Failure> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(&cargo);
        command.args(["test", "--no-run", "--message-format=json-render-diagnostics"]).args(self.words());
        command.stdin(Stdio::null()).stderr(Stdio::inherit());
        let failed = |error| Failure::with_hint(format!("{}: {error}", cargo.to_string_lossy()), "is Cargo installed?");
        let output = command.output().map_err(failed)?;
        if !output.status.success() {
            return Err(Failure::with_hint("the tests could not be built", "Cargo says above why"));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text.lines().filter_map(program).collect())
    }

    fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        let flags = [
            ("--workspace", self.workspace),
            ("--lib", self.lib),
            ("--bins", self.bins),
            ("--tests", self.tests),
            ("--all-features", self.all_features),
            ("--no-default-features", self.no_default_features),
            ("--release", self.release),
            ("--locked", self.locked),
            ("--offline", self.offline),
        ];
        words.extend(flags.iter().filter(|(_, given)| *given).map(|(flag, _)| OsString::from(flag)));
        let lists = [
            ("--package", &self.package),
            ("--exclude", &self.exclude),
            ("--bin", &self.bin),
            ("--test", &self.test),
            ("--example", &self.example),
            ("--features", &self.features),
        ];
        for (option, values) in lists {
            words.extend(values.iter().flat_map(|value| [option.into(), value.into()]));
        }
        self.profile.iter().for_each(|profile| words.extend(["--profile".into(), profile.into()]));
        self.target_dir.iter().for_each(|directory| words.extend(["--target-dir".into(), directory.into()]));
        self.manifest_path.iter().for_each(|path| words.extend(["--manifest-path".into(), path.into()]));
        words
    }
}

/// The part of Cargo's messages that is used.
#[derive(Deserialize)]
struct Message {
    reason: String,
    #[serde(default)]
    package_id: String,
    #[serde(default)]
    manifest_path: PathBuf,
    target: Option<Target>,
    profile: Option<Profile>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// The test program that a line of Cargo's output announces.
fn program(line: &str) -> Option<Program> {
    let message: Message = serde_json::from_str(line).ok()?;
    let Message { reason, package_id, manifest_path, target, profile, executable } = message;
    if reason != "compiler-artifact" || !profile?.test {
        return None;
    }
    Some(Program {
        file: executable?,
        package: package_name(&package_id),
        directory: manifest_path.parent().unwrap_or(Path::new("")).to_owned(),
        target: target?.name,
    })
}

/// The name in `path+file:///home/me/queue#0.1.0`, `path+file:///home/me/x#queue@0.1.0` or `queue 0.1.0 (path+file:///…)`.
fn package_name(id: &str) -> String {
    let Some((source, fragment)) = id.rsplit_once('#') else {
        return id.split(' ').next().unwrap_or_default().to_owned();
    };
    match fragment.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => source.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_packages_in_every_form() {
        let cases = [
            ("path+file:///home/me/queue#0.1.0", "queue"),
            ("path+file:///home/me/x#queue@0.1.0", "queue"),
            ("queue 0.1.0 (path+file:///home/me/x)", "queue"),
        ];
        for (id, name) in cases {
            assert_eq!(package_name(id), name);
        }
    }

    #[test]
    fn only_test_programs_are_run() {
        let message = |reason: &str, test: bool, executable: &str| {
            format!(
                r#"{{"reason":"{reason}","package_id":"path+file:///p/q#0.1.0","manifest_path":"/p/q/Cargo.toml","target":{{"name":"race","kind":["test"]}},"profile":{{"test":{test}}},"executable":{executable}}}"#
            )
        };
        assert!(program(&message("compiler-artifact", true, "null")).is_none());
        assert!(program(&message("compiler-artifact", false, r#""/t/bin""#)).is_none());
        assert!(program(r#"{"reason":"build-finished","success":true}"#).is_none());
        assert!(program("warning: not JSON").is_none());
        let found = program(&message("compiler-artifact", true, r#""/t/race-1""#)).unwrap();
        assert_eq!((found.package.as_str(), found.target.as_str()), ("q", "race"));
        assert_eq!((found.directory.as_path(), found.file.as_path()), (Path::new("/p/q"), Path::new("/t/race-1")));
    }
}
