//! The C++ project: a header with the actions as types, and a program to fill in.
//!
//! | file | whose | |
//! | --- | --- | --- |
//! | `actions.hpp` | the generator's | actions, enumerations and records as types, and what the loop knows of them |
//! | `fuzzer.cpp` | the user's | the system under test, and one `perform` per action, all unsupported at first |
//! | `CMakeLists.txt`, `README.md`, `.gitignore` | the user's | |
//!
//! `actions.hpp` holds only what depends on the specification. How actions as types are performed and recorded is in
//! `omnilink/perform.hpp` of `cpp-shim`. Everything that the specification names is in the namespace `spec` and nothing
//! else is, so its names collide neither with those of the template nor with those of the system under test.
//!
//! All of `CMakeLists.txt` is the user's, because it depends on nothing in the specification, and on where OmniLink is:
//! a generated file must be the same for everyone who generates it.

mod actions;
mod build;
mod fuzzer;
mod names;
mod text;
mod types;

use crate::model::Model;
use crate::project::{File, Output};

/// The files of the C++ project.
pub fn files(model: &Model, output: &Output) -> Vec<File> {
    let vocabulary = types::Vocabulary::new(model);
    vec![
        File::generated("actions.hpp", actions::header(model, &vocabulary, output)),
        File::for_user("fuzzer.cpp", fuzzer::program(model, &vocabulary)),
        File::for_user("CMakeLists.txt", build::cmake(output)),
        File::for_user("README.md", build::readme(model, output)),
        File::for_user(".gitignore", "/build\n/omnilink-runs-*\n/omnilink-trace-*\n"),
    ]
}
