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

    /// The commands that build and run a fuzzer in the project's directory.
    pub fn commands(self) -> &'static [&'static str] {
        match self {
            Self::Rust => &["cargo run --release -- --threads 4 --ops 1000 --trace-dir t"],
            Self::Cpp => {
                &["cmake -B build && cmake --build build", "build/fuzzer --threads 4 --ops 1000 --trace-dir t"]
            }
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
