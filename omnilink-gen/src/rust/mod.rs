//! Projects in Rust.
//!
//! ```text
//!  Cargo.toml        the user's
//!  README.md         the user's
//!  .gitignore        the user's
//!  src/actions.rs    the generator's: types of actions, the trait `Fuzzer`, `run`
//!  src/main.rs       the user's: `impl Fuzzer`, one stub per action
//! ```

mod actions;
mod literal;
mod names;
mod package;
mod plan;
mod stubs;

use crate::model::Model;
use crate::project::{File, Output};

/// The files of a project.
pub fn files(model: &Model, output: &Output) -> Vec<File> {
    let plan = plan::Plan::new(model);
    vec![
        File::for_user("Cargo.toml", package::manifest(output)),
        File::for_user("README.md", package::readme(model, output)),
        File::for_user(".gitignore", "/target\n/omnilink-runs-*\n/omnilink-trace-*\n"),
        File::generated("src/actions.rs", actions::text(model, output, &plan)),
        File::for_user("src/main.rs", stubs::text(model, &plan)),
    ]
}
