//! C programs that link the static library.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the static library, which `cargo test` does not, with the profile of this test and next to it.
fn static_library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile_directory = test.ancestors().nth(2).unwrap();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--package", "cpp-shim", "--target-dir"]);
    build.arg(profile_directory.parent().unwrap()).current_dir(env!("CARGO_MANIFEST_DIR"));
    if profile_directory.ends_with("release") {
        build.arg("--release");
    }
    assert!(build.status().unwrap().success());
    profile_directory.join("libomnilink_c.a")
}

/// Compiles a program of `tests/c` with the system's compiler into a directory.
pub fn compile(source: &str, directory: &Path) -> PathBuf {
    let crate_directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = crate_directory.join("tests/c").join(source);
    let program = directory.join("program");
    let output = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()))
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-pthread", "-D_GNU_SOURCE", "-I"])
        .arg(crate_directory.join("include"))
        .arg("-o")
        .args([&program, &source, &static_library()])
        .args(["-ldl", "-lm"])
        .output()
        .expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}
