//! What surrounds the two source files: `Cargo.toml` and a README.

use std::path::Path;

use crate::model::Model;
use crate::project::Output;

/// The version of the crate `omnilink` that generated code is for: this one.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// `Cargo.toml`. The empty `[workspace]` lets it build inside of other workspaces.
pub(super) fn manifest(output: &Output) -> String {
    let version = VERSION.rsplit_once('.').map_or(VERSION, |(compatible, _)| compatible);
    let dependency = match &output.checkout {
        Some(checkout) => format!("{{ version = \"{version}\", path = {} }}", toml_string(&checkout.join("omnilink"))),
        None => format!("\"{version}\""),
    };
    format!(
        "[package]\n\
         name = \"{}\"\n\
         version = \"0.1.0\"\n\
         edition = \"2024\"\n\
         rust-version = \"1.88\"\n\
         publish = false\n\
         \n\
         [dependencies]\n\
         omnilink = {dependency}\n\
         \n\
         # A project of its own, also below the directory of another.\n\
         [workspace]\n",
        output.name
    )
}

fn toml_string(path: &Path) -> String {
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", path.to_string_lossy().chars().map(escaped).collect::<String>())
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
         2. `cargo run --release -- --threads 4 --ops 1000 --trace-dir t` (`--help` tells all options).\n\
         3. `omnilink show t` prints what was recorded.\n\
         4. `omnilink check {file} t` says whether the specification allows it.\n\
         5. `omnilink run {file} -- target/release/{name} --threads 4 --ops 100` does all this in a loop, each\n   \
         time under another schedule, until a run fails.\n\
         \n\
         `src/actions.rs` and the copy of the specification are generated: after a change of the specification run\n\
         `omnilink gen-fuzzer` again with `--lang rust -o` and this directory. The compiler then names the actions that\n\
         came or went. `--check` only compares.\n",
        name = output.name
    )
}
