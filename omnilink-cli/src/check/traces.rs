//! The traces that the arguments name: traces, directories of traces, and patterns that the shell did not expand.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use omnilink_trace::layout;

use crate::failure::Failure;

/// The suffixes of files that are traces.
const SINGLE: [&str; 3] = [".jsonl", ".ndjson", ".tar.zst"];
/// The maximum depth of the search in a named directory.
const DEEPEST: usize = 8;

/// The traces that the arguments name, in order; those of a directory or a pattern are sorted by name.
pub fn named(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut traces = Vec::new();
    for argument in arguments {
        if argument.exists() {
            add(argument, &mut traces)?;
            continue;
        }
        let matching = matching(argument)?;
        if matching.is_empty() {
            // Opening it reports the error.
            traces.push(argument.clone());
        }
        matching.iter().try_for_each(|path| add(path, &mut traces))?;
    }
    Ok(traces)
}

/// The matches of a pattern; empty if the text is not a pattern.
fn matching(argument: &Path) -> Result<Vec<PathBuf>, Failure> {
    let Some(pattern) = argument.to_str().filter(|text| text.contains(['*', '?', '['])) else { return Ok(Vec::new()) };
    let wrong = |error: glob::PatternError| Failure::new(format!("`{pattern}` is not a pattern: {error}"));
    let paths = glob::glob(pattern).map_err(wrong)?.map(|path| path.map_err(|error| Failure::new(error.to_string())));
    let paths = paths.collect::<Result<Vec<_>, _>>()?;
    if paths.is_empty() {
        return Err(Failure::new(format!("`{pattern}` matches no file")));
    }
    Ok(paths)
}

fn add(path: &Path, traces: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let before = traces.len();
    if path.is_dir() {
        collect(path, 0, traces).map_err(|error| Failure::file(path, &error))?;
    }
    if traces.len() == before {
        traces.push(path.to_owned());
    }
    Ok(())
}

/// Adds a run, or the traces in a directory that is not a run.
fn collect(directory: &Path, depth: usize, traces: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    if entries.iter().any(|entry| belongs_to_a_run(entry)) {
        traces.push(directory.to_owned());
        return Ok(());
    }
    for entry in entries {
        if entry.is_dir() && depth < DEEPEST {
            collect(&entry, depth + 1, traces)?;
        } else if name(&entry).is_some_and(|name| SINGLE.iter().any(|ending| name.ends_with(ending))) {
            traces.push(entry);
        }
    }
    Ok(())
}

/// Whether a file, by its name, is part of a run directory.
pub(super) fn belongs_to_a_run(path: &Path) -> bool {
    let is_log = path.extension().is_some_and(|extension| extension == "log");
    is_log || name(path).is_some_and(|name| name == layout::RUN_FILE || layout::lane_index(name).is_some())
}

fn name(path: &Path) -> Option<&str> {
    path.file_name().and_then(|name| name.to_str())
}
