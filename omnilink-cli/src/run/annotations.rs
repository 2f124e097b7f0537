//! Failures as annotations: lines of the log from which a service marks places in the repository.
//!
//! GitHub reads `::error file=FILE,line=LINE,col=COLUMN,title=TITLE::TEXT` ("Workflow commands for GitHub Actions"). Files are
//! named from the root of the repository, which the variable `GITHUB_WORKSPACE` names.

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::check::junit::{Case, Wrong};

/// A service that reads annotations.
#[derive(Clone, Copy, ValueEnum)]
pub enum Service {
    /// GitHub Actions: lines that begin with `::error`, on standard error
    Github,
}

/// The longest text of an annotation: services cut longer ones.
const LENGTH: usize = 4000;

/// Writes an annotation for every case in which something is wrong.
pub fn write(service: Service, cases: &[Case], spec: &Path, out: &mut dyn Write) -> io::Result<()> {
    let Service::Github = service;
    let root = env::var_os("GITHUB_WORKSPACE").map(PathBuf::from);
    for wrong in cases.iter().filter_map(|case| case.wrong.as_ref()) {
        writeln!(out, "{}", for_github(wrong, spec, root.as_deref()))?;
    }
    out.flush()
}

fn for_github(wrong: &Wrong, spec: &Path, root: Option<&Path>) -> String {
    let place = wrong.place.as_ref().and_then(|(name, line, column)| {
        let file = file(name, spec, root)?;
        Some(format!("file={},line={line},col={column},", property(&file)))
    });
    let place = place.unwrap_or_default();
    format!("::error {place}title={}::{}", property(&wrong.message), data(shortened(&wrong.text)))
}

/// The path of a module as the service knows it: beside the specification, from the root of the repository. A module that is
/// elsewhere is not named.
fn file(name: &str, spec: &Path, root: Option<&Path>) -> Option<String> {
    let path = spec.parent()?.join(name);
    if !path.is_file() {
        return None;
    }
    let from_root = root.and_then(|root| {
        let (path, root) = (path.canonicalize().ok()?, root.canonicalize().ok()?);
        Some(path.strip_prefix(root).ok()?.to_owned())
    });
    Some(from_root.unwrap_or(path).to_string_lossy().into_owned())
}

/// The first lines of a text.
fn shortened(text: &str) -> &str {
    if text.len() <= LENGTH {
        return text.trim_end();
    }
    let end = (0..=LENGTH).rev().find(|&end| text.is_char_boundary(end)).unwrap_or_default();
    let cut = &text[..end];
    cut.rsplit_once('\n').map_or(cut, |(lines, _)| lines)
}

/// Text after the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn wrong(text: &str) -> Wrong {
        let place = Some(("Queue.tla".to_owned(), 18, 8));
        Wrong { element: "failure", message: "Dequeue: a, b\nis FALSE".to_owned(), text: text.to_owned(), place }
    }

    #[test]
    fn a_failure_is_marked_at_its_formula() {
        let place = tempfile::tempdir().unwrap();
        let (root, spec) = (place.path(), place.path().join("specs/Queue.tla"));
        fs::create_dir(root.join("specs")).unwrap();
        fs::write(&spec, "").unwrap();
        let title = "title=Dequeue%3A a%2C b%0Ais FALSE";
        let expected = format!("::error file=specs/Queue.tla,line=18,col=8,{title}::100 %25%0Aof them");
        assert_eq!(for_github(&wrong("100 %\nof them\n"), &spec, Some(root)), expected);
        // A file that is not in the repository is named as it was given.
        let elsewhere = for_github(&wrong("x"), &spec, Some(&root.join("other")));
        assert_eq!(elsewhere, format!("::error file={},line=18,col=8,{title}::x", spec.display()));
        // A module that is not beside the specification has no place.
        assert_eq!(for_github(&wrong("x"), &root.join("Queue.tla"), None), format!("::error {title}::x"));
    }

    #[test]
    fn a_long_text_ends_with_a_line() {
        let text = "é23456789\n".repeat(1000);
        let short = shortened(&text);
        assert!(short.len() > LENGTH - 20 && short.len() <= LENGTH && short.ends_with('9'), "{}", short.len());
    }
}
