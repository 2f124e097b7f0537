//! The languages that fuzzers are generated in.

use std::path::Path;

use crate::model::Model;
use crate::project::{File, Output};
use crate::{cpp, rust};

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rust: a Cargo project.
    Rust,
    /// C++: a CMake project.
    Cpp,
}

impl Language {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::Cpp => "C++",
        }
    }

    /// What `--lang` calls it.
    pub fn option(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Cpp => "cpp",
        }
    }

    /// The generated file that holds the options of a project.
    pub fn actions(self) -> &'static Path {
        Path::new(match self {
            Self::Rust => "src/actions.rs",
            Self::Cpp => "actions.hpp",
        })
    }

    /// The files of a project, with copies of those of the specification.
    pub fn files(self, model: &Model, output: &Output) -> Vec<File> {
        let copies = model.sources.iter().map(|source| File::generated(&source.file, &source.text));
        let files = match self {
            Self::Rust => rust::files(model, output),
            Self::Cpp => cpp::files(model, output),
        };
        files.into_iter().chain(copies).collect()
    }

    /// How a project is built, as a shell command in its directory, and the program that this makes.
    pub fn build_and_program(self, name: &str) -> (String, String) {
        match self {
            // Wherever else the user lets Cargo put things.
            Self::Rust => ("cargo build --release --target-dir target".into(), format!("target/release/{name}")),
            Self::Cpp => ("cmake -B build && cmake --build build".into(), "build/fuzzer".into()),
        }
    }

    /// The user's file that is to be filled in.
    pub fn to_fill_in(self) -> &'static Path {
        Path::new(match self {
            Self::Rust => "src/main.rs",
            Self::Cpp => "fuzzer.cpp",
        })
    }
}
