//! The modules of the search are layers: none uses one above it, and none uses itself through others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// From the bottom up.
const LAYERS: &[&[&str]] = &[
    &["arguments", "control", "deepest", "event_cache", "failures", "moves", "seen"],
    &["placement"],
    &["problem"],
    &["compiled", "specification"],
    &["stack"],
    &["backjump", "reduction", "work_queue"],
    &["depth_first", "frontier"],
    &["parallel"],
    &["run"],
];

type Uses = BTreeMap<String, BTreeSet<String>>;

/// The modules of the search that each of them imports from.
fn uses() -> Uses {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search");
    let exports = exports(&read(&directory.join("mod.rs")));
    let mut uses = Uses::new();
    for entry in fs::read_dir(&directory).expect("the directory of this file") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if ["mod", "layers"].contains(&&*name) {
            continue;
        }
        let texts: Vec<(usize, String)> = if path.is_dir() {
            let files = fs::read_dir(&path).expect("a module's directory").map(|file| file.expect("an entry").path());
            files.map(|file| (if file.ends_with("mod.rs") { 1 } else { 2 }, read(&file))).collect()
        } else {
            vec![(1, read(&path))]
        };
        let of_module = uses.entry(name.clone()).or_default();
        for (depth, text) in texts {
            of_module.extend(imports(&text, depth).into_iter().map(|item| exports.get(&item).cloned().unwrap_or(item)));
        }
        of_module.remove(&name);
    }
    uses
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// By item: the module that `mod.rs` takes it from.
fn exports(text: &str) -> BTreeMap<String, String> {
    let uses = text.split(';').filter_map(|item| item.trim().rsplit_once("use ")).map(|(_, path)| path);
    let paths = uses.filter_map(|path| path.split_once("::"));
    paths.flat_map(|(module, items)| names(items).map(move |item| (item, module.to_owned()))).collect()
}

/// What is imported from the search's own module, so many levels up: modules, and items that it re-exports.
fn imports(text: &str, depth: usize) -> Vec<String> {
    let own = "super::".repeat(depth);
    let uses = text.split(';').filter_map(|item| item.trim().rsplit_once("use ")).map(|(_, path)| path.trim());
    let within = uses.filter_map(|path| path.strip_prefix(&own).or_else(|| path.strip_prefix("crate::search::")));
    within.filter(|path| !path.starts_with("super::")).flat_map(|path| names(path).collect::<Vec<_>>()).collect()
}

/// The first names of a path or of a list of paths.
fn names(path: &str) -> impl Iterator<Item = String> {
    let list = path.trim().strip_prefix('{').and_then(|list| list.strip_suffix('}')).unwrap_or(path);
    let list = if list == path { path.split("::").next().unwrap_or(path) } else { list };
    list.split(',')
        .map(|item| item.trim().to_owned())
        .filter(|item| !["", "*"].contains(&&**item))
        .collect::<Vec<_>>()
        .into_iter()
}

#[test]
fn no_module_uses_one_above_it() {
    let layer = |name: &str| {
        LAYERS.iter().position(|layer| layer.contains(&name)).unwrap_or_else(|| panic!("{name} is in no layer"))
    };
    let uses = uses();
    assert!(uses["depth_first"].contains("stack") && uses["backjump"].contains("problem"), "{uses:?}");
    for (name, used) in &uses {
        let above: Vec<_> = used.iter().filter(|other| layer(other) > layer(name)).collect();
        assert!(above.is_empty(), "{name} uses {above:?}");
    }
}

#[test]
fn no_module_uses_itself_through_others() {
    let mut uses = uses();
    while let Some(bottom) = uses.iter().find(|(_, used)| used.is_empty()).map(|(name, _)| name.clone()) {
        uses.remove(&bottom);
        uses.values_mut().for_each(|used| {
            used.remove(&bottom);
        });
    }
    assert!(uses.is_empty(), "a circle: {uses:?}");
}
