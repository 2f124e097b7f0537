//! The modules that the parser is tried on: those written to use every construct, and the specifications that other
//! tests evaluate.

use std::fs;
use std::path::{Path, PathBuf};

use omnilink_tla::internal::syntax::ast::Module;
use omnilink_tla::internal::syntax::parse_module;
use omnilink_tla::source::Sources;

/// Path and text of every module.
pub fn modules() -> Vec<(PathBuf, String)> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut paths: Vec<_> = ["parser_corpus", "specs"]
        .iter()
        .flat_map(|directory| fs::read_dir(tests.join(directory)).expect("the directory is there"))
        .map(|entry| entry.expect("the directory can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tla"))
        .collect();
    paths.sort();
    assert!(paths.len() > 40, "the corpus has been lost");
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a module is text");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// A text read as a module, or the message as a person sees it.
pub fn parse(text: &str) -> Result<Module, String> {
    let mut sources = Sources::default();
    let file = sources.add("Test.tla", text);
    parse_module(&sources, file).map_err(|error| error.render(&sources))
}
