//! Where a project gets the crate `omnilink` from.
//!
//! A project has to build where it is, and after it is moved together with what it depends on. So a checkout is named by
//! its path from the project; an absolute path is written only where somebody gave one.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::error::Error;
use crate::paths;

/// Where a project gets the crate `omnilink` from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dependency {
    /// A directory with the crate: absolute, or as seen from the project.
    Path(PathBuf),
    /// A version of the registry.
    Version(String),
    /// A git repository.
    Git {
        /// Its address.
        url: String,
        /// A commit, branch or tag; the default branch if there is none.
        rev: Option<String>,
    },
    /// Nobody knows. Enough for projects that have their `Cargo.toml`, and for C++.
    Unknown,
}

/// The version of the crate that generated code is for: this one, without the part that does not matter.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));

impl Dependency {
    /// What `--omnilink` says: a directory, a version, or the address of a git repository, as `git+https://host/path` with
    /// `#` and a commit, branch or tag where one is wanted. Relative paths are seen from the working directory.
    ///
    /// # Errors
    /// If it is none of these, or if the directory does not have the crate.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let refuse = |problem: &str| Error::Dependency { given: text.to_owned(), problem: problem.to_owned() };
        if let Some(address) = git_address(text) {
            let (url, rev) = match address.split_once('#') {
                Some((url, rev)) => (url, Some(rev.to_owned())),
                None => (address, None),
            };
            let is_wrong = url.is_empty() || rev.as_deref() == Some("");
            return if is_wrong { Err(refuse("is no address of a git repository")) } else { Ok(Self::git(url, rev)) };
        }
        if is_version(text) {
            return Ok(Self::Version(text.to_owned()));
        }
        match crate_in(Path::new(text)) {
            Some(directory) => Ok(Self::Path(directory)),
            None if Path::new(text).exists() => Err(refuse("holds neither the crate `omnilink` nor a checkout of it")),
            None => Err(refuse("is no version, no address that begins with git+, and there is no such directory")),
        }
    }

    fn git(url: &str, rev: Option<String>) -> Self {
        Self::Git { url: url.to_owned(), rev }
    }

    /// The crate of a checkout, if it is there.
    pub fn in_checkout(checkout: &Path) -> Option<Self> {
        crate_in(checkout).map(Self::Path)
    }

    /// The same as seen from a project.
    pub(crate) fn seen_from(self, directory: &Path, absolute: Absolute) -> io::Result<Self> {
        Ok(match self {
            Self::Path(path) => Self::Path(seen_from(directory, &path, absolute)?),
            other => other,
        })
    }

    /// The checkout that the crate is in, if it is in one that has the library for C++, too.
    pub(crate) fn checkout(&self) -> Option<PathBuf> {
        let Self::Path(path) = self else { return None };
        let checkout = path.canonicalize().ok()?.parent()?.to_owned();
        checkout.join("cpp-shim/CMakeLists.txt").is_file().then_some(checkout)
    }

    /// The value in `Cargo.toml`.
    pub(crate) fn toml(&self) -> String {
        match self {
            Self::Path(path) => {
                format!("{{ version = \"{VERSION}\", path = {} }}", toml_string(&path.to_string_lossy()))
            }
            Self::Version(version) => toml_string(version),
            Self::Git { url, rev: None } => format!("{{ git = {} }}", toml_string(url)),
            Self::Git { url, rev: Some(rev) } => {
                format!("{{ git = {}, rev = {} }}", toml_string(url), toml_string(rev))
            }
            Self::Unknown => toml_string(VERSION),
        }
    }
}

/// What becomes of an absolute path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absolute {
    /// Somebody gave it: it stays.
    Stays,
    /// Nobody did: the project names the way to it.
    BecomesRelative,
}

