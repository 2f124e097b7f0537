//! Projects from specifications, built with the system's compilers against the library.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use omnilink_gen::model::Model;
use omnilink_gen::project::{self, File};
use omnilink_gen::recipe::Recipe;
use omnilink_gen::{Choice, Dependency, Language, read};
use omnilink_tla::{Options, Spec};
use tempfile::TempDir;

use crate::specs;

/// Where this crate is.
pub fn crate_directory() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where the C++ library's sources are.
pub fn shim_directory() -> PathBuf {
    crate_directory().with_file_name("cpp-shim")
}

/// A specification and the project that is made from it.
pub struct Project {
    pub spec: PathBuf,
    pub model: Model,
    pub files: Vec<File>,
}

/// The projects of the specifications that are shared by all languages, and of those that are hard for C++.
pub fn projects() -> Vec<Project> {
    let shared = specs::all().map(|case| Project {
        spec: case.path(),
        model: case.model(),
        files: case.files(Language::Cpp, None),
    });
    shared.chain(["Words", "Values"].map(own_project)).collect()
}

/// The project of a specification in `tests/cpp/specs`.
pub fn own_project(name: &str) -> Project {
    let spec = crate_directory().join(format!("tests/cpp/specs/{name}.tla"));
    let loaded = Spec::load(&spec, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let model = read(&loaded, &Choice::default()).unwrap_or_else(|error| panic!("{error}")).model;
    let output = project::Output {
        name: "fuzzer".into(),
        dependency: Dependency::Unknown,
        checkout: None,
        recipe: Recipe::default(),
    };
    let files = Language::Cpp.files(&model, &output);
    Project { spec, model, files }
}

/// The specification of the queue.
pub fn queue() -> specs::Case {
    specs::all().find(|case| case.name == "Queue").unwrap()
}

/// Writes a project.
pub fn write(files: &[File], directory: &Path) {
    for file in files {
        std::fs::write(directory.join(&file.path), &file.text).unwrap();
    }
}

/// The target directory, and the name of the profile of this test.
pub fn target_and_profile() -> (PathBuf, &'static str) {
    let directory = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned();
    (directory.parent().unwrap().to_owned(), if directory.ends_with("release") { "release" } else { "dev" })
}

/// The shared library, which `cargo test` does not build. With it, programs are linked faster than with the static one.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let (target, profile) = target_and_profile();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "cpp-shim", "--profile", profile, "--target-dir"]);
        succeed(build.arg(&target).current_dir(shim_directory()));
        target.join(if profile == "dev" { "debug" } else { profile }).join("libomnilink_c.so")
    })
}

/// A compiler with the warnings that generated code must pass.
pub fn compiler(name: &str, version: &str) -> Command {
    let mut compiler = Command::new(name);
    compiler.args(["-Wall", "-Wextra", "-Werror", "-Wpedantic", "-Wshadow", "-Wconversion", "-pthread"]);
    compiler.arg(format!("-std={version}")).arg("-I").arg(shim_directory().join("include"));
    compiler
}

/// What programs are built with.
const BUILD: (&str, &str) = ("g++", "gnu++17");

/// A header with the library's, compiled once: it takes longer than all that is generated.
fn precompiled() -> &'static Path {
    static HEADER: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, header) = HEADER.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let header = directory.path().join("precompiled.hpp");
        std::fs::write(&header, "#include <omnilink.hpp>\n").unwrap();
        succeed(compiler(BUILD.0, BUILD.1).args(["-x", "c++-header"]).arg(&header));
        (directory, header)
    });
    header
}

/// Compiles and links `source` in a project's directory.
#[track_caller]
pub fn build(directory: &Path, source: &str) -> PathBuf {
    let library = library();
    let program = directory.join(source).with_extension("out");
    let mut compiler = compiler(BUILD.0, BUILD.1);
    compiler.arg("-include").arg(precompiled()).arg(directory.join(source)).arg("-o").arg(&program).arg(library);
    succeed(compiler.arg(format!("-Wl,-rpath,{}", library.parent().unwrap().display())));
    program
}

/// What the compiler says about a source that it must not accept.
#[track_caller]
pub fn rejected(compiler_name: &str, directory: &Path, source: &str) -> String {
    let output = compiler(compiler_name, "c++17").arg("-fsyntax-only").arg(directory.join(source)).output().unwrap();
    assert!(!output.status.success(), "{source} is accepted");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a command that must succeed.
#[track_caller]
pub fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, said(&output));
    output
}

/// Everything that a program wrote.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// True if a program can be run. If not, says that something is not tested.
pub fn is_installed(program: &str) -> bool {
    let installed = Command::new(program).arg("--version").output().is_ok();
    if !installed {
        println!("{program} is not installed: not tested");
    }
    installed
}
