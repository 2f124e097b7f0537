//! The files of a report: pages, counterexamples and specifications.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use omnilink_record::store::{Entry, Store};

use super::model::Report;
use super::{markdown, page};
use crate::failure::Failure;

/// A file beside the pages.
pub struct Attachment {
    /// Its path, relative to the pages.
    pub path: String,
    /// Its content.
    pub contents: Vec<u8>,
}

/// Adds the counterexample of a run; returns its path.
pub fn attach_counterexample(run: &Entry, document: Vec<u8>, attachments: &mut Vec<Attachment>) -> String {
    let stem = format!("counterexamples/{}", plain(&run.name));
    let taken = |path: &str| attachments.iter().any(|other| other.path == path);
    // A run may be rejected by several specifications.
    let mut path = format!("{stem}.omni");
    for number in 2.. {
        if !taken(&path) {
            break;
        }
        path = format!("{stem}-{number}.omni");
    }
    attachments.push(Attachment { path: path.clone(), contents: document });
    path
}

/// Adds the files of a specification, unless they are present; returns their path.
pub fn attach_spec(
    store: &Store,
    name: &str,
    hash: &str,
    attachments: &mut Vec<Attachment>,
) -> Result<Vec<String>, Failure> {
    let directory = format!("specs/{}-{}", plain(name), plain(&hash.chars().take(8).collect::<String>()));
    let mut paths = Vec::new();
    for (path, text) in store.spec_files(hash)? {
        // The names have no directories when they are stored; a store from another source may contain others.
        let Some(name) = Path::new(&path).file_name() else { continue };
        let path = format!("{directory}/{}", plain(&name.to_string_lossy()));
        if !attachments.iter().any(|other| other.path == path) {
            attachments.push(Attachment { path: path.clone(), contents: text.into_bytes() });
        }
        paths.push(path);
    }
    Ok(paths)
}

/// A name that is valid on every file system and in links; the text comes from the store and is not trusted.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    if plain.trim_matches('.').is_empty() { format!("_{plain}") } else { plain }
}

/// The directory of a report.
pub struct Output(PathBuf);

impl Output {
    /// Creates the directory, or uses an empty one; with `force`, also one that is not empty.
    pub fn open(path: &Path, force: bool) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::file(path, &error);
        match fs::read_dir(path).map(|mut entries| entries.next().is_some()) {
            Ok(true) if !force => Err(Failure::with_hint(
                format!("{}: is not empty", path.display()),
                "name another directory, or give --force to write over what is there",
            )),
            Ok(_) => Ok(Self(path.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(failed)?;
                Ok(Self(path.to_owned()))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Writes all files; returns the path of the first page.
    pub fn write(&self, report: &Report, attachments: &[Attachment]) -> Result<PathBuf, Failure> {
        for attachment in attachments {
            self.file(&attachment.path, &attachment.contents)?;
        }
        for (at, campaign) in report.campaigns.iter().enumerate() {
            let name = page_name(report, at);
            self.file(&format!("{name}.html"), page::campaign(report, campaign).as_bytes())?;
            self.file(&format!("{name}.md"), markdown::campaign(report, campaign).as_bytes())?;
        }
        if report.campaigns.len() > 1 {
            self.file("index.html", page::overview(report).as_bytes())?;
            self.file("index.md", markdown::overview(report).as_bytes())?;
        }
        Ok(self.0.join("index.html"))
    }

    fn file(&self, path: &str, contents: &[u8]) -> Result<(), Failure> {
        let path = self.0.join(path);
        let write = || {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, contents)
        };
        write().map_err(|error| Failure::file(&path, &error))
    }
}

/// The name of a campaign's page: if there is one campaign, its page is the first one.
pub fn page_name(report: &Report, at: usize) -> String {
    if report.campaigns.len() == 1 { "index".to_owned() } else { format!("campaign-{}", at + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_of_the_report() {
        let cases = [
            ("3f2a", "3f2a"),
            ("Queue.tla", "Queue.tla"),
            ("../../etc/passwd", ".._.._etc_passwd"),
            ("..", "_.."),
            ("", "_"),
            ("<b> \"x\"", "_b___x_"),
        ];
        for (name, expected) in cases {
            assert_eq!(plain(name), expected, "{name}");
        }
    }
}