/// A directory as seen from a project.
pub(crate) fn seen_from(directory: &Path, path: &Path, absolute: Absolute) -> io::Result<PathBuf> {
    if path.is_absolute() && absolute == Absolute::Stays {
        return Ok(path.to_owned());
    }
    // Cargo and CMake go to the parent of the directory that a link leads to.
    paths::from_directory(&paths::without_links(directory)?, &paths::without_links(path)?)
}

/// What is an address of a repository, and nothing else.
fn git_address(text: &str) -> Option<&str> {
    let is_address = text.contains("://") || text.starts_with("git@");
    text.strip_prefix("git+").or(is_address.then_some(text))
}

/// Digits and dots, as Cargo wants them: `0.1`, `0.1.3`, `=0.1.3-rc.1`.
fn is_version(text: &str) -> bool {
    let number = text.trim_start_matches(['=', '^', '~']);
    let plain = number.split(['-', '+']).next().unwrap_or_default();
    let parts: Vec<&str> = plain.split('.').collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.len() <= 3 && parts.iter().all(is_number)
}

/// The directory of the crate: this one, or that of a checkout.
fn crate_in(directory: &Path) -> Option<PathBuf> {
    let is_crate = |directory: &Path| {
        let manifest = fs::read_to_string(directory.join("Cargo.toml")).unwrap_or_default();
        manifest.lines().any(|line| line.split_whitespace().collect::<String>() == "name=\"omnilink\"")
    };
    [directory.to_owned(), directory.join("omnilink")].into_iter().find(|directory| is_crate(directory))
}

/// A string as TOML writes it.
fn toml_string(text: &str) -> String {
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> String {
        match Dependency::parse(text) {
            Ok(dependency) => dependency.toml(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn versions_and_repositories() {
        for (given, toml) in [
            ("0.1", r#""0.1""#),
            ("=0.1.3-rc.1", r#""=0.1.3-rc.1""#),
            ("git+https://example.org/omnilink", r#"{ git = "https://example.org/omnilink" }"#),
            ("https://example.org/omnilink.git#v0.1", r#"{ git = "https://example.org/omnilink.git", rev = "v0.1" }"#),
            ("git@example.org:omnilink", r#"{ git = "git@example.org:omnilink" }"#),
        ] {
            assert_eq!(parsed(given), toml, "{given}");
        }
    }

    #[test]
    fn what_is_neither_is_refused() {
        for given in ["", "newest", "1.2.3.4", "1..2", "git+", "git+https://example.org/o#", "/no/such/place", "src"] {
            let text = parsed(given);
            assert!(text.starts_with(&format!("--omnilink: `{given}` ")), "{text}");
        }
    }

    #[test]
    fn a_checkout_is_seen_from_the_project() {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let text = checkout.to_str().unwrap();
        let parsed = Dependency::parse(text).unwrap();
        assert_eq!(parsed, Dependency::parse(&format!("{text}/omnilink")).unwrap());
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("far/away")).unwrap();
        let link = place.path().join("link");
        std::os::unix::fs::symlink(place.path().join("far/away"), &link).unwrap();
        for directory in [place.path().join("new"), link.join("new")] {
            let seen = parsed.clone().seen_from(&directory, Absolute::BecomesRelative);
            let Ok(Dependency::Path(seen)) = seen else { panic!("{seen:?}") };
            assert!(seen.is_relative() && seen.ends_with("omnilink"), "{seen:?}");
            fs::create_dir(&directory).unwrap();
            // As the system follows it, from where the directory really is.
            assert!(directory.join(&seen).join("Cargo.toml").is_file(), "{seen:?}");
        }
        assert_eq!(parsed.checkout(), Some(checkout.canonicalize().unwrap()));
        assert_eq!(parsed.clone().seen_from(place.path(), Absolute::Stays).unwrap(), parsed);
    }

    #[test]
    fn nothing_breaks_out_of_a_string() {
        assert_eq!(toml_string("a\"b\\c\nd"), r#""a\"b\\c\u000Ad""#);
    }
}
