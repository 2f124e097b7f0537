//! Building generated projects: all in one workspace with one target directory, which outlives the tests, so that only
//! what changed is compiled again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The checkout that the projects depend on.
pub fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A directory for generated projects that is kept between runs.
pub fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust").join(name)
}

/// Writes a file, unless it is as it should be: cargo looks at times.
pub fn put(path: &Path, text: &str) {
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Builds what is in a directory, with the versions of dependencies that the checkout has.
pub fn build(directory: &Path) -> Output {
    let lock = fs::read_to_string(checkout().join("Cargo.lock")).unwrap();
    fs::write(directory.join("Cargo.lock"), lock).unwrap();
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(directory).args(["build", "--offline", "--quiet"]);
    command.env("CARGO_TARGET_DIR", target()).env("RUSTFLAGS", "-Dwarnings").env_remove("CARGO_ENCODED_RUSTFLAGS");
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
    command.output().unwrap()
}

/// Where programs are once they have been built.
pub fn program(name: &str) -> PathBuf {
    target().join("debug").join(name)
}

fn target() -> PathBuf {
    directory("target")
}

/// Runs a program in a directory, without the caller's OmniLink settings.
pub fn run(program: &Path, directory: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(program);
    command.current_dir(directory).args(arguments);
    for (variable, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("OMNILINK_")) {
        command.env_remove(variable);
    }
    let output = command.output().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}
