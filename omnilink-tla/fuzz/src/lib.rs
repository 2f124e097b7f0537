//! What the targets share with the tests of the parser, and the modules that inputs are made from.

use std::fs;
use std::path::Path;

#[path = "../../tests/parser/edits.rs"]
pub mod edits;
#[path = "../../tests/parser/promises.rs"]
pub mod promises;

/// The texts of all modules that tests read.
pub fn modules() -> Vec<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let files =
        ["parser_corpus", "specs"].iter().flat_map(|directory| fs::read_dir(tests.join(directory)).expect("tests"));
    let mut paths: Vec<_> = files.map(|file| file.expect("a readable directory").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "tla"));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a module is text")).collect()
}
