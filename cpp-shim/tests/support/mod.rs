//! Programs in C and C++ that link the library, and what they have recorded.
#![allow(dead_code, reason = "every test program uses a part of it")]

pub mod recorded;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Where this crate is.
pub fn crate_directory() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where Cargo puts what it builds with the profile of this test.
pub fn profile_directory() -> PathBuf {
    std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned()
}

/// The target directory, and the name of the profile of this test.
pub fn target_and_profile() -> (PathBuf, &'static str) {
    let directory = profile_directory();
    (directory.parent().unwrap().to_owned(), if directory.ends_with("release") { "release" } else { "dev" })
}

/// Builds the libraries, which `cargo test` does not, with the profile of this test and next to it.
fn libraries() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let (target, profile) = target_and_profile();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "cpp-shim", "--profile", profile, "--target-dir"]);
        succeed(build.arg(target).current_dir(crate_directory()));
        profile_directory()
    })
}

/// Which of the libraries a program is linked with.
#[derive(Clone, Copy)]
pub enum Library {
    Static,
    Shared,
}

impl Library {
    fn arguments(self) -> Vec<OsString> {
        let directory = libraries();
        match self {
            Self::Static => vec![directory.join("libomnilink_c.a").into(), "-ldl".into(), "-lm".into()],
            Self::Shared => {
                let search = OsString::from_iter(["-Wl,-rpath,".as_ref(), directory.as_os_str()]);
                vec![directory.join("libomnilink_c.so").into(), search]
            }
        }
    }
}

/// What every program must pass.
pub const WARNINGS: [&str; 5] = ["-Wall", "-Wextra", "-Werror", "-Wpedantic", "-Wshadow"];

/// The system's compiler, unless the environment names another.
fn compiler(variable: &str, name: &str) -> Command {
    Command::new(std::env::var(variable).unwrap_or_else(|_| name.to_owned()))
}

/// Compiles a program of `tests/c` into a directory.
pub fn compile(source: &str, directory: &Path) -> PathBuf {
    let mut compiler = compiler("CC", "cc");
    compiler.args(["-std=c11", "-D_GNU_SOURCE"]);
    link(compiler, &Path::new("tests/c").join(source), directory, Library::Static)
}

/// Compiles a program of `tests/cpp` into a directory.
pub fn compile_cpp(source: &str, directory: &Path, options: &[&str], library: Library) -> PathBuf {
    let mut compiler = compiler("CXX", "c++");
    compiler.args(options);
    link(compiler, &Path::new("tests/cpp").join(source), directory, library)
}

fn link(mut compiler: Command, source: &Path, directory: &Path, library: Library) -> PathBuf {
    let program = directory.join("program");
    compiler.args(WARNINGS).args(["-pthread", "-I"]).arg(crate_directory().join("include")).arg("-o");
    succeed(compiler.args([&program, &crate_directory().join(source)]).args(library.arguments()));
    program
}

/// Runs a command that must succeed.
#[track_caller]
pub fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream));
    assert!(output.status.success(), "{command:?}: {}\n{}\n{}", output.status, said[0], said[1]);
    output
}

/// True if a program can be run. If not, says that something is not tested.
pub fn is_installed(program: &str) -> bool {
    let installed = Command::new(program).arg("--version").output().is_ok();
    if !installed {
        println!("{program} is not installed: not tested");
    }
    installed
}
