//! What surrounds the two source files: `Cargo.toml` and a README.

use crate::model::Model;
use crate::project::Output;

/// `Cargo.toml`. The empty `[workspace]` lets it build inside of other workspaces.
pub(super) fn manifest(output: &Output) -> String {
    format!(
        "[package]\n\
         name = \"{}\"\n\
         version = \"0.1.0\"\n\
         edition = \"2024\"\n\
         rust-version = \"1.88\"\n\
         publish = false\n\
         \n\
         [dependencies]\n\
         omnilink = {}\n\
         \n\
         # A project of its own, also below the directory of another.\n\
         [workspace]\n",
        output.name,
        output.dependency.toml()
    )
}

/// `README.md`
pub(super) fn readme(model: &Model, output: &Output) -> String {
    let Model { spec, file, .. } = model;
    format!(
        "# {name}\n\
         \n\
         A fuzzer for the TLA+ specification `{spec}`, made by `omnilink gen-fuzzer`.\n\
         \n\
         1. Say in `src/main.rs` what the system is and how each action is performed.\n\
         2. `omnilink run` builds it, runs it again and again, each time under another schedule, and checks every run, until\n   \
         one fails. `omnilink.project` says what it builds and runs, and with which constants it checks.\n\
         3. One run alone: `cargo run --release -- --threads 4 --ops 1000 --trace-dir t` records it (`--help` tells all\n   \
         options), `omnilink show t` prints what was recorded, `omnilink check {file} t` says whether the specification\n   \
         allows it.\n\
         \n\
         `src/actions.rs` and the copy of the specification are generated: after a change of the specification run\n\
         `omnilink gen-fuzzer` again with `--lang rust -o` and this directory. The compiler then names the actions that\n\
         came or went. `--check` only compares.\n",
        name = output.name
    )
}
