//! docs/environment.md names every variable that the code reads.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let below = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    below.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The names in a text that look like our variables, between quotation marks.
fn variables(text: &str, begin: &str, end: char) -> BTreeSet<String> {
    let after = text.split(begin).skip(1).filter_map(|rest| rest.split_once(end));
    let names = after.map(|(name, _)| format!("OMNILINK_{name}"));
    names.filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_')).collect()
}

#[test]
fn the_table_names_every_variable() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = fs::read_to_string(root.join("docs/environment.md")).unwrap();
    let documented = variables(&page, "`OMNILINK_", '`');
    // Those of tests and of the makers of tables are not for users.
    let inner = ["OMNILINK_", "OMNILINK_WRITE_TABLES"];
    let is_inner = |name: &String| name.starts_with("OMNILINK_TEST_") || inner.contains(&name.as_str());
    let crates =
        ["omnilink-check", "omnilink-cli", "omnilink-record", "omnilink-runtime", "omnilink-tla", "omnilink-gen"];
    let files = crates.iter().flat_map(|name| sources(&root.join(name).join("src")));
    let read: BTreeSet<_> = files
        .flat_map(|file| variables(&fs::read_to_string(file).unwrap(), "\"OMNILINK_", '"'))
        .filter(|name| !is_inner(name))
        .collect();
    assert!(read.len() >= 15, "{read:?}");
    assert_eq!(documented, read);
}
