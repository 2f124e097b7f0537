//! The project as a user builds it: with CMake, against an installed OmniLink.

use std::path::{Path, PathBuf};
use std::process::Command;

use omnilink_gen::Language;

use crate::support::{is_installed, queue, said, shim_directory, succeed, target_and_profile, write};

/// Installs OmniLink as its documentation says.
fn install(directory: &Path) -> PathBuf {
    let (target, profile) = target_and_profile();
    let (build, prefix) = (directory.join("build"), directory.join("prefix"));
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(shim_directory()).arg("-B").arg(&build);
    configure.arg(format!("-DOMNILINK_CARGO_PROFILE={profile}"));
    succeed(configure.arg(format!("-DOMNILINK_CARGO_TARGET_DIR={}", target.display())));
    succeed(Command::new("cmake").arg("--build").arg(&build));
    succeed(Command::new("cmake").arg("--install").arg(&build).arg("--prefix").arg(&prefix));
    prefix
}

#[test]
fn cmake_finds_omnilink_or_says_how_to_get_it() {
    if !is_installed("cmake") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let project = directory.path().join("project");
    std::fs::create_dir(&project).unwrap();
    let files = queue().files(Language::Cpp, Some(PathBuf::from("/a place/it's")));
    write(&files, &project);
    for file in ["CMakeLists.txt", "README.md"] {
        let file = files.iter().find(|other| other.path == Path::new(file)).unwrap();
        insta::assert_snapshot!(file.path.display().to_string(), file.text);
    }

    let cmake = |arguments: &[&str]| {
        let mut cmake = Command::new("cmake");
        cmake.args(arguments).current_dir(&project);
        cmake
    };
    let missing = cmake(&["-B", "missing", "-DCMAKE_DISABLE_FIND_PACKAGE_OmniLink=ON"]).output().unwrap();
    assert!(!missing.status.success());
    for part in [
        "OmniLink 0.1 for C++ is not installed",
        "cmake --install target/cpp-shim --prefix",
        r#"-DCMAKE_PREFIX_PATH="$HOME/"#,
    ] {
        assert!(said(&missing).contains(part), "{part}: {}", said(&missing));
    }

    let prefix = install(directory.path());
    succeed(cmake(&["-B", "build"]).arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    succeed(&mut cmake(&["--build", "build"]));
    let mut run = Command::new(project.join("build/fuzzer"));
    let output = run.args(["--threads", "4", "--ops", "1000", "--trace-dir", "t"]).current_dir(&project).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("no action is bound to the system yet"), "{}", said(&output));
}
