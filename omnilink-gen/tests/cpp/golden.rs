//! The project of every specification is as it should be, builds without warnings, and runs.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use omnilink_gen::model::Model;

use crate::bound;
use crate::support::{Project, build, compiler, is_installed, projects, said, succeed, write};

#[test]
fn generated_files() {
    for Project { spec, model, files } in projects() {
        let text: Vec<_> = files
            .iter()
            .filter(|file| file.path.extension().is_some_and(|ending| ending == "hpp" || ending == "cpp"))
            .map(|file| format!("==> {} <==\n{}", file.path.display(), file.text))
            .collect();
        insta::assert_snapshot!(model.spec.clone(), text.join("\n"));
        let copy = files.iter().find(|file| file.path == Path::new(&model.file)).unwrap();
        assert_eq!(copy.text, std::fs::read_to_string(&spec).unwrap());
    }
}

#[test]
fn projects_build_and_run() {
    let projects = Mutex::new(projects().into_iter().enumerate());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((number, project)) = { projects.lock().unwrap().next() } {
                    builds_and_runs(number, &project);
                }
            });
        }
    });
}

fn builds_and_runs(number: usize, Project { model, files, .. }: &Project) {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    write(files, directory);
    says_what_is_unbound(model, directory);
    bound::records_what_is_drawn(model, directory);

    // The other compilers and versions by turns, since each takes as long as a build.
    let others = [("g++", "c++20"), ("clang++-14", "c++17"), ("clang++-14", "gnu++20")];
    let (name, version) = others[number % others.len()];
    if is_installed(name) {
        succeed(compiler(name, version).arg("-fsyntax-only").arg(directory.join("fuzzer.cpp")));
    }
}

/// As it is generated, a fuzzer says what is to be done, and records nothing.
fn says_what_is_unbound(model: &Model, directory: &Path) {
    let program = build(directory, "fuzzer.cpp");
    let mut run = Command::new(&program);
    run.args(["--threads", "4", "--ops", "1000", "--trace-dir", "t"]).current_dir(directory);
    let output = run.output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let names: Vec<_> = model.actions.iter().map(|action| &*action.name).collect();
    let expected =
        format!("fuzz: no action is bound to the system yet, so nothing is recorded: {}\n", names.join(", "));
    assert_eq!(said(&output), expected);
    assert!(!directory.join("t").exists());

    let listed = said(&succeed(Command::new(&program).arg("--list-actions")));
    for (line, action) in listed.lines().zip(&model.actions) {
        assert!(line.starts_with(&action.name), "{line} is not {}", action.name);
    }
    assert_eq!(listed.lines().count(), model.actions.len());
}
