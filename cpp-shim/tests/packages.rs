//! An installed OmniLink can be found and used: as a CMake package and through pkg-config, also after it was moved.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::recorded::{all_lines, open};
use support::{crate_directory, is_installed, succeed, target_and_profile};

/// Installs into `directory`, then moves the result.
fn install(directory: &Path) -> PathBuf {
    let (target, profile) = target_and_profile();
    let (build, installed, prefix) = (directory.join("build"), directory.join("installed"), directory.join("prefix"));
    let mut configure = cmake(crate_directory(), &build);
    configure.arg(format!("-DOMNILINK_CARGO_PROFILE={profile}"));
    configure.arg(format!("-DOMNILINK_CARGO_TARGET_DIR={}", target.display()));
    succeed(&mut configure);
    succeed(Command::new("cmake").arg("--build").arg(&build));
    succeed(Command::new("cmake").arg("--install").arg(&build).arg("--prefix").arg(&installed));
    std::fs::rename(installed, &prefix).unwrap();
    prefix
}

/// Configures the project in `source` to be built in `build`.
fn cmake(source: &Path, build: &Path) -> Command {
    let mut cmake = Command::new("cmake");
    cmake.arg("-S").arg(source).arg("-B").arg(build);
    cmake
}

/// The consumer records what it is told to.
#[track_caller]
fn works(program: &mut Command, trace: &Path) {
    succeed(program.args(["--threads", "2", "--ops", "10", "--seed", "1", "--trace-dir"]).arg(trace));
    let lines = all_lines(&open(trace));
    // Ten operations, and the end of the thread.
    assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [11, 11]);
}

#[test]
fn cmake_and_pkg_config() {
    if !is_installed("cmake") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let prefix = install(directory.path());

    let consumer = crate_directory().join("tests/consumer");
    succeed(cmake(&consumer, &path("consumer")).arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    succeed(Command::new("cmake").arg("--build").arg(path("consumer")));
    for library in ["omnilink", "omnilink_shared"] {
        works(&mut Command::new(path("consumer").join(format!("with_{library}"))), &path(library));
    }

    if !is_installed("pkg-config") {
        return;
    }
    // The module `omnilink` is the static library, with and without `--static`: the program needs no library path.
    for (name, options, module) in
        [("plain", &[][..], "omnilink"), ("static", &["--static"], "omnilink"), ("shared", &[], "omnilink_shared")]
    {
        let mut query = Command::new("pkg-config");
        query.args(["--cflags", "--libs"]).args(options).arg(module);
        query.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
        let flags = String::from_utf8(succeed(&mut query).stdout).unwrap();
        let program = path(name);
        let mut compiler = Command::new(std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned()));
        compiler.arg("-std=c++17").arg(consumer.join("stack.cpp")).arg("-o").arg(&program);
        succeed(compiler.args(flags.split_whitespace()));
        // Cargo names its own directory of libraries to tests.
        let mut command = Command::new(&program);
        command.env_remove("LD_LIBRARY_PATH").current_dir(directory.path());
        if module == "omnilink_shared" {
            assert!(!command.output().unwrap().status.success(), "it runs without the shared library");
            command.env("LD_LIBRARY_PATH", prefix.join("lib"));
        }
        works(&mut command, &path(&format!("trace-{name}")));
    }
}
