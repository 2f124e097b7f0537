//! The C++ fuzzer and the ABA problem: built as the page says, run, and held against the specification.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use examples_support::{Demo, Recording, calls, distinct_states, has_order};
use omnilink_trace::Trace;

const HERE: &str = env!("CARGO_MANIFEST_DIR");
const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Stack.tla");

#[track_caller]
fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream));
    assert!(output.status.success(), "{command:?}: {}\n{}\n{}", output.status, said[0], said[1]);
}

fn configure(source: &Path, build: &Path) -> Command {
    let mut cmake = Command::new("cmake");
    cmake.arg("-S").arg(source).arg("-B").arg(build);
    cmake
}

/// The directory with the programs, where they can be built: installs the shim and builds the project, both below
/// Cargo's target directory, where they stay for the next time.
fn programs() -> Option<&'static Path> {
    static PROGRAMS: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        if Command::new("cmake").arg("--version").output().is_err() {
            println!("cmake is not installed: not tested");
            return None;
        }
        let executable = std::env::current_exe().unwrap();
        let profile_directory = executable.ancestors().nth(2).unwrap();
        let target = profile_directory.parent().unwrap();
        let profile = if profile_directory.ends_with("release") { "release" } else { "dev" };
        let path = |name: &str| profile_directory.join("cpp-stack").join(name);

        let (shim, prefix) = (path("shim"), path("prefix"));
        let mut install = configure(&Path::new(HERE).join("../../cpp-shim"), &shim);
        install.arg(format!("-DOMNILINK_CARGO_PROFILE={profile}"));
        succeed(install.arg(format!("-DOMNILINK_CARGO_TARGET_DIR={}", target.display())));
        succeed(Command::new("cmake").arg("--build").arg(&shim));
        succeed(Command::new("cmake").arg("--install").arg(&shim).arg("--prefix").arg(&prefix));

        let programs = path("build");
        let mut project = configure(Path::new(HERE), &programs);
        project.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
        succeed(project.arg("-DCMAKE_CXX_FLAGS=-Werror"));
        succeed(Command::new("cmake").arg("--build").arg(&programs));
        Some(programs)
    };
    PROGRAMS.get_or_init(build).as_deref()
}

/// The elements of all calls of an action.
fn elements(trace: &Trace, action: &str) -> Vec<i64> {
    calls(trace).iter().filter(|call| call.action == action).map(|call| call.int("elem")).collect()
}

#[test]
fn the_specification_explores() {
    assert_eq!(distinct_states(concat!(env!("CARGO_MANIFEST_DIR"), "/MCStack.tla")), 121);
}

#[test]
fn the_fuzzer_records_what_the_correct_stack_does() {
    let Some(programs) = programs() else { return };
    let fuzzer = Demo::new(programs.join("fuzzer"));
    let trace = fuzzer.trace(&["--threads", "3", "--ops", "2000", "--seed", "5"]);
    assert_eq!((trace.spec(), trace.next(), trace.lanes().len()), ("Stack", "Next", 3));
    let (pushed, popped) = (elements(&trace, "Push"), elements(&trace, "Pop"));
    assert_eq!(
        pushed.len() + popped.len() + calls(&trace).iter().filter(|call| call.action == "PopEmpty").count(),
        6000
    );
    let distinct: HashSet<_> = popped.iter().copied().collect();
    assert_eq!(distinct.len(), popped.len(), "nothing is popped twice");
    assert!(distinct.is_subset(&pushed.into_iter().collect()));
    assert!(has_order(&fuzzer.trace(&["--threads", "3", "--ops", "500", "--seed", "5"]), SPEC));
}

#[test]
fn one_thread_sees_no_difference() {
    let Some(programs) = programs() else { return };
    for head in ["counted", "plain"] {
        let trace = Demo::new(programs.join("fuzzer")).trace(&["--threads=1", "--seed=3", "--head", head]);
        assert!(elements(&trace, "Pop").len() > 100);
        assert!(has_order(&trace, SPEC), "{head}");
    }
}

#[test]
fn an_element_is_popped_twice_and_the_trace_shows_it() {
    let Some(programs) = programs() else { return };
    for (head, popped, is_behaviour) in [("plain", vec![3, 3, 2, 2, 1], false), ("counted", vec![4, 3, 2, 1], true)] {
        let aba = Demo::new(programs.join("aba"));
        let trace = Recording::of(|path| _ = aba.succeed(&[head, path.to_str().unwrap()]));
        assert_eq!(elements(&trace, "Pop"), popped, "in the order in which the calls began");
        assert_eq!(has_order(&trace, SPEC), is_behaviour, "{head}");
    }
}

#[test]
fn wrong_use() {
    let Some(programs) = programs() else { return };
    let fuzzer = Demo::new(programs.join("fuzzer"));
    fuzzer.refuse(&["--head", "heavy"], "--head: `heavy` is neither counted nor plain");
    fuzzer.refuse(&["--window", "open"], "--window: `open` is neither short nor long");
    assert_eq!(Demo::new(programs.join("aba")).run(&["plain"]).status.code(), Some(2));
}
