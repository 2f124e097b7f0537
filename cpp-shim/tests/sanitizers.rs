//! Programs that are compiled with sanitizers, while the runtime is not, raise no alarm: neither the headers' code
//! nor what sanitizers see of the runtime.

mod support;

use std::path::Path;
use std::process::Command;

use support::{Library, compile_cpp};

/// True if programs can be linked with a sanitizer, and run. If not, says that something is not tested.
fn is_available(sanitizer: &str, directory: &Path) -> bool {
    let source = directory.join("empty.cpp");
    std::fs::write(&source, "int main() {}\n").unwrap();
    let mut compiler = Command::new(std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned()));
    let program = directory.join("empty");
    let linked = compiler.arg(sanitizer).arg("-o").args([&program, &source]).output().unwrap().status.success();
    let available = linked && Command::new(program).output().unwrap().status.success();
    if !available {
        println!("{sanitizer} does not work here: not tested");
    }
    available
}

fn raises_no_alarm(sanitizer: &str, library: Library) {
    let directory = tempfile::tempdir().unwrap();
    if !is_available(sanitizer, directory.path()) {
        return;
    }
    let options = ["-std=c++17", "-g", "-O1", "-fno-sanitize-recover=all", sanitizer];
    // A run's exit code when all is well; an alarm has another one.
    let crash = ["--threads=2", "--weights=Crash=1", "--trace-dir"];
    let runs: [(&str, &[&str], i32); 3] = [
        ("calls.cpp", &[], 3),
        ("fuzz.cpp", &["--threads=4", "--ops=300", "--seed=3", "--trace-dir"], 0),
        ("fuzz.cpp", &crash, 101),
    ];
    let mut compiled = None;
    for (number, (source, arguments, code)) in runs.into_iter().enumerate() {
        if compiled != Some(source) {
            compile_cpp(source, directory.path(), &options, library);
            compiled = Some(source);
        }
        let mut run = Command::new(directory.path().join("program"));
        let output = run.args(arguments).arg(directory.path().join(format!("run-{number}"))).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{source} {arguments:?}: {said}");
        assert!(!said.contains("Sanitizer"), "{source} {arguments:?}: {said}");
    }
}

#[test]
fn addresses_leaks_and_undefined_behaviour() {
    raises_no_alarm("-fsanitize=address,undefined", Library::Static);
}

#[test]
fn races() {
    raises_no_alarm("-fsanitize=thread", Library::Shared);
}
