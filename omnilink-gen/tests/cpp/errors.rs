//! What the compiler says when the fuzzer and the specification no longer fit together.

use std::path::Path;

use omnilink_gen::Language;
use omnilink_gen::model::Action;

use crate::support::{compiler, is_installed, own_project, queue, rejected, succeed, write};

/// What a compiler says about a fuzzer, the generated one with `from` replaced by `to`, if only the actions remain that
/// `keep` keeps.
#[track_caller]
fn complaint(compiler: &str, keep: impl Fn(&Action) -> bool, from: &str, to: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let (mut model, output) = (queue().model(), queue().output(None));
    write(&Language::Cpp.files(&model, &output), directory.path());
    let fuzzer = directory.path().join("fuzzer.cpp");
    let text = std::fs::read_to_string(&fuzzer).unwrap();
    assert!(text.contains(from), "{from}");
    model.actions.retain(keep);
    write(&Language::Cpp.files(&model, &output), directory.path());
    std::fs::write(fuzzer, text.replace(from, to)).unwrap();
    rejected(compiler, directory.path(), "fuzzer.cpp")
}

const EMPTY: &str = "static Unsupported perform(Kind<spec::DequeueEmpty>, Context &) { return unsupported; }";

fn compilers() -> impl Iterator<Item = &'static str> {
    ["g++", "clang++-14"].into_iter().filter(|compiler| is_installed(compiler))
}

#[test]
fn an_action_that_came_is_named() {
    for compiler in compilers() {
        let said = complaint(compiler, |_| true, EMPTY, "");
        assert!(said.contains("the fuzzer has no function for the action DequeueEmpty; to begin with, add"), "{said}");
        assert!(said.contains(EMPTY), "{said}");
        assert_eq!(said.matches("error:").count(), 1, "{said}");
    }
}

#[test]
fn a_function_that_cannot_be_called_is_none() {
    for compiler in compilers() {
        let said = complaint(compiler, |_| true, EMPTY, "Unsupported perform(Kind<spec::DequeueEmpty>) { return {}; }");
        assert!(said.contains("no function for the action DequeueEmpty"), "{said}");
    }
}

#[test]
fn an_action_that_went_is_named() {
    for compiler in compilers() {
        let said = complaint(compiler, |action| action.name != "DequeueEmpty", EMPTY, EMPTY);
        let first = said.lines().find(|line| line.contains("error:")).unwrap();
        assert!(first.contains("DequeueEmpty") && first.contains("spec"), "{said}");
    }
}

#[test]
fn an_action_that_the_call_cannot_be_is_named() {
    let unlisted = "static Performed<spec::Dequeue> perform(Kind<spec::DequeueEmpty>, Context &) { return \
                    spec::DequeueEmpty{}; }";
    for compiler in compilers() {
        let said = complaint(compiler, |_| true, EMPTY, unlisted);
        let first = said.lines().find(|line| line.contains("error:")).unwrap();
        assert!(first.contains("DequeueEmpty") && first.contains("Performed<"), "{said}");
    }
}

#[test]
fn a_function_says_what_its_call_may_be() {
    let returns = "static spec::DequeueEmpty perform(Kind<spec::DequeueEmpty>, Context &) { return {}; }";
    for compiler in compilers() {
        let said = complaint(compiler, |_| true, EMPTY, returns);
        assert!(said.contains("perform returns Performed<...> with the actions"), "{said}");
        assert!(said.contains("spec::DequeueEmpty"), "{said}");
    }
}

/// Neither a header that comes first nor one that comes later disturbs the names of the specification.
#[test]
fn macros_of_the_system_are_avoided() {
    let directory = tempfile::tempdir().unwrap();
    write(&own_project("Words").files, directory.path());
    let text = std::fs::read_to_string(directory.path().join("fuzzer.cpp")).unwrap();
    let headers = "#include <sys/mman.h>\n#include <sys/socket.h>\n#include <sys/sysmacros.h>\n#include <unistd.h>\n";
    let source = directory.path().join("headers.cpp");
    std::fs::write(&source, format!("{headers}{text}")).unwrap();
    check(&source);
    std::fs::write(&source, text.replace("struct System", &format!("{headers}struct System"))).unwrap();
    check(&source);
}

#[track_caller]
fn check(source: &Path) {
    succeed(compiler("g++", "gnu++17").arg("-fsyntax-only").arg(source));
}
